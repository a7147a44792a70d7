"""Seasons: admins start, schedule and end them, and their first three are posted at the end."""

import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Final

import discord
from discord import app_commands

from bot.croupier.schedules import FURTHEST_SECONDS
from bot.croupier.season_ends import end_seasons
from bot.croupier.seasons import days_to_end, midnight
from bot.ledger.changes import Season
from bot.ledger.errors import LedgerError
from bot.ledger.records import Rank
from bot.rules.typed_text import PLACEHOLDER, clean
from bot.table.standings import Award, Measure
from bot.ui.bot import AdminCog, GnauBot
from bot.ui.components import MOST_OPTIONS, Component, button, label_text, row, text_view
from bot.ui.house.notices import News
from bot.ui.house.suggestions import Suggestions, roles_to_give
from bot.ui.leaderboard import (
    Shown,
    first_words,
    season_end_brings,
    season_ends_words,
    season_words,
)
from bot.ui.podium import ON_PODIUM, POSTING_SECONDS
from bot.ui.press.arrivals import not_after, with_links
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import FailedLately, MemberError, log_failure, nonce
from bot.ui.press.replies import post_publicly, replace_pressed, reply, reply_layout, reply_publicly
from bot.ui.press.router import handles
from bot.ui.press.table_choice import missing_permissions, server_of
from bot.wire.requests import Content, Interaction
from bot.words.translation import plain_name, speaking_to, translate

log = logging.getLogger(__name__)

LONGEST_TYPED: Final = 30
"""The most characters of a season's name, so that there is room for a number."""
KEEP: Final = "keep"
RESET: Final = "reset"
"""What a season's end does to chips."""
SEASON_SECONDS: Final = 5.0
"""How often it is looked whether a season is due."""
ONCE: Final = "once"
MONTHLY: Final = "monthly"
NO_DATE: Final = "no_date"
"""How often a season ends at its date, or that it has none any more."""


