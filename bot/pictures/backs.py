"""The back of cards and tiles: an ox in a frame."""

from bot.pictures.canvas import Canvas
from bot.pictures.palette import BACK, BACK_LINE
from bot.pictures.shapes import OX_FEATURES, OX_HEAD


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
    """Fills a rectangle with the back; all lengths in pixels.

    Args:
        canvas: the canvas to render on.
        left: the left side of the rectangle.
        top: its top.
        right: its right side, exclusive.
        bottom: its bottom, exclusive.
        radius: the radius of its corners.
        inset: the distance of the frame from the sides.
        ox_head: the size of the ox in the middle.
    """
    canvas.panel(left, top, right, bottom, radius, BACK)
    line = inset + max(1, inset / 4)
    for within, corner, colour in ((inset, inset, BACK_LINE), (line, inset - 1, BACK)):
        canvas.panel(left + within, top + within, right - within, bottom - within, corner, colour)
    centre = ((left + right) / 2, (top + bottom) / 2)
    canvas.shape(OX_HEAD, centre, ox_head, BACK_LINE)
    canvas.shape(OX_FEATURES, centre, ox_head, BACK)
