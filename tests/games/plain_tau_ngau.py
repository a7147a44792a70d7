"""A second evaluator of Tau Ngau, written from the clauses alone: slow, plain, without code of the first.

A tile is a word, the pips of its two ends: `"6-5"`.
"""

from collections.abc import Sequence
from itertools import combinations, product

WILD = ("4-2", "2-1")


def plain_score(tiles: Sequence[str], *, wild_in_score: bool) -> int:
    """The highest score of five tiles, or -1 if no three of them are a discard (T05, T08)."""
    best = -1
    for three in combinations(range(5), 3):
        discard = [tiles[place] for place in three]
        left = [tiles[place] for place in range(5) if place not in three]
        if any(total % 10 == 0 for total in _totals(discard, wild=True)):
            best = max(best, *(total % 10 for total in _totals(left, wild=wild_in_score)))
    return best


def _totals(tiles: Sequence[str], *, wild: bool) -> list[int]:
    readings = [(3, 6) if wild and tile in WILD else (int(tile[0]) + int(tile[2]),) for tile in tiles]
    return [sum(reading) for reading in product(*readings)]
