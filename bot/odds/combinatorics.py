"""Multisets and orders of pieces as NumPy arrays: listed, numbered, counted and looked up. Knows no game.

A *face* is what the rules see of a piece: pieces with the same face count the same. A *kind* of k pieces is a
multiset of k faces, written in ascending order. The kinds of one size are numbered from 0 in the order of the
combinatorial number system: a number is then a sum of table entries, and needs no search.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Columns = NDArray[np.integer[Any]]
"""The pieces of many hands: a row for each place, a column for each hand."""
Small = NDArray[np.unsignedinteger[Any]]
"""Numbers of the smallest type that holds them all."""


@lru_cache
def kinds(faces: int, size: int) -> Numbers:
    """Every kind of `size` pieces, in order of number: a row of ascending faces each."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for taken in range(size):
        # The kinds that end in a face are the kinds of one piece less that go up to it, with it added. Those
        # are the first rows, since the largest face weighs most in the number.
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
    """The number of the kind in each row of faces, in any order.

    Adding the place makes the ascending f₁ ≤ f₂ ≤ … strictly ascending. The number is then Σ C(fᵢ + i - 1, i)
    (Knuth, The Art of Computer Programming 4A, 7.2.1.3, theorem L).
    """
    rows, numbers = np.sort(rows, axis=1), np.zeros(len(rows), dtype=np.int64)
    for place in range(rows.shape[1]):
        numbers += _steps(faces, place)[rows[:, place]]
    return numbers


@lru_cache
def parts(faces: int, size: int, part: int) -> Numbers:
    """The number of every part of every kind.

    Returns:
        A row for each choice of `part` places among `size`, in the order of `itertools.combinations`. Its
        entries are the numbers of the parts at these places, one for each kind of `size` pieces.
    """
    columns = np.ascontiguousarray(kinds(faces, size).T)
    # What a face adds to the number depends on its place in the part: look it up once for all parts.
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
        copies: how many pieces have each face.

    Returns:
        An entry for each kind, in order of number: the product over the faces of C(copies of the face, copies
        of the face in the kind).
    """
    rows = kinds(len(copies), size)
    available = np.array(copies, dtype=np.int64)
    product = np.ones(len(rows), dtype=np.int64)
    taken = np.zeros(len(rows), dtype=np.int64)
    for place in range(size):
        if place:
            taken = np.where(rows[:, place] == rows[:, place - 1], taken + 1, 0)
        # C(n, t + 1) is C(n, t) · (n - t) / (t + 1). Multiply first, so that every division is exact. The
        # dividend is a number of sets times the copies of a face: far below 2⁶³ for the sets of one hand.
        product = product * (available[rows[:, place]] - taken) // (taken + 1)
    return product


def every_order(pieces: int, size: int) -> Numbers:
    """Every sequence of `size` out of `pieces` numbers, repetitions included: a row each, in order."""
    return np.indices((pieces,) * size).reshape(size, -1).T


def lay_index(index: NDArray[np.intp], columns: Columns, pieces: int) -> None:
    """Writes into `index` the row number that each column has in `every_order`."""
    first, *others = columns
    index[:] = first
    for column in others:
        np.multiply(index, pieces, out=index)
        np.add(index, column, out=index, casting="unsafe")


def _steps(faces: int, place: int) -> Numbers:
    """What each face adds to the number of a kind if it is at this place, from 0."""
    return np.array([comb(face + place, place + 1) for face in range(faces)], dtype=np.int64)
