"""How hands of Gnau rank, and what they win (G04 to G20)."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.contract import RankedHands
from bot.games.gnau.rules import GnauRules
from bot.rules.cards import ACE, JACK, KING, SIX, SPADES, TEN, THREE, Card, card_of, rank_of
from bot.rules.hand import HandClass, HandRank
from bot.rules.knobs import Ties
from bot.rules.phrase import phrase
from bot.rules.pieces import last_digits

ACE_OF_SPADES: Final = card_of(ACE, SPADES)
LAST_SMALL: Final = THREE + 1
"""The rank of the highest small card, the 4 (G09)."""
NENKU: Final = "nenku"
"""The name of an ordinary Single-Ox 1 whose power cards are an ace and a duke (G11)."""


class GnauClass(HandClass):
    """The classes of hands, weakest first (G16)."""

    NO_OX = 0
    SINGLE_OX = 1
    DOUBLE_OX = 2
    NGAU_TONKU = 3
    FIVE_SMALL = 4
    FIVE_DUKES = 5


def points_of(card: Card, rules: GnauRules) -> tuple[int, ...]:
    """The Ox points that a card may count, one or several (G04)."""
    rank = rank_of(card)
    if rules.flex_3_6 and rank in (THREE, SIX):
        return (3, 6)
    return (min(rank + 1, 10),)


def is_ox(three: Sequence[Card], rules: GnauRules) -> bool:
    """Whether three cards are an ox: a total that is a multiple of ten (G05), or one rank (G07)."""
    if rules.triple_ox and len({rank_of(card) for card in three}) == 1:
        return True
    return 0 in last_digits(points_of(card, rules) for card in three)


def is_duke(card: Card, *, tens: bool) -> bool:
    """Whether a card is a J, Q or K, or a ten if tens count (G08)."""
    return rank_of(card) >= (TEN if tens else JACK)


def power_of(one: Card, other: Card, rules: GnauRules) -> HandRank:
    """The best rank of two power cards (G10 to G14)."""
    low, high = sorted((one, other), key=rank_of)
    has_duke = is_duke(high, tens=rules.tonku_tens)
    if rules.ngau_tonku and has_duke and low == ACE_OF_SPADES:
        return HandRank(GnauClass.NGAU_TONKU)
    ranks = (rank_of(low), rank_of(high))
    if ranks[0] == ranks[1] or (rules.mixed_double and ranks == (THREE, SIX)):
        return HandRank(GnauClass.DOUBLE_OX, ranks[1] + 1)
    value = max(digit or 10 for digit in last_digits(points_of(card, rules) for card in (low, high)))
    is_nenku = has_duke and ranks[0] == ACE and low != ACE_OF_SPADES
    return HandRank(GnauClass.SINGLE_OX, value, NENKU if is_nenku else "")


def whole_hands(cards: Sequence[Card], rules: GnauRules) -> Iterator[HandRank]:
    """The ranks that five cards, the lowest first, reach without an ox (G08, G09)."""
    if is_duke(cards[0], tens=rules.five_dukes_tens):
        yield HandRank(GnauClass.FIVE_DUKES)
    if rank_of(cards[-1]) <= LAST_SMALL:
        yield HandRank(GnauClass.FIVE_SMALL)


def face_of(card: Card) -> Card:
    """The card that counts the same: suits do not matter, except for the ace of spades (G10)."""
    return card if card == ACE_OF_SPADES else card_of(rank_of(card), 0)


def tie(hand_class: HandClass, rules: GnauRules) -> Ties:
    """Who wins a tie: Five Dukes and No Ox are a push even if the banker wins other ties (G20)."""
    return Ties.PUSH if hand_class in (GnauClass.FIVE_DUKES, GnauClass.NO_OX) else rules.ties


def ranking(rules: GnauRules) -> Iterator[RankedHands]:
    """The ranks in force, strongest first, with what each wins (G16, G18)."""
    yield RankedHands(
        GnauClass.FIVE_DUKES,
        rules.multiple_five_dukes,
        phrase("hand.five_dukes"),
        phrase("rules.five_dukes_tens" if rules.five_dukes_tens else "rules.five_dukes"),
    )
    if rules.five_small:
        yield RankedHands(
            GnauClass.FIVE_SMALL,
            rules.multiple_five_small,
            phrase("hand.five_small"),
            phrase("rules.five_small"),
        )
    if rules.ngau_tonku:
        yield RankedHands(
            GnauClass.NGAU_TONKU,
            rules.multiple_ngau_tonku,
            phrase("hand.ngau_tonku"),
            phrase("rules.tonku_tens" if rules.tonku_tens else "rules.ngau_tonku"),
        )
    yield RankedHands(
        GnauClass.DOUBLE_OX,
        rules.multiple_double_ox,
        phrase("hand.double_ox", rank="K–A"),
        phrase("rules.mixed_double" if rules.mixed_double else "rules.double_ox"),
        values=range(ACE + 1, KING + 2),
    )
    yield RankedHands(
        GnauClass.SINGLE_OX,
        rules.multiple_ox_of_ten,
        phrase("hand.single_ox", points=10),
        phrase("rules.ox_of_ten"),
        values=range(10, 11),
    )
    yield RankedHands(
        GnauClass.SINGLE_OX,
        rules.multiple_single_ox,
        phrase("rules.single_name"),
        phrase("rules.single_ox"),
        values=range(1, 10),
    )
    yield RankedHands(GnauClass.NO_OX, 0, phrase("hand.no_ox"), phrase("rules.no_ox"))
