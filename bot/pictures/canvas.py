"""A canvas for shapes and text. It renders them large and scales them down, so that edges are smooth."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.pictures.png import DEEP_GOLD, GOLD, Colour, indexed
from bot.pictures.shapes import Point, Shape, placed

OVERSIZE: Final = 4
"""The factor on both axes by which a canvas is larger than the picture."""
_FONT_SIZE: Final = 400
"""Each text is rendered once at this size, and scaled from there."""
_BOLD: Final = 13
"""The stroke that makes Pillow's own regular font bold; in pixels at `_FONT_SIZE`."""
_MINUS: Final = "\N{MINUS SIGN}"
_GILT_LINE: Final = 18
"""A gilded shape is this many times as large as the width of the line around it."""


class Canvas:
    """A small picture in progress; all coordinates are pixels of the finished picture.

    Args:
        oversize: less than `OVERSIZE` for a wide picture, which costs by its area.
    """

    def __init__(self, width: int, height: int, ground: Colour, oversize: int = OVERSIZE) -> None:
        self._oversize = oversize
        self._image = Image.new("RGB", (width * oversize, height * oversize), ground)
        self._draw = ImageDraw.Draw(self._image)

    def shape(self, shape: Shape, centre: Point, size: float, colour: Colour) -> None:
        """Fills a shape. Its square is `size` wide, with its middle at `centre`."""
        for one in shape:
            at = placed(one, (centre[0] * self._oversize, centre[1] * self._oversize), size * self._oversize)
            self._draw.polygon(at, fill=colour)

    def gilded(self, shape: Shape, centre: Point, size: float) -> None:
        """As `shape`, in gold with a darker line around it."""
        width = round(size / _GILT_LINE * self._oversize)
        for one in shape:
            at = placed(one, (centre[0] * self._oversize, centre[1] * self._oversize), size * self._oversize)
            self._draw.line([*at, at[0], at[1]], fill=DEEP_GOLD, width=width, joint="curve")
        self.shape(shape, centre, size, GOLD)

    def panel(
        self, left: float, top: float, right: float, bottom: float, radius: float, colour: Colour
    ) -> None:
        """Fills a rectangle with round corners; `right` and `bottom` are exclusive.

        One that is thinner than a pixel of the large picture is drawn that thick.
        """
        x, y = left * self._oversize, top * self._oversize
        end = max(x, right * self._oversize - 1), max(y, bottom * self._oversize - 1)
        self._draw.rounded_rectangle((x, y, *end), radius * self._oversize, fill=colour)

    def area(self, corners: Sequence[Point], colour: Colour) -> None:
        """Fills what is between these corners."""
        self._draw.polygon([(x * self._oversize, y * self._oversize) for x, y in corners], fill=colour)

    def line(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """Draws a line from point to point."""
        at = [(x * self._oversize, y * self._oversize) for x, y in points]
        wide = round(width * self._oversize)
        self._draw.line(at, fill=colour, width=wide)
        # Round corners; Pillow's own take ten times as long.
        for x, y in at[1:-1]:
            self._draw.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=colour)

    def text(self, text: str, left: float, top: float, height: float, widest: float, colour: Colour) -> None:
        """Writes bold digits or capitals `height` tall, condensed to at most `widest`."""
        letters, capital = _lettering(text)
        scale = height / capital
        width = min(text_width(text, height), widest)
        size = (max(1, round(width * self._oversize)), max(1, round(letters.height * scale * self._oversize)))
        mask = letters.resize(size, Image.Resampling.LANCZOS)
        self._image.paste(colour, (round(left * self._oversize), round(top * self._oversize)), mask)

    def finished(self) -> Image.Image:
        """The finished picture, in the shared palette."""
        return indexed(self._image.reduce(self._oversize))


def text_width(text: str, height: float) -> float:
    """The width in pixels of a text that `Canvas.text` writes `height` tall."""
    letters, capital = _lettering(text)
    return letters.width * height / capital


def advance(character: str, height: float) -> tuple[float, float]:
    """How far right the ink of a character begins, and the next character; in pixels."""
    ink, following = _advance(character)
    return ink * height, following * height


@cache
def _advance(character: str) -> tuple[float, float]:
    font = ImageFont.load_default(_FONT_SIZE)
    character = "+" if character == _MINUS else character
    _, capital = _lettering("H")
    return font.getbbox(character, stroke_width=_BOLD)[0] / capital, font.getlength(character) / capital


@lru_cache(maxsize=32)
def _lettering(text: str) -> tuple[Image.Image, int]:
    """The text as a mask, cropped to its ink below the top of the capitals; and the height of a capital.

    A minus sign stands alone: the font has none, and it is the bar of the plus.
    """
    if text == _MINUS:
        plus, capital = _lettering("+")
        ink = plus.crop((plus.width // 4, 0, plus.width // 4 + 1, plus.height)).getbbox()
        assert ink is not None
        bar = (0, ink[1], plus.width, ink[3])
        mask = Image.new("L", plus.size)
        mask.paste(plus.crop(bar), bar)
        return mask, capital
    font = ImageFont.load_default(_FONT_SIZE)
    _, top, _, bottom = font.getbbox("H", stroke_width=_BOLD)
    left, _, right, lowest = font.getbbox(text, stroke_width=_BOLD)
    mask = Image.new("L", (round(right - left), round(max(lowest, bottom) - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font, stroke_width=_BOLD)
    return mask, round(bottom - top)
