"""`/leaderboard`: who leads in a server, by what, in which game and since when."""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import discord
from discord import app_commands

from bot.clock import DAY_SECONDS, FIRST_MONDAY, HOUR_SECONDS, WEEK_SECONDS
from bot.croupier.season_ends import end_seasons
from bot.games.register import GAMES
from bot.ledger.changes import Season, WeekPosted
from bot.ledger.errors import LedgerError, Overtaken
from bot.ledger.records import Leaderboard, OwnRank, Rank, is_recent
from bot.table.standings import Measure, Period, period_name
from bot.table.state import NOBODY
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import button, picture, row, text
from bot.ui.hand.panels import is_private
from bot.ui.house.suggestions import Suggestions
from bot.ui.leaderboard import (
    MOST_OPTIONS,
    ON_PAGE,
    Leaders,
    Membership,
    Shown,
    first_words,
    leaderboard_controls,
    leaderboard_words,
    own_words,
    renew_order,
    season_words,
)
from bot.ui.pictures import render_podium
from bot.ui.press.arrivals import with_links
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import SENDING_FAILED, MemberError, log_failure, nonce
from bot.ui.press.replies import replace_pressed, reply_layout, reply_publicly
from bot.ui.press.router import handles
from bot.ui.press.table_choice import game_here, server_of
from bot.ui.profile import profile_press
from bot.wire.requests import Content, Interaction, post
from bot.words.translation import listed, signed, speaking_to, translate

log = logging.getLogger(__name__)

COUNT_SECONDS: Final = 60.0
"""How often rounds are counted that nobody has asked about."""
SOON_SECONDS: Final = 1.0
"""How often the rounds are counted that were just settled."""
PAUSE_SECONDS: Final = 0.1
"""The pause between two transactions that count rounds, so that presses do not wait."""
LOOK_SECONDS: Final = 300.0
"""How often it is looked whether the leaderboard of a week is due."""
SEASON_SECONDS: Final = 5.0
"""How often it is looked whether a season is due."""
POSTING_SECONDS: Final = 2 * DAY_SECONDS
"""How long after the week its leaderboard may come."""
LOOKS: Final = 3
"""How often a page is read again because somebody on it has left the server."""


