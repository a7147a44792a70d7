"""Suits: which hands pay double for theirs, and how many of each kind do (G21).

The rest of the rules does not see suits, beside the ace of spades; so the rest of the odds does not either.
"""

from itertools import combinations, product
from math import factorial, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.columns import Columns, Small, every_order, lay_index
from bot.odds.kinds import Numbers, kinds, numbers_of_any_order
from bot.odds.standings import Standings
from bot.rules.game import HAND_SIZE, OX_SIZE, POWER_SIZE
from bot.rules.hands import is_suited

_SPLITS: Final = tuple(
    (ox, tuple(place for place in range(HAND_SIZE) if place not in ox))
    for ox in combinations(range(HAND_SIZE), OX_SIZE)
)
"""The places of an ox in a hand and of the two pieces it leaves over, in the order of `Standings.splits`."""
_BITS: Final = 1 << np.arange(len(_SPLITS))
"""A bit for each of them: splits are sets of bits."""


def doubled_hands(copies_by_suit: Numbers, standings: Standings) -> Numbers:
    """How many hands of each kind pay double, one of their strongest arrangements being suited.

    Every way to give suits to the five places is looked at, for kinds alike in all that counts here: which
    arrangements are strongest, which places show one face, and how many copies of each face every suit has.

    Args:
        copies_by_suit: how many pieces show each face (rows) in each suit (columns).
        standings: how the kinds stand.

    Returns:
        An entry for each kind of hand, by its number.
    """
    rows = kinds(len(copies_by_suit), HAND_SIZE)
    strongest = _BITS @ standings.splits
    _, alike = np.unique(copies_by_suit, axis=0, return_inverse=True)
    same_as_before = rows[:, 1:] == rows[:, :-1]

    sorts = np.column_stack([alike[rows], same_as_before, strongest])
    bases = [len(copies_by_suit)] * HAND_SIZE + [2] * (HAND_SIZE - 1) + [1 << len(_SPLITS)]
    code = np.ravel_multi_index(tuple(sorts.T), bases)
    _, first, sort_of_kind = np.unique(code, return_index=True, return_inverse=True)

    counted = (strongest[first, np.newaxis] & _splits_that_pay(standings)) != 0
    dealt = _orders_dealt(rows[first], copies_by_suit)
    hands: Numbers = np.where(counted, dealt, 0).sum(axis=1) // _orders(rows[first])
    return hands[sort_of_kind]


class Doubling:
    """Whether hands pay double, for many hands at once.

    Of the faces at the five places depends which arrangements are strongest, of the suits there which of all
    arrangements would pay: a table for each, and a hand pays double where the two have one in common.
    """

    def __init__(self, standings: Standings, places: Small) -> None:
        """Builds the tables.

        Args:
            standings: how the kinds stand; suits must matter to them.
            places: the place among the calls of any kind of three (rows) and any kind of two (columns).
        """
        faces = standings.faces
        number, pieces = len(faces.faces), len(faces.of_piece)
        self._strongest = _strongest_splits(standings, places)
        self._paying = _splits_that_pay(standings).astype(np.uint16)
        self._three_faces, self._two_faces = _laid_out(faces.of_piece, number)
        self._three_suits, self._two_suits = _laid_out(faces.suit_of_piece, faces.suits)
        self._pieces = pieces

    def of(self, columns: Columns) -> NDArray[np.bool_]:
        """Whether each hand pays double: whether one of its strongest arrangements is suited.

        Args:
            columns: the pieces, a row for each place and a column for each hand.
        """
        three, two = (np.empty(columns.shape[1], dtype=np.intp) for _ in range(2))
        lay_index(three, columns[:OX_SIZE], self._pieces)
        lay_index(two, columns[OX_SIZE:], self._pieces)
        # Every index is in bounds, so that clipping changes none; it is the quickest way to look up.
        faces = self._three_faces.take(three, mode="clip") + self._two_faces.take(two, mode="clip")
        suits = self._three_suits.take(three, mode="clip") + self._two_suits.take(two, mode="clip")
        common = self._strongest.take(faces, mode="clip") & self._paying.take(suits, mode="clip")
        paying: NDArray[np.bool_] = common != 0
        return paying


def _splits_that_pay(standings: Standings) -> Numbers:
    """The splits that would pay, as bits, by the suits at the five places: for `every_order` of them."""
    faces = standings.faces
    a_piece_of = {faces.suit_of_piece[piece]: piece for piece in faces.pack}
    fives = product([a_piece_of[suit] for suit in range(faces.suits)], repeat=HAND_SIZE)
    said = [is_suited(five[:OX_SIZE], five[OX_SIZE:], standings.rules) for five in fives]
    pays = np.array(said).reshape((faces.suits,) * HAND_SIZE)
    # To give the ox's three axes and then the power's two the places of a split is to transpose them there.
    of_splits = [pays.transpose(np.argsort(ox + power)).ravel() for ox, power in _SPLITS]
    splits: Numbers = _BITS @ np.array(of_splits)
    return splits


def _strongest_splits(standings: Standings, places: Small) -> Small:
    """The splits that are strongest, as bits, by the faces at the five places: for `every_order` of them."""
    number = len(standings.faces.faces)
    three = numbers_of_any_order(every_order(number, OX_SIZE), number)
    two = numbers_of_any_order(every_order(number, POWER_SIZE), number)
    best = places[three][:, two].reshape((number,) * HAND_SIZE)
    is_ox = standings.oxen[three]
    power = np.searchsorted(standings.strengths, standings.powers).astype(best.dtype)[two]
    found = np.zeros(best.shape, dtype=np.uint16)
    for bit, (of_ox, of_power) in zip(_BITS.tolist(), _SPLITS, strict=True):
        with_ox = is_ox.reshape([number if place in of_ox else 1 for place in range(HAND_SIZE)])
        with_power = power.reshape([number if place in of_power else 1 for place in range(HAND_SIZE)])
        found |= (with_ox & (with_power == best)) * np.uint16(bit)
    return found.ravel()


def _laid_out(seen: Numbers, base: int) -> tuple[Small, Small]:
    """What is seen of the pieces, added up to the index of a table with an axis of `base` for each of five.

    Args:
        seen: what is seen of each piece.
        base: how much can be seen.

    Returns:
        The share of the first three, for `every_order` of them, and that of the last two.
    """
    weights = base ** np.arange(HAND_SIZE)[::-1]
    three = seen[every_order(len(seen), OX_SIZE)] @ weights[:OX_SIZE]
    two = seen[every_order(len(seen), POWER_SIZE)] @ weights[OX_SIZE:]
    kind = np.min_scalar_type(base**HAND_SIZE)
    return three.astype(kind), two.astype(kind)


def _orders_dealt(rows: Numbers, copies_by_suit: Numbers) -> Numbers:
    """In how many orders pieces can be dealt that show the faces of a row.

    Returns:
        A row for each, and in it an entry by the suits at the five places: for `every_order` of them.
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
    """In how many orders the same pieces show the faces of a row: those of one face may change places."""
    return np.array([prod(factorial(row.count(face)) for face in set(row)) for row in rows.tolist()])