class SeasonsCog(AdminCog, name="Seasons"):
    """`/house season`, and the end of seasons."""

    within = "house"

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._failed_lately: FailedLately[int] = FailedLately(lambda: bot.croupier.now())

    async def cog_load(self) -> None:
        """Starts to look for seasons whose end has come."""
        self.bot.tasks.repeat(self.look_at_seasons, SEASON_SECONDS, "seasons", later=True)

    season = app_commands.Group(name="season", description=command_text("command.house.season"))

    @season.command(name="start", description=command_text("command.house.season.start"))
    @app_commands.describe(
        name=command_text("option.season.name"),
        chips=command_text("option.season.chips"),
        role=command_text("option.season.role"),
    )
    @app_commands.choices(chips=choices("choice", (KEEP, RESET)))
    async def start_season(
        self,
        interaction: Interaction,
        name: app_commands.Range[str, 1, LONGEST_TYPED],
        chips: str = KEEP,
        role: str | None = None,
    ) -> None:
        """Starts a season, whose first three are posted here at its end; asks first if it resets chips."""
        wanted = self._wanted(interaction, name, role, resets=chips == RESET)
        if not wanted.resets:
            await self._start(interaction, wanted, reply_publicly)
            return
        start = Press(PressAction.START_SEASON, arguments=(str(wanted.role_id or 0), wanted.name))
        asked = translate("season.start_asked", name=wanted.name)
        await self._ask(interaction, asked, wanted, button(start, translate("button.start_season")))

    @handles(PressAction.START_SEASON)
    async def season_started(self, interaction: Interaction, press: Press) -> None:
        """Starts the season that was asked about, and shows everybody in the channel."""
        role, name = press.arguments
        wanted = self._wanted(interaction, name, None if role == "0" else role, resets=True)

        async def show(interaction: Interaction, content: Content) -> None:
            await replace_pressed(interaction, Content(text_view(translate("reply.done"))))
            await post_publicly(interaction, content)

        await self._start(interaction, wanted, show)

    def _wanted(self, interaction: Interaction, name: str, role: str | None, *, resets: bool) -> Season:
        """The season that somebody asks for, if they may, and none is on."""
        server_id, channel_id = server_of(interaction), interaction.channel_id
        if missing := missing_permissions(interaction):
            raise MemberError("reply.missing_permissions", permissions=missing)
        called = clean(name, LONGEST_TYPED)
        # Menus show no emoji of servers.
        if called == PLACEHOLDER or not label_text(called):
            raise MemberError("season.no_name")
        role_id = None
        if role is not None:
            role_id = next(
                (one.id for one in roles_to_give(interaction) if role in (str(one.id), one.name)), None
            )
            if role_id is None:
                raise MemberError("season.no_role")
        if self.bot.croupier.seasons.running(server_id) is not None:
            raise MemberError("season.is_on", name=self._season_on(interaction).name)
        return Season(server_id, 0, called, resets, channel_id, role_id, self.bot.croupier.now())

    async def _start(
        self,
        interaction: Interaction,
        wanted: Season,
        show: Callable[[Interaction, Content], Awaitable[None]],
    ) -> None:
        """Starts a season, and shows everybody in the channel that it is on."""
        server_id, until = wanted.server_id, await not_after(interaction)
        begun = await self.bot.croupier.seasons.start(
            server_id, wanted.name, wanted.channel_id, wanted.role_id, until, resets=wanted.resets
        )
        if begun is None:
            raise MemberError("season.is_on", name=self._season_on(interaction).name)
        with speaking_to(self.bot.readers.of_server(server_id)):
            started = translate("season.started", name=begun.name)
            words = f"{started}\n{season_ends_words(begun, self._opening_chips(interaction))}"
        await show(interaction, Content(text_view(with_links(interaction, words))))
        await self._tell_admins(interaction, begun, "log.season_started")

    async def _ask(self, interaction: Interaction, question: str, season: Season, yes: Component) -> None:
        """Asks an admin something, with what the season's end brings."""
        chips = self._opening_chips(interaction)
        ledger = self.bot.croupier.ledger
        today = await ledger.reset_preview(season.server_id, chips) if season.resets else None
        layout = text_view(f"{question}\n{season_end_brings(season, chips, today)}")
        no = button(Press(PressAction.CANCEL), translate("house.leave"))
        await reply_layout(interaction, [*layout, row(yes, no)], kind=None)

    async def _tell_admins(
        self, interaction: Interaction, season: Season, code: str, **facts: int | str
    ) -> None:
        """Tells the admins what one of them did to a season."""
        admin = await self.bot.party_in(interaction, season.server_id)
        key = str(interaction.id)
        self.bot.notices.acted(season.server_id, News.RULES, code, admin, key, name=season.name, **facts)

    @start_season.autocomplete("role")
    async def suggest_roles(self, interaction: Interaction, typed: str) -> Suggestions:
        """The roles that may be given and whose name has what is typed, the highest first."""
        if not await self.interaction_check(interaction):
            return []
        found = [one for one in roles_to_give(interaction) if typed.strip().lower() in one.name.lower()]
        return [app_commands.Choice(name=one.name, value=str(one.id)) for one in found[:MOST_OPTIONS]]

    @season.command(name="end", description=command_text("command.house.season.end"))
    async def end_season(self, interaction: Interaction) -> None:
        """Asks whether to end the season that is on."""
        await self.bot.croupier.seasons.load()
        season = self._season_on(interaction)
        end = Press(PressAction.END_SEASON, arguments=(str(season.number),))
        yes = button(end, translate("button.end_season"), style=discord.ButtonStyle.danger)
        await self._ask(interaction, translate("season.end_asked", name=season.name), season, yes)

    @handles(PressAction.END_SEASON)
    async def season_ended(self, interaction: Interaction, press: Press) -> None:
        """Ends the season that was asked about, once the rounds that are on are over."""
        await self.bot.croupier.seasons.load()
        season = self._season_on(interaction)
        if season.number != int(press.arguments[0]):
            raise MemberError("season.changed")
        await self._set_end(interaction, season, self.bot.croupier.now(), None)
        words = translate("season.ending", name=season.name)
        await replace_pressed(interaction, Content(text_view(words)))
        await self._tell_admins(interaction, season, "log.season_ending")

    @season.command(name="schedule", description=command_text("command.house.season.schedule"))
    @app_commands.describe(day=command_text("option.season.day"), repeat=command_text("option.season.repeat"))
    @app_commands.choices(repeat=choices("choice", (ONCE, MONTHLY, NO_DATE)))
    async def schedule_season(
        self,
        interaction: Interaction,
        day: app_commands.Range[str, 1, 20] | None = None,
        repeat: str | None = None,
    ) -> None:
        """Shows when the season ends that is on, or sets it; what is not picked stays as it is."""
        await self.bot.croupier.seasons.load()
        season = self._season_on(interaction)
        is_set = day is not None or repeat is not None
        if is_set:
            season = await self._schedule(interaction, season, day, repeat)
        words = season_ends_words(season, self._opening_chips(interaction))
        if season.ends_at is None:
            words = f"{translate('season.no_date')}\n{words}"
        told = with_links(interaction, f"**{plain_name(season.name)}**: {words}")
        await reply(interaction, told, stays=is_set)
        if is_set:
            if season.ends_at is None:
                await self._tell_admins(interaction, season, "log.season_dateless")
            else:
                await self._tell_admins(interaction, season, "log.season_dated", at=int(season.ends_at))

    @schedule_season.autocomplete("day")
    async def suggest_ends(self, interaction: Interaction, typed: str) -> Suggestions:
        """The first days of the next months, then the next days."""
        now, words = self.bot.croupier.now(), typed.strip()
        found = [day for day in days_to_end(now) if words in day]
        return [app_commands.Choice(name=day, value=day) for day in found[:MOST_OPTIONS]]

    async def _schedule(
        self, interaction: Interaction, season: Season, day: str | None, repeat: str | None
    ) -> Season:
        if repeat == NO_DATE:
            return await self._set_end(interaction, season, None, None)
        at = season.ends_at if day is None else _midnight(day, self.bot.croupier.now())
        if at is None:
            raise MemberError("season.no_day")
        is_monthly = season.repeat_day is not None if repeat is None else repeat == MONTHLY
        repeat_day = season.repeat_day if day is None else None
        if is_monthly and repeat_day is None:
            repeat_day = datetime.fromtimestamp(at, UTC).day
        return await self._set_end(interaction, season, at, repeat_day if is_monthly else None)

    async def _set_end(
        self, interaction: Interaction, season: Season, at: float | None, monthly: int | None
    ) -> Season:
        seasons = self.bot.croupier.seasons
        if seasons.is_ending(season.server_id):
            # Chips of some members may be reset already.
            raise MemberError("season.ends_now")
        changed = await seasons.set_end(season, at, monthly, await not_after(interaction))
        if changed is None:
            raise MemberError("season.changed")
        return changed

    def _season_on(self, interaction: Interaction) -> Season:
        season = self.bot.croupier.seasons.running(server_of(interaction))
        if season is None:
            raise MemberError("season.none")
        return season

    def _opening_chips(self, interaction: Interaction) -> int:
        return self.bot.houses.house_of(server_of(interaction)).rules().opening_chips

    async def look_at_seasons(self) -> None:
        """Ends the seasons that are due, and posts who was first in those that are over."""
        try:
            for season in await end_seasons(self.bot.croupier, self._has):
                house = self.bot.houses.house_of(season.server_id)
                self.bot.notices.season_over(season, house.rules().opening_chips)
            now = self.bot.croupier.now()
            for season in await self.bot.croupier.ledger.untold_seasons(now - POSTING_SECONDS):
                server_id = season.server_id
                if self._has(server_id) and server_id not in self._failed_lately:
                    await self._tell_season(season)
        except LedgerError as failed:
            log_failure(log, failed, "seasons end later")

    def _has(self, server_id: int) -> bool:
        """Whether a server is this process's, and the bot is in it."""
        return self.bot.settings.hosts(server_id) and self.bot.get_guild(server_id) is not None

    async def _tell_season(self, season: Season) -> None:
        """Gives the first three of a season their role, and posts them."""
        seasons = self.bot.croupier.seasons
        if not await self.bot.croupier.standings.count(season.server_id):
            return
        shown = Shown(Measure.NET, season.period)
        ranked = shown.ranked(season.server_id, self.bot.croupier.now())
        ranks = await self.bot.podium.first(ranked)
        first = await self.bot.podium.may_have_role(ranked, ON_PODIUM)
        if season.role_id is not None and not season.is_crowned and await self._is_followed(season):
            # The role has gone to the next winners, from whom an older season must not take it.
            crowned = replace(season, is_crowned=True, winners="")
            if not await seasons.note(season, crowned):
                return
            season = crowned
        if season.role_id is not None and not season.is_crowned:
            # Noted before, so that it is the same three if it is tried again.
            chosen = season
            if not season.winners:
                chosen = replace(season, winners=json.dumps(first))
                if not await seasons.note(season, chosen):
                    return
            winners = json.loads(chosen.winners)
            failed = await self.bot.awards.hand_on(
                season.server_id, Award.SEASON, season.role_id, winners, season.period
            )
            if failed is not None:
                self._failed_lately.add(season.server_id, failed)
            season = replace(chosen, is_crowned=failed is None)
            if season.is_crowned and not await seasons.note(chosen, season):
                return
        if season.channel_id is None or season.is_posted:
            return
        content = await self._season_board(season, shown, ranks, first)
        same = nonce("season", season.server_id, season.number)
        failed = await self.bot.podium.post(season.server_id, season.channel_id, content, same)
        if failed is None:
            await seasons.note(season, replace(season, is_posted=True))
        else:
            self._failed_lately.add(season.server_id, failed)

    async def _is_followed(self, season: Season) -> bool:
        """Whether a later season with a role is over too."""
        later = await self.bot.croupier.ledger.seasons(season.server_id)
        return any(one.number > season.number and one.is_over and one.role_id is not None for one in later)

    async def _season_board(
        self, season: Season, shown: Shown, ranks: Sequence[Rank], mentioned: Sequence[int]
    ) -> Content:
        """What is posted of a season that is over, which mentions these members."""
        server_id, seasons = season.server_id, self.bot.croupier.seasons
        known = filter(None, map(self.bot.croupier.identities.get, mentioned))
        user_ids = [identity.user_id for identity in known]
        with speaking_to(self.bot.readers.of_server(server_id)):
            title = translate("season.over", name=season.name)
            named = []
            for rank in ranks:
                names = self.bot.names if rank.party in mentioned else self.bot.past_names
                named.append((rank, names.mention(rank.party)))
            words = first_words(title, shown, named, [None] * len(named))
            if not ranks:
                words += f"\n{translate('season.nobody_won')}"
            if season.resets:
                words += f"\n-# {translate('season.started_again')}"
            if (following := seasons.running(server_id)) is not None:
                words += f"\n-# {season_words(following)}"
            return await self.bot.podium.content(words, ranks, shown, "season.alt", user_ids)


def _midnight(typed: str, now: float) -> float:
    """When a day begins that somebody typed."""
    try:
        at = midnight(date.fromisoformat(typed.strip()))
    except (ValueError, OverflowError):
        raise MemberError("schedule.no_day") from None
    if not now < at < now + FURTHEST_SECONDS:
        raise MemberError("schedule.not_then")
    return at
