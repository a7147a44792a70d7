"""Suits: which hands pay double for theirs, and how many of each kind do (G21).

The rest of the rules does not see suits, beside the ace of spades; so the rest of the odds does not either.
"""

from itertools import combinations, product
from math import factorial, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.columns import Columns, Small, every_order, lay_index, small
from bot.odds.faces import Faces
from bot.odds.kinds import Numbers, kinds
from bot.odds.standings import Standings
from bot.rules.game import HAND_SIZE, OX_SIZE, POWER_SIZE
from bot.rules.hands import is_suited
from bot.rules.knobs import HouseRules

SPLITS: Final = tuple(
    (ox, tuple(place for place in range(HAND_SIZE) if place not in ox))
    for ox in combinations(range(HAND_SIZE), OX_SIZE)
)
"""The places of an ox in a hand and of the two pieces it leaves over, in the order of `Standings.splits`."""


def suits_that_pay(faces: Faces, rules: HouseRules) -> NDArray[np.bool_]:
    """Whether an arrangement pays double, by the suits of its pieces alone.

    Returns:
        An array with an axis for each piece, those of the ox first; an index is a suit.
    """
    a_piece_of = {faces.suit_of_piece[piece]: piece for piece in faces.pack}
    fives = product([a_piece_of[suit] for suit in range(faces.suits)], repeat=HAND_SIZE)
    said = [is_suited(five[:OX_SIZE], five[OX_SIZE:], rules) for five in fives]
    return np.array(said).reshape((faces.suits,) * HAND_SIZE)


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
    bits = 1 << np.arange(len(SPLITS))
    strongest = bits @ standings.splits
    _, alike = np.unique(copies_by_suit, axis=0, return_inverse=True)
    same_as_before = rows[:, 1:] == rows[:, :-1]

    sorts = np.column_stack([alike[rows], same_as_before, strongest])
    bases = [len(copies_by_suit)] * HAND_SIZE + [2] * (HAND_SIZE - 1) + [1 << len(SPLITS)]
    code = np.ravel_multi_index(tuple(sorts.T), bases)
    _, first, sort_of_kind = np.unique(code, return_index=True, return_inverse=True)

    patterns = np.indices((copies_by_suit.shape[1],) * HAND_SIZE).reshape(HAND_SIZE, -1)
    pays = suits_that_pay(standings.faces, standings.rules)
    paying = bits @ np.array([pays[tuple(patterns[[*ox, *power]])] for ox, power in SPLITS])
    counted = (strongest[first, np.newaxis] & paying) != 0
    dealt = _orders_dealt(rows[first], patterns, copies_by_suit)
    hands: Numbers = np.where(counted, dealt, 0).sum(axis=1) // _orders(rows[first])
    return hands[sort_of_kind]


class Doubling:
    """Whether hands pay double, for many hands at once."""

    def __init__(self, standings: Standings, three: Numbers, two: Numbers) -> None:
        """Builds the tables.

        Args:
            standings: how the kinds stand; suits must matter to them.
            three: the kind of three pieces, for `every_order` of them.
            two: the kind of two pieces, for `every_order` of them.
        """
        faces = standings.faces
        pays = suits_that_pay(faces, standings.rules).ravel()
        of_two = faces.suits**POWER_SIZE
        suits = faces.suit_of_piece
        self._pieces = len(suits)
        ox = _code(suits[every_order(self._pieces, OX_SIZE)], faces.suits) * of_two
        # What is no ox never pays: it has entries of its own, behind all others.
        self._ox = small(np.where(standings.oxen[three], ox, len(pays)))
        self._power = small(_code(suits[every_order(self._pieces, POWER_SIZE)], faces.suits))
        self._pays = np.concatenate([pays, np.zeros(of_two, dtype=np.bool_)])
        self._places = small(np.searchsorted(standings.strengths, standings.powers)[two])

    def of(self, columns: Columns, places: Small) -> NDArray[np.bool_]:
        """Whether each hand pays double: whether one of its strongest arrangements is suited.

        Args:
            columns: the pieces, a column for each hand.
            places: the place of each hand among the calls, not doubled.
        """
        found = np.zeros(len(places), dtype=np.bool_)
        ox, power = (np.empty(len(places), dtype=np.intp) for _ in range(2))
        for ox_places, power_places in SPLITS:
            lay_index(ox, columns[list(ox_places)], self._pieces)
            lay_index(power, columns[list(power_places)], self._pieces)
            suited = self._pays[self._ox[ox] + self._power[power]]
            found |= suited & (self._places[power] == places)
        return found


def _code(suits: Numbers, base: int) -> Numbers:
    """The suits of each row as one number: where `suits_that_pay`, flattened, has them."""
    weights = base ** np.arange(suits.shape[1])[::-1]
    code: Numbers = suits @ weights
    return code


def _orders_dealt(rows: Numbers, patterns: Numbers, copies_by_suit: Numbers) -> Numbers:
    """In how many orders pieces can be dealt that show the faces of a row in the suits of a pattern."""
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
