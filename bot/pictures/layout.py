"""Where everything lies: a hand's pieces in their trays, and many hands in a picture. All in pixels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.pictures.cuts import Cut
from bot.rules.game import HAND_SIZE, OX_SIZE

HAND_MARGIN: Final = (14, 10)
"""Left and right of a hand alone in its picture, and above and below it."""
_MARGIN: Final = 14
"""Around and between the hands of a picture of many."""
_ONE_COLUMN: Final = 2
"""Up to so many players stand one below another, as large as the banker."""
_COLUMNS: Final = 2
"""Side by side stand no more than these: what a phone can show in its width."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that lie together in one tray.

    Attributes:
        left: of the tray, from the left of the hand.
        width: of the tray.
        pieces: the left sides of its pieces, from the left of the hand.
    """

    left: int
    width: int
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where one hand of many goes.

    Attributes:
        left: of its badge.
        top: of its trays.
        cut: how large its pieces are.
    """

    left: int
    top: int
    cut: Cut

    @property
    def hand_left(self) -> int:
        """The left side of the hand, beside its badge."""
        return self.left + self.cut.badge + _MARGIN


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture of many hands: its sides, and a place for each hand."""

    width: int
    height: int
    places: tuple[Place, ...]


def hand_width(cut: Cut) -> int:
    """The room that a hand takes, however it is grouped: that of an ox and the two it leaves."""
    return sum(_tray_width(count, cut) for count in (OX_SIZE, HAND_SIZE - OX_SIZE)) + cut.group_gap


def tray_height(cut: Cut) -> int:
    """The height of a hand's trays."""
    return cut.height + cut.below + 2 * cut.padding


def groups(sizes: Sequence[int], cut: Cut) -> tuple[Group, ...]:
    """Lays out a hand whose groups have so many pieces, in the middle of its room."""
    widths = [_tray_width(size, cut) for size in sizes]
    left = (hand_width(cut) - sum(widths) - cut.group_gap * (len(sizes) - 1)) // 2
    laid = []
    for size, width in zip(sizes, widths, strict=True):
        first = left + cut.padding
        laid.append(Group(left, width, tuple(first + place * (cut.width + cut.gap) for place in range(size))))
        left += width + cut.group_gap
    return tuple(laid)


def _tray_width(pieces: int, cut: Cut) -> int:
    return pieces * cut.width + (pieces - 1) * cut.gap + 2 * cut.padding


def showdown(large: Cut, small: Cut, *, bank: bool, players: int) -> Layout:
    """Lays out a round: the banker's hand above, the players' below it.

    A few players stand in one column; more of them in two columns of smaller pieces.

    Args:
        large: the cut of the banker's hand, and of a few players'.
        small: the cut of many players' hands.
        bank: whether the banker's hand is among them.
        players: how many others.
    """
    if players <= _ONE_COLUMN:
        places, height = _column(int(bank) + players, large)
        return Layout(_cell_width(large) + 2 * _MARGIN, height, places)
    width = _COLUMNS * _cell_width(small) + (_COLUMNS + 1) * _MARGIN
    above, top = _column(int(bank), large, left=(width - _cell_width(large)) // 2)
    across, down = _cell_width(small) + _MARGIN, tray_height(small) + _MARGIN
    below = tuple(
        Place(_MARGIN + number % _COLUMNS * across, top + number // _COLUMNS * down, small)
        for number in range(players)
    )
    return Layout(width, top + -(-players // _COLUMNS) * down, above + below)


def _cell_width(cut: Cut) -> int:
    return cut.badge + _MARGIN + hand_width(cut)


def _column(hands: int, cut: Cut, left: int = _MARGIN) -> tuple[tuple[Place, ...], int]:
    """Places for hands one below another, and where the next would begin."""
    down = tray_height(cut) + _MARGIN
    return tuple(Place(left, _MARGIN + number * down, cut) for number in range(hands)), _MARGIN + hands * down
