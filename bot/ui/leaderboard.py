"""`/leaderboard`: who leads by what, with what changes that, and who of them is still in the server."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from math import copysign, sqrt
from typing import Final, Self

import discord
from cachetools import TTLCache

from bot.clock import DAY_SECONDS
from bot.croupier.croupier import Croupier
from bot.croupier.identities import Identities
from bot.croupier.open_tables import MemberErasedError
from bot.games.register import GAMES
from bot.ledger.changes import Season
from bot.ledger.errors import LedgerError
from bot.ledger.queries import Queries
from bot.ledger.records import Leaderboard, OwnRank, Rank, ResetPreview
from bot.rules.knobs import GameName
from bot.rules.pieces import MOST_VALUE, HandRank
from bot.table.standings import AS_BANKER, EVERY, LUCK_ROUNDS, SEASON, Measure, Period, period_name
from bot.table.state import NOBODY
from bot.ui.components import MOST_OPTIONS, Component, Layout, button, label_text, menu, option, row, rows
from bot.ui.press.custom_ids import OWN_PAGE, Press, PressAction
from bot.ui.press.errors import LEFT_SERVER, SENDING_FAILED, is_code
from bot.ui.press.next_steps import wallet_button
from bot.ui.profile import profile_press
from bot.ui.services import BackgroundTasks
from bot.words.hands import rank_name
from bot.words.members import deviations_words, luck_words
from bot.words.translation import chips, listed, signed, signed_points, translate

log = logging.getLogger(__name__)

ON_PAGE: Final = 10
LOOKS: Final = 3
"""How often a page is read again because somebody on it has left the server."""
LATELY_DAYS: Final = 60
"""How many days ago a member played at the latest who is on a leaderboard."""
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


@dataclass(frozen=True, slots=True)
class Shown:
    """Which leaderboard, and which page of it; None for the page with the member's own place.

    Attributes:
        period: a `Period`, or that of a season.
    """

    measure: Measure = Measure.CHIPS
    period: str = Period.ALL
    game: GameName = EVERY
    page: int | None = 0

    @classmethod
    def of(cls, press: Press) -> Self:
        """What a button or a menu asks for."""
        measure, period, game, page = press.arguments
        shown = cls(Measure(measure), period, game, None if page == OWN_PAGE else int(page))
        match press.action:
            case PressAction.LEADERS_BY:
                return replace(shown, measure=Measure(press.values[0]))
            case PressAction.LEADERS_GAME:
                return replace(shown, game=press.values[0])
            case PressAction.LEADERS_SEASON:
                return shown.of_season(press.values[0])
        return shown

    def of_season(self, period: str) -> Self:
        """The same of a season; of chips now there is only one board."""
        by = Measure.NET if self.measure is Measure.CHIPS else self.measure
        return replace(self, measure=by, period=period)

    @property
    def is_of_season(self) -> bool:
        """Whether it is of a season."""
        return self.measure is not Measure.CHIPS and self.period.startswith(SEASON)

    def press(self, action: PressAction = PressAction.LEADERS) -> Press:
        """What asks for it."""
        page = OWN_PAGE if self.page is None else str(self.page)
        return Press(action, arguments=(self.measure, self.period, self.game, page))

    def ranked(self, server_id: int, now: float) -> Leaderboard:
        """The order of a server's members."""
        if self.is_of_season:
            # Nobody drops out of it later.
            return Leaderboard(server_id, self.measure, self.period, self.game, 0.0)
        is_of_chips = self.measure is Measure.CHIPS
        return Leaderboard(
            server_id,
            self.measure,
            EVERY if is_of_chips else period_name(Period(self.period), now),
            EVERY if is_of_chips else self.game,
            now - LATELY_DAYS * DAY_SECONDS,
        )

    @property
    def has_rivals(self) -> bool:
        """Whether it means something by how much somebody is ahead: not of hands, nor of luck."""
        return self.measure not in (Measure.BEST, Measure.LUCK)

    def amount_words(self, ranked: float) -> str:
        """What a member has by the measure."""
        amount = int(ranked)
        match self.measure:
            case Measure.LUCK:
                return deviations_words(copysign(sqrt(abs(ranked)), ranked))
            case Measure.NET:
                return signed(amount)
            case Measure.POINTS:
                return signed_points(amount)
            case Measure.ROUNDS:
                return translate("leaderboard.count_rounds", count=amount)
            case Measure.BEST:
                hand_class, value = divmod(amount, MOST_VALUE + 1)
                classes = type(GAMES[self.game].no_ox.hand_class)
                return rank_name(HandRank(classes(hand_class), value), self.game)
            case Measure.CHIPS | Measure.BIGGEST:
                return chips(amount)


