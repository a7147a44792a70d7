"""`/tournament`: members enter for an entry, and play for the pot at several tables."""

import logging
from collections.abc import Iterable
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.croupier.tournaments import EntryRefused, NotEntered, UnreadableTournamentError
from bot.games.register import GAMES
from bot.table.tournament import MOST_ENTRANTS, CancelReason, Progress, Tournament, tournament_rules
from bot.ui.admin_acts import Question
from bot.ui.bot import BotCog
from bot.ui.components import Layout, button, link_to, row, text_view
from bot.ui.house.notices import News
from bot.ui.press.arrivals import not_after
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import fill_reply, replace_pressed, reply, reply_layout
from bot.ui.press.router import handles
from bot.ui.press.table_choice import game_here, may_see, missing_permissions, server_of
from bot.ui.tournament_view import (
    cancelled_words,
    not_running,
    stage_words,
    tournament_line,
    tournament_view,
)
from bot.wire.intake import thread_parent
from bot.wire.requests import Interaction, defer_update, respond_with_id
from bot.words.translation import translate

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 2.0
"""How often it is looked what is due in tournaments."""
CHIPS: Final = 1000
ROUNDS: Final = 5
MINUTES: Final = 10
"""What a tournament is like if its opener says nothing."""
DAY_MINUTES: Final = 24 * 60
MOST_SHOWN: Final = 10
"""How many tournaments of other channels are shown at once, a line each."""


