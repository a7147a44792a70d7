"""What a table tells of its rounds so far: who won most, streaks, the best hand, and what was remarkable.

It follows from the settled rounds and who took the bank alone, and decides nothing.
"""

from collections.abc import Collection, Mapping
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
"""So many rounds won in a row are remarkable, and each further time as many."""
ALL_IN_PART: Final = 3
"""An all-in that loses at least this fraction of what it held, a third, is remarkable; each that wins is."""
LOSS_PART: Final = 2
"""A round that costs at least this fraction of what a member had, a half, is remarkable."""
SUM_PART: Final = 20
"""Chips are remarkable from this fraction of those that a new member starts with on, a twentieth."""
RIVALS: Final = 4
"""Who has won so many rounds against a banker is told as their rival, and each further time as many."""


class Feat(StrEnum):
    """Something remarkable, the most remarkable first."""

    BANK_BROKEN = "bank_broken"
    """The banker lost too much to cover the lowest bet."""
    COMEBACK = "comeback"
    """A member who had no chips for a bet has won back all that they lost here, and more."""
    ALL_IN = "all_in"
    """A member bet all that they could, and won."""
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


@dataclass(frozen=True, slots=True)
class Highlight:
    """The most remarkable thing of a round.

    Attributes:
        party: who did it; of a broken bank, its banker.
        times: how many rounds they have won in a row; or how often in a row they found the strongest way.
        left: of a bet of all that they had, the chips that they have left after it; None of anything else.
    """

    feat: Feat
    party: int
    times: int
    left: int | None = None

    @property
    def is_happy(self) -> bool:
        """Whether it is shown in gold."""
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
class BestHand:
    """The best hand that won at a table."""

    party: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a table.

    Attributes:
        round_number: the last of them; 0 before the first.
        gains: what all of them brought each party, in chips, or in points at a table for points.
        streaks: how many rounds each party has won in a row now; without those who have not.
        longest: who won most rounds in a row, and how many.
        highlight: what was remarkable in the last round, if anything.
        beaten: how often each player has won against each member who banked, by both.
        rival: who has beaten the banker of the last round so often, if anybody.
        all_in: what the last round brought each who had bet all that they could, if that is remarkable.
        broke: the members who had no chips left for a bet, and have not won back what they lost here.
        turn: what the bank of the last round has brought its banker so far.
        found: how often in a row each has found the strongest way to arrange a hand, where mistakes stand.
    """

    rounds: int = 0
    round_number: int = 0
    gains: Mapping[int, int] = field(default_factory=dict)
    streaks: Mapping[int, int] = field(default_factory=dict)
    longest: tuple[int, int] | None = None
    best: BestHand | None = None
    highlight: Highlight | None = None
    beaten: Mapping[tuple[int, int], int] = field(default_factory=dict)
    rival: Rival | None = None
    all_in: Mapping[int, int] = field(default_factory=dict)
    broke: frozenset[int] = frozenset()
    turn: BankTurn = NO_TURN
    found: Mapping[int, int] = field(default_factory=dict)

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
        brought = {result.banker: result.bank_chips}
        brought |= {player.party: player.chips for player in result.players}
        gains = {**self.gains}
        for party, chips in result.gains:
            gains[party] = gains.get(party, 0) + chips
        streaks = {party: times for party, times in self.streaks.items() if party not in brought}
        for party, chips in brought.items():
            if chips > 0:
                streaks[party] = self.streaks.get(party, 0) + 1
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
        for party, played in zip(brought, hands, strict=True):
            if (is_found := found_strongest(result, played)) is not None:
                found[party] = found.get(party, 0) + 1 if is_found else 0
                finders |= {party: found[party]} if is_found else {}
        rules = result.rules
        times = largest_multiple(rules)
        all_in = {
            player.party: player.chips
            for player in result.players
            if player.party in had
            and is_all_in(rules, player.stake, had[player.party] - (held := player.stake * times))
            and _is_much(player.chips, rules, ALL_IN_PART, held if player.chips < 0 else 0)
        }
        lost = [
            party
            for party, chips in had.items()
            if brought[party] < 0 and _is_much(brought[party], rules, LOSS_PART, chips)
        ]
        back = {party for party in self.broke if brought.get(party, 0) > 0 and gains[party] > 0}
        broke = {party for party, chips in had.items() if chips + brought[party] < rules.lowest_stake * times}
        return Story(
            self.rounds + 1,
            result.round_number,
            gains,
            streaks,
            longest,
            _better(self.best, _best_of(result)),
            _highlight(result, brought, streaks, departures, all_in, back, lost, had, finders),
            beaten,
            rival,
            all_in,
            self.broke - back | broke,
            self.turn.after(result),
            found,
        )

    def with_new_bank(self) -> "Story":
        """The story once somebody takes the bank, who may be the same as before: their turn begins."""
        return replace(self, turn=NO_TURN)

    def own_feat(self, result: RoundResult, party: int) -> Feat | None:
        """What a member's own message celebrates of a round, whatever the board does; None for nothing."""
        if self.all_in.get(party, 0) > 0 and self.round_number == result.round_number:
            return Feat.ALL_IN
        return Feat.GREAT_HAND if great_hand(result, party) else None

    def most_gained(self) -> tuple[int, int] | None:
        """The member who gained most, and how much; None if nobody gained anything."""
        members = [(party, chips) for party, chips in self.gains.items() if is_member(party)]
        most = max(members, key=lambda one: one[1], default=None)
        return most if most is not None and most[1] > 0 else None


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


