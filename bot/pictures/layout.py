"""The layout of pictures: a hand's pieces in their trays, and many hands in a picture. All in pixels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.rules.hand import HAND_SIZE, OX_SIZE

HAND_MARGIN: Final = (14, 10)
"""The margin of a picture of one hand: left and right, above and below."""
_MARGIN: Final = 14
"""The margin around and between the hands of a showdown."""
_ONE_COLUMN: Final = 2
"""Up to this many players are in one column, as large as the banker."""
_COLUMNS: Final = 2
"""More players are in this many columns: as many as fit the width of a phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceSize:
    """One size of a game's pieces, and how they are spaced; all lengths in pixels.

    Attributes:
        width: of a piece.
        height: of a piece.
        below: the height of what its picture shows below it: a shadow, an index.
        gap: between two pieces of a group.
        group_gap: between the trays of two groups.
        padding: between a group and the rim of its tray.
        tray_radius: of the tray's corners; small enough to keep clear of the pieces' corners.
        badge: the size of the badge beside a hand.
    """

    width: int
    height: int
    below: int
    gap: int
    group_gap: int
    padding: int
    tray_radius: int
    badge: int


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that share one tray.

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
    """The place of one hand in a showdown.

    Attributes:
        left: of its badge.
        top: of its trays.
        size: how large its pieces are.
    """

    left: int
    top: int
    size: PieceSize

    @property
    def hand_left(self) -> int:
        """The left side of the hand, beside its badge."""
        return self.left + self.size.badge + _MARGIN


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a showdown: width, height, and a place for each hand."""

    width: int
    height: int
    places: tuple[Place, ...]


def hand_width(size: PieceSize) -> int:
    """The width reserved for a hand in any grouping: that of an ox and the two pieces left over."""
    return sum(_tray_width(count, size) for count in (OX_SIZE, HAND_SIZE - OX_SIZE)) + size.group_gap


def tray_height(size: PieceSize) -> int:
    """The height of a hand's trays."""
    return size.height + size.below + 2 * size.padding


def groups(counts: Sequence[int], size: PieceSize) -> tuple[Group, ...]:
    """Lays out the groups of a hand, centred in its width; `counts` are the pieces in each group."""
    widths = [_tray_width(count, size) for count in counts]
    left = (hand_width(size) - sum(widths) - size.group_gap * (len(counts) - 1)) // 2
    laid = []
    for count, width in zip(counts, widths, strict=True):
        first, step = left + size.padding, size.width + size.gap
        laid.append(Group(left, width, tuple(first + place * step for place in range(count))))
        left += width + size.group_gap
    return tuple(laid)


def _tray_width(pieces: int, size: PieceSize) -> int:
    return pieces * size.width + (pieces - 1) * size.gap + 2 * size.padding


def showdown(large: PieceSize, small: PieceSize, *, bank: bool, players: int) -> Layout:
    """Lays out a showdown: the banker's hand on top, the players' below.

    One or two players are in one column; more are in two columns of smaller pieces.

    Args:
        large: the size of the banker's pieces, and of up to two players'.
        small: the size of the pieces of more players.
        bank: whether the banker's hand is in the picture.
        players: the number of players.
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


def _cell_width(size: PieceSize) -> int:
    return size.badge + _MARGIN + hand_width(size)


def _column(hands: int, size: PieceSize, left: int = _MARGIN) -> tuple[tuple[Place, ...], int]:
    """Places for hands in one column, and the top of the next one."""
    down = tray_height(size) + _MARGIN
    places = tuple(Place(left, _MARGIN + number * down, size) for number in range(hands))
    return places, _MARGIN + hands * down