class TournamentsCog(BotCog, name="Tournaments"):
    """Opens tournaments, and goes on with them."""

    tournament = app_commands.Group(
        name="tournament", description=command_text("command.tournament"), guild_only=True
    )

    async def cog_load(self) -> None:
        """Starts to look for what is due."""
        self.bot.tasks.repeat(self.look, LOOK_SECONDS, "tournaments")

    async def look(self) -> None:
        """Goes on with every tournament."""
        await self.bot.wait_until_ready()
        await self.bot.tournaments.look()

    @tournament.command(name="open", description=command_text("command.tournament.open"))
    @app_commands.describe(
        entry=command_text("option.tournament.entry"),
        minutes=command_text("option.tournament.minutes"),
        chips=command_text("option.tournament.chips"),
        rounds=command_text("option.tournament.rounds"),
        game=command_text("option.open.game"),
        computers=command_text("option.tournament.computers"),
    )
    @app_commands.choices(game=choices("game", GAMES))
    async def open(
        self,
        interaction: Interaction,
        entry: app_commands.Range[int, 1, 1_000_000],
        minutes: app_commands.Range[int, 1, DAY_MINUTES] = MINUTES,
        chips: app_commands.Range[int, 100, 1_000_000] = CHIPS,
        rounds: app_commands.Range[int, 1, 30] = ROUNDS,
        game: app_commands.Choice[str] | None = None,
        computers: app_commands.Range[int, 0, 3] = 0,
    ) -> None:
        """Opens a tournament here, and answers with its board."""
        if not interaction.permissions.manage_guild:
            raise app_commands.CheckFailure
        if not isinstance(interaction.channel, discord.TextChannel):
            raise MemberError("tournament.not_here")
        missing = missing_permissions(interaction)
        if not missing and not interaction.app_permissions.create_public_threads:
            missing = translate("permission.create_public_threads")
        if missing:
            raise MemberError("reply.missing_permissions", permissions=missing)
        server_id = server_of(interaction)
        self.bot.croupier.operation.refuse_new_round(server_id)
        of = await game_here(interaction, self.bot.croupier) if game is None else game.value
        one = Tournament(
            interaction.id,
            server_id,
            interaction.channel.id,
            await self.bot.party_in(interaction, server_id),
            tournament_rules(self.bot.croupier.house_of(server_id), of, chips, computers),
            entry,
            chips,
            rounds,
            self.bot.croupier.now() + 60.0 * minutes,
        )
        opened = await self.bot.tournaments.tournaments.open(one)
        if opened is None:
            raise MemberError("tournament.taken")
        self._tell_of(opened, "log.tournament_opened", one.opener)
        message_id = await respond_with_id(interaction, self.bot.tournaments.content(opened))
        if message_id is None:
            await reply(interaction, translate("reply.done"))
            await self.bot.tournaments.post(opened)
        else:
            await self.bot.tournaments.note_board(opened, message_id)

    @tournament.command(name="show", description=command_text("command.tournament.show"))
    async def show(self, interaction: Interaction) -> None:
        """Shows the tournament of this channel, or the only one of the server; of several, where they are."""
        running = await self._running_here(interaction)
        if not running:
            raise MemberError("tournament.none")
        one, *others = running
        if others:
            await reply_layout(interaction, text_view("\n".join(map(tournament_line, running))))
            return
        tables = await self.bot.tournaments.tournaments.tables(one)
        await self.bot.croupier.identities.load(one.entrants)
        layout = tournament_view(one, tables, self.bot.names, with_buttons=False)
        link = link_to(one.server_id, one.channel_id, one.message_id)
        await reply_layout(interaction, [*layout, *text_view(link)])

    @tournament.command(name="start", description=command_text("command.tournament.start"))
    async def start(self, interaction: Interaction) -> None:
        """Asks whether to start the tournament of this channel, or the only one of the server, now."""
        if not interaction.permissions.manage_guild:
            raise app_commands.CheckFailure
        running = await self._running_here(interaction)
        if not running:
            raise MemberError("tournament.none")
        one, *others = running
        if others:
            raise MemberError("tournament.which")
        await self._ask_to_start(interaction, one.tournament_id)

    @handles(PressAction.START_EARLY)
    async def start_pressed(self, interaction: Interaction, press: Press) -> None:
        """Asks the same about the tournament of a board."""
        if not interaction.permissions.manage_guild:
            raise app_commands.CheckFailure
        await self._ask_to_start(interaction, int(press.arguments[0]))

    async def _ask_to_start(self, interaction: Interaction, tournament_id: int) -> None:
        start, ask = partial(self._start, tournament_id), partial(self._start_question, tournament_id)
        yes, no = translate("button.start_early"), translate("button.start_later")
        await self.bot.admin_acts.carry_out(interaction, start, ask, yes, no)

    async def _start_question(self, tournament_id: int, interaction: Interaction) -> Question:
        one = await self._meant(interaction, tournament_id)
        if one.progress is not Progress.ENTERING:
            raise _refusal(one, EntryRefused(NotEntered.STARTED))
        if not one.has_enough:
            raise _refusal(one, EntryRefused(NotEntered.TOO_FEW))
        facts = {"count": len(one.entrants), "at": int(one.starts_at)}
        return Question(translate("tournament.start_asked", **facts))

    async def _start(self, tournament_id: int, interaction: Interaction) -> Layout:
        """Starts a tournament now; its players are called once its tables are there, which follows soon."""
        one = await self._meant(interaction, tournament_id)
        admin = await self.bot.party_in(interaction, one.server_id)
        start = self.bot.tournaments.tournaments.start_early
        started = await start(one.tournament_id, await not_after(interaction))
        if isinstance(started, EntryRefused):
            raise _refusal(one, started)
        self._tell_of(started, "log.tournament_started", admin)
        return text_view(translate("tournament.starts_now"))

    @tournament.command(name="cancel", description=command_text("command.tournament.cancel"))
    async def cancel(self, interaction: Interaction) -> None:
        """Asks whether to cancel the tournament of this channel, or the only one of the server."""
        if not interaction.permissions.manage_guild:
            raise app_commands.CheckFailure
        server_id = server_of(interaction)
        rebuilt = await self.bot.tournaments.tournaments.unreadable_to_cancel(server_id)
        running = await self._running_here(interaction, rebuilt)
        if not running:
            unreadable = await self.bot.croupier.stored_tournaments.unreadable_in(server_id)
            is_wrong = len(unreadable) > len(rebuilt)
            raise MemberError("tournament.wrong_pot" if is_wrong else "tournament.none_to_cancel")
        one, *others = running
        if others:
            raise MemberError("tournament.which")
        await reply_layout(interaction, _cancelling(one), kind=None)

    async def _running_here(
        self, interaction: Interaction, rebuilt: Iterable[Tournament] = ()
    ) -> list[Tournament]:
        """The tournament of this channel, or of its thread's; if there is none, all of the server.

        Args:
            rebuilt: those that cannot be read, if they count.
        """
        running = await self.bot.croupier.stored_tournaments.running_in(server_of(interaction))
        here = {interaction.channel_id, thread_parent(interaction)}
        of_server = [
            one
            for one in (*running, *rebuilt)
            if one.is_running and (one.channel_id in here or may_see(interaction, one.channel_id))
        ]
        return [one for one in of_server if one.channel_id in here] or of_server[:MOST_SHOWN]

    @handles(PressAction.ENTER, PressAction.WITHDRAW_ENTRY)
    async def enter_or_leave(self, interaction: Interaction, press: Press) -> None:
        """Enters the member, or has them leave with their entry."""
        one = await self._meant(interaction, int(press.arguments[0]))
        party = await self.bot.party_in(interaction, one.server_id)
        until, key = await not_after(interaction), str(interaction.id)
        tournaments = self.bot.tournaments.tournaments
        change = tournaments.enter if press.action is PressAction.ENTER else tournaments.leave
        await self._show(interaction, one, await change(one.tournament_id, party, key, until))

    @handles(PressAction.CALL_OFF)
    async def call_off(self, interaction: Interaction, press: Press) -> None:
        """Asks whether to cancel a tournament."""
        one = await self._to_cancel(interaction, press)
        await reply_layout(interaction, _cancelling(one), kind=None)

    @handles(PressAction.CALL_OFF_NOW)
    async def call_off_now(self, interaction: Interaction, press: Press) -> None:
        """Cancels the tournament that was asked about; its board says so soon."""
        one = await self._to_cancel(interaction, press)
        _, stage, entrants = map(int, press.arguments)
        await defer_update(interaction)
        cancel = self.bot.tournaments.tournaments.cancel
        admin = await self.bot.party_in(interaction, one.server_id)
        one = await cancel(one.tournament_id, CancelReason.ADMIN, (stage, entrants))
        if one.cancel_reason is CancelReason.ADMIN:
            self._tell_of(one, "log.tournament_cancelled", admin)
        if one.is_running:
            # An old question cancels no final, but asks about it.
            layout = _cancelling(one)
        elif one.progress is Progress.OVER:
            raise MemberError("tournament.none_to_cancel")
        else:
            layout = text_view(cancelled_words(one))
        await fill_reply(interaction, layout)

    def _tell_of(self, one: Tournament, code: str, admin: int) -> None:
        """Tells the admins what one of them did to a tournament."""
        facts = {"channel": one.channel_id, "at": int(one.starts_at), "entry": one.entry, "chips": one.pot}
        key = f"{code}/{one.tournament_id}"
        self.bot.notices.acted(one.server_id, News.RULES, code, admin, key, **facts)

    async def _to_cancel(self, interaction: Interaction, press: Press) -> Tournament:
        """The tournament that an admin pressed for, if it still runs."""
        if not interaction.permissions.manage_guild:
            raise app_commands.CheckFailure
        try:
            found = await self.bot.tournaments.tournaments.to_cancel(int(press.arguments[0]))
        except UnreadableTournamentError as failed:
            log.warning("it cannot be cancelled: %s", failed)
            raise MemberError("tournament.wrong_pot") from failed
        one = _of_server(interaction, found)
        if not one.is_running:
            raise MemberError("tournament.none_to_cancel")
        return one

    async def _meant(self, interaction: Interaction, tournament_id: int) -> Tournament:
        """The tournament that somebody pressed for, if it still runs."""
        try:
            found = await self.bot.tournaments.tournaments.get(tournament_id)
        except UnreadableTournamentError as failed:
            raise MemberError("tournament.unreadable") from failed
        one = _of_server(interaction, found)
        if not one.is_running:
            raise not_running(one)
        return one

    async def _show(
        self, interaction: Interaction, before: Tournament, after: Tournament | EntryRefused
    ) -> None:
        """Brings the pressed board up to date, or says why nothing changes."""
        if isinstance(after, EntryRefused):
            raise _refusal(before, after)
        if await replace_pressed(interaction, self.bot.tournaments.content(after)):
            self.bot.tournaments.shows(after)


def _refusal(one: Tournament, refused: EntryRefused) -> MemberError:
    facts = {"most": MOST_ENTRANTS, "entry": one.entry, "free": refused.free}
    return MemberError(f"tournament.refused.{refused.code}", **facts)


def _of_server(interaction: Interaction, found: Tournament | None) -> Tournament:
    if found is None or found.server_id != server_of(interaction):
        raise MemberError("reply.outdated_component")
    return found


def _cancels(one: Tournament) -> Press:
    """Cancels a tournament if it is as it was when an admin was asked."""
    asked = one.tournament_id, *one.moment
    return Press(PressAction.CALL_OFF_NOW, arguments=tuple(map(str, asked)))


def _cancelling(one: Tournament) -> Layout:
    """Asks whether to cancel a tournament."""
    question = translate("tournament.call_off", count=len(one.entrants), entry=one.entry)
    if one.progress is Progress.PLAYING:
        question = f"{stage_words(one)}\n{question}"
    yes = button(_cancels(one), translate("button.call_off_now"), style=discord.ButtonStyle.danger)
    no = button(Press(PressAction.CANCEL), translate("button.keep_tournament"))
    return [*text_view(question), row(yes, no)]
