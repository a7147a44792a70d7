"""What settled rounds brought members, added up: what leaderboards and profiles are made of."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from fractions import Fraction
from math import copysign, sqrt
from typing import Final, NamedTuple

from bot.clock import DAY_SECONDS
from bot.rules.knobs import Arrange, GameName, Play
from bot.table.state import NOBODY, RoundResult, hand_in, is_member

SETTLED: Final = "round_settled"
"""The kind of the events whose rounds count."""
EVERY: Final = "all"
"""Stands for all games, and for all time."""
SEASON: Final = "season-"
"""What the periods begin with that are seasons; their numbers follow."""


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
    LUCK = "luck"
    """What bets brought against what they were expected to, in standard deviations."""


class Award(StrEnum):
    """What a role is given for; those of a week are called as the setting that names the role."""

    SEASON = "season"
    WEEK = "week_role"
    ROUNDS = "rounds_role"


WEEKLY: Final = {Award.WEEK: Measure.NET, Award.ROUNDS: Measure.ROUNDS}
"""By what members are first who get a role for a week."""


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

    That of `NOBODY` says what luck all players of the server had together, and in `AS_BANKER` all banks. It
    counts the rounds for chips, with those of the house and of computer players.

    Attributes:
        rounds: in how many they bet, banked or backed a player.
        net: the chips that they gained; None without a round for chips.
        biggest: the most chips that a round brought them; None if none did.
        best: the strength of their strongest hand; None without one, and in all games.
        points: as `net`, at tables for points.
        last_at: when the last of these rounds was settled.
        luck_rounds: how many of the rounds count for luck.
        ahead: what these brought more than expected, in millionths of a chip.
        variance_high, variance_low: the variance of that, in millionths of a chip squared; the first counts
            2³² each, since the sum can outgrow 64 bits.
        luck: the square of `deviations`, with its sign; None where it is None.
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
    luck_rounds: int = 0
    ahead: int = 0
    variance_high: int = 0
    variance_low: int = 0
    luck: float | None = None

    @property
    def deviations(self) -> float | None:
        """How many standard deviations above expectation; None with fewer than `LUCK_ROUNDS`."""
        return None if self.luck is None else copysign(sqrt(abs(self.luck)), self.luck)

    @property
    def key(self) -> StandingKey:
        """Whose it is; there is one of each."""
        return StandingKey(self.server_id, self.period, self.game, self.party)

    def plus(self, more: "Standing") -> "Standing":
        """This one and other rounds of the same."""
        luck_rounds, ahead = self.luck_rounds + more.luck_rounds, self.ahead + more.ahead
        high, low = self.variance_high + more.variance_high, self.variance_low + more.variance_low
        return replace(
            self,
            rounds=self.rounds + more.rounds,
            net=_sum(self.net, more.net),
            biggest=_most(self.biggest, more.biggest),
            best=_most(self.best, more.best),
            points=_sum(self.points, more.points),
            last_at=max(self.last_at, more.last_at),
            luck_rounds=luck_rounds,
            ahead=ahead,
            variance_high=high,
            variance_low=low,
            luck=_luck(luck_rounds, ahead, high, low),
        )


def _luck(rounds: int, ahead: int, variance_high: int, variance_low: int) -> float | None:
    """What `Standing.luck` is by the sums; the writer has the same expression."""
    variance = variance_high * float(HIGH_PART) + variance_low
    if rounds < LUCK_ROUNDS or not variance:
        return None
    return float(ahead) * abs(float(ahead)) / (variance * MILLION)


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


def _most(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else max(one, other)


LUCK_ROUNDS: Final = 30
"""The fewest rounds that luck is told of: one lucky round is no luck yet."""
MOST_AT_STAKE: Final = 100_000_000
"""The most chips bet in a round that counts for luck, so that sums of millions of rounds fit into 64 bits."""
MILLION: Final = 1_000_000
HIGH_PART: Final = 1 << 32


class Chances(NamedTuple):
    """What one chip bet on a hand can bring, by the exact odds.

    Attributes:
        covariance: of one chip on each of two hands of a round, which meet the same banker's hand; None if it
            is not known.
    """

    mean: Fraction
    variance: Fraction
    covariance: Fraction | None


def staked_in(result: RoundResult) -> dict[int, dict[int, int]]:
    """Chips of each party on each player's hand, by party; a banker's are below zero."""
    staked: dict[int, dict[int, int]] = {result.banker: {}}
    bets = [(one.party, one.party, one.stake) for one in result.players]
    bets += [(one.party, one.backed, one.stake) for one in result.side_bets]
    for party, hand, stake in bets:
        for whose, chips in ((party, stake), (result.banker, -stake)):
            on = staked.setdefault(whose, {})
            on[hand] = on.get(hand, 0) + chips
    return staked


class Luck(NamedTuple):
    """What a round adds to the fields of a `Standing` with these names; nothing if it does not count."""

    luck_rounds: int = 0
    ahead: int = 0
    variance_high: int = 0
    variance_low: int = 0


def luck_of(gained: int, on: Collection[int], chances: Chances | None) -> Luck:
    """What a round brought more than expected, and how sure that is.

    Args:
        on: the chips on each hand; below zero if they are bet against it.
        chances: None if the round does not count.
    """
    total, squares = sum(on), sum(chips**2 for chips in on)
    if chances is None or not 0 < abs(total) <= MOST_AT_STAKE:
        return Luck()
    variance = squares * chances.variance
    if len(on) > 1:
        if chances.covariance is None:
            return Luck()
        variance += (total**2 - squares) * chances.covariance
    high, low = divmod(round(variance * MILLION), HIGH_PART)
    ahead = round((gained - total * chances.mean) * MILLION)
    return Luck(1, ahead, high, low)


BY_DAY: Final = "day"
AS_BANKER: Final = "bank"
"""Stands for the rounds as banker, of every game."""


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

    def add(
        self,
        server_id: int,
        at: float,
        result: RoundResult,
        chances: Chances | None,
        seasons: Iterable[str] = (),
    ) -> None:
        """Counts a round of a server, which was settled at this time.

        Args:
            chances: of its bets; None if they are not known. Where members may arrange their hands, what
                bets bring is not up to chance alone, and does not count for luck.
            seasons: the periods that it counts for beside those of its time.
        """
        if result.rules.arrange is not Arrange.AUTOMATIC:
            chances = None
        staked = staked_in(result)
        game, for_chips = result.rules.game, result.rules.play is Play.CHIPS
        periods = [*(period_name(period, at) for period in Period), *seasons]
        gained: dict[int, int] = {}
        for party, amount in result.gains:
            gained[party] = gained.get(party, 0) + amount
        own = {one.party: (hand_in(result, one), one.chips) for one in result.players}
        own[result.banker] = hand_in(result, result), result.bank_chips
        if for_chips:
            # What the players lose, the bank wins: one of the two is the other's mirror.
            bank = [staked[result.banker][one.party] for one in result.players]
            for of in (EVERY, game, AS_BANKER):
                side = 1 if of == AS_BANKER else -1
                luck = luck_of(side * result.bank_chips, [side * chips for chips in bank], chances)
                for period in periods:
                    self._stand(Standing(server_id, period, of, NOBODY, 1, None, None, None, None, at, *luck))
        for party, amount in gained.items():
            if not is_member(party):
                continue
            self._tally(TallyKey(server_id, party, BY_DAY, int(at // DAY_SECONDS)), amount, for_chips)
            best = None
            if party in own:
                hand, chips = own[party]
                best = hand.strength
                self._tally(TallyKey(server_id, party, game, int(hand.hand_class)), chips, for_chips)
                if party == result.banker:
                    self._tally(TallyKey(server_id, party, AS_BANKER, 0), chips, for_chips)
            net = amount if for_chips else None
            points = amount if result.rules.play is Play.POINTS else None
            biggest = amount if for_chips and amount > 0 else None
            luck = luck_of(amount, staked[party].values(), chances if for_chips else None)
            for of in (EVERY, game, AS_BANKER) if party == result.banker else (EVERY, game):
                brought = net, biggest, best if of == game else None, points
                for period in periods:
                    self._stand(Standing(server_id, period, of, party, 1, *brought, at, *luck))

    def _stand(self, one: Standing) -> None:
        before = self.standings.get(one.key)
        self.standings[one.key] = one if before is None else before.plus(one)

    def _tally(self, key: TallyKey, gained: int, for_chips: bool) -> None:
        one = Tally(*key, rounds=1, won=int(gained > 0), net=gained if for_chips else 0)
        before = self.tallies.get(key)
        self.tallies[key] = one if before is None else before.plus(one)