@dataclass(frozen=True, slots=True)
class Leaders:
    """What a leaderboard shows.

    Attributes:
        ranks: the members on the page, each with how they are called.
        own: the line of the member who asks; empty where they have none.
        is_hidden: whether they are hidden; None where it is not for everybody to know.
        has_more: whether there is another page.
        is_counted: whether all rounds are counted.
        luck: how lucky all players of the server were together, or all its banks; None where it is not told.
        seasons: those of the server, the newest first.
    """

    ranks: Sequence[tuple[Rank, str]]
    own: str = ""
    is_hidden: bool | None = None
    has_more: bool = False
    is_counted: bool = True
    luck: float | None = None
    seasons: Sequence[Season] = ()


@dataclass(frozen=True, slots=True)
class PageRead:
    """What is read for a page of a leaderboard.

    Attributes:
        page: its number.
        ranks, has_more, is_counted, luck, seasons: as in `Leaders`.
        own: the place of the member who asks.
        rival, is_away: as in `own_words`.
    """

    page: int
    ranks: Sequence[Rank]
    has_more: bool
    is_counted: bool
    own: OwnRank | None
    rival: Rank | None
    is_away: bool
    luck: float | None
    seasons: Sequence[Season]


Look = Callable[[Collection[int]], Awaitable[bool]]
"""Learns who some members are; returns whether one of them has left, so that the page is to be read again."""


async def read_page(croupier: Croupier, shown: Shown, server_id: int, party: int, look: Look) -> PageRead:
    """Reads all that a page says, for a member who asks; opens their wallet where chips are ranked."""
    ledger, ranked = croupier.ledger, shown.ranked(server_id, croupier.now())
    if shown.measure is Measure.CHIPS:
        await croupier.wallets.open(server_id, party)
    is_counted = await croupier.standings.count(server_id)
    for _ in range(LOOKS):
        own = await ledger.rank(ranked, party)
        own_page = 0 if own is None else own.above // ON_PAGE
        page = own_page if shown.page is None else shown.page
        found = await ledger.leaders(ranked, page * ON_PAGE, ON_PAGE + 1)
        ranks = found[:ON_PAGE]
        rival = None
        if shown.has_rivals and own is not None:
            rival = await _rival(ledger, ranked, own, page * ON_PAGE, found)
        if not await look({rank.party for rank in ranks} | ({rival.party} if rival else set())):
            break
    is_away = own is None and await ledger.has_rank(replace(ranked, since=0.0), party)
    of_all = None
    if shown.measure is Measure.LUCK:
        of_all = await ledger.standing(server_id, NOBODY, ranked.period, ranked.game)
    return PageRead(
        page,
        ranks,
        len(found) > ON_PAGE,
        is_counted,
        own,
        rival,
        is_away,
        None if of_all is None else of_all.deviations,
        await ledger.seasons(server_id),
    )


async def _rival(
    ledger: Queries, ranked: Leaderboard, own: OwnRank, shown_from: int, shown: Sequence[Rank]
) -> Rank | None:
    """Who is next above a member, or below them if they are first; None if nobody is.

    Args:
        shown_from: after how many members those begin who are shown.
    """
    first, most = max(0, own.above - 1), 1 if own.above else 2
    near = shown[first - shown_from :][:most] if first >= shown_from else ()
    if len(near) < most:
        near = await ledger.leaders(ranked, first, most)
    return next((rank for rank in near if rank.party != own.party), None)


def leaderboard_button(shown: Shown) -> Component:
    """The button that shows who presses it a leaderboard."""
    return button(shown.press(), translate("button.leaderboard"))


def is_final(shown: Shown, seasons: Sequence[Season]) -> bool:
    """Whether nobody comes onto a leaderboard any more, because its season is over."""
    return shown.is_of_season and any(one.is_over and one.period == shown.period for one in seasons)


def own_words(
    shown: Shown,
    who: str,
    own: OwnRank | None,
    rival: tuple[Rank, str] | None = None,
    seasons: Sequence[Season] = (),
    *,
    is_away: bool = False,
) -> str:
    """The place of the member who asks.

    Args:
        rival: who is next above them, or below if they are first, and how that member is called.
        is_away: whether they would have a place if they had played lately.
    """
    if own is not None:
        told = translate("leaderboard.own", who=who, place=own.place, has=shown.amount_words(own.amount))
        return told if rival is None else f"{told} · {_rival_words(int(own.amount), *rival)}"
    if is_away or shown.measure is Measure.CHIPS:
        return translate("leaderboard.play_a_round", who=who)
    no_points = shown.measure is Measure.POINTS and shown.period == Period.ALL and shown.game == EVERY
    otherwise = "leaderboard.not_on_it" if is_final(shown, seasons) else "leaderboard.not_yet"
    return translate("leaderboard.no_points" if no_points else otherwise, who=who)


