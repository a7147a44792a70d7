"""What a table tells of its rounds so far: who won most, streaks, the best hand, and what was remarkable.

It follows from the settled rounds and who took the bank alone, and decides nothing.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from bot.games.hands import evaluate, is_worse
from bot.games.register import AnyHouseRules
from bot.games.settle import largest_multiple
from bot.rules.knobs import Arrange
from bot.rules.pieces import Hand
from bot.table.betting import is_all_in
from bot.table.state import NOBODY, Departure, LeaveReason, PlayerResult, RoundResult, hand_in, is_member

GREAT_MULTIPLE: Final = 5
"""A hand that wins with this multiple or a larger one is remarkable."""
STREAK: Final = 5
"""This many rounds won in a row are remarkable, and every multiple of it."""
ALL_IN_PART: Final = 3
"""An all-in that loses at least this fraction of what it held, a third, is remarkable; each that wins is."""
LOSS_PART: Final = 2
"""A round that costs at least this fraction of what a member had, a half, is remarkable."""
SUM_PART: Final = 20
"""Chips are remarkable from this fraction of those that a new member starts with on, a twentieth."""
RIVALS: Final = 4
"""Who has won this many rounds against a banker is told as their rival, and at every multiple of it."""
BIG_TIMES: Final = 10
"""A win of at least this many times the table's average bet is big."""
NUMBERED: Final = 1
"""In each game, the class of the hands with a number, such as Ox of 7; below are those without an ox."""
WEAK: Final = 3
"""A hand with this number or a lower one is weak."""
GOOD: Final = 8
"""A hand with this number or a higher one is good."""
BIG_AFTER: Final = 5
"""After this many rounds a table has an average bet that a win is measured by."""


class Feat(StrEnum):
    """Something remarkable, the most remarkable first."""

    BANK_BROKEN = "bank_broken"
    """The banker lost too much to cover the lowest bet."""
    COMEBACK = "comeback"
    """A member who had no chips for a bet has won back all that they lost here, and more."""
    ALL_IN = "all_in"
    """A member bet all that they could, and won: each that was told as an all-in, but for a larger win."""
    GREAT_HAND = "great_hand"
    """A hand of at least `GREAT_MULTIPLE` won."""
    ALL_IN_LOST = "all_in_lost"
    """A member bet all that they could, and lost much of it."""
    GREAT_LOSS = "great_loss"
    """A round cost a member half of what they had, or more."""
    STREAK = "streak"
    """Somebody won several rounds in a row."""
    FOUND = "found"
    """A member found the strongest way to arrange their hand several times in a row, where mistakes stand."""
    BIGGEST_WIN = "biggest_win"
    """A player won more than anybody before them here, and many times the average bet."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """The most remarkable thing of a round.

    Attributes:
        party: who did it; of a broken bank, its banker.
        times: how many rounds they have won in a row; or how often in a row they found the strongest way.
        left: after a bet of all that they had, the chips that they have; None of anything else.
        is_record: whether it is the table's biggest win too.
    """

    feat: Feat
    party: int
    times: int
    left: int | None = None
    is_record: bool = False

    @property
    def is_happy(self) -> bool:
        """Whether the picture frames the hand of who did it."""
        return self.feat not in (Feat.ALL_IN_LOST, Feat.GREAT_LOSS)


@dataclass(frozen=True, slots=True)
class Rival:
    """A player who has often won against the same banker."""

    party: int
    banker: int
    times: int


@dataclass(frozen=True, slots=True)
class BankTurn:
    """What the rounds in a row that somebody banked brought them, in chips or in points."""

    party: int
    rounds: int
    gained: int
    best: int
    last_round: int

    def after(self, result: RoundResult) -> "BankTurn":
        """The same with one more round of theirs; else the first of somebody else's."""
        chips, number = result.bank_chips, result.round_number
        if result.banker != self.party:
            return BankTurn(result.banker, 1, chips, chips, number)
        return BankTurn(self.party, self.rounds + 1, self.gained + chips, max(self.best, chips), number)


