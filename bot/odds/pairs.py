"""Pairs of hands that share no piece, counted by the groups of the two hands, without listing the pairs.

For a set S of pieces, the pairs of hands that both contain S are easy to count: the hands of group a with S,
times the hands of group b with S. By inclusion and exclusion, the pairs that share nothing are

    N[a, b] = Σ over S of (-1)^|S| · hands(a, S) · hands(b, S).

`hands` depends only on the kind of S. So the sum over all S of one size k is a product of small matrices,
weighted by the number of S of each kind: N = Σₖ (-1)ᵏ Aₖᵀ · Dₖ · Aₖ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.combinatorics import Numbers, kinds, parts, ways

_LOW_BITS: Final = 18


def hands_of_each(hands: Numbers, places: Numbers, groups: int) -> list[int]:
    """The number of hands in each group.

    Args:
        hands: the number of hands of each kind.
        places: the group of each kind, from 0.
    """
    # Exact in double precision: 416 pieces have fewer than 2³⁷ hands of five.
    return [int(count) for count in np.bincount(places, weights=hands, minlength=groups)]


def disjoint_pairs(
    copies: Sequence[int], places: Numbers, groups: int, size: int, *choices: Numbers
) -> list[list[list[int]]]:
    """The number of ordered pairs of hands that share no piece, for each two groups.

    It also counts the pairs whose first hand is among some chosen hands, which may depend on more than faces.
    The kind of S is enough for that too: since hands(b, S) depends only on the kind of S, hands(a, S) can be
    summed over all S of a kind, and may depend on anything.

    Args:
        copies: how many pieces have each face; together at most `register.MOST_PIECES`: up to
            there, the comments below prove that nothing overflows.
        places: the group of each kind of hand, from 0.
        choices: choices of first hands, each as the number of chosen hands of each kind.

    Returns:
        First for all pairs, then for each choice: the counts by the first hand's group (rows) and the second
        hand's group (columns).
    """
    firsts = (ways(copies, size), *choices)
    pairs = [np.zeros((groups, groups), dtype=object) for _ in firsts]
    for shared in range(size):
        in_firsts = [_sets_in_hands(len(copies), places, groups, size, shared, first) for first in firsts]
        # Every set of a kind is in the same number of hands of a group, so the division is exact. A kind that
        # these pieces cannot make is in no hand, so its divisor does not matter.
        with_set = in_firsts[0] // np.maximum(ways(copies, shared), 1)[:, np.newaxis]
        for in_first, counts in zip(in_firsts, pairs, strict=True):
            counts += (-1) ** shared * _product(in_first, with_set)
    for first, counts in zip(firsts, pairs, strict=True):
        # Hands that share all their pieces are the same hand: the last product is diagonal.
        counts += (-1) ** size * np.diag(np.array(hands_of_each(first, places, groups), dtype=object))
    return [[[int(count) for count in row] for row in counts] for counts in pairs]


@dataclass(frozen=True, slots=True)
class Block:
    """Groups that follow one another.

    Attributes:
        faces: of how many faces, the first ones, their hands consist.
    """

    groups: range
    faces: int


def disjoint_pairs_within(
    copies: Sequence[int], places: Numbers, groups: int, size: int, blocks: Sequence[Block]
) -> dict[tuple[int, int], int]:
    """The number of ordered pairs of hands that share no piece, for each two groups of the same block.

    As many pairs are of two groups one way round as the other, so each two are counted once.

    Returns:
        The counts by the groups of the first and the second hand; the second one is the first or follows it.
    """
    hands = ways(copies, size)
    couples = [
        (*couple, block.faces)
        for block in blocks
        for couple in combinations_with_replacement(block.groups, 2)
    ]
    firsts, seconds, faces = np.array(couples).T
    high, low = (np.zeros(len(couples), dtype=np.int64) for _ in range(2))
    for shared in range(size):
        in_first = _sets_in_hands(len(copies), places, groups, size, shared, hands).T.copy()
        # Exact in double precision too, and several times as fast as dividing whole numbers.
        with_set = (in_first / np.maximum(ways(copies, shared), 1)).astype(np.int64)
        for most in sorted({block.faces for block in blocks}):
            # Sets of the first faces come first, and only these can be in hands of those faces.
            sets, alike = slice(comb(most + shared - 1, shared)), np.flatnonzero(faces == most)
            mine, theirs = in_first[firsts[alike], sets], with_set[seconds[alike], sets]
            # Split as in `_product`; the sums of five such terms stay below 2⁶³.
            high[alike] += (-1) ** shared * np.einsum("ij,ij->i", mine, theirs >> _LOW_BITS)
            low[alike] += (-1) ** shared * np.einsum("ij,ij->i", mine, theirs & ((1 << _LOW_BITS) - 1))
    same = hands_of_each(hands, places, groups)
    return {
        (first, second): (more << _LOW_BITS) + less + (-1) ** size * (same[first] if first == second else 0)
        for (first, second, _), more, less in zip(couples, high.tolist(), low.tolist(), strict=True)
    }


def _sets_in_hands(faces: int, places: Numbers, groups: int, size: int, part: int, hands: Numbers) -> Numbers:
    """Dₖ · Aₖ: how often sets of each kind (rows) are in these hands of each group (columns).

    Every choice of `part` places in a hand gives one set. So for each choice, the hands of a kind are added
    to the kind of the set at these places.
    """
    found = parts(faces, size, part) * groups + places
    # The weights are summed in double precision. That is exact: a column sums to C(5, part) ≤ 10 times the
    # hands of the group, at most C(416, 5) < 2³⁷. So no sum reaches 2⁴¹, let alone 2⁵³.
    sums = np.bincount(
        found.ravel(),
        weights=np.broadcast_to(hands, found.shape).ravel(),
        minlength=len(kinds(faces, part)) * groups,
    )
    return sums.astype(np.int64).reshape(-1, groups)


def _product(sets_in_hands: Numbers, hands_with_set: Numbers) -> NDArray[np.object_]:
    """The transposed first matrix times the second, in Python's whole numbers.

    From five or six decks on, the product can outgrow 64 bits, so the second factor is split. It is below 2³⁷
    (a number of hands), its high part below 2¹⁹, its low part below 2¹⁸. The columns of the first sum to less
    than 2⁴¹. So both partial products stay below 2⁶⁰.
    """
    high, low = hands_with_set >> _LOW_BITS, hands_with_set & ((1 << _LOW_BITS) - 1)
    first = sets_in_hands.T
    of_high: NDArray[np.object_] = (first @ high).astype(object)
    of_low: NDArray[np.object_] = (first @ low).astype(object)
    product: NDArray[np.object_] = of_high * (1 << _LOW_BITS) + of_low
    return product
