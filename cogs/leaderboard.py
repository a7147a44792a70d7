"""`/leaderboard`: who leads in a server, by what, in which game and since when."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.clock import FIRST_MONDAY, WEEK_SECONDS
from bot.games.register import GAMES
from bot.ledger.changes import WeekPosted
from bot.ledger.errors import LedgerError, Overtaken
from bot.ledger.records import Rank
from bot.rules.server_settings import role_id
from bot.table.standings import WEEKLY, Award, Measure, Period, period_name
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import MOST_OPTIONS, text
from bot.ui.hand.pressed_message import is_private
from bot.ui.house.suggestions import Suggestions
from bot.ui.leaderboard import (
    Leaders,
    Shown,
    first_words,
    leaderboard_controls,
    leaderboard_words,
    own_words,
    read_page,
    renew_order,
)
from bot.ui.podium import POSTING_SECONDS
from bot.ui.press.arrivals import with_links
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import TEMPORARY_SECONDS, FailedLately, MemberError, log_failure, nonce
from bot.ui.press.replies import replace_pressed, reply_layout, reply_publicly
from bot.ui.press.router import handles
from bot.ui.press.table_choice import game_here, server_of
from bot.wire.requests import Content, Interaction
from bot.words.translation import speaking_to, translate

log = logging.getLogger(__name__)

COUNT_SECONDS: Final = 60.0
"""How often rounds are counted that nobody has asked about."""
SOON_SECONDS: Final = 1.0
"""How often the rounds are counted that were just settled."""
PAUSE_SECONDS: Final = 0.1
"""The pause between two transactions that count rounds, so that presses do not wait."""
LOOK_SECONDS: Final = 300.0
"""How often it is looked whether the leaderboard of a week is due."""


class LeaderboardCog(BotCog):
    """Counts rounds, and shows who leads."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._standings = bot.croupier.standings
        # Boards by server, roles by server and award.
        self._failed_lately: FailedLately[int | tuple[int, Award]] = FailedLately(lambda: bot.croupier.now())
        # Also where nobody was first, which no plan notes.
        self._roles_given: dict[tuple[int, Award], tuple[str, int | None]] = {}

    async def cog_load(self) -> None:
        """Starts to count."""
        self.bot.tasks.repeat(self._count, COUNT_SECONDS, "standings", later=True)
        self.bot.tasks.repeat(self.post_weeks, LOOK_SECONDS, "weekly-boards")
        # What an outage kept away is tried again then.
        self.bot.tasks.repeat(self.give_roles, TEMPORARY_SECONDS, "weekly-roles", later=True)
        self.bot.tasks.repeat(self._count_settled, SOON_SECONDS, "achievements", later=True)

    async def _count(self) -> None:
        try:
            async for _ in self._standings.count_all(self.bot.settings.hosts):
                await asyncio.sleep(PAUSE_SECONDS)
        except LedgerError as failed:
            log.info("rounds are counted later: %s", failed)

    async def post_weeks(self) -> None:
        """Posts the leaderboard of the past week where that is due: on Mondays, or a day late."""
        await self.bot.wait_until_ready()
        now = self.bot.croupier.now()
        if (now - FIRST_MONDAY) % WEEK_SECONDS > POSTING_SECONDS:
            return
        week = period_name(Period.WEEK, now - WEEK_SECONDS)
        try:
            posted = await self.bot.croupier.ledger.weeks_posted()
            for server in self.bot.guilds:
                channels = self.bot.houses.house_of(server.id).server.weekly_board
                failed_lately = server.id in self._failed_lately
                if channels and server.id in posted and posted[server.id] != week and not failed_lately:
                    await self._post_week(
                        server.id, channels[0], WeekPosted(server.id, posted[server.id], week)
                    )
        except LedgerError as failed:
            log_failure(log, failed, "the leaderboards of the week are posted later")

    async def _post_week(self, server_id: int, channel_id: int, posted: WeekPosted) -> None:
        """Posts the leaderboard of the past week, and then notes that."""
        now = self.bot.croupier.now() - WEEK_SECONDS
        if not await self._standings.count(server_id):
            return
        content = await self._week_board(server_id, now)
        same = nonce("week", server_id, int(now // WEEK_SECONDS))
        if content is not None:
            failed = await self.bot.podium.post(server_id, channel_id, content, same)
            if failed is not None:
                self._failed_lately.add(server_id, failed)
                return
        # Another process may have noted it.
        with suppress(Overtaken):
            await self.bot.croupier.ledger.record(posted)

    async def _week_board(self, server_id: int, now: float) -> Content | None:
        """What is posted of the week of `now`; None if nobody has gained anything."""
        ledger, shown = self.bot.croupier.ledger, Shown(Measure.NET, Period.WEEK)
        ranks = await self.bot.podium.first(shown.ranked(server_id, now))
        if not ranks:
            return None
        before = shown.ranked(server_id, now - WEEK_SECONDS)
        await ledger.read_order(before)
        were = [await ledger.rank(before, rank.party) for rank in ranks]
        # Everybody in the channel sees it.
        with speaking_to(self.bot.readers.of_server(server_id)):
            places = [None if one is None else one.place for one in were]
            words = first_words(translate("weekly.title"), shown, self._named(ranks), places)
            return await self.bot.podium.content(words, ranks, shown, "weekly.alt")

    async def give_roles(self) -> None:
        """Gives who was first in the past week the roles for that, where they have not got them yet."""
        await self.bot.wait_until_ready()
        now = self.bot.croupier.now()
        week = period_name(Period.WEEK, now - WEEK_SECONDS)
        try:
            holders = await self.bot.awards.holders()
            for server in self.bot.guilds:
                settings = self.bot.houses.house_of(server.id).server
                for award in WEEKLY:
                    held = holders.get((server.id, award), [])
                    role = role_id(getattr(settings, award))
                    if role is None and not held:
                        continue
                    is_given = bool(held) and all(
                        (one.when, one.role_id) == (week, role) and one.is_given for one in held
                    )
                    if not is_given and (server.id, award) not in self._failed_lately:
                        await self._give_role(server.id, award, role, week)
        except LedgerError as failed:
            log_failure(log, failed, "the roles of the week are given later")

    async def _give_role(self, server_id: int, award: Award, role: int | None, week: str) -> None:
        """Gives a role to who was first in the past week, and takes it from who was before."""
        wanted = (week, role)
        if self._roles_given.get((server_id, award)) == wanted or not await self._standings.count(server_id):
            return
        winners = [] if role is None else await self._first_of_week(server_id, WEEKLY[award])
        failed = await self.bot.awards.hand_on(server_id, award, role, winners, week)
        if failed is None:
            self._roles_given[server_id, award] = wanted
        else:
            self._failed_lately.add((server_id, award), failed)

    async def _first_of_week(self, server_id: int, measure: Measure) -> list[int]:
        """Who was first in the past week, of those who may have a role: one member, or none."""
        ranked = Shown(measure, Period.WEEK).ranked(server_id, self.bot.croupier.now() - WEEK_SECONDS)
        return await self.bot.podium.may_have_role(ranked, 1)

    def _named(self, ranks: Sequence[Rank]) -> list[tuple[Rank, str]]:
        return [(rank, self.bot.past_names.mention(rank.party)) for rank in ranks]

    async def _count_settled(self) -> None:
        """Counts new rounds where boards tell at their next change what was achieved in them.

        Panels of who achieved something tell it at once, if an edit of them is free.
        """
        for server_id in self._standings.take_settled():
            if self.bot.croupier.house_of(server_id).server.celebrations:
                try:
                    await self._standings.count(server_id, most=1, at_leisure=True)
                except LedgerError as failed:
                    log.info("rounds are counted later: %s", failed)
                for table in self.bot.croupier.tables.of_server(server_id):
                    for party, _ in self._standings.reached_in(table):
                        self.bot.panels.refresh(table, party)
                await asyncio.sleep(PAUSE_SECONDS)

    @app_commands.command(name="leaderboard", description=command_text("command.leaderboard"))
    @app_commands.describe(
        of=command_text("option.leaderboard.of"), season=command_text("option.leaderboard.season")
    )
    @app_commands.choices(of=choices("choice", Measure))
    @app_commands.guild_only()
    async def leaderboard(
        self,
        interaction: Interaction,
        of: app_commands.Choice[str] | None = None,
        season: str | None = None,
    ) -> None:
        """Shows everybody in the channel who leads; what they press answers them alone."""
        shown = Shown(Measure.CHIPS if of is None else Measure(of.value))
        if season is not None:
            seasons = await self.bot.croupier.ledger.seasons(server_of(interaction))
            found = next((one for one in seasons if season in (one.period, one.name)), None)
            if found is None:
                raise MemberError("season.unknown")
            shown = shown.of_season(found.period)
        with speaking_to(self.bot.readers.of_server(server_of(interaction))):
            content = await self._page(interaction, shown, is_private=False)
        await reply_publicly(interaction, content)

    @leaderboard.autocomplete("season")
    async def suggest_seasons(self, interaction: Interaction, typed: str) -> Suggestions:
        """The seasons of the server whose name has what is typed, the newest first."""
        seasons, words = await self.bot.croupier.ledger.seasons(server_of(interaction)), typed.strip().lower()
        found = [one for one in seasons if words in one.name.lower()][:MOST_OPTIONS]
        return [app_commands.Choice(name=one.name, value=one.period) for one in found]

    @handles(
        PressAction.LEADERS,
        PressAction.LEADERS_WHEN,
        PressAction.LEADERS_BY,
        PressAction.LEADERS_GAME,
        PressAction.LEADERS_SEASON,
    )
    async def show_other(self, interaction: Interaction, press: Press) -> None:
        """Shows the member another page, or another leaderboard."""
        content = await self._page(interaction, Shown.of(press), is_private=True)
        if is_private(interaction):
            await replace_pressed(interaction, content)
        else:
            await reply_layout(interaction, list(content.layout))

    @handles(PressAction.LEADERS_HIDE)
    async def hide(self, interaction: Interaction, press: Press) -> None:
        """Takes the member off all leaderboards of the server, or puts them back."""
        party = await self.bot.party_in(interaction, server_of(interaction))
        await self.bot.croupier.identities.set_hidden(party, is_hidden=press.arguments == ("on",))
        await replace_pressed(interaction, await self._page(interaction, Shown(), is_private=True))

    async def _page(self, interaction: Interaction, shown: Shown, *, is_private: bool) -> Content:
        """A page of a leaderboard; one that is private says whether the member is hidden."""
        croupier, server_id = self.bot.croupier, server_of(interaction)
        identities, party = croupier.identities, await self.bot.party_in(interaction, server_id)
        if shown.measure is Measure.BEST and shown.game not in GAMES:
            shown = replace(shown, game=await game_here(interaction, croupier))

        async def look(parties: Collection[int]) -> bool:
            await identities.load([party, *parties])
            return await self.bot.membership.look(parties)

        read = await read_page(croupier, shown, server_id, party, look)
        renew_order(croupier.ledger, shown.ranked(server_id, croupier.now()), self.bot.tasks)
        identity = identities.get(party)
        is_hidden = identity is not None and identity.is_hidden
        who, mention = self.bot.names.mention(party), self.bot.past_names.mention
        against = None if read.rival is None else (read.rival, mention(read.rival.party))
        of_own = own_words(shown, who, read.own, against, read.seasons, is_away=read.is_away)
        if not is_private and read.own is not None and all(rank.party != party for rank in read.ranks):
            # A place below those that everybody sees is for its member: *My place* has it.
            of_own = ""
        leaders = Leaders(
            # *My place* may lead to the same page: there, the member finds their line at once.
            [
                (rank, f"{'👉 ' * (is_private and rank.party == party)}{mention(rank.party)}")
                for rank in read.ranks
            ],
            "" if is_hidden and not is_private else of_own,
            is_hidden if is_private else None,
            read.has_more,
            read.is_counted,
            read.luck,
            read.seasons,
        )
        shown = replace(shown, page=read.page)
        words = with_links(interaction, leaderboard_words(shown, leaders))
        return Content([text(words), *leaderboard_controls(shown, leaders)])
