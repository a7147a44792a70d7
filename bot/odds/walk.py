"""One hand at a time: five pieces, walked from one table to the next.

A state is the kind of the pieces seen so far, so that their order is forgotten at once; it is a tuple with
the next state for each piece, and behind the fifth stands the strength. Walking is five lookups, with nothing
to sort, add or compare: little is as cheap in Python.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bot.odds.kinds import Numbers, kinds, numbers_of_any_order
from bot.odds.standings import Standings
from bot.rules.game import HAND_SIZE


def walk_of(standings: Standings) -> Callable[[Sequence[int]], int]:
    """A function from five pieces, in any order, to the strength of the hand.

    For speed it checks nothing: what is not five pieces of the game has no certain answer.
    """
    of_piece = standings.faces.of_piece
    faces = len(standings.faces.faces)
    # What lies behind a state is a tuple of tuples, and at last a number: no type says so of itself.
    behind: list[Any] = standings.strengths.tolist()
    onward = standings.places
    for seen in reversed(range(HAND_SIZE)):
        # Equal states become one tuple: what is small stays in the processor's cache.
        states: dict[tuple[int, ...], int] = {}
        rows = map(tuple, onward[with_one_more(faces, seen)[:, of_piece]].tolist())
        onward = np.array([states.setdefault(row, len(states)) for row in rows])
        behind = [tuple([behind[place] for place in row]) for row in states]
    (start,) = behind

    def strength(pieces: Sequence[int]) -> int:
        one, two, three, four, five = pieces
        found: int = start[one][two][three][four][five]
        return found

    return strength


def with_one_more(faces: int, size: int) -> Numbers:
    """The number of the kind that a kind of `size` pieces (rows) makes with one more of a face (columns)."""
    rows = kinds(faces, size)
    longer = np.column_stack([np.repeat(rows, faces, axis=0), np.tile(np.arange(faces), len(rows))])
    return numbers_of_any_order(longer, faces).reshape(len(rows), faces)
