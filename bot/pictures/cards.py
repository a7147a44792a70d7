"""Drawing playing cards: their cuts, their faces and their back."""

from dataclasses import dataclass
from typing import Final

from PIL import Image

from bot.pictures.backs import draw_back
from bot.pictures.canvas import Canvas
from bot.pictures.cuts import Cut
from bot.pictures.outlines import Point
from bot.pictures.palette import EDGE, PAPER, SUIT_COLOURS, TABLE, TRAY
from bot.pictures.shapes import HEADGEAR, SUIT_SHAPES
from bot.rules.cards import JACK, RANKS, Card, rank_of, suit_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCut(Cut):
    """One size of the deck, and where on a card everything stands; all lengths in pixels.

    Attributes:
        radius: of a card's corners.
        index_at: the upper left corner of the rank.
        index_height: the height of the rank's letters.
        index_width: the most that they may take.
        corner_pip_at: the centre of the small suit beside the rank.
        corner_pip: its size; 0 for none.
        pip_at: the centre of the large suit.
        pip: its size.
        court_pip_at: the same on a court card, where headgear stands upon it.
        court_pip: its size there.
        headgear_at: the centre of the headgear.
        headgear: its size.
        ox_head: the size of the ox on the back.
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


LARGE: Final = CardCut(
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
)
"""One hand alone in a picture."""

SMALL: Final = CardCut(
    width=94,
    height=132,
    below=3,
    radius=9,
    index_at=(8, 9),
    index_height=48,
    index_width=62,
    corner_pip_at=(0, 0),
    corner_pip=0,
    pip_at=(56, 92),
    pip=64,
    court_pip_at=(56, 92),
    court_pip=64,
    headgear_at=(73, 23),
    headgear=30,
    ox_head=64,
    gap=4,
    group_gap=12,
    padding=5,
    tray_radius=10,
    badge=50,
)
"""Many hands in a picture: the rank and the suit as large as the card can bear."""


def card_face(card: Card, cut: CardCut) -> Image.Image:
    """A card turned up, on the tray."""
    suit = suit_of(card)
    shape, colour = SUIT_SHAPES[suit], SUIT_COLOURS[suit]
    canvas = _blank(cut)
    canvas.text(RANKS[rank_of(card)], *cut.index_at, cut.index_height, cut.index_width, colour)
    if cut.corner_pip:
        canvas.shape(shape, cut.corner_pip_at, cut.corner_pip, colour)
    if rank_of(card) < JACK:
        canvas.shape(shape, cut.pip_at, cut.pip, colour)
    else:
        canvas.shape(shape, cut.court_pip_at, cut.court_pip, colour)
        canvas.gilded(HEADGEAR[rank_of(card) - JACK], cut.headgear_at, cut.headgear)
    return canvas.finished()


def card_back(cut: CardCut) -> Image.Image:
    """A card face down, on the tray: an ox in a frame."""
    canvas = _blank(cut)
    rim = cut.radius / 2
    draw_back(canvas, rim, rim, cut.width - rim, cut.height - rim, cut.radius - rim / 2, rim, cut.ox_head)
    return canvas.finished()


def _blank(cut: CardCut) -> Canvas:
    canvas = Canvas(cut.width, cut.height + cut.below, TRAY)
    canvas.panel(0, cut.below, cut.width, cut.height + cut.below, cut.radius, TABLE)
    canvas.panel(0, 0, cut.width, cut.height, cut.radius, EDGE)
    canvas.panel(1, 1, cut.width - 1, cut.height - 1, cut.radius - 1, PAPER)
    return canvas
