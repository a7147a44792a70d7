"""Gnau: what five cards are worth.

Clauses G04 to G16. `evaluate` looks at all ten ways to take three cards of five, and at both readings of
each 3 and 6, and keeps the strongest. Of a card these clauses ask the rank, and whether it is the ace of
spades, so hands that differ in other suits, or in their order, share one look.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import combinations
from typing import Final

from bot.rules.cards import ACE, JACK, SIX, SPADES, TEN, THREE, Card, card_of, deck, rank_of
from bot.rules.knobs import HouseRules

HAND_SIZE: Final = 5
OX_SIZE: Final = 3
ACE_OF_SPADES: Final = card_of(ACE, SPADES)
LAST_SMALL: Final = THREE + 1

_FACES: Final = tuple(card if card == ACE_OF_SPADES else card_of(rank_of(card), 0) for card in deck())
"""Each card, by its number, as these clauses see it: any suit is as good as another, but for A♠ (G10)."""
_CALLS_KEPT: Final = 1 << 15
"""Hands remembered: one deck has some 8,000 kinds, so this is room for the rules of several houses."""


class HandClass(IntEnum):
    """What a hand is, weakest first (G16)."""

    NO_OX = 0
    SINGLE_OX = 1
    DOUBLE_OX = 2
    NGAU_TONKU = 3
    FIVE_SMALL = 4
    FIVE_DUKES = 5


_STEP: Final = 16
"""Room for every value of one class in `strength`: the doubles need 13."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as it is arranged and scored.

    Attributes:
        cards: the five cards, as they were dealt.
        hand_class: what it is.
        value: 1 to 10 for a Single-Ox, 1 (ace) to 13 (king) for a Double-Ox, else 0.
        ox: the three cards of the ox; empty where the hand needs none or has none.
        power: the two cards left over; empty where `ox` is.
        multiple: what it wins, in stakes (G18); 0 for No Ox.
        nenku: whether the power cards are an ace other than the ace of spades, and a duke (G11).
    """

    cards: tuple[Card, ...]
    hand_class: HandClass
    value: int = 0
    ox: tuple[Card, ...] = ()
    power: tuple[Card, ...] = ()
    multiple: int = 0
    nenku: bool = False

    @property
    def strength(self) -> int:
        """Orders hands under one rule set: the higher beats the lower, equals tie (G16)."""
        return self.hand_class * _STEP + self.value


def points_of(card: Card, rules: HouseRules) -> tuple[int, ...]:
    """The Ox points that a card may count, each a choice of its own (G04)."""
    rank = rank_of(card)
    if rules.flex_3_6 and rank in (THREE, SIX):
        return (3, 6)
    return (min(rank + 1, 10),)


def digits_of(cards: Sequence[Card], rules: HouseRules) -> frozenset[int]:
    """Every last digit that the total of these cards can have, over all readings of 3 and 6 (G04)."""
    digits = {0}
    for card in cards:
        digits = {(digit + points) % 10 for digit in digits for points in points_of(card, rules)}
    return frozenset(digits)


def is_ox(three: Sequence[Card], rules: HouseRules) -> bool:
    """Whether three cards are an ox: a total that is a multiple of ten (G05), or one rank (G07)."""
    if rules.triple_ox and len({rank_of(card) for card in three}) == 1:
        return True
    return 0 in digits_of(three, rules)


def is_duke(card: Card, *, tens: bool) -> bool:
    """Whether a card is a J, Q or K, or a ten where the house counts it (G08)."""
    return rank_of(card) >= (TEN if tens else JACK)


@dataclass(frozen=True, slots=True)
class _Call:
    """A `Hand` whose cards are still places among any five."""

    hand_class: HandClass
    value: int = 0
    ox: tuple[int, ...] = ()
    power: tuple[int, ...] = ()
    multiple: int = 0
    nenku: bool = False

    def of(self, dealt: tuple[Card, ...], order: Sequence[int] = range(HAND_SIZE)) -> Hand:
        """The hand that five cards are when they are called so, its ox and its power in the order dealt.

        Args:
            dealt: the five cards.
            order: where in `dealt` each of the places is.
        """
        ox = tuple([dealt[at] for at in sorted([order[place] for place in self.ox])])
        power = tuple([dealt[at] for at in sorted([order[place] for place in self.power])])
        return Hand(dealt, self.hand_class, self.value, ox, power, self.multiple, self.nenku)


def arrangements(cards: Sequence[Card], rules: HouseRules) -> Iterator[Hand]:
    """Every hand that these five cards can be called, in no order; No Ox where they can be nothing else.

    Raises:
        ValueError: where they are not five.
    """
    dealt = _five(cards)
    return (call.of(dealt) for call in _calls(dealt, rules))


def evaluate(cards: Sequence[Card], rules: HouseRules) -> Hand:
    """The strongest hand that these five cards can be called (G06, G16).

    Where several arrangements are equally strong, the order in which the cards were dealt does not decide.

    Raises:
        ValueError: where they are not five.
    """
    dealt = _five(cards)
    order = sorted(range(HAND_SIZE), key=dealt.__getitem__)
    return _strongest(tuple([_FACES[dealt[at]] for at in order]), rules).of(dealt, order)


def _five(cards: Sequence[Card]) -> tuple[Card, ...]:
    if len(cards) != HAND_SIZE:
        raise ValueError(f"a hand of Gnau is {HAND_SIZE} cards, not {len(cards)}")
    return tuple(cards)


@lru_cache(maxsize=_CALLS_KEPT)
def _strongest(faces: tuple[Card, ...], rules: HouseRules) -> _Call:
    return max(_calls(faces, rules), key=lambda call: (call.hand_class, call.value))


def _calls(five: tuple[Card, ...], rules: HouseRules) -> Iterator[_Call]:
    if all(is_duke(card, tens=rules.five_dukes_tens) for card in five):
        yield _Call(HandClass.FIVE_DUKES, multiple=rules.multiple_five_dukes)
    if rules.five_small and all(rank_of(card) <= LAST_SMALL for card in five):
        yield _Call(HandClass.FIVE_SMALL, multiple=rules.multiple_five_small)
    found = False
    for ox in combinations(range(HAND_SIZE), OX_SIZE):
        if is_ox([five[place] for place in ox], rules):
            found = True
            yield _with_power(five, ox, rules)
    if not found:
        yield _Call(HandClass.NO_OX)


def _with_power(five: tuple[Card, ...], ox: tuple[int, ...], rules: HouseRules) -> _Call:
    """The best that an ox makes of the two cards it leaves (G10 to G14)."""
    power = tuple(place for place in range(HAND_SIZE) if place not in ox)
    low, high = sorted((five[place] for place in power), key=rank_of)
    has_duke = is_duke(high, tens=rules.tonku_tens)
    if rules.ngau_tonku and has_duke and low == ACE_OF_SPADES:
        return _Call(HandClass.NGAU_TONKU, 0, ox, power, rules.multiple_ngau_tonku)
    ranks = (rank_of(low), rank_of(high))
    if ranks[0] == ranks[1] or (rules.mixed_double and ranks == (THREE, SIX)):
        return _Call(HandClass.DOUBLE_OX, ranks[1] + 1, ox, power, rules.multiple_double_ox)
    value = max(digit or 10 for digit in digits_of((low, high), rules))
    multiple = rules.multiple_ox_of_ten if value == 10 else rules.multiple_single_ox
    nenku = has_duke and ranks[0] == ACE and low != ACE_OF_SPADES
    return _Call(HandClass.SINGLE_OX, value, ox, power, multiple, nenku)