def _rival_words(own: int, rival: Rank, who: str) -> str:
    """How far somebody is ahead of a member, or behind."""
    by = int(rival.amount) - own
    code = "rival_ahead" if by > 0 else "rival_behind" if by else "rival_level"
    return translate(f"leaderboard.{code}", who=who, by=abs(by))


def leaderboard_words(shown: Shown, leaders: Leaders) -> str:
    """A page of a leaderboard."""
    lines = [translate(f"leaderboard.{shown.measure}"), f"-# {_which(shown, leaders.seasons)}"]
    if shown.measure is Measure.LUCK:
        lines.append(f"-# {translate('leaderboard.luck_how', rounds=LUCK_ROUNDS)}")
    for rank, who in leaders.ranks:
        place = _place_sign(rank)
        lines.append(f"{place} {who} · {shown.amount_words(rank.amount)}")
    if not leaders.ranks:
        if is_final(shown, leaders.seasons):
            code = "leaderboard.stays_empty"
        else:
            code = "leaderboard.nobody" if shown.measure is Measure.POINTS else "leaderboard.empty"
        lines.append(translate(code))
    if leaders.luck is not None:
        who = "luck_banks" if shown.game == AS_BANKER else "luck_players"
        lines.append(f"-# {translate(f'leaderboard.{who}', luck=luck_words(leaders.luck))}")
    if leaders.own:
        lines.append(f"-# {leaders.own}")
    if leaders.is_hidden:
        lines.append(f"-# {translate('leaderboard.hidden')}")
    if not leaders.is_counted:
        lines.append(f"-# {translate('leaderboard.counting')}")
    return "\n".join(lines)


def _which(shown: Shown, seasons: Sequence[Season]) -> str:
    """Which rounds count, and who is on it."""
    if shown.is_of_season:
        of = [season_words(season) for season in seasons if season.period == shown.period]
        return " · ".join([*of, game_name(shown.game)])
    lately = translate("leaderboard.lately", days=LATELY_DAYS)
    if shown.measure is Measure.CHIPS:
        return lately
    parts = [translate(f"leaderboard.period.{shown.period}"), game_name(shown.game)]
    return " · ".join([*parts, lately] if shown.period == Period.ALL else parts)


def game_name(game: GameName) -> str:
    """What the rounds are called that count: those of a game, of every game, or as banker."""
    if game == AS_BANKER:
        return translate("leaderboard.as_banker")
    return translate("leaderboard.every_game" if game == EVERY else f"game.{game}")


def season_words(season: Season) -> str:
    """What a season is called, and from when until when it goes, as far as that is known."""
    code = "leaderboard.season_since" if season.ends_at is None else "leaderboard.season_until"
    end = int(season.ends_at or 0)
    return translate(code, name=season.name, start=int(season.started_at), end=end)


def season_ends_words(season: Season, opening_chips: int) -> str:
    """When a season ends, if it has a date, and what that brings."""
    brings = season_end_brings(season, opening_chips)
    if season.ends_at is None:
        return brings
    code = "season.ends_once" if season.repeat_day is None else "season.ends_monthly"
    return f"{translate(code, at=int(season.ends_at))}\n{brings}"


def season_end_brings(season: Season, opening_chips: int, today: ResetPreview | None = None) -> str:
    """What a season's end does to chips, with what that would be today, and which role it gives."""
    chips = "season.will_reset" if season.resets else "season.will_keep"
    lines = [translate(chips, chips=opening_chips)]
    if today is not None and today.losers + today.gainers:
        changes = []
        if today.losers:
            changes.append(translate("season.would_lose", losers=today.losers, lost=today.lost))
        if today.gainers:
            changes.append(translate("season.would_get", gainers=today.gainers, gained=today.gained))
        lines.append(translate("season.today", members=today.members, changes=listed(changes)))
    if season.role_id is not None:
        lines.append(translate("season.role", role=season.role_id))
    return "\n".join(lines)


def medal(rank: Rank) -> str | None:
    """The medal of a place, if it has one: nobody gets a medal for less than 0."""
    return _MEDALS.get(rank.place) if rank.amount >= 0 else None


def _place_sign(rank: Rank) -> str:
    return medal(rank) or f"`{rank.place:>2}`"


def first_words(
    title: str, shown: Shown, ranks: Sequence[tuple[Rank, str]], before: Sequence[int | None]
) -> str:
    """A leaderboard that is posted, with how many places each has moved up.

    Args:
        before: each member's place in the week before; None if they had none.
    """
    lines = [title]
    for (rank, who), place in zip(ranks, before, strict=True):
        up = "" if place is None or place <= rank.place else f" · ↑ {place - rank.place}"
        lines.append(f"{_place_sign(rank)} {who} · {shown.amount_words(rank.amount)}{up}")
    if " · ↑ " in "".join(lines):
        lines.append(f"-# {translate('weekly.up')}")
    return "\n".join(lines)


