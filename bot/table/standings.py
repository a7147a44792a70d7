"""What settled rounds brought members, added up by game and period: what leaderboards are made of."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, NamedTuple

from bot.rules.knobs import GameName, Play
from bot.table.state import RoundResult, hand_in, is_member

SETTLED: Final = "round_settled"
"""The kind of the events whose rounds count."""
EVERY: Final = "all"
"""Stands for all games, and for all time."""


class Period(StrEnum):
    """How far back a leaderboard goes."""

    ALL = EVERY
    MONTH = "month"
    """This calendar month, in UTC."""
    WEEK = "week"
    """This week from Monday on, in UTC, as ISO 8601 numbers it."""


class Measure(StrEnum):
    """What a leaderboard ranks by."""

    CHIPS = "chips"
    """What a member has now, held chips included; of no period and no game."""
    NET = "net"
    """Chips gained by playing, less those lost."""
    BIGGEST = "biggest"
    """The most chips that one round brought."""
    ROUNDS = "rounds"
    BEST = "best"
    """The strongest hand, in one game: hands of several games do not compare."""
    POINTS = "points"
    """Points gained, less those lost (G22)."""


def period_name(period: Period, at: float) -> str:
    """What standings call the period that a time is in: `all`, `2026-11`, `2026-W48`."""
    day = datetime.fromtimestamp(at, UTC).date()
    match period:
        case Period.ALL:
            return EVERY
        case Period.MONTH:
            return f"{day:%Y-%m}"
        case Period.WEEK:
            year, week, _ = day.isocalendar()
            return f"{year}-W{week:02}"


class StandingKey(NamedTuple):
    """Whose standing it is: of which server, period and game, or `EVERY`, and of which party."""

    server_id: int
    period: str
    game: GameName
    party: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What the rounds of a period brought a member in a game, or in all games.

    Attributes:
        rounds: in how many they bet, banked or backed a player.
        net: the chips that they gained; None without a round for chips.
        biggest: the most chips that a round brought them; None if none did.
        best: the strength of their strongest hand; None without one, and in all games.
        points: as `net`, at tables for points.
        last_at: when the last of these rounds was settled.
    """

    server_id: int
    period: str
    game: GameName
    party: int
    rounds: int
    net: int | None
    biggest: int | None
    best: int | None
    points: int | None
    last_at: float

    @property
    def key(self) -> StandingKey:
        """Whose it is; there is one of each."""
        return StandingKey(self.server_id, self.period, self.game, self.party)

    def plus(self, more: "Standing") -> "Standing":
        """This one and other rounds of the same."""
        return replace(
            self,
            rounds=self.rounds + more.rounds,
            net=_sum(self.net, more.net),
            biggest=_most(self.biggest, more.biggest),
            best=_most(self.best, more.best),
            points=_sum(self.points, more.points),
            last_at=max(self.last_at, more.last_at),
        )


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


def _most(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else max(one, other)


def standings_of(rounds: Iterable[tuple[int, float, RoundResult]]) -> dict[StandingKey, Standing]:
    """What rounds bring the members in them.

    Args:
        rounds: the server of each, when it was settled, and its result.
    """
    found: dict[StandingKey, Standing] = {}
    for server_id, at, result in rounds:
        periods = [period_name(period, at) for period in Period]
        for party, gained, best in _shares(result):
            for_chips = result.rules.play is Play.CHIPS
            net, points = (gained, None) if for_chips else (None, gained)
            biggest = gained if for_chips and gained > 0 else None
            for period in periods:
                for game in (EVERY, result.rules.game):
                    hand = None if game == EVERY else best
                    one = Standing(server_id, period, game, party, 1, net, biggest, hand, points, at)
                    before = found.get(one.key)
                    found[one.key] = one if before is None else before.plus(one)
    return found


def _shares(result: RoundResult) -> Iterable[tuple[int, int, int | None]]:
    """Each member of a round, what it brought them, and how strong a hand of theirs was; None without."""
    gained: dict[int, int] = {}
    for party, amount in result.gains:
        gained[party] = gained.get(party, 0) + amount
    best = {one.party: hand_in(result, one).strength for one in result.players}
    best[result.banker] = hand_in(result, result).strength
    return [(party, amount, best.get(party)) for party, amount in gained.items() if is_member(party)]
