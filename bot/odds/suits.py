"""Suits: which hands pay double for their suits, and how many of each kind do (G21).

Otherwise hands rank by faces alone, so no other odds look at suits, except where they break ties.
"""

from itertools import combinations, product
from math import factorial, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.games.hands import is_suited
from bot.odds.combinatorics import (
    Columns,
    Numbers,
    Small,
    every_order,
    kinds,
    lay_index,
    numbers_of,
)
from bot.odds.ranking import Ranking
from bot.rules.pieces import HAND_SIZE, OX_SIZE, POWER_SIZE

_SPLITS: Final = tuple(
    (ox, tuple(place for place in range(HAND_SIZE) if place not in ox))
    for ox in combinations(range(HAND_SIZE), OX_SIZE)
)
"""The places of an ox, and of the two pieces that it leaves over, in the order of `Ranking.splits`."""
_BITS: Final = 1 << np.arange(len(_SPLITS))
"""One bit for each split: a set of splits is a number."""


def doubled_hands(copies_by_suit: Numbers, ranking: Ranking) -> Numbers:
    """The number of hands of each kind that pay double: one of their strongest arrangements is suited.

    It tries every way to give suits to the five places. Kinds share the result if these agree: the strongest
    arrangements, the places with the same face, and the copies of each face in every suit.

    Args:
        copies_by_suit: how many pieces have each face (rows) in each suit (columns).
    """
    rows = kinds(len(copies_by_suit), HAND_SIZE)
    strongest = _BITS @ ranking.splits
    _, alike = np.unique(copies_by_suit, axis=0, return_inverse=True)
    same_as_before = rows[:, 1:] == rows[:, :-1]

    sorts = np.column_stack([alike[rows], same_as_before, strongest])
    bases = [len(copies_by_suit)] * HAND_SIZE + [2] * (HAND_SIZE - 1) + [1 << len(_SPLITS)]
    code = np.ravel_multi_index(tuple(sorts.T), bases)
    _, first, sort_of_kind = np.unique(code, return_index=True, return_inverse=True)

    counted = (strongest[first, np.newaxis] & _splits_that_pay(ranking)) != 0
    dealt = _orders_dealt(rows[first], copies_by_suit)
    hands: Numbers = np.where(counted, dealt, 0).sum(axis=1) // _orders(rows[first])
    return hands[sort_of_kind]


class Doubling:
    """Whether hands pay double, for many hands at once.

    The faces at the five places decide which arrangements are strongest. The suits decide which arrangements
    are suited. Each is a table, and a hand pays double if the two have an arrangement in common.
    """

    def __init__(self, ranking: Ranking, places: Small) -> None:
        """Builds the tables.

        Args:
            places: the index in `Ranking.ranks`, by the kinds of three pieces (rows) and of two (columns).
        """
        faces = ranking.faces
        number, pieces = len(faces.faces), len(faces.of_piece)
        self._strongest = _strongest_splits(ranking, places)
        self._paying = _splits_that_pay(ranking).astype(np.uint16)
        self._three_faces, self._two_faces = _index_parts(faces.of_piece, number)
        self._three_suits, self._two_suits = _index_parts(faces.suit_of_piece, faces.suits)
        self._pieces = pieces

    def of(self, columns: Columns) -> NDArray[np.bool_]:
        """Whether each hand pays double: one of its strongest arrangements is suited."""
        three, two = (np.empty(columns.shape[1], dtype=np.intp) for _ in range(2))
        lay_index(three, columns[:OX_SIZE], self._pieces)
        lay_index(two, columns[OX_SIZE:], self._pieces)
        # Every index is in bounds, so clipping changes nothing. It is the fastest way to look up.
        faces = self._three_faces.take(three, mode="clip") + self._two_faces.take(two, mode="clip")
        suits = self._three_suits.take(three, mode="clip") + self._two_suits.take(two, mode="clip")
        common = self._strongest.take(faces, mode="clip") & self._paying.take(suits, mode="clip")
        paying: NDArray[np.bool_] = common != 0
        return paying


def _splits_that_pay(ranking: Ranking) -> Numbers:
    """The splits that are suited, as bits, for `every_order` of the suits at the five places."""
    faces = ranking.faces
    a_piece_of = {faces.suit_of_piece[piece]: piece for piece in faces.pack}
    fives = product([a_piece_of[suit] for suit in range(faces.suits)], repeat=HAND_SIZE)
    suited = [is_suited(five[:OX_SIZE], five[OX_SIZE:], ranking.rules) for five in fives]
    pays = np.array(suited).reshape((faces.suits,) * HAND_SIZE)
    # Transposing moves the three axes of the ox and the two of the power pieces to the places of a split.
    of_splits = [pays.transpose(np.argsort(ox + power)).ravel() for ox, power in _SPLITS]
    splits: Numbers = _BITS @ np.array(of_splits)
    return splits


def _strongest_splits(ranking: Ranking, places: Small) -> Small:
    """The splits that are strongest, as bits, for `every_order` of the faces at the five places."""
    number = len(ranking.faces.faces)
    three = numbers_of(every_order(number, OX_SIZE), number)
    two = numbers_of(every_order(number, POWER_SIZE), number)
    best = places[three][:, two].reshape((number,) * HAND_SIZE)
    is_ox = ranking.oxen[three]
    power = np.searchsorted(ranking.strengths, ranking.powers).astype(best.dtype)[two]
    found = np.zeros(best.shape, dtype=np.uint16)
    for bit, (of_ox, of_power) in zip(_BITS.tolist(), _SPLITS, strict=True):
        with_ox = is_ox.reshape([number if place in of_ox else 1 for place in range(HAND_SIZE)])
        with_power = power.reshape([number if place in of_power else 1 for place in range(HAND_SIZE)])
        found |= (with_ox & (with_power == best)) * np.uint16(bit)
    return found.ravel()


def _index_parts(of_piece: Numbers, base: int) -> tuple[Small, Small]:
    """The parts of an index into a table with five axes of length `base`, one for each place.

    Args:
        of_piece: the number, below `base`, that each piece has on its axis.
        base: the length of an axis.

    Returns:
        The part of the first three pieces, and the part of the last two, each for `every_order` of them.
    """
    weights = base ** np.arange(HAND_SIZE)[::-1]
    three = of_piece[every_order(len(of_piece), OX_SIZE)] @ weights[:OX_SIZE]
    two = of_piece[every_order(len(of_piece), POWER_SIZE)] @ weights[OX_SIZE:]
    kind = np.min_scalar_type(base**HAND_SIZE)
    return three.astype(kind), two.astype(kind)


def _orders_dealt(rows: Numbers, copies_by_suit: Numbers) -> Numbers:
    """In how many orders pieces with the faces of each row can be dealt.

    Returns:
        For each row, a row with an entry for `every_order` of the suits at the five places.
    """
    patterns = every_order(copies_by_suit.shape[1], HAND_SIZE).T
    dealt = np.ones((len(rows), patterns.shape[1]), dtype=np.int64)
    for place in range(HAND_SIZE):
        left = copies_by_suit[rows[:, place]][:, patterns[place]]
        for earlier in range(place):
            same_face = rows[:, earlier] == rows[:, place]
            left = left - np.outer(same_face, patterns[earlier] == patterns[place])
        dealt *= left
    return dealt


def _orders(rows: Numbers) -> Numbers:
    """In how many orders the same pieces give the faces of a row: equal faces may swap places."""
    return np.array([prod(factorial(row.count(face)) for face in set(row)) for row in rows.tolist()])
