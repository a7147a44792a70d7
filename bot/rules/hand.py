"""A hand of five pieces, and how it ranks, in any game."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from bot.rules.knobs import GameName
from bot.rules.pieces import Piece

HAND_SIZE: Final = 5
OX_SIZE: Final = 3
POWER_SIZE: Final = HAND_SIZE - OX_SIZE


class HandClass(IntEnum):
    """The classes of hands, weakest first. Each game has its own."""


_STEP: Final = 16
"""Room for all values of one class in `strength`: the doubles of Gnau need 13."""


def _strength(hand_class: HandClass, value: int) -> int:
    return hand_class * _STEP + value


@dataclass(frozen=True, slots=True)
class HandRank:
    """How pieces rank, and the multiple that this rank wins.

    Attributes:
        hand_class: the class.
        value: the value within the class; 0 if the class has only one.
        multiple: what it wins, in stakes; 0 if it never wins.
        nenku: whether the power cards are a duke and an ace, but not the ace of spades (G11).
    """

    hand_class: HandClass
    value: int = 0
    multiple: int = 0
    nenku: bool = False

    @property
    def strength(self) -> int:
        """A number that orders hands under one rule set: the higher wins, equal is a tie (G16, T08)."""
        return _strength(self.hand_class, self.value)


@dataclass(frozen=True, slots=True)
class Hand:
    """Five pieces, arranged and ranked.

    Attributes:
        pieces: the five pieces, in the order dealt.
        hand_class: the class.
        value: the value within the class: 1 to 10 for a Single-Ox, 1 (ace) to 13 (king) for a Double-Ox, 0 to
            9 for a score of Tau Ngau, else 0.
        ox: the three pieces of the ox, which Tau Ngau calls the discard; empty without an ox.
        power: the two pieces left over; empty without an ox.
        multiple: what it wins, in stakes (G18, T09); 0 if it never wins.
        nenku: whether the power cards are a duke and an ace, but not the ace of spades (G11).
        suited: whether it pays double because the pieces that the house chose are of one suit (G21).
        game: the game.
    """

    pieces: tuple[Piece, ...]
    hand_class: HandClass
    value: int = 0
    ox: tuple[Piece, ...] = ()
    power: tuple[Piece, ...] = ()
    multiple: int = 0
    nenku: bool = False
    suited: bool = False
    game: GameName = GameName.GNAU

    @property
    def strength(self) -> int:
        """As `HandRank.strength`."""
        return _strength(self.hand_class, self.value)
