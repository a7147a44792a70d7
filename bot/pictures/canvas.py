"""A canvas for shapes and text. It renders them large and scales them down, so that edges are smooth."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.pictures.png import DEEP_GOLD, GOLD, Colour, indexed
from bot.pictures.shapes import Point, Shape, placed

_OVERSIZE: Final = 4
"""The factor on both axes by which the canvas is larger than the picture."""
_FONT_SIZE: Final = 400
"""Each text is rendered once at this size, and scaled from there."""
_BOLD: Final = 13
"""The stroke that makes Pillow's own regular font bold; in pixels at `_FONT_SIZE`."""
_GILT_LINE: Final = 18
"""A gilded shape is this many times as large as the width of the line around it."""


class Canvas:
    """A small picture in progress; all coordinates are pixels of the finished picture."""

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self._image = Image.new("RGB", (width * _OVERSIZE, height * _OVERSIZE), ground)
        self._draw = ImageDraw.Draw(self._image)

    def shape(self, shape: Shape, centre: Point, size: float, colour: Colour) -> None:
        """Fills a shape. Its square is `size` wide, with its middle at `centre`."""
        for one in shape:
            at = placed(one, (centre[0] * _OVERSIZE, centre[1] * _OVERSIZE), size * _OVERSIZE)
            self._draw.polygon(at, fill=colour)

    def gilded(self, shape: Shape, centre: Point, size: float) -> None:
        """As `shape`, in gold with a darker line around it."""
        width = round(size / _GILT_LINE * _OVERSIZE)
        for one in shape:
            at = placed(one, (centre[0] * _OVERSIZE, centre[1] * _OVERSIZE), size * _OVERSIZE)
            self._draw.line([*at, at[0], at[1]], fill=DEEP_GOLD, width=width, joint="curve")
        self.shape(shape, centre, size, GOLD)

    def panel(
        self, left: float, top: float, right: float, bottom: float, radius: float, colour: Colour
    ) -> None:
        """Fills a rectangle with round corners; `right` and `bottom` are exclusive."""
        box = [left * _OVERSIZE, top * _OVERSIZE, right * _OVERSIZE - 1, bottom * _OVERSIZE - 1]
        self._draw.rounded_rectangle(box, radius * _OVERSIZE, fill=colour)

    def area(self, corners: Sequence[Point], colour: Colour) -> None:
        """Fills what is between these corners."""
        self._draw.polygon([(x * _OVERSIZE, y * _OVERSIZE) for x, y in corners], fill=colour)

    def line(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """Draws a line from point to point."""
        at = [(x * _OVERSIZE, y * _OVERSIZE) for x, y in points]
        self._draw.line(at, fill=colour, width=round(width * _OVERSIZE), joint="curve")

    def text(self, text: str, left: float, top: float, height: float, widest: float, colour: Colour) -> None:
        """Writes bold digits or capitals `height` tall, condensed to at most `widest`."""
        letters, capital = _lettering(text)
        scale = height / capital
        width = min(text_width(text, height), widest)
        size = (max(1, round(width * _OVERSIZE)), max(1, round(letters.height * scale * _OVERSIZE)))
        mask = letters.resize(size, Image.Resampling.LANCZOS)
        self._image.paste(colour, (round(left * _OVERSIZE), round(top * _OVERSIZE)), mask)

    def finished(self) -> Image.Image:
        """The finished picture, in the shared palette."""
        return indexed(self._image.reduce(_OVERSIZE))


def text_width(text: str, height: float) -> float:
    """The width in pixels of a text that `Canvas.text` writes `height` tall."""
    letters, capital = _lettering(text)
    return letters.width * height / capital


@cache
def _lettering(text: str) -> tuple[Image.Image, int]:
    """The text as a mask, cropped to its ink below the top of the capitals; and the height of a capital."""
    font = ImageFont.load_default(_FONT_SIZE)
    _, top, _, bottom = font.getbbox("H", stroke_width=_BOLD)
    left, _, right, lowest = font.getbbox(text, stroke_width=_BOLD)
    mask = Image.new("L", (round(right - left), round(max(lowest, bottom) - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font, stroke_width=_BOLD)
    return mask, round(bottom - top)
