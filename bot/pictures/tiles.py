"""Rendering Chinese dominoes: their sizes, faces and back.

A tile is ivory with a lacquered back, like the oldest known ones. Ones and fours are red, all other pips
black; a double six has half of each. The numbers of its two ends are also below it, for small screens.
"""

from dataclasses import dataclass, replace
from typing import Final

from PIL import Image

from bot.pictures.badges import render_back, render_count
from bot.pictures.canvas import Canvas, text_width
from bot.pictures.layout import PieceSize
from bot.pictures.png import BACK, EDGE, GOLD, HEART, PAPER, SPADE, TABLE, TRAY, Colour
from bot.pictures.shapes import DOT, STAR, Point
from bot.rules.tiles import WILD, Tile, ends_of

_LEFT, _MIDDLE, _RIGHT = -1, 0, 1
_PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((_MIDDLE, 1),),
    2: ((_LEFT, 0), (_RIGHT, 0)),
    3: ((_LEFT, 0), (_MIDDLE, 1), (_RIGHT, 2)),
    4: ((_LEFT, 0), (_RIGHT, 0), (_LEFT, 2), (_RIGHT, 2)),
    5: ((_LEFT, 0), (_RIGHT, 0), (_MIDDLE, 1), (_LEFT, 2), (_RIGHT, 2)),
    6: ((_LEFT, 0), (_LEFT, 1), (_LEFT, 2), (_RIGHT, 0), (_RIGHT, 1), (_RIGHT, 2)),
}
"""The column and the row of each pip of an end. Rows are counted from the tile's edge inwards.

The pips of a two are side by side at the edge, and a three is diagonal, as on Chinese tiles.
"""
RED_ENDS: Final = frozenset({1, 4})
_HALF_RED: Final = (6, 6)
_TWO: Final = 2
_CLEARING: Final = 1.3
"""The clearing around the star, where the groove stops, is this many times as large as the star."""
_DASH, _DASH_THICK, _DASH_SPACE = 0.28, 0.14, 0.09
"""The dash between the two numbers, its thickness, and the space beside it, as shares of their height."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSize(PieceSize):
    """One size of the tiles, and the position of everything on them; all lengths in pixels.

    Attributes:
        thickness: how much of the tile's back shows below it.
        shadow: the height of the shadow below that.
        lone_pip: the size of the single pip of a one.
        column: the distance of the outer columns of pips from the middle.
        first_row: the distance of the first row of pips from the tile's edge.
        row: the distance from one row to the next.
    """

    radius: int
    thickness: int
    shadow: int
    pip: float
    lone_pip: float
    column: float
    first_row: float
    row: float
    groove: float
    groove_width: float
    star: float
    index_height: float
    ox_head: float

    @property
    def lies(self) -> bool:
        """Whether the tiles lie on their sides."""
        return self.width > self.height


LARGE: Final = TileSize(
    width=108,
    height=232,
    below=54,
    radius=14,
    thickness=7,
    shadow=4,
    pip=26,
    lone_pip=40,
    column=27,
    first_row=27,
    row=29,
    groove=60,
    groove_width=3,
    star=27,
    index_height=33,
    ox_head=84,
    gap=10,
    group_gap=28,
    padding=12,
    tray_radius=18,
    badge=84,
    count=52,
)
"""For a picture of one hand, or of two."""

WIDE: Final = TileSize(
    width=156,
    height=74,
    below=34,
    radius=11,
    thickness=5,
    shadow=3,
    pip=17,
    lone_pip=26,
    column=20,
    first_row=17,
    row=20,
    groove=44,
    groove_width=2,
    star=20,
    index_height=24,
    ox_head=60,
    gap=6,
    group_gap=20,
    padding=6,
    tray_radius=16,
    badge=54,
    count=42,
)
"""For a picture of a few hands, one below the other: the tiles lie on their sides."""

FLAT: Final = replace(
    WIDE,
    height=48,
    below=27,
    thickness=3,
    shadow=2,
    pip=12.5,
    lone_pip=20,
    column=14,
    groove=32,
    star=17,
    index_height=22,
    ox_head=42,
    badge=42,
    count=34,
)
"""For some hands more, as wide."""

SMALL: Final = TileSize(
    width=72,
    height=109,
    below=30,
    radius=9,
    thickness=4,
    shadow=2,
    pip=13,
    lone_pip=22,
    column=18,
    first_row=12.5,
    row=15,
    groove=40,
    groove_width=2,
    star=19,
    index_height=24,
    ox_head=56,
    gap=3,
    group_gap=10,
    padding=4,
    tray_radius=11,
    badge=40,
    count=34,
)
"""For a picture of many hands."""


def tile_face(tile: Tile, size: TileSize, count: int | None = None) -> Image.Image:
    """A tile face up, on the tray: the larger end on top, the two numbers below, and what it counts."""
    canvas = _blank(size, BACK)
    canvas.panel(0, 0, size.width, size.height, size.radius, EDGE)
    canvas.panel(1, 1, size.width - 1, size.height - 1, size.radius - 1, PAPER)
    wild = tile in WILD
    _render_middle(canvas, size, wild=wild)
    if count is not None:
        render_count(canvas, count, _count_at(tile, size), size.count)
    # After the count, whose rim may reach under them.
    _render_pips(canvas, tile, size)
    _render_ends(canvas, ends_of(tile), size, GOLD if wild else PAPER)
    return canvas.finished()


def tile_back(size: TileSize) -> Image.Image:
    """A tile face down, on the tray: an ox in a frame."""
    # There are no numbers below it, so it is centred.
    top = (size.below - size.thickness - size.shadow) // 2
    canvas = _blank(size, EDGE, top)
    render_back(canvas, 0, top, size.width, top + size.height, size.radius, size.radius / 2, size.ox_head)
    return canvas.finished()


def _blank(size: TileSize, underside: Colour, top: int = 0) -> Canvas:
    """The tray with the shadow and the underside of a tile; `top` is the top of the tile."""
    canvas = Canvas(size.width, size.height + size.below, TRAY)
    for lower, colour in ((size.thickness + size.shadow, TABLE), (size.thickness, underside)):
        canvas.panel(0, top + lower, size.width, top + size.height + lower, size.radius, colour)
    return canvas


def _render_middle(canvas: Canvas, size: TileSize, *, wild: bool) -> None:
    """Renders the groove between the two ends, and the star of a wild tile."""
    across, down = size.width / 2, size.height / 2
    long, width = size.groove / 2, size.groove_width / 2
    half, thin = (width, long) if size.lies else (long, width)
    canvas.panel(across - half, down - thin, across + half, down + thin, width, EDGE)
    if wild:
        canvas.shape(DOT, (across, down), size.star * _CLEARING, PAPER)
        canvas.gilded(STAR, (across, down), size.star)


def _count_at(tile: Tile, size: TileSize) -> Point:
    """The centre of a disc that covers no pip: the tile's middle, unless a star is there."""
    if tile not in WILD:
        return size.width / 2, size.height / 2
    # Each wild tile has an end of two, whose pips are at the edge.
    return _on_tile(_MIDDLE, 1, size, below=ends_of(tile)[1] == _TWO)


