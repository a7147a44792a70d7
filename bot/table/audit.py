"""What an audit compares: the chips that went between two members, and what chance explains of that.

Hands are dealt by chance, so what a bet brings with the strongest hands has an exact expectation and
variance. On purpose, members can move chips by gifts, and where they arrange their hands, by weaker ones.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, lgamma, sqrt
from typing import Final, NamedTuple

from bot.clock import FIRST_MONDAY, WEEK_SECONDS
from bot.games.hands import evaluate, is_worse
from bot.games.settle import largest_multiple, settle
from bot.rules.knobs import Arrange, Play
from bot.rules.pieces import Hand
from bot.table.accounts import OF_TOURNAMENTS, Reason
from bot.table.standings import HIGH_PART, MILLION, Chances, luck_of, staked_in
from bot.table.state import NOBODY, THE_HOUSE, PlayerResult, RoundResult, hand_in, is_member

ALARM: Final = 0.01
"""How likely an audit names a pair at all, at most, if chance alone decides."""
MOST_FED: Final = 0.5
"""Which part of the chips that a new member was handed went to one other, at least, so that it is said."""


def week_of(at: float) -> int:
    """The number of the week that a time is in; they begin on Mondays, in UTC."""
    return int((at - FIRST_MONDAY) // WEEK_SECONDS)


def week_start(week: int) -> int:
    """When a week begins."""
    return week * WEEK_SECONDS + FIRST_MONDAY


class FlowKey(NamedTuple):
    """In which week, and between whom: the one with the smaller party comes first."""

    server_id: int
    week: int
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class Flow:
    """What the rounds of a week moved between two members, of whom one banked.

    One between `NOBODY` and `THE_HOUSE` is what the house gained from all members, with its computer players.

    Attributes:
        net: the chips that the other one gained; below zero if they lost.
        side: those of them that side bets moved.
        arranged: those of them that would not have moved with the strongest hands.
        hands_one, hands_other: how many hands that one could arrange, as a player.
        weaker_one, weaker_other: how many of these they played weaker than they could.
        luck_rounds, ahead, variance_high, variance_low: as in `Standing`, of the other one.
        largest: the most chips that one of these rounds could move.
    """

    server_id: int
    week: int
    one: int
    other: int
    rounds: int
    net: int
    side: int = 0
    arranged: int = 0
    hands_one: int = 0
    hands_other: int = 0
    weaker_one: int = 0
    weaker_other: int = 0
    luck_rounds: int = 0
    ahead: int = 0
    variance_high: int = 0
    variance_low: int = 0
    largest: int = 0

    @property
    def key(self) -> FlowKey:
        """In which week, and between whom; there is one of each."""
        return FlowKey(self.server_id, self.week, self.one, self.other)

    def plus(self, more: "Flow") -> "Flow":
        """This one and other rounds of the same."""
        sums = {name: getattr(self, name) + getattr(more, name) for name in ADDED}
        return replace(self, largest=max(self.largest, more.largest), **sums)


ADDED: Final = (
    "rounds",
    "net",
    "side",
    "arranged",
    "hands_one",
    "hands_other",
    "weaker_one",
    "weaker_other",
    "luck_rounds",
    "ahead",
    "variance_high",
    "variance_low",
)
"""What is added up of a flow."""


def flows_of(server_id: int, at: float, result: RoundResult, chances: Chances | None) -> Iterator[Flow]:
    """What a settled round moved between its banker and each of the others, and what the house gained."""
    if result.rules.play is not Play.CHIPS:
        return
    week, banker = week_of(at), result.banker
    of_house = [chips for party, chips in result.gains if not is_member(party)]
    if of_house:
        yield Flow(server_id, week, NOBODY, THE_HOUSE, 1, sum(of_house))
    if not is_member(banker):
        return
    net, side = Counter[int](), Counter[int]()
    for party, chips in result.gains[1:]:
        net[party] += chips
    for backer in result.side_bets:
        side[backer.party] += backer.chips
    weaker, due = _with_strongest(result)
    most = largest_multiple(result.rules)
    arranges = result.rules.arrange is not Arrange.AUTOMATIC
    players = {player.party for player in result.players if arranges}
    for party, on in staked_in(result).items():
        if party == banker or not is_member(party):
            continue
        luck = luck_of(net[party], on.values(), chances)
        one, other, sign = (banker, party, 1) if banker < party else (party, banker, -1)
        yield Flow(
            server_id,
            week,
            one,
            other,
            rounds=1,
            net=sign * net[party],
            side=sign * side[party],
            arranged=sign * (net[party] - due[party]) if weaker else 0,
            hands_one=int(one in players),
            hands_other=int(other in players),
            weaker_one=int(one in players and one in weaker),
            weaker_other=int(other in players and other in weaker),
            luck_rounds=luck.luck_rounds,
            ahead=sign * luck.ahead,
            variance_high=luck.variance_high,
            variance_low=luck.variance_low,
            largest=luck.luck_rounds * most * sum(on.values()),
        )


def _with_strongest(result: RoundResult) -> tuple[set[int], Counter[int]]:
    """Who played a weaker hand than they had, and what each would have gained if nobody had."""
    weaker, due = set[int](), Counter[int]()
    hands: dict[int, Hand] = {}
    owners: list[tuple[int, PlayerResult | RoundResult]] = [(result.banker, result)]
    owners += [(player.party, player) for player in result.players]
    for party, of in owners:
        played = hand_in(result, of)
        hands[party] = played if of.declared_ox is None else evaluate(of.pieces, result.rules)
        if is_worse(played, hands[party]):
            weaker.add(party)
    if weaker:
        bets = [(player.party, player.party, player.stake) for player in result.players]
        bets += [(backer.party, backer.backed, backer.stake) for backer in result.side_bets]
        for party, on, stake in bets:
            due[party] += stake * settle(hands[on], hands[result.banker], result.rules).units
    return weaker, due


class Hands(NamedTuple):
    """How many hands somebody could arrange, as a player, and how many they played weaker than they could."""

    arranged: int = 0
    weaker: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """What moved between two members in a span of weeks.

    Attributes:
        net, side, arranged, luck_rounds, largest: as in `Flow`.
        ahead: the chips that bets brought the other one beyond what was expected.
        variance: of that, in chips squared.
        gifts: the chips that the other one got as gifts, less those that they gave.
        hands: of each, against the other.
        hands_of_all: of each, against all members.
    """

    one: int
    other: int
    rounds: int = 0
    net: int = 0
    side: int = 0
    arranged: int = 0
    luck_rounds: int = 0
    ahead: float = 0.0
    variance: float = 0.0
    largest: int = 0
    gifts: int = 0
    hands: tuple[Hands, Hands] = (Hands(), Hands())
    hands_of_all: tuple[Hands, Hands] = (Hands(), Hands())

    @classmethod
    def of(cls, flow: Flow, gifts: int, hands: Mapping[int, Hands]) -> "Pair":
        """What rounds and gifts moved.

        Args:
            hands: of each member against all members.
        """
        return cls(
            flow.one,
            flow.other,
            flow.rounds,
            flow.net,
            flow.side,
            flow.arranged,
            flow.luck_rounds,
            flow.ahead / MILLION,
            (flow.variance_high * HIGH_PART + flow.variance_low) / MILLION,
            flow.largest,
            gifts,
            (Hands(flow.hands_one, flow.weaker_one), Hands(flow.hands_other, flow.weaker_other)),
            (hands.get(flow.one, Hands()), hands.get(flow.other, Hands())),
        )

    @property
    def moved(self) -> int:
        """The chips that went from the one to the other; below zero if they went the other way."""
        return self.net + self.gifts

    @property
    def deviations(self) -> float | None:
        """How many standard deviations the bets brought more than expected; None without such bets."""
        return self.ahead / sqrt(self.variance) if self.variance else None

    @property
    def by_chance(self) -> float:
        """How likely chance brings one of the two as much, at most.

        This is Bernstein's inequality, for both sides. It holds for any number of rounds, also for one large
        bet among small ones, where a normal distribution would promise too much.
        """
        if not self.variance:
            return 1.0
        ahead = abs(self.ahead)
        return min(1.0, 2 * exp(-(ahead**2) / (2 * (self.variance + self.largest * ahead / 3))))

    @property
    def by_mistake(self) -> float:
        """How likely one of the two plays as many weaker hands against the other, if against all alike.

        Who errs as often against everybody is not unlikely, however often that is.
        """
        both = zip(self.hands, self.hands_of_all, strict=True)
        return min(1.0, 2 * min(_as_many(one, of_all) for one, of_all in both))

    def turned(self) -> "Pair":
        """The same, so that what moved went from the one to the other."""
        if self.moved >= 0:
            return self
        return replace(
            self,
            one=self.other,
            other=self.one,
            net=-self.net,
            side=-self.side,
            arranged=-self.arranged,
            ahead=-self.ahead,
            gifts=-self.gifts,
            hands=self.hands[::-1],
            hands_of_all=self.hands_of_all[::-1],
        )


def _as_many(some: Hands, of_all: Hands) -> float:
    """How likely at least as many weaker hands are among some, if they are drawn from all (Fisher's test)."""

    def ways(number: int, chosen: int) -> float:
        return lgamma(number + 1) - lgamma(chosen + 1) - lgamma(number - chosen + 1)

    whole = ways(of_all.arranged, some.arranged)
    most = min(some.arranged, of_all.weaker)
    right = of_all.arranged - of_all.weaker
    return sum(
        exp(ways(of_all.weaker, weaker) + ways(right, some.arranged - weaker) - whole)
        for weaker in range(max(some.weaker, some.arranged - right), most + 1)
    )


def is_beyond_chance(pair: Pair, pairs: int) -> bool:
    """Whether a pair's bets brought more than chance explains.

    Args:
        pairs: how many pairs are looked at: with more of them, one is more likely to be far off by chance.
    """
    return _is_alarming(pair.by_chance, pairs)


def is_beyond_mistakes(pair: Pair, pairs: int) -> bool:
    """Whether one of a pair plays more weaker hands against the other than chance explains."""
    return _is_alarming(pair.by_mistake, pairs)


def _is_alarming(likely: float, pairs: int) -> bool:
    """Whether something is too unlikely; each pair is looked at in two ways."""
    return likely * 2 * max(pairs, 1) <= ALARM


class Evidence(NamedTuple):
    """A round in which chips went from one member to another; `/round show` shows it by these numbers."""

    table: int
    round_number: int
    chips: int


class GiftSeen(NamedTuple):
    """A gift of one member to another."""

    at: float
    chips: int


class GrantSeen(NamedTuple):
    """Chips that an admin gave a member or took from one.

    Attributes:
        chips: below zero if they were taken.
        admin: None once one of the two was erased, as is the reason then.
    """

    at: float
    party: int
    chips: int
    admin: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What a new member was handed and gave on.

    Attributes:
        handed: opening chips, daily chips, relief, and what admins gave.
        to: who got most of what they gave on: by gifts and by weaker hands, which chance has no part in.
        gifts, arranged: the chips that this one got.
    """

    party: int
    handed: int
    to: int
    gifts: int
    arranged: int

    @property
    def given(self) -> int:
        """The chips that they gave on to this one."""
        return self.gifts + self.arranged


def fed(newcomers: Iterable[Newcomer]) -> dict[int, list[Newcomer]]:
    """Who got most of the chips of new members, with those members; of both, the most chips come first."""
    found: dict[int, list[Newcomer]] = {}
    for one in sorted(newcomers, key=lambda one: (-one.given, one.party)):
        if one.handed and one.given >= MOST_FED * one.handed:
            found.setdefault(one.to, []).append(one)
    return dict(sorted(found.items(), key=lambda item: -sum(one.given for one in item[1])))


TO_MEMBERS: Final = (Reason.OPENING_CHIPS, Reason.DAILY, Reason.RELIEF, Reason.GRANTED)
"""Why members get chips from nobody else."""
CHANGING: Final = (*TO_MEMBERS, Reason.TAKEN, Reason.SEASON, Reason.ERASED, *sorted(OF_TOURNAMENTS))
"""Why members have more chips, or fewer, without a round."""


@dataclass(frozen=True, slots=True)
class Supply:
    """The chips of all members at the end of a week, or now, and what changed them in it.

    Attributes:
        owned: held chips included.
        changes: by the reason, below zero for what left them.
        house: what the house gained from them by playing, below zero if it lost.
        gifts: what they gave each other, which changes nothing.
    """

    week: int
    owned: int
    changes: Mapping[Reason, int]
    house: int
    gifts: int

    @property
    def change(self) -> int:
        """By how many chips they had more at the end of the week."""
        return sum(self.changes.values()) - self.house


def supplies(
    owned: int, weeks: Sequence[int], moved: Mapping[tuple[int, str], int], house: Mapping[int, int]
) -> list[Supply]:
    """The weeks, the oldest first, worked out from what members have now.

    Args:
        moved: by week and reason; below zero for what left members.
        house: what it gained, by week.
    """
    found: list[Supply] = []
    for week in reversed(weeks):
        changes = {reason: moved.get((week, reason), 0) for reason in CHANGING}
        found.append(Supply(week, owned, changes, house.get(week, 0), moved.get((week, Reason.GIFT), 0)))
        owned -= found[-1].change
    return found[::-1]
