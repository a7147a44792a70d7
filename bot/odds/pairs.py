"""Pairs of hands that share no piece, counted by what each of the two is, without touching a pair.

For a set S of pieces, the pairs that both contain S are easy to count: hands of a with S, times hands of b
with S. By inclusion and exclusion the pairs that share nothing are

    N[a, b] = Σ over S of (-1)^|S| · hands(a, S) · hands(b, S),

and since `hands` depends on the kind of S alone, the sum over all S of one size k is a product of small
matrices, weighted by how many S are of each kind: N = Σₖ (-1)ᵏ Aₖᵀ · Dₖ · Aₖ.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.kinds import Numbers, kinds, parts, ways

MOST_PIECES: Final = 416
"""Eight decks of 52: up to here the proofs below hold that nothing overflows."""
_LOW_BITS: Final = 18


def hands_of_each(hands: Numbers, places: Numbers, groups: int) -> list[int]:
    """How many hands are of each group.

    Args:
        hands: how many hands are of each kind, by the number of the kind.
        places: the group, from 0, of each kind of hand.
        groups: how many groups there are.
    """
    # Exact in double precision: there are fewer than 2³⁷ hands of five among 416 pieces.
    return [int(count) for count in np.bincount(places, weights=hands, minlength=groups)]


def disjoint_pairs(
    copies: Sequence[int], places: Numbers, groups: int, size: int, *choices: Numbers
) -> list[list[list[int]]]:
    """How many ordered pairs of hands that share no piece are of each two groups.

    Beside all pairs, those are counted whose first hand is of a choice, by more than its face shows. The kind
    of S is enough for that as well: where hands(b, S) depends on it alone, hands(a, S) may be added up over
    all S of a kind, and so may depend on anything.

    Args:
        copies: how many pieces show each face; together at most `MOST_PIECES`.
        places: the group, from 0, of each kind of hand, by the number of the kind.
        groups: how many groups there are.
        size: how many pieces a hand is, at most 5.
        choices: choices of first hands, each as the number of hands chosen of each kind.

    Returns:
        For all pairs, and then for each choice, a row for each group of the first hand, and in it a count for
        each group of the second.
    """
    firsts = (ways(copies, size), *choices)
    pairs = [np.zeros((groups, groups), dtype=object) for _ in firsts]
    for shared in range(size):
        in_firsts = [_sets_in_hands(len(copies), places, groups, size, shared, first) for first in firsts]
        # Every set of a kind is in as many hands of a group as any other, so the division is exact. A kind
        # that these pieces cannot make is in no hand, whatever it is divided by.
        with_set = in_firsts[0] // np.maximum(ways(copies, shared), 1)[:, np.newaxis]
        for in_first, counts in zip(in_firsts, pairs, strict=True):
            counts += (-1) ** shared * _product(in_first, with_set)
    for first, counts in zip(firsts, pairs, strict=True):
        # Hands that share all their pieces are one hand: the last product is diagonal.
        counts += (-1) ** size * np.diag(np.array(hands_of_each(first, places, groups), dtype=object))
    return [[[int(count) for count in row] for row in counts] for counts in pairs]


def _sets_in_hands(faces: int, places: Numbers, groups: int, size: int, part: int, hands: Numbers) -> Numbers:
    """Dₖ · Aₖ: for each kind of set and each group, how often such a set is in these hands of the group.

    Each hand has as many sets of `part` pieces as there are choices of so many places in it, one for each;
    so the hands of a kind are added, for every choice, to the kind of set found there.
    """
    found = parts(faces, size, part) * groups + places
    # Weights are summed in double precision: exact, for a column sums to C(5, part) ≤ 10 times the hands of
    # the group, of which there are C(416, 5) < 2³⁷ at most. So no sum reaches 2⁴¹, let alone 2⁵³.
    sums = np.bincount(
        found.ravel(),
        weights=np.broadcast_to(hands, found.shape).ravel(),
        minlength=len(kinds(faces, part)) * groups,
    )
    return sums.astype(np.int64).reshape(-1, groups)


def _product(sets_in_hands: Numbers, hands_with_set: Numbers) -> NDArray[np.object_]:
    """The product of the transposed first and the second matrix, in Python's whole numbers.

    With five or six decks entries begin to outgrow 64 bits, so the second factor is split. It is below 2³⁷ (a
    number of hands), its high part below 2¹⁹, its low part below 2¹⁸; the columns of the first sum to less
    than 2⁴¹: both products stay below 2⁶⁰.
    """
    high, low = hands_with_set >> _LOW_BITS, hands_with_set & ((1 << _LOW_BITS) - 1)
    first = sets_in_hands.T
    of_high: NDArray[np.object_] = (first @ high).astype(object)
    of_low: NDArray[np.object_] = (first @ low).astype(object)
    product: NDArray[np.object_] = of_high * (1 << _LOW_BITS) + of_low
    return product