class LeaderboardCog(BotCog):
    """Counts rounds, and shows who leads."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._standings = bot.croupier.standings
        self._membership = Membership(bot, bot.croupier.identities, bot.tasks)
        self._failed_at: dict[int, float] = {}

    async def cog_load(self) -> None:
        """Starts to count."""
        self.bot.tasks.repeat(self._count, COUNT_SECONDS, "standings", later=True)
        self.bot.tasks.repeat(self.post_weeks, LOOK_SECONDS, "weekly-boards", later=True)
        self.bot.tasks.repeat(self._count_settled, SOON_SECONDS, "achievements", later=True)
        self.bot.tasks.repeat(self.look_at_seasons, SEASON_SECONDS, "seasons", later=True)

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
                failed_lately = is_recent(self._failed_at.get(server.id, 0.0), HOUR_SECONDS, now)
                if channels and server.id in posted and posted[server.id] != week and not failed_lately:
                    await self._post_week(
                        server.id, channels[0], WeekPosted(server.id, posted[server.id], week)
                    )
        except LedgerError as failed:
            log_failure(log, failed, "the leaderboards of the week are posted later")

    async def _post_week(self, server_id: int, channel_id: int, posted: WeekPosted) -> None:
        """Posts the leaderboard of the past week, at most once.

        It is noted before: after a failure of which nobody knows whether it was one, none comes.
        """
        ledger = self.bot.croupier.ledger
        now = self.bot.croupier.now() - WEEK_SECONDS
        if not await self._standings.count(server_id):
            return
        try:
            await ledger.record(posted)
        except Overtaken:
            return
        shown = Shown(Measure.NET, Period.WEEK)
        ranks = await self._first(shown.ranked(server_id, now))
        if not ranks:
            return
        before = shown.ranked(server_id, now - WEEK_SECONDS)
        await ledger.read_order(before)
        were = [await ledger.rank(before, rank.party) for rank in ranks]
        # Everybody in the channel sees it.
        with speaking_to(self.bot.readers.of_server(server_id)):
            places = [None if one is None else one.place for one in were]
            words = first_words(translate("weekly.title"), shown, self._named(ranks), places)
            content = await _with_podium(words, ranks, "weekly.alt")
        same = nonce("week", server_id, int(now // WEEK_SECONDS))
        if not await self._post(server_id, channel_id, content, same):
            await ledger.record(WeekPosted(server_id, posted.week, posted.before))

    async def _post(self, server_id: int, channel_id: int, content: Content, same: str) -> bool:
        """Posts the first of a server; returns False if it is not there for sure.

        Once the channel is open to the bot, it comes.
        """
        try:
            await post(self.bot, channel_id, content, same)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "the leaderboard of server %s could not be posted", server_id)
            if isinstance(failed, discord.Forbidden | discord.NotFound):
                self._failed_at[server_id] = self.bot.croupier.now()
                return False
        return True

    async def _first(self, ranked: Leaderboard) -> list[Rank]:
        """Who leads by what they have gained, and is still in the server."""
        ledger, identities = self.bot.croupier.ledger, self.bot.croupier.identities
        await ledger.read_order(ranked)
        for _ in range(LOOKS):
            ranks = [one for one in await ledger.leaders(ranked, 0, ON_PAGE) if one.amount > 0]
            await identities.load(rank.party for rank in ranks)
            if not await self._membership.look(rank.party for rank in ranks):
                break
        return ranks

    def _named(self, ranks: Sequence[Rank]) -> list[tuple[Rank, str]]:
        return [(rank, self.bot.past_names.mention(rank.party)) for rank in ranks]

    async def look_at_seasons(self) -> None:
        """Ends the seasons that are due, and posts who was first in those that are over."""
        try:
            await end_seasons(self.bot.croupier, self.bot.settings.hosts)
            if not self.bot.is_ready():
                return
            now = self.bot.croupier.now()
            for season in await self.bot.croupier.ledger.untold_seasons():
                server_id = season.server_id
                is_late = not is_recent(season.ends_at or 0.0, POSTING_SECONDS, now)
                failed_lately = is_recent(self._failed_at.get(server_id, 0.0), HOUR_SECONDS, now)
                if self.bot.get_guild(server_id) is not None and not is_late and not failed_lately:
                    await self._tell_season(season)
        except LedgerError as failed:
            log_failure(log, failed, "seasons end later")

    async def _tell_season(self, season: Season) -> None:
        """Gives the first three of a season their role, and posts them, at most once."""
        seasons = self.bot.croupier.seasons
        if not await self._standings.count(season.server_id):
            return
        shown = Shown(Measure.NET, season.period)
        ranks = await self._first(shown.ranked(season.server_id, self.bot.croupier.now()))
        if season.role_id is not None and not season.is_crowned:
            # Noted before, so that the role can be taken from each who got it.
            chosen = season
            if not season.winners:
                winners = json.dumps([rank.party for rank in ranks[:3]])
                chosen = replace(season, winners=winners)
                if not await seasons.note(season, chosen):
                    return
            crowned = await self._crown(chosen)
            season = replace(chosen, is_crowned=crowned)
            if crowned and not await seasons.note(chosen, season):
                return
        # It is noted before, as of a week.
        posted = replace(season, is_posted=True)
        if season.channel_id is None or season.is_posted or not await seasons.note(season, posted):
            return
        content = await self._season_board(season, shown, ranks)
        same = nonce("season", season.server_id, season.number)
        if not await self._post(season.server_id, season.channel_id, content, same):
            await seasons.note(posted, season)

    async def _crown(self, season: Season) -> bool:
        """Gives the winners of a season their role, and takes those of earlier ones from others.

        Returns:
            Whether all of it is done; what Discord refuses is tried again later.
        """
        ledger, identities = self.bot.croupier.ledger, self.bot.croupier.identities
        earlier = [one for one in await ledger.seasons(season.server_id) if one.number < season.number]
        give = {(party, season.role_id) for party in json.loads(season.winners)}
        take: set[tuple[int, int | None]] = set()
        for one in earlier:
            take.update((party, one.role_id) for party in json.loads(one.winners or "[]"))
            if one.is_crowned:
                # Nobody has a role of those before it.
                break
        take -= give
        await identities.load(party for party, _ in give | take)
        for change, whose in ((self.bot.http.remove_role, take), (self.bot.http.add_role, give)):
            for party, role_id in sorted(whose):
                # Who is erased is not known any more.
                if role_id is None or (identity := identities.get(party)) is None:
                    continue
                try:
                    await change(season.server_id, identity.user_id, role_id)
                except SENDING_FAILED as failed:
                    if isinstance(failed, discord.NotFound):
                        # They have left, or the role is gone.
                        continue
                    server_id = season.server_id
                    log_failure(log, failed, "a role of a season of server %s was not given", server_id)
                    self._failed_at[server_id] = self.bot.croupier.now()
                    if isinstance(failed, discord.Forbidden):
                        self.bot.notices.not_crowned(server_id, role_id)
                    return False
        return True

    async def _season_board(self, season: Season, shown: Shown, ranks: Sequence[Rank]) -> Content:
        """What is posted of a season that is over."""
        server_id, seasons = season.server_id, self.bot.croupier.seasons
        with speaking_to(self.bot.readers.of_server(server_id)):
            title = translate("season.over", name=season.name)
            words = first_words(title, shown, self._named(ranks), [None] * len(ranks))
            if not ranks:
                words += f"\n{translate('leaderboard.stays_empty')}"
            if season.resets:
                words += f"\n-# {translate('season.started_again')}"
            if (following := seasons.running(server_id)) is not None:
                words += f"\n-# {season_words(following)}"
            return await _with_podium(words, ranks, "season.alt")

    async def _count_settled(self) -> None:
        """Counts new rounds where boards tell at their next change what was achieved in them."""
        for server_id in self._standings.take_settled():
            if self.bot.croupier.house_of(server_id).server.celebrations:
                try:
                    await self._standings.count(server_id, most=1, at_leisure=True)
                except LedgerError as failed:
                    log.info("rounds are counted later: %s", failed)
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
        identities, ledger = croupier.identities, croupier.ledger
        party = await self.bot.party_in(interaction, server_id)
        if shown.measure is Measure.CHIPS:
            await croupier.open_wallet(server_id, party)
        elif shown.measure is Measure.BEST and shown.game not in GAMES:
            shown = replace(shown, game=await game_here(interaction, croupier))
        is_counted = await self._standings.count(server_id)
        ranked = shown.ranked(server_id, croupier.now())
        for _ in range(LOOKS):
            own = await ledger.rank(ranked, party)
            page = shown.page
            if page is None:
                page = 0 if own is None else own.above // ON_PAGE
            found = await ledger.leaders(ranked, page * ON_PAGE, ON_PAGE + 1)
            ranks = found[:ON_PAGE]
            rival = None
            if shown.has_rivals and own is not None:
                rival = await self._rival(ranked, own, page * ON_PAGE, found)
            named = {rank.party for rank in ranks} | ({rival.party} if rival else set())
            await identities.load([party, *named])
            if not await self._membership.look(named):
                break
        of_all = None
        if shown.measure is Measure.LUCK:
            of_all = await ledger.standing(server_id, NOBODY, ranked.period, ranked.game)
        renew_order(ledger, ranked, self.bot.tasks)
        identity = identities.get(party)
        is_hidden = identity is not None and identity.is_hidden
        who, mention = self.bot.names.mention(party), self.bot.past_names.mention
        seasons = await ledger.seasons(server_id)
        against = None if rival is None else (rival, mention(rival.party))
        leaders = Leaders(
            [(rank, mention(rank.party)) for rank in ranks],
            "" if is_hidden and not is_private else own_words(shown, who, own, against, seasons),
            is_hidden if is_private else None,
            len(found) > ON_PAGE,
            is_counted,
            None if of_all is None else of_all.deviations,
            seasons,
        )
        shown = replace(shown, page=page)
        words = with_links(interaction, leaderboard_words(shown, leaders))
        return Content([text(words), *leaderboard_controls(shown, leaders)])

    async def _rival(
        self, ranked: Leaderboard, own: OwnRank, shown_from: int, shown: Sequence[Rank]
    ) -> Rank | None:
        """Who is next above a member, or below them if they are first; None if nobody is.

        Args:
            shown_from: after how many members those begin who are shown.
        """
        first, most = max(0, own.above - 1), 1 if own.above else 2
        near = shown[first - shown_from :][:most] if first >= shown_from else ()
        if len(near) < most:
            near = await self.bot.croupier.ledger.leaders(ranked, first, most)
        return next((rank for rank in near if rank.party != own.party), None)


async def _with_podium(words: str, ranks: Sequence[Rank], alt_code: str) -> Content:
    """A leaderboard that is posted, with its first three as a picture."""
    figures = [signed(int(rank.amount)) for rank in ranks[:3]]
    button_row = row(button(profile_press(), translate("button.profile")))
    if not figures:
        return Content([text(words), button_row])
    alt = translate(alt_code, figures=listed(figures))
    podium = await render_podium(figures, alt)
    return Content([text(words), picture(podium.name, alt), button_row], files=[podium])
