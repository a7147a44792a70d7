"""The three first of a leaderboard as a PNG: steps with their places and figures, and no words."""

from collections.abc import Sequence
from typing import Final

from bot.pictures.badges import crown_badge
from bot.pictures.canvas import Canvas, text_width
from bot.pictures.compose import sprite
from bot.pictures.png import EDGE, GOLD, PAPER, TABLE, TRAY, WON, png

_WIDTH: Final = 900
_HEIGHT: Final = 300
_GAP: Final = 16
_CROWN: Final = 96
_STEPS: Final = (180, 130, 96)
"""The heights of the steps, the first place's first; in pixels, as all lengths."""
_COLUMNS: Final = (1, 0, 2)
"""Where they stand, from the left."""
_DIGITS: Final = 48
_PLACE: Final = 64


def podium_picture(figures: Sequence[str]) -> bytes:
    """The figures of one to three members on their steps, the first in the middle below a crown."""
    canvas = Canvas(_WIDTH, _HEIGHT, TABLE)
    wide = (_WIDTH - 4 * _GAP) / len(_STEPS)
    for place, (figure, column, high) in enumerate(zip(figures, _COLUMNS, _STEPS, strict=False), 1):
        left, top = _GAP + column * (wide + _GAP), _HEIGHT - high
        canvas.panel(left, top, left + wide, _HEIGHT, 12, TRAY)
        canvas.panel(left, top, left + wide, top + 10, 5, GOLD if place == 1 else EDGE)
        written = min(text_width(figure, _DIGITS), wide - 2 * _GAP)
        canvas.text(figure, left + (wide - written) / 2, top + 1.6 * _GAP, _DIGITS, written, WON)
        if place > 1:
            number = str(place)
            at = left + (wide - text_width(number, _PLACE)) / 2
            canvas.text(number, at, top - _PLACE - _GAP, _PLACE, wide, PAPER)
    picture = canvas.finished()
    picture.paste(sprite(crown_badge, _CROWN), ((_WIDTH - _CROWN) // 2, _HEIGHT - _STEPS[0] - _CROWN - 4))
    return png(picture)
