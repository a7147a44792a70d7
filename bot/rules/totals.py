"""What pieces can total, where some of them may count more than one thing (G04, T05)."""

from collections.abc import Iterable


def totals_of(points: Iterable[Iterable[int]]) -> frozenset[int]:
    """Every total that these pieces can have.

    Args:
        points: of each piece, what it may count, each a choice of its own.
    """
    totals = {0}
    for choices in points:
        totals = {total + choice for total in totals for choice in choices}
    return frozenset(totals)


def digits_of(points: Iterable[Iterable[int]]) -> frozenset[int]:
    """Every last digit that their total can have."""
    return frozenset(total % 10 for total in totals_of(points))
