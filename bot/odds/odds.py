"""The odds of a rule set: how often each hand comes, how often a player wins, and what the bank keeps."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Final

from bot.odds.faces import faces_of
from bot.odds.kinds import ways
from bot.odds.pairs import MOST_PIECES, disjoint_pairs, hands_of_each
from bot.odds.standings import Standings, standings_of, worth_alone
from bot.odds.suits import doubled_hands
from bot.rules.cards import DECK_SIZE
from bot.rules.declarations import KNOBS
from bot.rules.game import HAND_SIZE, HandClass
from bot.rules.knobs import GameName, HouseRules
from bot.rules.pieces import Piece
from bot.rules.settle import Outcome, settle

MOST_DECKS: Final = MOST_PIECES // DECK_SIZE
_TWO_HANDS: Final = 2 * HAND_SIZE
_RULES_KEPT: Final = 256


@dataclass(frozen=True, slots=True)
class ClassCount:
    """How many hands are of one class and value.

    Attributes:
        hand_class: the class.
        value: the value within it, as a `Hand` has it.
        hands: how many hands, each five physical pieces in no order; at least 1.
    """

    hand_class: HandClass
    value: int
    hands: int


@dataclass(frozen=True, slots=True)
class Odds:
    """What a player may expect against the banker, exactly; `float()` of a fraction is its decimal.

    Attributes:
        hands: how many hands there are, each five physical pieces in no order.
        classes: how many of them are of each class and value, weakest first; what no hand is, is left out.
        pairs: how many ordered pairs there are of a player's hand and a banker's that share no piece.
        win: the part of the pairs that the player wins.
        lose: the part that he loses.
        push: the part in which nothing moves.
        bank_edge: what the bank gains on average for each chip that one player stakes.
        variance: of what the player gains for each chip staked; in chips, squared.
        standard_deviation: the root of `variance`, in chips.
    """

    hands: int
    classes: tuple[ClassCount, ...]
    pairs: int
    win: Fraction
    lose: Fraction
    push: Fraction
    bank_edge: Fraction
    variance: Fraction
    standard_deviation: float


def most_decks(game: GameName) -> int:
    """With how many decks this game's odds are worked out; one where it is not played with more."""
    return MOST_DECKS if game in KNOBS["decks"].games else 1


def odds_of(rules: HouseRules, decks: int = 1) -> Odds:
    """The odds under these rules with so many whole decks; remembered, so that asking again costs nothing.

    The first asking counts, for some hundredths of a second: it is not for the event loop. How many decks
    are in play is said by `decks` alone, for more players bring in more than the rules name (G02).

    Raises:
        ValueError: where `decks` is not 1 to `MOST_DECKS`; not 1 for Tau Ngau, which has one woodpile (T01).
    """
    most = most_decks(rules.game)
    if not 1 <= decks <= most:
        worked_out = f"1 to {most} decks" if most > 1 else "one set of its pieces"
        raise ValueError(f"odds of {rules.game} are worked out for {worked_out}, not {decks}")
    return _remembered(worth_alone(rules), decks)


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules, decks: int) -> Odds:
    return odds_among(faces_of(rules.game).pack * decks, rules)


def odds_among(pieces: Iterable[Piece], rules: HouseRules) -> Odds:
    """The odds where hands are dealt from just these pieces; equal ones count as so many physical ones.

    Raises:
        ValueError: where they are too few for two hands, or more than `MOST_DECKS` decks of cards have.
    """
    standings = standings_of(rules)
    copies_by_suit = standings.faces.copies_by_suit(pieces)
    copies = copies_by_suit.sum(axis=1).tolist()
    if not _TWO_HANDS <= sum(copies) <= MOST_PIECES:
        word = standings.faces.game.piece_word
        raise ValueError(f"odds need {_TWO_HANDS} to {MOST_PIECES} {word}s, not {sum(copies)}")

    hands, groups = ways(copies, HAND_SIZE), len(standings.calls)
    choices = [doubled_hands(copies_by_suit, standings)] if standings.suits_matter else []
    joint, *doubled = disjoint_pairs(copies, standings.places, groups, HAND_SIZE, *choices)
    outcomes, gains = _settled(standings, joint, doubled[0] if doubled else None)

    total = outcomes.total()
    mean = Fraction(sum(gain * pairs for gain, pairs in gains.items()), total)
    variance = Fraction(sum(gain**2 * pairs for gain, pairs in gains.items()), total) - mean**2
    counts = hands_of_each(hands, standings.places, groups)
    return Odds(
        hands=sum(counts),
        classes=tuple(
            ClassCount(call.hand_class, call.value, count)
            for call, count in zip(standings.calls, counts, strict=True)
            if count
        ),
        pairs=total,
        win=Fraction(outcomes[Outcome.PLAYER], total),
        lose=Fraction(outcomes[Outcome.BANKER], total),
        push=Fraction(outcomes[Outcome.PUSH], total),
        bank_edge=-mean,
        variance=variance,
        standard_deviation=sqrt(variance),
    )


def _settled(
    standings: Standings, joint: list[list[int]], doubled: list[list[int]] | None
) -> tuple[Counter[Outcome], Counter[int]]:
    """How many pairs end so, and how many gain the player so many chips.

    What moves is the winner's multiple, whatever the loser's is (G17): so it is enough to know of each pair
    whether the winner's hand pays double, and never of both hands at once.

    Args:
        standings: what the groups are called.
        joint: how many pairs there are of each two groups.
        doubled: how many of them have a first hand that pays double; None where no hand does.
    """
    outcomes: Counter[Outcome] = Counter()
    gains: Counter[int] = Counter()
    for first, player in enumerate(standings.calls):
        for second, banker in enumerate(standings.calls):
            pairs = joint[first][second]
            duel = settle(player, banker, standings.rules)
            outcomes[duel.outcome] += pairs
            if doubled is not None and duel.outcome is not Outcome.PUSH:
                won_by_player = duel.outcome is Outcome.PLAYER
                double = doubled[first][second] if won_by_player else doubled[second][first]
                dearer = settle(standings.doubled[first], standings.doubled[second], standings.rules)
                gains[dearer.units] += double
                pairs -= double
            gains[duel.units] += pairs
    return outcomes, gains
