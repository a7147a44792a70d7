"""A canvas: shapes and text drawn large and made small, so that their edges come out smooth."""

from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.pictures.outlines import Point, placed
from bot.pictures.palette import DEEP_GOLD, GOLD, Colour, indexed
from bot.pictures.shapes import Shape

_OVERSIZE: Final = 4
"""Drawn so many times as large, on both axes."""
_FONT_SIZE: Final = 400
"""Text is drawn this large, once, and scaled to where it stands."""
_BOLD: Final = 13
"""Stroke added around Pillow's own font, which is a regular, to make it bold; in pixels at `_FONT_SIZE`."""
_GILT_LINE: Final = 18
"""So many times as large as the line around it is what is gilded."""


class Canvas:
    """A small picture being drawn; all coordinates are pixels of the finished picture."""

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self._image = Image.new("RGB", (width * _OVERSIZE, height * _OVERSIZE), ground)
        self._draw = ImageDraw.Draw(self._image)

    def shape(self, shape: Shape, centre: Point, size: float, colour: Colour) -> None:
        """Fills a shape whose square is `size` wide and centred on `centre`."""
        for one in shape:
            at = placed(one, (centre[0] * _OVERSIZE, centre[1] * _OVERSIZE), size * _OVERSIZE)
            self._draw.polygon(at, fill=colour)

    def gilded(self, shape: Shape, centre: Point, size: float) -> None:
        """Fills a shape with gold, within a darker line; as `shape` otherwise."""
        width = round(size / _GILT_LINE * _OVERSIZE)
        for one in shape:
            at = placed(one, (centre[0] * _OVERSIZE, centre[1] * _OVERSIZE), size * _OVERSIZE)
            self._draw.line([*at, at[0], at[1]], fill=DEEP_GOLD, width=width, joint="curve")
        self.shape(shape, centre, size, GOLD)

    def panel(
        self, left: float, top: float, right: float, bottom: float, radius: float, colour: Colour
    ) -> None:
        """Fills a rectangle with round corners; `right` and `bottom` lie outside it."""
        box = [left * _OVERSIZE, top * _OVERSIZE, right * _OVERSIZE - 1, bottom * _OVERSIZE - 1]
        self._draw.rounded_rectangle(box, radius * _OVERSIZE, fill=colour)

    def text(self, text: str, left: float, top: float, height: float, widest: float, colour: Colour) -> None:
        """Writes bold digits or capitals `height` tall, condensed where they would be wider than `widest`."""
        letters, capital = _lettering(text)
        scale = height / capital
        width = min(text_width(text, height), widest)
        size = (max(1, round(width * _OVERSIZE)), max(1, round(letters.height * scale * _OVERSIZE)))
        mask = letters.resize(size, Image.Resampling.LANCZOS)
        self._image.paste(colour, (round(left * _OVERSIZE), round(top * _OVERSIZE)), mask)

    def finished(self) -> Image.Image:
        """The picture, at its own size and in the shared palette."""
        return indexed(self._image.reduce(_OVERSIZE))


def text_width(text: str, height: float) -> float:
    """How wide the text is that `Canvas.text` writes `height` tall, in pixels."""
    letters, capital = _lettering(text)
    return letters.width * height / capital


@cache
def _lettering(text: str) -> tuple[Image.Image, int]:
    """The text as a mask cropped to its ink, from the capitals' top down, and the height of a capital."""
    font = ImageFont.load_default(_FONT_SIZE)
    _, top, _, bottom = font.getbbox("H", stroke_width=_BOLD)
    left, _, right, lowest = font.getbbox(text, stroke_width=_BOLD)
    mask = Image.new("L", (round(right - left), round(max(lowest, bottom) - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font, stroke_width=_BOLD)
    return mask, round(bottom - top)
