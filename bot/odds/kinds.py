"""Kinds of sets of pieces: listed, numbered, weighed, and taken apart. No game's rule stands here.

A *face* is what the rules see of a piece; pieces with the same face are alike to them. A *kind* of k pieces
is a multiset of k faces, written in ascending order. The kinds of one size are numbered from 0 in the order
of the combinatorial number system, so that the number is a sum of table entries and needs no search.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@lru_cache
def kinds(faces: int, size: int) -> Numbers:
    """Every kind of `size` pieces with so many faces, a row of ascending faces each, in order of number."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for taken in range(size):
        # The kinds that end in a face are those of one piece less that go up to it, each with it added; they
        # stand at the beginning, for the largest face weighs most in the number.
        up_to = [comb(face + taken, taken) for face in range(faces)]
        rows = np.column_stack(
            [
                np.concatenate([rows[:end] for end in up_to]),
                np.repeat(np.arange(faces, dtype=np.int64), up_to),
            ]
        )
    rows.flags.writeable = False
    return rows


def numbers_of(rows: Numbers, faces: int) -> Numbers:
    """The number of the kind in each row of ascending faces.

    f₁ ≤ f₂ ≤ … is made strictly ascending by adding the place, and then is number Σ C(fᵢ + i - 1, i) (Knuth,
    The Art of Computer Programming 4A, 7.2.1.3, theorem L).
    """
    numbers = np.zeros(len(rows), dtype=np.int64)
    for place in range(rows.shape[1]):
        numbers += _steps(faces, place)[rows[:, place]]
    return numbers


def numbers_of_any_order(rows: Numbers, faces: int) -> Numbers:
    """The number of the kind in each row of faces, whatever their order."""
    return numbers_of(np.sort(rows, axis=1), faces)


@lru_cache
def parts(faces: int, size: int, part: int) -> Numbers:
    """The number of each part of each kind.

    Args:
        faces: how many faces there are.
        size: of how many pieces the kinds are.
        part: of how many pieces the parts are.

    Returns:
        A row for each choice of `part` places among `size`, in the order of `itertools.combinations`, and in
        it an entry for each kind of `size` pieces: the number of the kind that the pieces there are.
    """
    columns = np.ascontiguousarray(kinds(faces, size).T)
    # What a face adds to the number depends on its place in the part: looked up once for all parts.
    added = [_steps(faces, place)[columns] for place in range(part)]
    choices = list(combinations(range(size), part))
    numbers = np.zeros((len(choices), columns.shape[1]), dtype=np.int64)
    for number, places in zip(numbers, choices, strict=True):
        for place, of_whole in enumerate(places):
            number += added[place][of_whole]
    numbers.flags.writeable = False
    return numbers


def ways(copies: Sequence[int], size: int) -> Numbers:
    """How many sets of pieces are of each kind.

    Args:
        copies: how many pieces show each face.
        size: of how many pieces the sets are.

    Returns:
        An entry for each kind, in order of number: the product of the binomial coefficients, over the faces,
        of the copies there are and the copies the kind has.
    """
    rows = kinds(len(copies), size)
    there_are = np.array(copies, dtype=np.int64)
    product = np.ones(len(rows), dtype=np.int64)
    taken = np.zeros(len(rows), dtype=np.int64)
    for place in range(size):
        if place:
            taken = np.where(rows[:, place] == rows[:, place - 1], taken + 1, 0)
        # C(n, t + 1) is C(n, t) · (n - t) / (t + 1): multiplied first, so that every division is exact.
        # What is divided is a number of sets times the copies of a face: far below 2⁶³ for sets of one hand.
        product = product * (there_are[rows[:, place]] - taken) // (taken + 1)
    return product


def _steps(faces: int, place: int) -> Numbers:
    """What each face adds to the number of a kind where it stands at this place, from 0."""
    return np.array([comb(face + place, place + 1) for face in range(faces)], dtype=np.int64)
