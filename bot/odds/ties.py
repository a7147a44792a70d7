"""Ties broken by each hand's highest piece, and how often even those are equal (N09).

If the hands of a pair have the same rank, the higher highest piece wins. Swapping the two hands turns a win
into a loss, so of the pairs that are no push each hand wins half. What is left to count are the pushes: pairs
on the same rank whose highest pieces are equal. One deck has none, since it has every piece once.

The order of the pieces goes by face first. So equal highest pieces have the same face, and which pieces of
that face the hands hold does not depend on their other pieces. The pairs whose hands hold so many of it are
counted by faces alone, and the share of pushes among them by the pieces of that face alone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, groupby, pairwise
from math import comb
from typing import Final, NamedTuple

import numpy as np

from bot.odds.combinatorics import kinds
from bot.odds.pairs import Block, disjoint_pairs_within
from bot.odds.ranking import Ranking
from bot.rules.pieces import HAND_SIZE, Piece

_HELD: Final = HAND_SIZE + 1
"""A hand holds fewer pieces of one face than this."""


class _Group(NamedTuple):
    """Kinds of hands that share a rank, their highest face, and how many pieces of it they hold."""

    number: int
    rank: int
    highest: int
    held: int


def equal_highest(
    pieces: Iterable[Piece], ranking: Ranking, order: Callable[[Piece], int], copies: Sequence[int]
) -> list[int]:
    """For each rank, the number of ordered pairs of hands of that rank whose highest pieces are equal.

    Args:
        order: the order of the pieces, by face first; pieces of equal place are equal.
    """
    faces, of_piece = ranking.faces, ranking.faces.of_piece
    ranks = len(ranking.ranks)
    of_face: list[Counter[int]] = [Counter() for _ in copies]
    for piece in pieces:
        of_face[of_piece[piece]][order(piece)] += 1
    if all(times < 2 for counts in of_face for times in counts.values()):
        return [0] * ranks

    rows = kinds(len(copies), HAND_SIZE)
    by_order = np.argsort([order(face) for face in faces.faces]).argsort()
    highest = rows[np.arange(len(rows)), by_order[rows].argmax(axis=1)]
    held = (rows == highest[:, np.newaxis]).sum(axis=1)
    shape = (ranks, len(copies), _HELD)
    codes = np.ravel_multi_index((ranking.places, highest, held), shape)
    found = np.flatnonzero(np.bincount(codes))
    groups = [_Group(number, *map(int, np.unravel_index(code, shape))) for number, code in enumerate(found)]
    faces_up_to = [1 + int(np.flatnonzero(by_order <= place).max()) for place in by_order]
    blocks = []
    for (_, face), block in groupby(groups, key=lambda group: (group.rank, group.highest)):
        numbers = [group.number for group in block]
        blocks.append(Block(range(numbers[0], numbers[-1] + 1), faces_up_to[face]))
    pairs = disjoint_pairs_within(copies, np.searchsorted(found, codes), len(groups), HAND_SIZE, blocks)
    equal = [0] * ranks
    for (first, second), number in pairs.items():
        one, other = groups[first], groups[second]
        if number:
            in_order = tuple(times for _, times in sorted(of_face[one.highest].items()))
            same, every = _same_highest(in_order, one.held, other.held)
            equal[one.rank] += number * same // every * (1 if one is other else 2)
    return equal


@cache
def _same_highest(copies: tuple[int, ...], mine: int, theirs: int) -> tuple[int, int]:
    """Of the ways to deal `mine` and then `theirs` pieces, those with equal highest ones, and all.

    Args:
        copies: how many pieces there are of each place in the order, the lowest first.
    """
    up_to = [0, *accumulate(copies)]

    def dealt(most_mine: int, most_theirs: int) -> int:
        """Both within the first so many pieces; the narrower hand is dealt first."""
        if most_mine <= most_theirs:
            return comb(most_mine, mine) * comb(most_theirs - mine, theirs) if most_mine >= mine else 0
        return comb(most_theirs, theirs) * comb(most_mine - theirs, mine) if most_theirs >= theirs else 0

    same = sum(
        dealt(most, most) - dealt(most, less) - dealt(less, most) + dealt(less, less)
        for less, most in pairwise(up_to)
    )
    return same, dealt(up_to[-1], up_to[-1])
