"""Columns of pieces, and tables with an entry for every order of some pieces: how they are laid out."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.odds.kinds import Numbers

Columns = NDArray[np.integer[Any]]
"""Pieces of many hands: a row for each place, a column for each hand."""
Small = NDArray[np.unsignedinteger[Any]]
"""Numbers of the smallest type that holds them all."""


def every_order(pieces: int, size: int) -> Numbers:
    """What so many different pieces can be at `size` places, a row for each entry of a table, in order."""
    return np.indices((pieces,) * size).reshape(size, -1).T


def lay_index(index: NDArray[np.intp], columns: Columns, pieces: int) -> None:
    """Writes into `index` where a table laid out by `every_order` has the entry of each column."""
    first, *others = columns
    index[:] = first
    for column in others:
        np.multiply(index, pieces, out=index)
        np.add(index, column, out=index, casting="unsafe")


def small(numbers: Numbers) -> Small:
    """The numbers, none below 0, in the smallest type that holds them all."""
    kept: Small = numbers.astype(np.min_scalar_type(numbers.max()))
    return kept
