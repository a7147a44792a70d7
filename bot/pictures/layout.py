"""The layout of pictures: a hand's pieces in their trays, and many hands in a picture. All in pixels."""

from dataclasses import dataclass
from typing import Final

from bot.rules.pieces import HAND_SIZE, OX_SIZE

HAND_MARGIN: Final = (14, 10)
"""The margin of a picture of one hand: left and right, above and below."""
_MARGIN: Final = 6
"""The margin around and between the hands of a showdown."""
BADGE_BEYOND: Final = _MARGIN - 1
"""How far a badge may reach into the margins at its left and right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceSize:
    """One size of a game's pieces, and how they are spaced; all lengths in pixels.

    Attributes:
        below: the height of what its picture shows below it: a shadow, an index.
        gap: between two pieces of a group; negative if the next one covers the edge of the one before.
        group_gap: between the trays of two groups.
        padding: between a group and the rim of its tray.
        tray_radius: of the tray's corners; small enough to keep clear of the pieces' corners.
        count: the size of the disc with what a piece counts.
    """

    width: int
    height: int
    below: int
    gap: int
    group_gap: int
    padding: int
    tray_radius: int
    badge: int
    count: int


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


def groups(size: PieceSize) -> tuple[Group, ...]:
    """Lays out an ox and the two pieces left over, each group in its own tray."""
    laid, left = [], 0
    for count in (OX_SIZE, HAND_SIZE - OX_SIZE):
        pieces = tuple(left + size.padding + place * (size.width + size.gap) for place in range(count))
        laid.append(Group(left, _tray_width(count, size), pieces))
        left += laid[-1].width + size.group_gap
    return tuple(laid)


def row(size: PieceSize) -> Group:
    """Lays out a hand without an ox: its pieces are evenly spaced, in one tray of the usual width."""
    width = hand_width(size)
    step = (width - 2 * size.padding - size.width) / (HAND_SIZE - 1)
    return Group(0, width, tuple(size.padding + round(place * step) for place in range(HAND_SIZE)))


def _tray_width(pieces: int, size: PieceSize) -> int:
    return pieces * size.width + (pieces - 1) * size.gap + 2 * size.padding


def showdown(size: PieceSize, hands: int, in_row: int) -> Layout:
    """Lays out a showdown in rows of hands, all of one size.

    The banker's hand is one of the `hands`.
    """
    across, down = size.badge + _MARGIN + hand_width(size) + _MARGIN, tray_height(size) + _MARGIN
    places = tuple(
        Place(_MARGIN + number % in_row * across, _MARGIN + number // in_row * down, size)
        for number in range(hands)
    )
    rows = -(-hands // in_row)
    return Layout(_MARGIN + in_row * across, _MARGIN + rows * down, places)
