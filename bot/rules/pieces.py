"""What cards and tiles have in common: each is a small integer, and several have totals."""

from collections.abc import Iterable
from typing import NewType

Piece = NewType("Piece", int)
"""A card or a tile. The number's meaning depends on the game."""


def possible_totals(points: Iterable[Iterable[int]]) -> frozenset[int]:
    """Every total that some pieces can have (G04, T05).

    Args:
        points: for each piece, the points it may count. Each piece chooses independently.
    """
    totals = {0}
    for choices in points:
        totals = {total + choice for total in totals for choice in choices}
    return frozenset(totals)


def last_digits(points: Iterable[Iterable[int]]) -> frozenset[int]:
    """The last digits of all totals that `possible_totals` returns."""
    return frozenset(total % 10 for total in possible_totals(points))
