"""Hands that share no piece, counted by kinds, without listing them.

A *face* is what the rules see of a piece: pieces with the same face count the same. A *kind* is a multiset of
faces. Each face has a unit of its own, and the number of a kind is the sum of the units of its faces. So
kinds are put together by adding their numbers.

For a set S of pieces, the pairs of hands that both contain S are easy to count: the first hands with S, times
the second hands with S. By inclusion and exclusion, the pairs that share nothing are

    Σ over S of (-1)^|S| · firsts(S) · seconds(S).

`firsts` and `seconds` depend only on the kind of S, so the sum goes over kinds.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Final

from bot.rules.pieces import HAND_SIZE

Five = tuple[int, ...]
"""The faces of a hand, each by its unit, in ascending order. Their sum is the number of its kind."""
Copies = Mapping[int, int]
"""How many pieces have each face, by its unit."""

_BITS: Final = HAND_SIZE.bit_length()


def units(faces: int) -> Sequence[int]:
    """The unit of each of these faces: digits in a system of which no digit of a hand overflows."""
    return [1 << _BITS * face for face in range(faces)]


def times_of(face: int, kind: int) -> int:
    """How many pieces of a kind have this face."""
    return kind // face % (1 << _BITS)


def kinds_of(copies: Copies, size: int = HAND_SIZE) -> dict[Five, int]:
    """How many sets of this size are of each kind; without kinds that the pieces cannot make."""
    kinds = combinations_with_replacement(sorted(copies), size)
    counted = ((kind, prod([comb(copies[face], kind.count(face)) for face in {*kind}])) for kind in kinds)
    return {kind: number for kind, number in counted if number}


class Sets:
    """The sets of up to five pieces, by the number of their kind.

    Attributes:
        of_size: the kinds of the sets of each size, from 0.
        signed: how many sets are of each kind; negative for an odd size.
    """

    def __init__(self, copies: Copies) -> None:
        self.copies = copies
        counted = [kinds_of(copies, size) for size in range(HAND_SIZE + 1)]
        self.of_size = [[sum(kind) for kind in kinds] for kinds in counted]
        self.signed = {
            sum(kind): (-1) ** size * number
            for size, kinds in enumerate(counted)
            for kind, number in kinds.items()
        }

    def disjoint(self, firsts: Mapping[int, int], seconds: Mapping[int, int]) -> int:
        """The number of ordered pairs of a first and a second hand that share no piece.

        Args:
            firsts: the sets in the first hands, as `sets_in` counts them; which hands these are may depend on
                more than faces, if that of the second ones does not.
        """
        # Every set of a kind is in the same number of second hands, so the division is exact.
        signed = self.signed
        return sum(
            [number * seconds[kind] // signed[kind] for kind, number in firsts.items() if kind in seconds]
        )


def sets_in(hands: Iterable[tuple[Five, int]]) -> dict[int, int]:
    """How often a set of each kind is in these hands: a hand of five pieces has 32 sets."""
    found: dict[int, int] = defaultdict(int)
    for five, number in hands:
        kinds = [0]
        for face in five:
            kinds += [kind + face for kind in kinds]
        for kind in kinds:
            found[kind] += number
    return found