NO_TURN: Final = BankTurn(NOBODY, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class BigWin:
    """A bet that won a member more in one round than anybody had won before."""

    party: int
    chips: int
    round_number: int

    def is_of(self, result: RoundResult, party: int) -> bool:
        """Whether the party won it in this round."""
        return (self.party, self.round_number) == (party, result.round_number)


@dataclass(frozen=True, slots=True)
class BestHand:
    """The best hand that won at a table, the house's too; of equal ones, a member's that won most."""

    party: int
    hand: Hand
    gained: int

    @property
    def worth(self) -> tuple[int, int, bool, int]:
        """What orders them: the best is the highest."""
        return self.hand.multiple, self.hand.strength, is_member(self.party), self.gained


@dataclass(frozen=True, slots=True)
class UnluckyHand:
    """The best hand that lost at a table, and what beat it."""

    party: int
    hand: Hand
    beaten_by: Hand

    @property
    def worth(self) -> tuple[int, int, int]:
        """What orders them: the unluckiest is the highest; of equal hands, the one that nearly won."""
        return self.hand.multiple, self.hand.strength, -self.beaten_by.strength


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a table.

    Attributes:
        round_number: the last of them; before the first, the last of another evening, or 0.
        called_off: how many rounds were begun up to that one, and never settled.
        gains: what all of them brought each party, in chips, or in points at a table for points.
        played: in how many rounds each party won or lost something, or had a push.
        streaks: how many rounds each party has won in a row now; without those who have not.
        ended: the streaks of `STREAK` or more that the last round ended, by member.
        longest: who won most rounds in a row, and how many.
        unlucky: the best hand that lost, if it is a good one.
        highlight: what was remarkable in the last round, if anything.
        had: the chips that members with a hand had before the last round, as far as they are known.
        beaten: how often each player has won against each member who banked, by both.
        rival: who has beaten the banker of the last round so often, if anybody.
        all_in: what the last round brought each who had bet all that they could, if that is remarkable.
        broke: the members who had no chips left for a bet, and have not won back what they lost here.
        turn: what the bank of the last round has brought its banker so far.
        found: how often in a row each has found the strongest way to arrange a hand, where mistakes stand.
        bets: how many bets players made; side bets are none of them.
        staked: all of those bets together.
        most_won: the most that a hand, the banker's too, has won in one round.
        big_win: the bet that won that, if a member made it and it is big for the table; None if not.
    """

    rounds: int = 0
    round_number: int = 0
    called_off: int = 0
    gains: Mapping[int, int] = field(default_factory=dict)
    streaks: Mapping[int, int] = field(default_factory=dict)
    ended: Mapping[int, int] = field(default_factory=dict)
    longest: tuple[int, int] | None = None
    best: BestHand | None = None
    unlucky: UnluckyHand | None = None
    highlight: Highlight | None = None
    had: Mapping[int, int] = field(default_factory=dict)
    beaten: Mapping[tuple[int, int], int] = field(default_factory=dict)
    rival: Rival | None = None
    all_in: Mapping[int, int] = field(default_factory=dict)
    broke: frozenset[int] = frozenset()
    turn: BankTurn = NO_TURN
    found: Mapping[int, int] = field(default_factory=dict)
    bets: int = 0
    staked: int = 0
    most_won: int = 0
    big_win: BigWin | None = None
    played: Mapping[int, int] = field(default_factory=dict)

    def after(
        self,
        result: RoundResult,
        departures: Collection[Departure] = (),
        had: Mapping[int, int] | None = None,
    ) -> "Story":
        """The story with one more round.

        Args:
            departures: who left the table with it without asking.
            had: the chips of members when it began, those that it held included; None if they are not known.
        """
        had = had or {}
        brought = _brought(result)
        gains, played = {**self.gains}, {**self.played}
        for party, chips in result.gains:
            gains[party] = gains.get(party, 0) + chips
        for party in dict(result.gains):
            played[party] = played.get(party, 0) + 1
        streaks = {party: times for party, times in self.streaks.items() if party not in brought}
        for party, chips in brought.items():
            if chips > 0:
                streaks[party] = self.streaks.get(party, 0) + 1
        ended = {
            party: times
            for party, times in self.streaks.items()
            if times >= STREAK and party not in streaks and is_member(party)
        }
        winners = [party for party in brought if party in streaks and is_member(party)]
        longest = max(
            [*([self.longest] if self.longest else []), *((party, streaks[party]) for party in winners)],
            key=lambda one: one[1],
            default=None,
        )
        beaten, rivals = {**self.beaten}, list[Rival]()
        for player in result.players:
            if player.chips > 0 and is_member(player.party) and is_member(result.banker):
                pair = player.party, result.banker
                beaten[pair] = beaten.get(pair, 0) + 1
                if beaten[pair] % RIVALS == 0:
                    rivals.append(Rival(*pair, beaten[pair]))
        rival = max(rivals, key=lambda one: one.times, default=None)
        found, finders = {**self.found}, dict[int, int]()
        hands: list[PlayerResult | RoundResult] = [result, *result.players]
        for party, hand in zip(brought, hands, strict=True):
            if (is_found := found_strongest(result, hand)) is not None:
                found[party] = found.get(party, 0) + 1 if is_found else 0
                finders |= {party: found[party]} if is_found else {}
        rules = result.rules
        times = largest_multiple(rules)
        all_in = {
            player.party: player.chips
            for player in _bets_of_all(result, had)
            if player.chips > 0 or _is_much(player.chips, rules, ALL_IN_PART, player.stake * times)
        }
        lost = [
            party
            for party, chips in had.items()
            if brought[party] < 0 and _is_much(brought[party], rules, LOSS_PART, chips)
        ]
        most_won, big_win = self.most_won, self.big_win
        if max(brought.values()) > most_won:
            party = max(brought, key=lambda one: brought[one])
            most_won = brought[party]
            is_big = party != result.banker and is_member(party) and self._is_big(most_won, rules)
            big_win = BigWin(party, most_won, result.round_number) if is_big else None
        back = {party for party in self.broke if brought.get(party, 0) > 0 and gains[party] > 0}
        broke = {party for party, chips in had.items() if chips + brought[party] < rules.lowest_stake * times}
        highlight = _highlight(
            result, brought, streaks, departures, all_in, back, lost, had, finders, big_win
        )
        if highlight is not None and highlight.feat is not Feat.BIGGEST_WIN:
            is_record = big_win is not None and big_win.is_of(result, highlight.party)
            highlight = replace(highlight, is_record=is_record)
        unlucky = [*([self.unlucky] if self.unlucky else []), *_unlucky(result)]
        return Story(
            rounds=self.rounds + 1,
            round_number=result.round_number,
            called_off=self.called_off + result.round_number - self.round_number - 1,
            gains=gains,
            played=played,
            streaks=streaks,
            ended=ended,
            longest=longest,
            best=_better(self.best, _best_of(result)),
            unlucky=max(unlucky, key=lambda one: one.worth, default=None),
            highlight=highlight,
            had=had,
            beaten=beaten,
            rival=rival,
            all_in=all_in,
            broke=self.broke - back | broke,
            turn=self.turn.after(result),
            found=found,
            bets=self.bets + len(result.players),
            staked=self.staked + sum(player.stake for player in result.players),
            most_won=most_won,
            big_win=big_win,
        )

    def with_new_bank(self) -> "Story":
        """The story once somebody takes the bank, who may be the same as before: their turn begins."""
        return replace(self, turn=NO_TURN)

    def quiet(self) -> "Story":
        """The same where a server celebrates nothing."""
        return replace(self, highlight=None, rival=None, streaks={}, ended={}, had={})

    def went_all_in(self, result: RoundResult) -> frozenset[int]:
        """Who had bet all that they had in a round, if it is the last one."""
        had = self.had if self.round_number == result.round_number else {}
        return frozenset(player.party for player in _bets_of_all(result, had))

    def own_feat(self, result: RoundResult, party: int) -> Feat | None:
        """What a member's own message celebrates of a round, whatever the board does; None for nothing."""
        is_last = self.round_number == result.round_number
        if is_last and self.all_in.get(party, 0) > 0:
            return Feat.ALL_IN
        if great_hand(result, party):
            return Feat.GREAT_HAND
        if is_last and party in _brought(result) and _is_long(self.streaks.get(party, 0)):
            return Feat.STREAK
        return Feat.BIGGEST_WIN if self.is_record(result, party) else None

    def is_record(self, result: RoundResult, party: int) -> bool:
        """Whether a round brought a member the table's biggest win so far."""
        return self.big_win is not None and self.big_win.is_of(result, party)

    def _is_big(self, chips: int, rules: AnyHouseRules) -> bool:
        """Whether a win is `BIG_TIMES` the average bet or more, and a fair sum."""
        is_big = self.rounds >= BIG_AFTER and chips * self.bets >= BIG_TIMES * self.staked
        return is_big and _is_much(chips, rules, 1, 0)

    def most_gained(self) -> tuple[tuple[int, ...], int]:
        """The members who gained most, the same each, and how much; nobody if nobody gained anything."""
        members = {party: chips for party, chips in self.gains.items() if is_member(party)}
        most = max(members.values(), default=0)
        return tuple(party for party, chips in members.items() if chips == most > 0), most


NO_STORY: Final = Story()
"""Of a table before its first result."""


def found_strongest(result: RoundResult, played: PlayerResult | RoundResult) -> bool | None:
    """Whether a member found the strongest way, where mistakes stand (B04); None if there was none."""
    if result.rules.arrange is not Arrange.STRICT:
        return None
    if isinstance(played, PlayerResult) and any(side.backed == played.party for side in result.side_bets):
        # No other way is allowed then (B08).
        return None
    strongest = evaluate(played.pieces, result.rules)
    if not strongest.ox:
        return None
    return played.declared_ox is not None and not is_worse(hand_in(result, played), strongest)


def _bets_of_all(result: RoundResult, had: Mapping[int, int]) -> list[PlayerResult]:
    """The players whose bet was all that they had, and a fair sum."""
    times = largest_multiple(result.rules)
    return [
        player
        for player in result.players
        if player.party in had
        and may_celebrate_all_in(result.rules, player.stake, had[player.party] - player.stake * times)
    ]


def may_celebrate_all_in(rules: AnyHouseRules, stake: int, left: int) -> bool:
    """Whether a bet that leaves these chips is all that its player has, and a fair sum."""
    return is_all_in(rules, stake, left) and _is_much(stake * largest_multiple(rules), rules, 1, 0)


def _is_much(chips: int, rules: AnyHouseRules, part: int, of: int) -> bool:
    """Whether chips won or lost are remarkable: this fraction of what they are part of, and a fair sum."""
    return abs(chips) * part >= of and abs(chips) * SUM_PART >= rules.opening_chips


def _brought(result: RoundResult) -> dict[int, int]:
    """What a round brought each who had a hand, the banker first."""
    brought = {result.banker: result.bank_chips}
    return brought | {player.party: player.chips for player in result.players}


def _winners(result: RoundResult) -> Iterator[tuple[int, PlayerResult | RoundResult]]:
    """Who won against somebody in a round, each with what has their hand; the banker last."""
    yield from ((player.party, player) for player in result.players if player.chips > 0)
    if any(player.chips < 0 for player in result.players):
        yield result.banker, result


def _best_of(result: RoundResult) -> BestHand | None:
    brought = _brought(result)
    won = [BestHand(party, hand_in(result, place), brought[party]) for party, place in _winners(result)]
    return max(won, key=lambda one: one.worth, default=None)


def is_weak(hand: Hand) -> bool:
    """Whether a hand has no ox, or a low number: in each game, about a third to a half of all hands."""
    return hand.hand_class <= NUMBERED and hand.value <= WEAK


def is_good(hand: Hand) -> bool:
    """Whether a hand has a high number, or ranks above all numbers: about a quarter of all hands."""
    return hand.hand_class > NUMBERED or hand.value >= GOOD


def great_hand(result: RoundResult, party: int) -> Hand | None:
    """The hand that somebody won with, if it wins `GREAT_MULTIPLE` times the bet or more."""
    hands = (hand_in(result, place) for winner, place in _winners(result) if winner == party)
    return next((hand for hand in hands if hand.multiple >= GREAT_MULTIPLE), None)


def _better(old: BestHand | None, new: BestHand | None) -> BestHand | None:
    if old is None or new is None:
        return old or new
    return new if new.worth > old.worth else old


def _unlucky(result: RoundResult) -> Iterator[UnluckyHand]:
    """The good hands of a round that lost to a stronger one."""
    bankers = hand_in(result, result)
    for player in result.players:
        hand = hand_in(result, player)
        weaker = (player.party, hand, bankers), (result.banker, bankers, hand)
        lost = UnluckyHand(*min(weaker, key=lambda one: one[1].strength))
        if is_member(lost.party) and is_good(lost.hand) and lost.hand.strength < lost.beaten_by.strength:
            yield lost


def _is_long(streak: int) -> bool:
    """Whether a streak has a headline: every `STREAK` rounds."""
    return streak > 0 and streak % STREAK == 0


def _highlight(
    result: RoundResult,
    brought: Mapping[int, int],
    streaks: Mapping[int, int],
    departures: Collection[Departure],
    all_in: Mapping[int, int],
    back: Collection[int],
    lost: Collection[int],
    had: Mapping[int, int],
    finders: Mapping[int, int],
    big_win: BigWin | None,
) -> Highlight | None:
    def told(feat: Feat, party: int) -> Highlight:
        return Highlight(feat, party, streaks.get(party, 0))

    def most(parties: Collection[int]) -> int:
        return max(parties, key=lambda party: brought[party])

    for gone in departures:
        if gone.was_banker and gone.leave_reason is LeaveReason.CANNOT_COVER and gone.party == result.banker:
            return told(Feat.BANK_BROKEN, gone.party)
    if back:
        return told(Feat.COMEBACK, most(back))
    won = [party for party, chips in all_in.items() if chips > 0]
    if great := [*won, *(party for party in brought if great_hand(result, party))]:
        party = most(great)
        if party in won:
            return replace(told(Feat.ALL_IN, party), left=had[party] + brought[party])
        return told(Feat.GREAT_HAND, party)
    if all_in:
        party = min(all_in, key=lambda party: brought[party])
        return replace(told(Feat.ALL_IN_LOST, party), left=had[party] + brought[party])
    if lost:
        return told(Feat.GREAT_LOSS, min(lost, key=lambda party: brought[party]))
    if long := [party for party in brought if is_member(party) and _is_long(streaks.get(party, 0))]:
        return told(Feat.STREAK, most(long))
    if found := [party for party, times in finders.items() if times % STREAK == 0]:
        return Highlight(Feat.FOUND, party := most(found), finders[party])
    if big_win is not None and big_win.is_of(result, big_win.party):
        return told(Feat.BIGGEST_WIN, big_win.party)
    return None
