"""Drawing one piece: the face of a card, its back, a seat's badge, the mark of an outcome, the tray below."""

from typing import Final

from PIL import Image

from bot.pictures.canvas import Canvas, text_width
from bot.pictures.cuts import Cut
from bot.pictures.palette import (
    BACK,
    BACK_LINE,
    DEEP_GOLD,
    EDGE,
    GOLD,
    LOST,
    PAPER,
    SUIT_COLOURS,
    TABLE,
    TRAY,
    WON,
    Colour,
)
from bot.pictures.shapes import (
    BAR,
    CROWN,
    DOWN_TRIANGLE,
    HEADGEAR,
    OX_FEATURES,
    OX_HEAD,
    SUIT_SHAPES,
    UP_TRIANGLE,
    Shape,
)
from bot.rules.cards import JACK, RANKS, Card, rank_of, suit_of
from bot.rules.settle import Outcome

_MARKS: Final[dict[Outcome, tuple[Shape, Colour]]] = {
    Outcome.PLAYER: (UP_TRIANGLE, WON),
    Outcome.BANKER: (DOWN_TRIANGLE, LOST),
    Outcome.DRAW: (BAR, PAPER),
}
_RIM: Final = 2
"""The width of the line around a tray, in pixels."""


def card_face(card: Card, cut: Cut) -> Image.Image:
    """A card turned up, on the tray."""
    suit = suit_of(card)
    shape, colour = SUIT_SHAPES[suit], SUIT_COLOURS[suit]
    canvas = _blank(cut, PAPER)
    canvas.text(RANKS[rank_of(card)], *cut.index_at, cut.index_height, cut.index_width, colour)
    if cut.corner_pip:
        canvas.shape(shape, cut.corner_pip_at, cut.corner_pip, colour)
    if rank_of(card) < JACK:
        canvas.shape(shape, cut.pip_at, cut.pip, colour)
    else:
        canvas.shape(shape, cut.court_pip_at, cut.court_pip, colour)
        _golden(canvas, HEADGEAR[rank_of(card) - JACK], cut.headgear_at, cut.headgear)
    return canvas.finished()


def card_back(cut: Cut) -> Image.Image:
    """A card face down, on the tray: an ox in a frame."""
    canvas = _blank(cut, PAPER)
    rim = cut.radius / 2
    canvas.panel(rim, rim, cut.width - rim, cut.height - rim, cut.radius - rim / 2, BACK)
    frame = rim * 2
    canvas.panel(frame, frame, cut.width - frame, cut.height - frame, rim, BACK_LINE)
    line = frame + max(1, rim / 4)
    canvas.panel(line, line, cut.width - line, cut.height - line, rim - 1, BACK)
    centre = (cut.width / 2, cut.height / 2)
    canvas.shape(OX_HEAD, centre, cut.ox_head, BACK_LINE)
    canvas.shape(OX_FEATURES, centre, cut.ox_head, BACK)
    return canvas.finished()


def _blank(cut: Cut, colour: Colour) -> Canvas:
    canvas = Canvas(cut.width, cut.height + cut.shadow, TRAY)
    canvas.panel(0, cut.shadow, cut.width, cut.height + cut.shadow, cut.radius, TABLE)
    canvas.panel(0, 0, cut.width, cut.height, cut.radius, EDGE)
    canvas.panel(1, 1, cut.width - 1, cut.height - 1, cut.radius - 1, colour)
    return canvas


def _golden(canvas: Canvas, shape: Shape, centre: tuple[float, float], size: float) -> None:
    canvas.contour(shape, centre, size, DEEP_GOLD, size / 18)
    canvas.shape(shape, centre, size, GOLD)


def seat_badge(seat: int, size: int) -> Image.Image:
    """The number of a seat in a ring, on the table; `size` in pixels."""
    canvas = Canvas(size, size, TABLE)
    canvas.panel(0, 0, size, size, size / 2, PAPER)
    canvas.panel(3, 3, size - 3, size - 3, size / 2 - 3, TABLE)
    text = str(seat)
    height = size * (0.54 if len(text) == 1 else 0.44)
    left = (size - text_width(text, height)) / 2
    canvas.text(text, left, (size - height) / 2, height, size, PAPER)
    return canvas.finished()


def crown_badge(size: int) -> Image.Image:
    """The banker's crown, on the table; `size` in pixels."""
    canvas = Canvas(size, size, TABLE)
    _golden(canvas, CROWN, (size / 2, size / 2), size * 0.94)
    return canvas.finished()


def outcome_mark(outcome: Outcome, size: int) -> Image.Image:
    """What became of a hand, by shape and by colour, on the table; `size` in pixels."""
    shape, colour = _MARKS[outcome]
    canvas = Canvas(size, size, TABLE)
    canvas.shape(shape, (size / 2, size / 2), size, colour)
    return canvas.finished()


def tray(width: int, height: int, radius: int, rim: Colour) -> Image.Image:
    """The inlay below a group of cards, with a rim of this colour, on the table; lengths in pixels."""
    canvas = Canvas(width, height, TABLE)
    canvas.panel(0, 0, width, height, radius, rim)
    canvas.panel(_RIM, _RIM, width - _RIM, height - _RIM, radius - _RIM, TRAY)
    return canvas.finished()
