"""What surrounds the pieces: seat badges, crown, outcome marks and trays; and the backs of pieces."""

import math
from typing import Final

from PIL import Image, ImageDraw

from bot.games.settle import Outcome
from bot.pictures.canvas import Canvas, text_width
from bot.pictures.png import BACK, BACK_LINE, GOLD, LOST, PAPER, TABLE, TRAY, WON, Colour
from bot.pictures.shapes import (
    BAR,
    CROWN,
    DOWN_TRIANGLE,
    OX_FEATURES,
    OX_HEAD,
    STAR,
    UP_TRIANGLE,
    Point,
    Shape,
)

OUTCOME_MARKS: Final[dict[Outcome, tuple[Shape, Colour]]] = {
    Outcome.PLAYER: (UP_TRIANGLE, WON),
    Outcome.BANKER: (DOWN_TRIANGLE, LOST),
    Outcome.PUSH: (BAR, PAPER),
}
"""The shape and the colour of each outcome's mark."""
_RIM: Final = 2
"""The width of the line around a tray, in pixels."""
FRAME: Final = 6
"""The width of the frame around a hand that is celebrated, in pixels."""
RAYS: Final = 30
"""How many rays the trays of a celebrated hand have."""


def seat_badge(seat: int, size: int) -> Image.Image:
    """The number of a seat in a ring; `size` in pixels."""
    canvas = Canvas(size, size, TABLE)
    canvas.panel(0, 0, size, size, size / 2, PAPER)
    canvas.panel(3, 3, size - 3, size - 3, size / 2 - 3, TABLE)
    text = str(seat)
    height = size * (0.54 if len(text) == 1 else 0.44)
    left = (size - text_width(text, height)) / 2
    canvas.text(text, left, (size - height) / 2, height, size, PAPER)
    return canvas.finished()


def crown_badge(size: int) -> Image.Image:
    """The banker's crown; `size` in pixels."""
    canvas = Canvas(size, size, TABLE)
    canvas.gilded(CROWN, (size / 2, size / 2), size * 0.94)
    return canvas.finished()


def outcome_mark(outcome: Outcome, size: int) -> Image.Image:
    """The mark of an outcome, with its own shape and colour; `size` in pixels."""
    shape, colour = OUTCOME_MARKS[outcome]
    canvas = Canvas(size, size, TABLE)
    canvas.shape(shape, (size / 2, size / 2), size, colour)
    return canvas.finished()


def star_mark(size: int) -> Image.Image:
    """The mark of a hand that is celebrated, in place of its outcome; `size` in pixels."""
    canvas = Canvas(size, size, TABLE)
    canvas.gilded(STAR, (size / 2, size / 2), size)
    return canvas.finished()


def frame(width: int, height: int, radius: int) -> Image.Image:
    """The frame around a hand that is celebrated; lengths in pixels."""
    canvas = Canvas(width, height, TABLE)
    canvas.panel(0, 0, width, height, radius, GOLD)
    canvas.panel(FRAME, FRAME, width - FRAME, height - FRAME, radius - FRAME, TABLE)
    return canvas.finished()


def rays(width: int, height: int) -> Image.Image:
    """Rays from the middle of a rectangle, as a mask; lengths in pixels."""
    mask = Image.new("1", (width, height))
    centre, reach, pen = (width / 2, height / 2), width, ImageDraw.Draw(mask)
    for ray in range(RAYS):
        turns = ((ray + side) * 2 * math.pi / RAYS for side in (-0.25, 0.25))
        ends = ((centre[0] + reach * math.cos(turn), centre[1] + reach * math.sin(turn)) for turn in turns)
        pen.polygon([centre, *ends], fill=1)
    return mask


def tray(width: int, height: int, radius: int, rim: Colour) -> Image.Image:
    """The tray below a group of pieces, with a rim of this colour; lengths in pixels."""
    canvas = Canvas(width, height, TABLE)
    canvas.panel(0, 0, width, height, radius, rim)
    canvas.panel(_RIM, _RIM, width - _RIM, height - _RIM, radius - _RIM, TRAY)
    return canvas.finished()


def render_count(canvas: Canvas, count: int, centre: Point, size: float) -> None:
    """Puts what a piece counts on a disc with a rim of paper; lengths in pixels."""
    (x, y), rim = centre, size / 12
    for radius, colour in ((size / 2, PAPER), (size / 2 - rim, GOLD)):
        canvas.panel(x - radius, y - radius, x + radius, y + radius, radius, colour)
    height = size * 0.5
    width = min(text_width(str(count), height), size * 0.62)
    canvas.text(str(count), x - width / 2, y - height / 2, height, width, TABLE)


def render_back(
    canvas: Canvas,
    left: float,
    top: float,
    right: float,
    bottom: float,
    radius: float,
    inset: float,
    ox_head: float,
) -> None:
    """Fills a rectangle with the back; all lengths in pixels."""
    canvas.panel(left, top, right, bottom, radius, BACK)
    line = inset + max(1, inset / 4)
    for within, corner, colour in ((inset, inset, BACK_LINE), (line, inset - 1, BACK)):
        canvas.panel(left + within, top + within, right - within, bottom - within, corner, colour)
    centre = ((left + right) / 2, (top + bottom) / 2)
    canvas.shape(OX_HEAD, centre, ox_head, BACK_LINE)
    canvas.shape(OX_FEATURES, centre, ox_head, BACK)