def leaderboard_controls(shown: Shown, leaders: Leaders) -> Layout:
    """What shows other pages and other leaderboards."""
    first = replace(shown, page=0)
    measures = [
        option(translate(f"choice.{measure}"), measure, default=measure is shown.measure)
        for measure in Measure
    ]
    made = [row(menu(first.press(PressAction.LEADERS_BY), translate("leaderboard.by"), measures))]
    if shown.measure is not Measure.CHIPS:
        made.append(
            row(
                *(
                    button(
                        replace(first, period=period).press(PressAction.LEADERS_WHEN),
                        translate(f"leaderboard.period.{period}"),
                        disabled=period == shown.period,
                    )
                    for period in Period
                )
            )
        )
        # Hands of several games do not compare.
        of_games = [*GAMES] if shown.measure is Measure.BEST else [EVERY, *GAMES, AS_BANKER]
        games = [option(game_name(game), game, default=game == shown.game) for game in of_games]
        made.append(row(menu(first.press(PressAction.LEADERS_GAME), translate("leaderboard.game"), games)))
    if leaders.seasons:
        seasons = [
            option(
                label_text(season.name) or season.period,
                season.period,
                default=shown.is_of_season and season.period == shown.period,
            )
            for season in leaders.seasons[:MOST_OPTIONS]
        ]
        made.append(
            row(menu(first.press(PressAction.LEADERS_SEASON), translate("leaderboard.season"), seasons))
        )
    page = shown.page or 0
    turns = [page - 1] if page else []
    turns += [page + 1] if leaders.has_more else []
    buttons = [
        button(replace(shown, page=to).press(), f"{to * ON_PAGE + 1}–{(to + 1) * ON_PAGE}") for to in turns
    ]
    buttons.append(button(replace(shown, page=None).press(), translate("button.own_place")))
    buttons.append(button(profile_press(), translate("button.profile")))
    if leaders.is_hidden is not None:
        hiding = Press(PressAction.LEADERS_HIDE, arguments=("off" if leaders.is_hidden else "on",))
        words = translate("button.show_me" if leaders.is_hidden else "button.hide_me")
        buttons += [button(hiding, words, style=discord.ButtonStyle.secondary), wallet_button()]
    return [*made, *rows(buttons)]


PATIENCE_SECONDS: Final = 1.0
"""How long an answer waits for what Discord says about members; what comes later counts the next time."""
AT_ONCE: Final = 5
MOST_WAITING: Final = 30
"""How many questions to Discord are under way at once, and may wait; beyond that nobody is asked about."""
KNOWN_SECONDS: Final = DAY_SECONDS
"""How long it counts that somebody is a member of the server; to leave tells no event without an intent."""
MEMBERS_KNOWN: Final = 100_000


class Membership:
    """Finds out which members on a leaderboard have left the server; each is asked about once a day."""

    def __init__(self, client: discord.Client, identities: Identities, tasks: BackgroundTasks) -> None:
        self._client = client
        self._identities = identities
        self._tasks = tasks
        self._known: TTLCache[int, bool] = TTLCache(MEMBERS_KNOWN, KNOWN_SECONDS)
        self._questions: dict[int, asyncio.Task[None]] = {}
        self._few = asyncio.Semaphore(AT_ONCE)

    async def look(self, parties: Iterable[int]) -> bool:
        """Asks Discord about those who are not known to be there; returns whether somebody has left."""
        asked = [party for party in parties if party not in self._known]
        for party in asked:
            if party not in self._questions and len(self._questions) < MOST_WAITING:
                self._questions[party] = self._tasks.start(self._ask(party), "membership")
        waiting = [self._questions[party] for party in asked if party in self._questions]
        if waiting:
            await asyncio.wait(waiting, timeout=PATIENCE_SECONDS)
        return any(self._known.get(party) is False for party in asked)

    async def _ask(self, party: int) -> None:
        try:
            async with self._few:
                if (identity := self._identities.get(party)) is None:
                    return
                try:
                    await self._client.http.get_member(identity.server_id, identity.user_id)
                    self._known[party] = True
                except SENDING_FAILED as failed:
                    if is_code(failed, *LEFT_SERVER):
                        await self._identities.set_left(party)
                        self._known[party] = False
        except (LedgerError, MemberErasedError):
            # They are asked about again.
            return
        finally:
            del self._questions[party]


def renew_order(ledger: Queries, board: Leaderboard, tasks: BackgroundTasks) -> None:
    """Has the kept order of a leaderboard read again if it is old; who asks does not wait for it."""

    async def read() -> None:
        try:
            await ledger.read_order(board)
        except LedgerError as failed:
            log.info("the order of a leaderboard is read later: %s", failed)

    if ledger.is_outdated(board):
        tasks.start(read(), "leaderboards")
