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
from itertools import pairwise, product
from math import comb
from typing import Final

import numpy as np

from bot.odds.combinatorics import kinds
from bot.odds.pairs import disjoint_pairs_of_groups
from bot.odds.ranking import Ranking
from bot.rules.hand import HAND_SIZE
from bot.rules.pieces import Piece

_HELD: Final = HAND_SIZE + 1
"""A hand holds fewer pieces of one face than this."""


def equal_highest(
    pieces: Iterable[Piece], ranking: Ranking, order: Callable[[Piece], int], copies: Sequence[int]
) -> list[int]:
    """For each rank, the number of ordered pairs of hands of that rank whose highest pieces are equal.

    Args:
        pieces: what hands are dealt from.
        ranking: the ranks of the kinds.
        order: the order of the pieces, by face first; pieces of equal place are equal.
        copies: how many pieces have each face.
    """
    faces, of_piece = ranking.faces, ranking.faces.of_piece
    ranks = len(ranking.ranks)
    of_face: list[Counter[int]] = [Counter() for _ in copies]
    for piece in pieces:
        of_face[of_piece[piece]][order(piece)] += 1
    if all(times < 2 for counts in of_face for times in counts.values()):
        return [0] * ranks

    rows = kinds(len(copies), HAND_SIZE)
    by_face = np.argsort([order(face) for face in faces.faces]).argsort()
    highest = rows[np.arange(len(rows)), by_face[rows].argmax(axis=1)]
    held = (rows == highest[:, np.newaxis]).sum(axis=1)
    codes = np.ravel_multi_index((ranking.places, highest, held), (ranks, len(copies), _HELD))
    groups, group_of_kind = np.unique(codes, return_inverse=True)

    blocks: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for group, code in enumerate(groups.tolist()):
        rank, face, holds = (int(at) for at in np.unravel_index(code, (ranks, len(copies), _HELD)))
        blocks.setdefault((rank, face), []).append((group, holds))
    couples = [
        (rank, face, one, other)
        for (rank, face), block in blocks.items()
        for one, other in product(block, block)
    ]
    pairs = disjoint_pairs_of_groups(
        copies,
        np.asarray(group_of_kind),
        len(groups),
        HAND_SIZE,
        [(one[0], other[0]) for _, _, one, other in couples],
    )
    equal = [0] * ranks
    for (rank, face, (_, mine), (_, theirs)), number in zip(couples, pairs, strict=True):
        if number:
            same, every = _same_highest(of_face[face], mine, theirs)
            equal[rank] += number * same // every
    return equal


def _same_highest(counts: Counter[int], mine: int, theirs: int) -> tuple[int, int]:
    """Of the ways to deal `mine` and then `theirs` pieces, those with equal highest ones, and all.

    Args:
        counts: how many pieces there are of each place in the order.
        mine: how many pieces the first hand holds, at least 1.
        theirs: how many the second one holds, at least 1.
    """
    up_to = [0]
    for _, times in sorted(counts.items()):
        up_to.append(up_to[-1] + times)

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
