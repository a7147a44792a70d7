"""Drawing Chinese dominoes: their cuts, their faces and their back.

A tile is ivory before a lacquered back, as the oldest that are known: ones and fours are red, all other pips
black, and a double six has half of each. Its two ends are written below it too, for small screens.
"""

from dataclasses import dataclass
from typing import Final

from PIL import Image

from bot.pictures.backs import draw_back
from bot.pictures.canvas import Canvas, text_width
from bot.pictures.cuts import Cut
from bot.pictures.palette import BACK, EDGE, GOLD, HEART, PAPER, SPADE, TABLE, TRAY, Colour
from bot.pictures.shapes import DOT, STAR
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
"""Where the pips of an end are: the column, and the row, counted from the tile's edge inwards.

A two lies at the edge, side by side, and a three aslant, as Chinese tiles have them.
"""
_RED_ENDS: Final = frozenset({1, 4})
_HALF_RED: Final = (6, 6)
_CLEARING: Final = 1.3
"""The groove stops short of the star: so many times as large is the room around it."""
_DASH, _DASH_THICK, _DASH_AIR = 0.28, 0.14, 0.09
"""The dash between the two numbers, its thickness, and the room beside it: all as shares of their height."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileCut(Cut):
    """One size of the woodpile, and where on a tile everything stands; all lengths in pixels.

    Attributes:
        radius: of a tile's corners.
        thickness: how much of the tile's other side shows below it.
        shadow: how far its shadow reaches below that.
        pip: the size of a pip.
        lone_pip: the size of the one.
        column: how far the outer columns of pips are from the middle.
        first_row: how far the first row of pips is from the tile's edge.
        row: from one row to the next.
        groove: the length of the groove between the two ends.
        groove_width: its width.
        star: the size of the star on a wild tile.
        index_height: the height of the numbers below the tile.
        ox_head: the size of the ox on the back.
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


LARGE: Final = TileCut(
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
)
"""One hand alone in a picture."""

SMALL: Final = TileCut(
    width=72,
    height=154,
    below=41,
    radius=9,
    thickness=5,
    shadow=3,
    pip=18,
    lone_pip=28,
    column=18,
    first_row=17,
    row=20,
    groove=40,
    groove_width=2,
    star=19,
    index_height=26,
    ox_head=56,
    gap=6,
    group_gap=14,
    padding=7,
    tray_radius=11,
    badge=50,
)
"""Many hands in a picture."""


def tile_face(tile: Tile, cut: TileCut) -> Image.Image:
    """A tile turned up, on the tray, with its larger end above, and the two numbers below it."""
    canvas = _blank(cut, BACK)
    canvas.panel(0, 0, cut.width, cut.height, cut.radius, EDGE)
    canvas.panel(1, 1, cut.width - 1, cut.height - 1, cut.radius - 1, PAPER)
    wild = tile in WILD
    _draw_middle(canvas, cut, wild=wild)
    _draw_pips(canvas, tile, cut)
    _write_ends(canvas, ends_of(tile), cut, GOLD if wild else PAPER)
    return canvas.finished()


def tile_back(cut: TileCut) -> Image.Image:
    """A tile face down, on the tray: an ox in a frame."""
    # There are no numbers below it: it lies in the middle.
    top = (cut.below - cut.thickness - cut.shadow) // 2
    canvas = _blank(cut, EDGE, top)
    draw_back(canvas, 0, top, cut.width, top + cut.height, cut.radius, cut.radius / 2, cut.ox_head)
    return canvas.finished()


def _blank(cut: TileCut, underside: Colour, top: int = 0) -> Canvas:
    """The tray, with the shadow of a tile that lies so far down, and what shows of its other side."""
    canvas = Canvas(cut.width, cut.height + cut.below, TRAY)
    for lower, colour in ((cut.thickness + cut.shadow, TABLE), (cut.thickness, underside)):
        canvas.panel(0, top + lower, cut.width, top + cut.height + lower, cut.radius, colour)
    return canvas


def _draw_middle(canvas: Canvas, cut: TileCut, *, wild: bool) -> None:
    """The groove between the two ends, and on a wild tile a star upon it."""
    across, down = cut.width / 2, cut.height / 2
    half, width = cut.groove / 2, cut.groove_width
    canvas.panel(across - half, down - width / 2, across + half, down + width / 2, width / 2, EDGE)
    if wild:
        canvas.shape(DOT, (across, down), cut.star * _CLEARING, PAPER)
        canvas.gilded(STAR, (across, down), cut.star)


def _draw_pips(canvas: Canvas, tile: Tile, cut: TileCut) -> None:
    """The pips of both ends; how an end looks, the lower one does turned by half a turn."""
    ends = ends_of(tile)
    for end, below in zip(ends, (False, True), strict=True):
        size = cut.lone_pip if end == 1 else cut.pip
        for column, row in _PIPS[end]:
            x, y = cut.width / 2 + column * cut.column, cut.first_row + row * cut.row
            at = (cut.width - x, cut.height - y) if below else (x, y)
            red = column == _LEFT if ends == _HALF_RED else end in _RED_ENDS
            canvas.shape(DOT, at, size, HEART if red else SPADE)


def _write_ends(canvas: Canvas, ends: tuple[int, int], cut: TileCut, colour: Colour) -> None:
    """The two numbers below the tile, with more air around their dash than the font gives it."""
    height, middle = cut.index_height, cut.width / 2
    top = cut.height + cut.below - height
    larger, smaller = (str(end) for end in ends)
    dash, thick, air = height * _DASH, height * _DASH_THICK, height * (_DASH / 2 + _DASH_AIR)
    across, down = middle - dash / 2, top + (height - thick) / 2
    canvas.text(larger, middle - air - text_width(larger, height), top, height, cut.width, colour)
    canvas.panel(across, down, across + dash, down + thick, 0, colour)
    canvas.text(smaller, middle + air, top, height, cut.width, colour)
