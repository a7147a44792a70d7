"""The odds of a rule set: how often each hand comes, how often a player wins, and what the bank keeps."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Final

from bot.odds.pairs import MOST_PIECES, disjoint_pairs, hands_of_each
from bot.odds.standings import copies_of, standings_of
from bot.rules.cards import DECK_SIZE, Card, deck
from bot.rules.declarations import KNOBS
from bot.rules.game import HAND_SIZE, HandClass
from bot.rules.knobs import About, HouseRules
from bot.rules.settle import Outcome, settle

MOST_DECKS: Final = MOST_PIECES // DECK_SIZE
_TWO_HANDS: Final = 2 * HAND_SIZE
_RULES_KEPT: Final = 256

_NO_MATTER: Final = {
    knob.name: HouseRules.model_fields[knob.name].default
    for knob in KNOBS.values()
    if knob.about is not About.WORTH and knob.name != "game"
}
"""The knobs that no odds depend on, all set alike: houses that differ in them alone share an answer."""


@dataclass(frozen=True, slots=True)
class ClassCount:
    """How many hands are of one class and value.

    Attributes:
        hand_class: the class.
        value: the value within it, as a `Hand` has it.
        hands: how many hands, each five physical cards in no order; at least 1.
    """

    hand_class: HandClass
    value: int
    hands: int


@dataclass(frozen=True, slots=True)
class Odds:
    """What a player may expect against the banker, exactly; `float()` of a fraction is its decimal.

    Attributes:
        hands: how many hands there are, each five physical cards in no order.
        classes: how many of them are of each class and value, weakest first; what no hand is, is left out.
        pairs: how many ordered pairs there are of a player's hand and a banker's that share no card.
        win: the part of the pairs that the player wins.
        lose: the part that he loses.
        draw: the part in which nothing moves.
        bank_edge: what the bank gains on average for each chip that one player stakes.
        variance: of what the player gains for each chip staked; in chips, squared.
        standard_deviation: the root of `variance`, in chips.
    """

    hands: int
    classes: tuple[ClassCount, ...]
    pairs: int
    win: Fraction
    lose: Fraction
    draw: Fraction
    bank_edge: Fraction
    variance: Fraction
    standard_deviation: float


def odds_of(rules: HouseRules, decks: int = 1) -> Odds:
    """The odds under these rules with so many whole decks; remembered, so that asking again costs nothing.

    The first asking counts, for some hundredths of a second: it is not for the event loop. How many decks
    are in play is said by `decks` alone, for more players bring in more than the rules name (G02).

    Raises:
        ValueError: where `decks` is not 1 to `MOST_DECKS`.
    """
    if not 1 <= decks <= MOST_DECKS:
        raise ValueError(f"odds are worked out for 1 to {MOST_DECKS} decks, not {decks}")
    return _remembered(rules.model_copy(update=_NO_MATTER), decks)


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules, decks: int) -> Odds:
    return odds_among(deck(decks), rules)


def odds_among(cards: Iterable[Card], rules: HouseRules) -> Odds:
    """The odds where hands are dealt from just these cards; equal cards count as so many physical ones.

    Raises:
        ValueError: where they are too few for two hands, or more than `MOST_DECKS` decks have.
    """
    copies = copies_of(cards)
    if not _TWO_HANDS <= sum(copies) <= MOST_PIECES:
        raise ValueError(f"odds need {_TWO_HANDS} to {MOST_PIECES} cards, not {sum(copies)}")
    standings = standings_of(rules)
    calls = standings.calls
    hands = hands_of_each(copies, standings.places, len(calls), HAND_SIZE)
    joint = disjoint_pairs(copies, standings.places, len(calls), HAND_SIZE)

    outcomes: Counter[Outcome] = Counter()
    gains: Counter[int] = Counter()
    for player, row in zip(calls, joint, strict=True):
        for banker, pairs in zip(calls, row, strict=True):
            duel = settle(player, banker, rules)
            outcomes[duel.outcome] += pairs
            gains[duel.units] += pairs

    total = outcomes.total()
    mean = Fraction(sum(gain * pairs for gain, pairs in gains.items()), total)
    variance = Fraction(sum(gain**2 * pairs for gain, pairs in gains.items()), total) - mean**2
    return Odds(
        hands=sum(hands),
        classes=tuple(
            ClassCount(call.hand_class, call.value, count)
            for call, count in zip(calls, hands, strict=True)
            if count
        ),
        pairs=total,
        win=Fraction(outcomes[Outcome.PLAYER], total),
        lose=Fraction(outcomes[Outcome.BANKER], total),
        draw=Fraction(outcomes[Outcome.DRAW], total),
        bank_edge=-mean,
        variance=variance,
        standard_deviation=sqrt(variance),
    )
