"""Tables in which NumPy looks up many hands at once.

The first three pieces of a hand and the last two are looked up separately, in tables with an entry for every
order, so nothing needs sorting. The sum of the two results is an index in a third table, which has the rank
of the hand. All of it fits into the processor's cache.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.combinatorics import Small, every_order, kinds, lay_index, numbers_of_any_order, small
from bot.odds.ranking import Ranking
from bot.odds.suits import Doubling
from bot.rules.hand import HAND_SIZE, OX_SIZE, POWER_SIZE

Hands = NDArray[np.integer[Any]]

_CHUNK: Final = 1 << 15
"""Hands that are looked up at a time, so that intermediate results stay in the cache."""


class LookupTables:
    """The tables of one rule set. They never change.

    Attributes:
        pieces: how many different pieces the game has; they are numbered from 0.
    """

    def __init__(self, ranking: Ranking) -> None:
        """Builds the tables from the ranks of all kinds of hands."""
        faces = ranking.faces
        number = len(faces.faces)
        self.pieces = len(faces.of_piece)
        threes, twos = kinds(number, OX_SIZE), kinds(number, POWER_SIZE)
        fives = np.column_stack([np.repeat(threes, len(twos), axis=0), np.tile(twos, (len(threes), 1))])
        places = ranking.places[numbers_of_any_order(fives, number)]
        self._ranks = len(ranking.ranks)
        # Wide enough for a place plus the number of ranks.
        self._places = places.astype(np.min_scalar_type(2 * self._ranks))
        self._strengths = small(ranking.strengths[places])
        self._doubling: Doubling | None = None
        if ranking.suits_matter:
            self._doubling = Doubling(ranking, self._places.reshape(len(threes), len(twos)))

        three = numbers_of_any_order(faces.of_piece[every_order(self.pieces, OX_SIZE)], number)
        two = numbers_of_any_order(faces.of_piece[every_order(self.pieces, POWER_SIZE)], number)
        sums = np.min_scalar_type(len(places) - 1)
        self._three = (three * len(twos)).astype(sums)
        self._two = two.astype(sums)

    def strengths(self, hands: Hands) -> Small:
        """The strength of each hand, the same that `evaluate` gives.

        Args:
            hands: an array of shape (n, 5) of any integer type; a row is five pieces in any order. One byte a
                piece is fastest.

        Returns:
            An array of shape (n,), of the smallest unsigned type that holds every strength.

        Raises:
            ValueError: if the shape is wrong, or a number is not a piece of the game.
        """
        return self._looked_up(hands, self._strengths)

    def places(self, hands: Hands) -> Small:
        """The rank of each hand, as an index in `(*ranking.ranks, *ranking.doubled)`.

        Arguments, type and errors are as for `strengths`.
        """
        places = self._looked_up(hands, self._places)
        if self._doubling is not None:
            for start in range(0, len(hands), _CHUNK):
                chunk = places[start : start + _CHUNK]
                chunk[self._doubling.of(hands[start : start + _CHUNK].T)] += self._ranks
        return places

    def _looked_up(self, hands: Hands, table: Small) -> Small:
        if hands.ndim != 2 or hands.shape[1] != HAND_SIZE:
            raise ValueError(f"hands are rows of {HAND_SIZE} pieces, not an array of shape {hands.shape}")
        found = np.empty(len(hands), dtype=table.dtype)
        if len(hands) == 0:
            return found
        if hands.min() < 0 or hands.max() >= self.pieces:
            raise ValueError(f"pieces are numbers from 0 to {self.pieces - 1}")
        size = min(len(hands), _CHUNK)
        index = np.empty(size, dtype=np.intp)
        three, two = (np.empty(size, dtype=self._three.dtype) for _ in range(2))
        for start in range(0, len(hands), size):
            columns = hands[start : start + size].T
            count = columns.shape[1]
            at, of_three, of_two = index[:count], three[:count], two[:count]
            # Every index is in bounds, so clipping changes nothing. It saves NumPy a buffer.
            lay_index(at, columns[:OX_SIZE], self.pieces)
            self._three.take(at, out=of_three, mode="clip")
            lay_index(at, columns[OX_SIZE:], self.pieces)
            self._two.take(at, out=of_two, mode="clip")
            np.add(of_three, of_two, out=at, casting="unsafe")
            table.take(at, out=found[start : start + count], mode="clip")
        return found
