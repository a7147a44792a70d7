"""What cards and tiles have in common: each is a small integer, and several have totals."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NewType, TypeVar

Piece = NewType("Piece", int)
"""A card or a tile. The number's meaning depends on the set of pieces."""

P = TypeVar("P", bound=Piece)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PieceSet(Generic[P]):
    """A set of pieces that games are played with.

    Attributes:
        name: its name, and the English word for one piece: "card" or "tile".
        pieces: every piece of one deck, or of the woodpile, in order. They are numbered from 0 without a gap,
            and pieces of one number are equal.
        emoji: its sign in messages.
        parse: reads one piece; raises ValueError with a sentence.
        text: a piece as people type it.
        shown: a piece as people read it.
        suit: the suit of a piece, from 0 without a gap; None if the pieces have no suits.
    """

    name: str
    pieces: tuple[P, ...]
    emoji: str
    parse: Callable[[str], P]
    text: Callable[[P], str]
    shown: Callable[[P], str]
    suit: Callable[[P], int] | None = None

    @property
    def size(self) -> int:
        """How many pieces one deck, or the woodpile, has."""
        return len(self.pieces)


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
