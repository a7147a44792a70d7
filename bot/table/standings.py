"""What settled rounds brought members, added up: what leaderboards and profiles are made of."""

from dataclasses import dataclass, field, replace
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


BY_DAY: Final = "day"
AS_BANKER: Final = "bank"
SECONDS_OF_A_DAY: Final = 86_400


class TallyKey(NamedTuple):
    """Whose tally it is, and of which rounds: see `Tally`."""

    server_id: int
    party: int
    part: str
    item: int


@dataclass(frozen=True, slots=True)
class Tally:
    """What some of a member's rounds brought them, for their profile.

    Attributes:
        part: `BY_DAY` for the rounds of a day, `AS_BANKER` for those as banker, or a game for those with a
            class of hand in it.
        item: the day, in days since 1970 in UTC; 0 for the bank; the class of the hand.
        won: in how many they gained something. With a class of hand, only their own bet or bank counts.
        net: the chips that they gained, less those lost; rounds for points count as 0.
    """

    server_id: int
    party: int
    part: str
    item: int
    rounds: int
    won: int
    net: int

    @property
    def key(self) -> TallyKey:
        """Whose it is, and of what; there is one of each."""
        return TallyKey(self.server_id, self.party, self.part, self.item)

    def plus(self, more: "Tally") -> "Tally":
        """This one and other rounds of the same."""
        rounds, won, net = self.rounds + more.rounds, self.won + more.won, self.net + more.net
        return replace(self, rounds=rounds, won=won, net=net)


@dataclass(frozen=True, slots=True)
class Counts:
    """What rounds brought the members in them."""

    standings: dict[StandingKey, Standing] = field(default_factory=dict)
    tallies: dict[TallyKey, Tally] = field(default_factory=dict)

    def add(self, server_id: int, at: float, result: RoundResult) -> None:
        """Counts a round of a server, which was settled at this time."""
        game, for_chips = result.rules.game, result.rules.play is Play.CHIPS
        periods = [period_name(period, at) for period in Period]
        gained: dict[int, int] = {}
        for party, amount in result.gains:
            gained[party] = gained.get(party, 0) + amount
        own = {one.party: (hand_in(result, one), one.chips) for one in result.players}
        own[result.banker] = hand_in(result, result), result.bank_chips
        for party, amount in gained.items():
            if not is_member(party):
                continue
            self._tally(TallyKey(server_id, party, BY_DAY, int(at // SECONDS_OF_A_DAY)), amount, for_chips)
            best = None
            if party in own:
                hand, chips = own[party]
                best = hand.strength
                self._tally(TallyKey(server_id, party, game, int(hand.hand_class)), chips, for_chips)
                if party == result.banker:
                    self._tally(TallyKey(server_id, party, AS_BANKER, 0), chips, for_chips)
            net, points = (amount, None) if for_chips else (None, amount)
            biggest = amount if for_chips and amount > 0 else None
            for period in periods:
                for of in (EVERY, game):
                    hand_of_game = None if of == EVERY else best
                    one = Standing(server_id, period, of, party, 1, net, biggest, hand_of_game, points, at)
                    before = self.standings.get(one.key)
                    self.standings[one.key] = one if before is None else before.plus(one)

    def _tally(self, key: TallyKey, gained: int, for_chips: bool) -> None:
        one = Tally(*key, rounds=1, won=int(gained > 0), net=gained if for_chips else 0)
        before = self.tallies.get(key)
        self.tallies[key] = one if before is None else before.plus(one)
