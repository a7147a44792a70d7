"""Fast evaluation: the strength and the rank of any hand, from tables that are built once.

The first three pieces of a hand and the last two are looked up separately, in tables with an entry for every
order, so nothing needs sorting. The sum of the two results is an index in a third table, which has the rank
of the hand. All of it fits into the processor's cache.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.games.settle import settle, worth_of
from bot.odds.combinatorics import Small, every_order, kinds, lay_index, numbers_of
from bot.odds.ranking import Ranking, ranking_of
from bot.odds.suits import Doubling
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, OX_SIZE, POWER_SIZE, Hand, Piece

Hands = NDArray[np.integer[Any]]

_CHUNK: Final = 1 << 15
"""Hands that are looked up at a time, so that intermediate results stay in the cache."""


class LookupTables:
    """The tables of one rule set. They never change."""

    def __init__(self, ranking: Ranking) -> None:
        """Builds the tables from the ranks of all kinds of hands."""
        faces = ranking.faces
        number = len(faces.faces)
        self.pieces = len(faces.of_piece)
        threes, twos = kinds(number, OX_SIZE), kinds(number, POWER_SIZE)
        fives = np.column_stack([np.repeat(threes, len(twos), axis=0), np.tile(twos, (len(threes), 1))])
        places = ranking.places[numbers_of(fives, number)]
        self._ranks = len(ranking.ranks)
        # Wide enough for a place plus the number of ranks.
        self._places = places.astype(np.min_scalar_type(2 * self._ranks))
        self._doubling: Doubling | None = None
        if ranking.suits_matter:
            self._doubling = Doubling(ranking, self._places.reshape(len(threes), len(twos)))

        three = numbers_of(faces.of_piece[every_order(self.pieces, OX_SIZE)], number)
        two = numbers_of(faces.of_piece[every_order(self.pieces, POWER_SIZE)], number)
        sums = np.min_scalar_type(len(places) - 1)
        self._three = (three * len(twos)).astype(sums)
        self._two = two.astype(sums)

    def places(self, hands: Hands) -> Small:
        """The rank of each hand, as an index in `(*ranking.ranks, *ranking.doubled)`.

        Args:
            hands: an array of shape (n, 5) of any integer type; a row is five pieces in any order. One byte a
                piece is fastest.

        Returns:
            An array of shape (n,), of the smallest unsigned type that holds every place.
        """
        places = self._looked_up(hands)
        if self._doubling is not None:
            for start in range(0, len(hands), _CHUNK):
                chunk = places[start : start + _CHUNK]
                chunk[self._doubling.of(hands[start : start + _CHUNK].T)] += self._ranks
        return places

    def _looked_up(self, hands: Hands) -> Small:
        if hands.ndim != 2 or hands.shape[1] != HAND_SIZE:
            raise ValueError(f"hands are rows of {HAND_SIZE} pieces, not an array of shape {hands.shape}")
        found = np.empty(len(hands), dtype=self._places.dtype)
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
            self._places.take(at, out=found[start : start + count], mode="clip")
        return found


_RULES_KEPT: Final = 16
"""Rule sets in the cache: each takes a few megabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Evaluator:
    """Evaluates hands under one rule set. Pieces are the numbers that `bot.rules` uses.

    Attributes:
        places: from hands to their ranks, each as an index in `ranks`.
        ranks: a hand of each rank, without its pieces. If suits matter, the ranks that pay double follow
            after all others (G21).
        units: a player's gain for each chip staked, by their rank (rows) and the banker's (columns).
        tie_order: the place of each piece in the order by which the higher highest piece wins between equal
            ranks; None if equal ranks are a tie.
        units_of_higher: a player's gain for each chip staked at equal ranks, if their highest piece is the
            lower one (the first row) or the higher one (the second row), by rank.
    """

    places: Callable[[Hands], Small]
    ranks: tuple[Hand, ...]
    units: NDArray[np.int64]
    tie_order: NDArray[np.int64] | None
    units_of_higher: NDArray[np.int64]

    def settled(self, players: Hands, bankers: Hands) -> NDArray[np.int64]:
        """Each player's gain for each chip staked; both arrays are of shape (n, 5), as in `places`."""
        mine, theirs = self.places(players), self.places(bankers)
        units: NDArray[np.int64] = self.units[mine, theirs]
        if self.tie_order is not None:
            higher = self.tie_order[players].max(axis=1) - self.tie_order[bankers].max(axis=1)
            decided = np.flatnonzero((mine == theirs) & (higher != 0))
            units[decided] = self.units_of_higher[(higher[decided] > 0).astype(np.intp), mine[decided]]
        return units


def evaluator_of(rules: HouseRules) -> Evaluator:
    """The evaluator of these rules, cached. The first call takes some hundredths of a second."""
    return _remembered(worth_of(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules) -> Evaluator:
    ranking = ranking_of(rules)
    tables = LookupTables(ranking)
    ranks = ranking.ranks + ranking.doubled if ranking.suits_matter else ranking.ranks
    units = [[settle(player, banker, rules).units for banker in ranks] for player in ranks]
    order = ranking.faces.game.order_in_ties(rules)
    higher, pieces = [replace(rank, tie_break=1) for rank in ranks], range(len(ranking.faces.of_piece))
    of_ties = [
        [settle(rank, other, rules).units for rank, other in zip(ranks, higher, strict=True)],
        [settle(other, rank, rules).units for rank, other in zip(ranks, higher, strict=True)],
    ]
    return Evaluator(
        places=tables.places,
        ranks=ranks,
        units=np.array(units, dtype=np.int64),
        tie_order=None if order is None else np.array([order(Piece(piece)) for piece in pieces]),
        units_of_higher=np.array(of_ties, dtype=np.int64),
    )
