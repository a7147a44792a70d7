"""Gnau: five cards each, from French decks (G01 to G16)."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from bot.games.contract import Game
from bot.rules.cards import (
    ACE,
    DECK_SIZE,
    JACK,
    SIX,
    SPADES,
    TEN,
    THREE,
    Card,
    card_name,
    card_of,
    card_text,
    deck,
    parse_card,
    rank_of,
    suit_of,
)
from bot.rules.hand import HAND_SIZE, HandClass, HandRank
from bot.rules.knobs import GameName, HouseRules
from bot.rules.pieces import last_digits

ACE_OF_SPADES: Final = card_of(ACE, SPADES)
LAST_SMALL: Final = THREE + 1
"""The rank of the highest small card, the 4 (G09)."""
HANDS_A_DECK: Final = DECK_SIZE // HAND_SIZE
"""One deck serves ten hands, the banker's included (G02)."""
MOST_PLAYERS: Final = 19
"""As many as one board can show. Two decks serve them and the banker."""


class GnauClass(HandClass):
    """The classes of hands, weakest first (G16)."""

    NO_OX = 0
    SINGLE_OX = 1
    DOUBLE_OX = 2
    NGAU_TONKU = 3
    FIVE_SMALL = 4
    FIVE_DUKES = 5


def decks_for(hands: int, fewest: int = 1) -> int:
    """How many decks are in play for this many hands, the banker's included (G02).

    Args:
        hands: the number of hands.
        fewest: the fewest decks that the house plays with.
    """
    return max(fewest, ceil(hands / HANDS_A_DECK))


def points_of(card: Card, rules: HouseRules) -> tuple[int, ...]:
    """The Ox points that a card may count, one or several (G04)."""
    rank = rank_of(card)
    if rules.flex_3_6 and rank in (THREE, SIX):
        return (3, 6)
    return (min(rank + 1, 10),)


def is_ox(three: Sequence[Card], rules: HouseRules) -> bool:
    """Whether three cards are an ox: a total that is a multiple of ten (G05), or one rank (G07)."""
    if rules.triple_ox and len({rank_of(card) for card in three}) == 1:
        return True
    return 0 in last_digits(points_of(card, rules) for card in three)


def is_duke(card: Card, *, tens: bool) -> bool:
    """Whether a card is a J, Q or K, or a ten if tens count (G08)."""
    return rank_of(card) >= (TEN if tens else JACK)


def power_of(one: Card, other: Card, rules: HouseRules) -> HandRank:
    """The best rank of two power cards (G10 to G14)."""
    low, high = sorted((one, other), key=rank_of)
    has_duke = is_duke(high, tens=rules.tonku_tens)
    if rules.ngau_tonku and has_duke and low == ACE_OF_SPADES:
        return HandRank(GnauClass.NGAU_TONKU, 0, rules.multiple_ngau_tonku)
    ranks = (rank_of(low), rank_of(high))
    if ranks[0] == ranks[1] or (rules.mixed_double and ranks == (THREE, SIX)):
        return HandRank(GnauClass.DOUBLE_OX, ranks[1] + 1, rules.multiple_double_ox)
    value = max(digit or 10 for digit in last_digits(points_of(card, rules) for card in (low, high)))
    multiple = rules.multiple_ox_of_ten if value == 10 else rules.multiple_single_ox
    nenku = has_duke and ranks[0] == ACE and low != ACE_OF_SPADES
    return HandRank(GnauClass.SINGLE_OX, value, multiple, nenku)


def without_ox(cards: Sequence[Card], rules: HouseRules) -> tuple[HandRank, ...]:
    """The ranks that cards reach without an ox: all dukes, or all small (G08, G09)."""
    ranks = []
    if all(is_duke(card, tens=rules.five_dukes_tens) for card in cards):
        ranks.append(HandRank(GnauClass.FIVE_DUKES, multiple=rules.multiple_five_dukes))
    if rules.five_small and all(rank_of(card) <= LAST_SMALL for card in cards):
        ranks.append(HandRank(GnauClass.FIVE_SMALL, multiple=rules.multiple_five_small))
    return tuple(ranks)


def face_of(card: Card) -> Card:
    """The card that counts the same: suits do not matter, except for the ace of spades (G10)."""
    return card if card == ACE_OF_SPADES else card_of(rank_of(card), 0)


def pack_for(hands: int, rules: HouseRules) -> tuple[Card, ...]:
    """The cards that this many hands are dealt from (G01, G02)."""
    return deck(decks_for(hands, rules.decks))


GNAU: Final[Game[Card]] = Game(
    name=GameName.GNAU,
    no_ox=GnauClass.NO_OX,
    # A tie of these is a push even if the banker wins other ties (G20).
    pushed_when_tied=frozenset({GnauClass.FIVE_DUKES, GnauClass.NO_OX}),
    fewest_players=1,
    most_players=MOST_PLAYERS,
    rolls_for_bank=False,
    pack=pack_for,
    pack_size=DECK_SIZE,
    piece_word="card",
    ox_word="ox",
    parse=parse_card,
    text=card_text,
    shown=card_name,
    face=face_of,
    suit=suit_of,
    points=points_of,
    is_ox=is_ox,
    power=power_of,
    without_ox=without_ox,
)
