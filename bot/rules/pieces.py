"""Pieces (cards or tiles), and hands of five of them, in any game."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Generic, NewType, TypeVar

from bot.rules.knobs import GameName

Piece = NewType("Piece", int)
"""A card or a tile. The number's meaning depends on the set of pieces."""

P = TypeVar("P", bound=Piece)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PieceSet(Generic[P]):
    """A set of pieces that games are played with.

    Attributes:
        pieces: every piece of one deck, or of the woodpile, in order. They are numbered from 0 without a gap,
            and pieces of one number are equal.
        text: a piece as people type it.
        shown: a piece as people read it.
        suit: the suit of a piece, from 0 without a gap; None if the pieces have no suits.
        shown_rank: a piece as people read it where its suit does not matter; None if it has no suit.
    """

    name: str
    pieces: tuple[P, ...]
    emoji: str
    parse: Callable[[str], P]
    text: Callable[[P], str]
    shown: Callable[[P], str]
    suit: Callable[[P], int] | None = None
    shown_rank: Callable[[P], str] | None = None

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


HAND_SIZE: Final = 5
OX_SIZE: Final = 3
POWER_SIZE: Final = HAND_SIZE - OX_SIZE

MOST_VALUE: Final = 15
"""The highest value within a class."""


class HandClass(IntEnum):
    """The classes of hands, weakest first. Each game has its own."""


@dataclass(frozen=True, slots=True)
class HandRank:
    """How pieces rank.

    Attributes:
        value: the value within the class, up to `MOST_VALUE`; 0 if the class has only one.
        alias: another name that the game has for it, which changes neither rank nor multiple; else empty.
    """

    hand_class: HandClass
    value: int = 0
    alias: str = ""

    @property
    def strength(self) -> int:
        """A number that orders ranks: the higher wins (G16, N04, T08)."""
        return self.hand_class * (MOST_VALUE + 1) + self.value


@dataclass(frozen=True, slots=True)
class Hand:
    """Five pieces, arranged and ranked.

    Attributes:
        multiple: what it wins, in stakes (G18, N08, T09); 0 if it never wins.
        ox: the three pieces that leave the other two over, whatever the game calls them; empty without.
        suited: whether it pays double because the pieces that the house chose are of one suit (G21).
        tie_break: what decides between equal ranks, the higher wins (N09); without meaning if `high` is None.
    """

    game: GameName
    pieces: tuple[Piece, ...]
    rank: HandRank
    multiple: int
    ox: tuple[Piece, ...] = ()
    power: tuple[Piece, ...] = ()
    suited: bool = False
    tie_break: int = 0
    high: Piece | None = None

    @property
    def hand_class(self) -> HandClass:
        """The class of its rank."""
        return self.rank.hand_class

    @property
    def value(self) -> int:
        """The value of its rank within the class."""
        return self.rank.value

    @property
    def strength(self) -> int:
        """As `HandRank.strength`."""
        return self.rank.strength