def _on_tile(column: int, row: int, size: TileSize, *, below: bool) -> Point:
    """The centre of a pip of one end. The lower end is turned by 180°.

    The upper end of a tile that lies is on the left.
    """
    wide, high = (size.height, size.width) if size.lies else (size.width, size.height)
    x, y = wide / 2 + column * size.column, size.first_row + row * size.row
    x, y = (wide - x, high - y) if below else (x, y)
    return (y, wide - x) if size.lies else (x, y)


def _render_pips(canvas: Canvas, tile: Tile, size: TileSize) -> None:
    """Renders the pips of both ends."""
    ends = ends_of(tile)
    for end, below in zip(ends, (False, True), strict=True):
        pip = size.lone_pip if end == 1 else size.pip
        for column, row in _PIPS[end]:
            red = column == _LEFT if ends == _HALF_RED else end in RED_ENDS
            at = _on_tile(column, row, size, below=below)
            canvas.shape(DOT, at, pip, HEART if red else SPADE)


def _render_ends(canvas: Canvas, ends: tuple[int, int], size: TileSize, colour: Colour) -> None:
    """Renders the two numbers below the tile, with more space around the dash than the font has."""
    height, middle = size.index_height, size.width / 2
    top = size.height + size.below - height
    larger, smaller = (str(end) for end in ends)
    dash, thick, space = height * _DASH, height * _DASH_THICK, height * (_DASH / 2 + _DASH_SPACE)
    across, down = middle - dash / 2, top + (height - thick) / 2
    canvas.text(larger, middle - space - text_width(larger, height), top, height, size.width, colour)
    canvas.panel(across, down, across + dash, down + thick, 0, colour)
    canvas.text(smaller, middle + space, top, height, size.width, colour)