def may_celebrate_all_in(rules: AnyHouseRules, stake: int, left: int) -> bool:
    """Whether a bet that leaves these chips is all that its player has, and a fair sum."""
    return is_all_in(rules, stake, left) and _is_much(stake * largest_multiple(rules), rules, 1, 0)


def _is_much(chips: int, rules: AnyHouseRules, part: int, of: int) -> bool:
    """Whether chips won or lost are remarkable: this fraction of what they are part of, and a fair sum."""
    return abs(chips) * part >= of and abs(chips) * SUM_PART >= rules.opening_chips


def _winning_hands(result: RoundResult) -> list[tuple[int, Hand]]:
    """Who won against somebody in a round, each with their hand; the banker last."""
    hands = [(player.party, hand_in(result, player)) for player in result.players if player.chips > 0]
    if any(player.chips < 0 for player in result.players):
        hands.append((result.banker, hand_in(result, result)))
    return hands


def _best_of(result: RoundResult) -> BestHand | None:
    won = [(party, hand) for party, hand in _winning_hands(result) if is_member(party)]
    best = max(won, key=lambda one: _worth(one[1]), default=None)
    return None if best is None else BestHand(*best)


def great_hand(result: RoundResult, party: int) -> Hand | None:
    """The hand that somebody won with, if it wins `GREAT_MULTIPLE` times the bet or more."""
    hands = (hand for winner, hand in _winning_hands(result) if winner == party)
    return next((hand for hand in hands if hand.multiple >= GREAT_MULTIPLE), None)


def _worth(hand: Hand) -> tuple[int, int]:
    return hand.multiple, hand.strength


def _better(old: BestHand | None, new: BestHand | None) -> BestHand | None:
    if old is None or new is None:
        return old or new
    return new if _worth(new.hand) > _worth(old.hand) else old


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
    if won := [party for party, chips in all_in.items() if chips > 0]:
        return told(Feat.ALL_IN, most(won))
    if great := [party for party in brought if great_hand(result, party)]:
        return told(Feat.GREAT_HAND, most(great))
    if all_in:
        party = min(all_in, key=lambda party: brought[party])
        return replace(told(Feat.ALL_IN_LOST, party), left=had[party] + brought[party])
    if lost:
        return told(Feat.GREAT_LOSS, min(lost, key=lambda party: brought[party]))
    if long := [
        party for party in brought if is_member(party) and party in streaks and streaks[party] % STREAK == 0
    ]:
        return told(Feat.STREAK, most(long))
    if found := [party for party, times in finders.items() if times % STREAK == 0]:
        return Highlight(Feat.FOUND, party := most(found), finders[party])
    return None
