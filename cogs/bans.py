"""Bans as admins give, lift and see them, and what members are told of them."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.clock import DAY_SECONDS
from bot.croupier import bans
from bot.croupier.identities import User
from bot.croupier.open_tables import MemberErasedError
from bot.croupier.tournaments import EntryRefused, UnreadableTournamentError
from bot.ledger.changes import Ban
from bot.ledger.errors import LedgerError
from bot.table.tournament import Progress
from bot.ui.admin_acts import LONGEST_REASON, Question, checked_reason, entry_words, losses_words
from bot.ui.bot import AdminCog, GnauBot
from bot.ui.components import MOST_OPTIONS, Layout, button, menu, option, row, text_view
from bot.ui.press.arrivals import not_after, with_links
from bot.ui.press.commands import command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError, log_failure
from bot.ui.press.replies import lines_view, replace_pressed, reply, reply_layout
from bot.ui.press.router import handles
from bot.ui.press.table_choice import server_of
from bot.wire.requests import Content, Interaction
from bot.words.translation import sentences, translate

log = logging.getLogger(__name__)
MOST_DAYS: Final = 3650
"""The longest ban that has an end."""


class Bans(AdminCog):
    """`/house ban`, `/house unban` and `/house bans`."""

    within = "house"

    @app_commands.command(name="ban", description=command_text("command.house.ban"))
    @app_commands.describe(
        member=command_text("option.bank.member"),
        reason=command_text("option.ban.reason"),
        days=command_text("option.ban.days"),
    )
    async def ban(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User,
        reason: app_commands.Range[str, 1, LONGEST_REASON],
        days: app_commands.Range[int, 1, MOST_DAYS] | None = None,
    ) -> None:
        """Bans a member, who may have left the server; they and the admins are told."""
        if member.bot:
            raise MemberError("gift.to_bot")
        if member.id == interaction.user.id:
            raise MemberError("ban.yourself")
        words = checked_reason(reason)
        now = self.bot.croupier.now()
        until = None if days is None else float(int(now) + days * DAY_SECONDS)
        user = User(member.id, member.display_name, locale=None)
        act = partial(self._carry_out, user, words, until)
        ask = partial(self._question, member.id, until)
        await self.bot.admin_acts.carry_out(interaction, act, ask, translate("button.ban"))

    async def _question(self, user_id: int, until: float | None, interaction: Interaction) -> Question | None:
        """Asks whether to ban a user who loses more than seats without a bet."""
        croupier, server_id = self.bot.croupier, server_of(interaction)
        party = await croupier.identities.find(server_id, user_id)
        tables = [table for table in croupier.tables.concerning(server_id, party) if table.heat is None]
        entries = [
            entry_words(one.channel_id, one.entry if one.progress is Progress.ENTERING else 0)
            for one in await croupier.stored_tournaments.entries(server_id, party)
        ]
        if not (costs := sentences([losses_words(tables, party, self.bot.names), *entries])):
            return None
        code = "ban.asked" if until is None else "ban.asked_until"
        asked = translate(code, member=user_id, until=int(until or 0))
        return Question(sentences([asked, costs]), costs)

    async def _carry_out(
        self, user: User, reason: str, until: float | None, interaction: Interaction
    ) -> Layout:
        """Bans a member, and returns what the admin is told."""
        server_id, key = server_of(interaction), str(interaction.id)
        admin = await self.bot.party_in(interaction, server_id)
        late = await not_after(interaction)
        done = await bans.ban(self.bot.croupier, server_id, admin, user, reason, until, key, late)
        # They wait for no bank any more.
        self.bot.boards.refresh_server(server_id)
        self.bot.notices.banned(server_id, admin, done.party, reason, until, key)
        ending = "" if until is None else "_until"
        facts: dict[str, int | str] = {"until": int(until or 0), "reason": reason}
        self.bot.admin_acts.tell(
            server_id, done.party, f"ban.you{ending}", key, admin=interaction.user.id, **facts
        )
        told = [
            translate(f"ban.done{ending}", member=user.user_id, **facts),
            translate("barred.reason", reason=reason),
            translate("ban.plays_out") if done.plays_out else "",
            *await self._leave_tournaments(server_id, done.party, key),
        ]
        digest = await self.bot.croupier.ledger.opening_digest(server_id, user.user_id)
        unban = Press(PressAction.UNBAN_NOW, arguments=(digest.hex(),))
        return [
            *text_view(with_links(interaction, sentences(told))),
            row(button(unban, translate("button.unban"))),
        ]

    async def _leave_tournaments(self, server_id: int, party: int, key: str) -> list[str]:
        """Gives a banned member the entries back that they can have; says what becomes of each.

        The ban holds all the same if that fails; the start of the tournament then gives the entry back.
        """
        told = []
        tournaments = self.bot.tournaments.tournaments
        try:
            for one in await self.bot.croupier.stored_tournaments.entries(server_id, party):
                left = await tournaments.leave(one.tournament_id, party, key)
                returned = 0 if isinstance(left, EntryRefused) else one.entry
                told.append(entry_words(one.channel_id, returned))
        except (LedgerError, MemberErasedError, UnreadableTournamentError) as failed:
            log_failure(log, failed, "entries of party %s, who is banned, do not go back yet", party)
        return told

    @app_commands.command(name="unban", description=command_text("command.house.unban"))
    @app_commands.describe(member=command_text("option.bank.member"))
    async def unban(self, interaction: Interaction, member: discord.Member | discord.User) -> None:
        """Lifts the ban of a member, also of one who was erased."""
        server_id = server_of(interaction)
        admin = await self.bot.party_in(interaction, server_id)
        lifted = await bans.lift(self.bot.croupier, server_id, member.id)
        if lifted is None:
            raise MemberError("ban.not_banned", member=member.id)
        self._tell_lifted(lifted, admin, str(interaction.id))
        await reply(interaction, translate("ban.lifted", who=f"<@{member.id}>"), stays=True)

    def _tell_lifted(self, lifted: Ban, admin: int, key: str) -> None:
        """Tells the admins and the member of a ban that `admin` lifted, unless the member was erased."""
        server_id = lifted.server_id
        if lifted.party is not None:
            self.bot.notices.unbanned(server_id, admin, lifted.party, key)
            self.bot.admin_acts.tell(server_id, lifted.party, "ban.you_lifted", key)

    @app_commands.command(name="bans", description=command_text("command.house.bans"))
    async def list_bans(self, interaction: Interaction) -> None:
        """Lists who is banned, the newest ban first, with a menu to let one play again."""
        await reply_layout(interaction, await self._bans_view(interaction), kind=None)

    @handles(PressAction.BANS)
    async def list_again(self, interaction: Interaction, press: Press) -> None:
        """Shows the list in place of a question."""
        await replace_pressed(interaction, Content(await self._bans_view(interaction)))

    @handles(PressAction.UNBAN)
    async def ask_to_unban(self, interaction: Interaction, press: Press) -> None:
        """Asks in place of the list whether to lift the ban that was picked."""
        (digest,) = press.values
        bans_there = await self.bot.croupier.barred.bans(server_of(interaction))
        asked = next((one for one in bans_there if one.digest.hex() == digest), None)
        if asked is None:
            await self.list_again(interaction, press)
            return
        question = [translate("ban.ask_unban"), *await self._lines([asked])]
        yes = Press(PressAction.UNBAN_NOW, arguments=(digest,))
        buttons = row(
            button(yes, translate("button.unban"), style=discord.ButtonStyle.success),
            button(Press(PressAction.BANS), translate("button.keep_ban")),
        )
        await replace_pressed(interaction, Content([*lines_view(interaction, question), buttons]))

    @handles(PressAction.UNBAN_NOW)
    async def unban_picked(self, interaction: Interaction, press: Press) -> None:
        """Lifts the ban that was asked about, says so, and shows who else is banned."""
        server_id, digest = server_of(interaction), bytes.fromhex(press.arguments[0])
        admin = await self.bot.party_in(interaction, server_id)
        lifted = await bans.lift_by_digest(self.bot.croupier, server_id, digest)
        done = ""
        if lifted is not None:
            self._tell_lifted(lifted, admin, str(interaction.id))
            await self.bot.croupier.identities.load([] if lifted.party is None else [lifted.party])
            done = translate("ban.lifted", who=_mention(self.bot, lifted))
        await replace_pressed(interaction, Content(await self._bans_view(interaction, done)))

    async def _bans_view(self, interaction: Interaction, done: str = "") -> Layout:
        """The list, below what was done just before."""
        found = (await self.bot.croupier.barred.bans(server_of(interaction)))[::-1]
        if not found:
            return text_view(done or translate("ban.none"))
        lines = [*([done] if done else []), translate("ban.list"), *await self._lines(found)]
        options = [option(_name(self.bot, one), one.digest.hex()) for one in found[:MOST_OPTIONS]]
        picking = menu(Press(PressAction.UNBAN), translate("ban.pick_unban"), options)
        return [*lines_view(interaction, lines), row(picking)]

    async def _lines(self, found: Sequence[Ban]) -> list[str]:
        """A line about each ban, once it is known whom they name."""
        concerned = [party for one in found for party in (one.party, one.admin) if party is not None]
        await self.bot.croupier.identities.load(concerned)
        return [_line(self.bot, one) for one in found]


def _name(bot: GnauBot, ban: Ban) -> str:
    """What an option of a menu calls a banned member, with the day of the ban for who was erased."""
    name = translate("member.deleted") if ban.party is None else bot.names.name(ban.party)
    return f"{name} · {datetime.fromtimestamp(ban.at, UTC):%Y-%m-%d}"


def _mention(bot: GnauBot, ban: Ban) -> str:
    """The mention of a banned member; words for an erased one."""
    return translate("member.deleted") if ban.party is None else bot.names.mention(ban.party)


def _line(bot: GnauBot, ban: Ban) -> str:
    """One line of the list; of an erased member it tells only since when and until when."""
    parts = [translate("ban.since", who=_mention(bot, ban), at=int(ban.at))]
    if ban.until is not None:
        parts.append(translate("ban.until", until=int(ban.until)))
    if ban.admin is not None:
        parts.append(translate("ban.by", who=bot.names.mention(ban.admin)))
    if ban.words:
        parts.append(translate("gift.note", note=ban.words))
    return f"- {' · '.join(parts)}"
