"""The chips of a server's members by week as a PNG, without words: how many there are, and what changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.pictures.canvas import Canvas, text_width
from bot.pictures.png import EDGE, GOLD, LOST, PAPER, TABLE, TRAY, WON, Colour, png
from bot.pictures.shapes import Point

PARTS: Final[tuple[Colour, ...]] = (GOLD, WON, PAPER, LOST)
"""Opening chips; daily chips and relief; what admins gave and took; what the house paid or gained."""
_WIDTH: Final = 900
_LINE: Final = 260
"""The height of the line; in pixels, as all lengths. On a phone, they are less than half."""
_BARS: Final = 240
_GAP: Final = 20
_DIGITS: Final = 40


@dataclass(frozen=True, slots=True)
class WeekOfChips:
    """A week: the chips at its end, and what came (above zero) or went, in the order of `PARTS`."""

    owned: int
    parts: tuple[int, ...]


def supply_picture(weeks: Sequence[WeekOfChips], figure: str) -> bytes:
    """Above, the chips at the end of each week as a line; below, what came in it and went, as bars.

    Args:
        figure: the chips there are now, as they are to be read.
    """
    canvas = Canvas(_WIDTH, _LINE + _BARS, TABLE)
    step = (_WIDTH - 2 * _GAP) / len(weeks)
    middles = [_GAP + (number + 0.5) * step for number in range(len(weeks))]
    highest = max(1, *(week.owned for week in weeks))
    top, bottom = 2 * _GAP + _DIGITS, _LINE - _GAP
    points: list[Point] = [
        (middle, bottom - week.owned / highest * (bottom - top))
        for middle, week in zip(middles, weeks, strict=True)
    ]
    if len(points) > 1:
        canvas.area([(points[0][0], bottom), *points, (points[-1][0], bottom)], TRAY)
        canvas.line(points, 6, GOLD)
    x, y = points[-1]
    canvas.panel(x - 9, y - 9, x + 9, y + 9, 9, GOLD)
    canvas.line([(_GAP, bottom), (_WIDTH - _GAP, bottom)], 2, EDGE)
    canvas.text(figure, _GAP, _GAP, _DIGITS, min(text_width(figure, _DIGITS), _WIDTH - 2 * _GAP), PAPER)
    _bars(canvas, weeks, middles, step)
    return png(canvas.finished())


def _bars(canvas: Canvas, weeks: Sequence[WeekOfChips], middles: Sequence[float], step: float) -> None:
    """What came stands above a line, and what went hangs below it."""
    came = max(sum(part for part in week.parts if part > 0) for week in weeks)
    went = max(-sum(part for part in week.parts if part < 0) for week in weeks)
    scale = (_BARS - 2 * _GAP) / max(came + went, 1)
    zero = _LINE + _GAP + came * scale
    half = min(step * 0.35, 30)
    for middle, week in zip(middles, weeks, strict=True):
        above = below = zero
        for part, colour in zip(week.parts, PARTS, strict=True):
            high = abs(part) * scale
            if part > 0:
                canvas.panel(middle - half, above - high, middle + half, above, 0, colour)
                above -= high
            elif part < 0:
                canvas.panel(middle - half, below, middle + half, below + high, 0, colour)
                below += high
    canvas.line([(_GAP, zero), (_WIDTH - _GAP, zero)], 2, EDGE)
