"""Suits: how many hands of each kind pay double for their suits (G21).

Otherwise hands rank by faces alone, so no other odds look at suits, except where they break ties.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import factorial, prod
from typing import Final

from bot.games.hands import is_suited
from bot.odds.pairs import Five
from bot.odds.ranking import Ranking
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, OX_SIZE, Piece

_SPLITS: Final = tuple(
    (ox, tuple(place for place in range(HAND_SIZE) if place not in ox))
    for ox in combinations(range(HAND_SIZE), OX_SIZE)
)
"""The places of an ox, and of the two pieces that it leaves over."""


def doubled_hands(hands: Mapping[Five, int], pieces: Sequence[Piece], ranking: Ranking) -> dict[Five, int]:
    """The number of hands of each kind that pay double: one of their strongest arrangements is suited.

    It deals pieces of the kind's faces in every suit to the five places. Kinds share the result if these
    agree: the strongest arrangements, the places with the same face, the copies of each face in each suit.
    """
    suit = ranking.game.pieces.suit
    assert suit is not None
    copies = Counter((ranking.faces[piece], suit(piece)) for piece in pieces)
    a_piece_of = {suit(piece): piece for piece in ranking.faces}
    in_suits = {
        face: tuple([copies[face, one] for one in sorted(a_piece_of)]) for face in ranking.faces.values()
    }
    suited = _suited([a_piece_of[one] for one in sorted(a_piece_of)], ranking.rules)
    dealt = cache(_orders_dealt)

    @cache
    def doubled(
        first: tuple[int, ...], suits: tuple[tuple[int, ...], ...], strongest: tuple[int, ...]
    ) -> int:
        paying = frozenset[tuple[int, ...]]().union(*[suited[split] for split in strongest])
        orders = sum([number for five, number in dealt(first, suits) if five in paying])
        # Equal faces may swap places.
        return orders // prod([factorial(first.count(place)) for place in set(first)])

    return {
        five: doubled(
            tuple([five.index(face) for face in five]), tuple([in_suits[face] for face in five]), strongest
        )
        for five in hands
        if (strongest := _strongest_splits(five, ranking))
    }


def _strongest_splits(five: Five, ranking: Ranking) -> tuple[int, ...]:
    """Which splits, by their index in `_SPLITS`, are the strongest arrangements of a hand."""
    whole = sum(five)
    place = ranking.places.get(whole, 0)
    found = []
    for at, (_, (low, high)) in enumerate(_SPLITS):
        power = five[low] + five[high]
        if ranking.powers[power] == place and whole - power in ranking.oxen:
            found.append(at)
    return tuple(found)


def _orders_dealt(
    first: tuple[int, ...], in_suits: tuple[tuple[int, ...], ...]
) -> list[tuple[tuple[int, ...], int]]:
    """The suits that pieces of some faces can be dealt in, and in how many orders each.

    Args:
        first: for each place, the first place that has the same face. Those between have it too.
        in_suits: for each place, the copies of its face in each suit.
    """
    dealt: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for start, copies in zip(first, in_suits, strict=True):
        dealt = [
            ((*suits, suit), orders * left)
            for suits, orders in dealt
            for suit, number in enumerate(copies)
            if (left := number - suits[start:].count(suit)) > 0
        ]
    return dealt


def _suited(a_piece_of: Sequence[Piece], rules: HouseRules) -> list[frozenset[tuple[int, ...]]]:
    """For each split, the suits of five pieces that make it pay double."""
    fives = {
        suits: [a_piece_of[suit] for suit in suits]
        for suits in product(range(len(a_piece_of)), repeat=HAND_SIZE)
    }
    return [
        frozenset(
            suits
            for suits, five in fives.items()
            if is_suited(tuple([five[place] for place in ox]), tuple([five[place] for place in power]), rules)
        )
        for ox, power in _SPLITS
    ]
