"""Many hands at once: tables that NumPy looks up whole columns of pieces in.

The first three pieces of a hand and the last two are looked up by themselves, each in a table with an entry
for every order, so that nothing is sorted; the two answers add up to the entry of a third table, which says
how the hand stands. All of it fits into the processor's cache.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.columns import Small, every_order, lay_index, small
from bot.odds.kinds import kinds, numbers_of_any_order
from bot.odds.standings import Standings
from bot.odds.suits import Doubling
from bot.rules.game import HAND_SIZE, OX_SIZE, POWER_SIZE

Hands = NDArray[np.integer[Any]]

_CHUNK: Final = 1 << 15
"""So many hands are looked up at a time: what is kept between two steps stays in the cache."""


class Tables:
    """The tables of one rule set, which no look-up changes.

    Attributes:
        pieces: how many different pieces the game has, which are the numbers from 0 up.
    """

    def __init__(self, standings: Standings) -> None:
        """Builds them.

        Args:
            standings: how the kinds of hands stand.
        """
        faces = standings.faces
        number = len(faces.faces)
        self.pieces = len(faces.of_piece)
        threes, twos = kinds(number, OX_SIZE), kinds(number, POWER_SIZE)
        fives = np.column_stack([np.repeat(threes, len(twos), axis=0), np.tile(twos, (len(threes), 1))])
        places = standings.places[numbers_of_any_order(fives, number)]
        self._calls = len(standings.calls)
        # Wide enough for a place with the number of calls added.
        self._places = places.astype(np.min_scalar_type(2 * self._calls))
        self._strengths = small(standings.strengths[places])
        self._doubling: Doubling | None = None
        if standings.suits_matter:
            self._doubling = Doubling(standings, self._places.reshape(len(threes), len(twos)))

        three = numbers_of_any_order(faces.of_piece[every_order(self.pieces, OX_SIZE)], number)
        two = numbers_of_any_order(faces.of_piece[every_order(self.pieces, POWER_SIZE)], number)
        sums = np.min_scalar_type(len(places) - 1)
        self._three = (three * len(twos)).astype(sums)
        self._two = two.astype(sums)

    def strengths(self, hands: Hands) -> Small:
        """The strength of each hand, as `evaluate` says it.

        Args:
            hands: of shape (n, 5) and of any whole type, each row five pieces in any order; fastest where it
                is of one byte a piece.

        Returns:
            Of shape (n,), and of the smallest unsigned type that holds every strength.

        Raises:
            ValueError: where the shape is another, or a number is no piece of the game.
        """
        return self._looked_up(hands, self._strengths)

    def places(self, hands: Hands) -> Small:
        """The call of each hand: its place in `Standings.calls`.

        Where it pays double, the number of these calls is added: its place in `(*calls, *doubled)`.
        Arguments, type and errors are as for `strengths`.
        """
        places = self._looked_up(hands, self._places)
        if self._doubling is not None:
            for start in range(0, len(hands), _CHUNK):
                chunk = places[start : start + _CHUNK]
                chunk[self._doubling.of(hands[start : start + _CHUNK].T)] += self._calls
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
            # Every index is in bounds, so that clipping changes none; it spares NumPy a buffer.
            lay_index(at, columns[:OX_SIZE], self.pieces)
            self._three.take(at, out=of_three, mode="clip")
            lay_index(at, columns[OX_SIZE:], self.pieces)
            self._two.take(at, out=of_two, mode="clip")
            np.add(of_three, of_two, out=at, casting="unsafe")
            table.take(at, out=found[start : start + count], mode="clip")
        return found
