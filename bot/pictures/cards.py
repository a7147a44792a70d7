"""Rendering playing cards: their sizes, faces and back."""

from dataclasses import dataclass, replace
from typing import Final

from PIL import Image

from bot.pictures.badges import render_back, render_count
from bot.pictures.canvas import Canvas
from bot.pictures.layout import PieceSize
from bot.pictures.png import EDGE, PAPER, SUIT_COLOURS, TABLE, TRAY
from bot.pictures.shapes import HEADGEAR, SUIT_SHAPES, Point
from bot.rules.cards import JACK, RANKS, Card, rank_of, suit_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSize(PieceSize):
    """One size of the cards, and the position of everything on them; all lengths in pixels.

    Attributes:
        index_at: the upper left corner of the rank.
        corner_pip: the size of the small suit beside the rank; 0 for none.
        court_pip_at: the centre of the large suit on a court card, below the headgear.
    """

    radius: int
    index_at: Point
    index_height: float
    index_width: float
    corner_pip_at: Point
    corner_pip: float
    pip_at: Point
    pip: float
    court_pip_at: Point
    court_pip: float
    headgear_at: Point
    headgear: float
    ox_head: float


LARGE: Final = CardSize(
    width=156,
    height=216,
    below=4,
    radius=14,
    index_at=(12, 14),
    index_height=62,
    index_width=84,
    corner_pip_at=(124, 42),
    corner_pip=38,
    pip_at=(78, 145),
    pip=102,
    court_pip_at=(78, 167),
    court_pip=80,
    headgear_at=(78, 109),
    headgear=82,
    ox_head=104,
    gap=8,
    group_gap=28,
    padding=10,
    tray_radius=18,
    badge=84,
    count=68,
)
"""For a picture of one hand, or of two."""

WIDE: Final = CardSize(
    width=156,
    height=94,
    below=4,
    radius=12,
    index_at=(12, 12),
    index_height=70,
    index_width=64,
    corner_pip_at=(0, 0),
    corner_pip=0,
    pip_at=(114, 47),
    pip=68,
    court_pip_at=(114, 56),
    court_pip=62,
    headgear_at=(114, 17),
    headgear=30,
    ox_head=78,
    gap=6,
    group_gap=20,
    padding=6,
    tray_radius=16,
    badge=54,
    count=48,
)
"""For a picture of a few hands, one below the other: what is on a card is side by side."""

FLAT: Final = replace(
    WIDE,
    height=64,
    index_at=(14, 7),
    index_height=51,
    pip_at=(112, 32),
    pip=51,
    court_pip_at=(112, 40),
    court_pip=44,
    headgear_at=(112, 12),
    headgear=22,
    ox_head=53,
    badge=38,
    count=38,
)
"""For some hands more, as wide."""

SMALL: Final = CardSize(
    width=94,
    height=124,
    below=3,
    radius=9,
    index_at=(8, 9),
    index_height=48,
    index_width=62,
    corner_pip_at=(0, 0),
    corner_pip=0,
    pip_at=(53, 87),
    pip=62,
    court_pip_at=(53, 87),
    court_pip=62,
    headgear_at=(70, 23),
    headgear=30,
    ox_head=62,
    gap=-8,
    group_gap=8,
    padding=3,
    tray_radius=10,
    badge=36,
    count=46,
)
"""For a picture of many hands: on a phone, where two hands are side by side, a card is 26 pixels wide."""


def card_face(card: Card, size: CardSize, count: int | None = None) -> Image.Image:
    """A card face up, on the tray, with what it counts in its lower right corner if that is given."""
    suit = suit_of(card)
    shape, colour = SUIT_SHAPES[suit], SUIT_COLOURS[suit]
    canvas = _blank(size)
    canvas.text(RANKS[rank_of(card)], *size.index_at, size.index_height, size.index_width, colour)
    if size.corner_pip:
        canvas.shape(shape, size.corner_pip_at, size.corner_pip, colour)
    if rank_of(card) < JACK:
        canvas.shape(shape, size.pip_at, size.pip, colour)
    else:
        canvas.shape(shape, size.court_pip_at, size.court_pip, colour)
        canvas.gilded(HEADGEAR[rank_of(card) - JACK], size.headgear_at, size.headgear)
    if count is not None:
        # The next card may cover the right edge.
        right = size.width + min(size.gap, 0)
        centre = right - size.count / 2, size.height - size.count / 2
        render_count(canvas, count, centre, size.count)
    return canvas.finished()


def card_back(size: CardSize) -> Image.Image:
    """A card face down, on the tray: an ox in a frame."""
    canvas = _blank(size)
    rim = size.radius / 2
    right, bottom = size.width - rim, size.height - rim
    render_back(canvas, rim, rim, right, bottom, size.radius - rim / 2, rim, size.ox_head)
    return canvas.finished()


def _blank(size: CardSize) -> Canvas:
    canvas = Canvas(size.width, size.height + size.below, TRAY)
    canvas.panel(0, size.below, size.width, size.height + size.below, size.radius, TABLE)
    # Where a card lies on the one before it, the line between them is seen on a phone too.
    line = 1 if size.gap > 0 else 3
    canvas.panel(0, 0, size.width, size.height, size.radius, EDGE)
    canvas.panel(line, line, size.width - line, size.height - line, size.radius - line, PAPER)
    return canvas
