"""A member's profile as a PNG, without words: the chips they had, and their hands with figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from PIL import Image

from bot.pictures import layout
from bot.pictures.canvas import Canvas, advance, text_width
from bot.pictures.compose import lay_hand, sprite
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.piece_art import art_of
from bot.pictures.png import (
    EDGE,
    GOLD,
    LOST,
    PAPER,
    TABLE,
    TRAY,
    WON,
    Colour,
    png,
    sheet,
)
from bot.pictures.shapes import Point

_GAP: Final = 16
_BETWEEN: Final = 2 * _GAP
"""Parts the two hands of a row, so that the figures below them are not read as one."""
_CHART: Final = 240
"""The height of the line; on a phone, all lengths are about a third."""
_DIGITS: Final = 40
"""The height of figures."""
_BAR: Final = 18
_ACROSS: Final = 2
"""How many hands are side by side."""
_SQUEEZES: Final = 20
"""In how many steps a figure is condensed."""
MOST_POINTS: Final = 180
"""Of how many points a line is at most: more are not told apart."""


@dataclass(frozen=True, slots=True)
class ClassOfHand:
    """The results with hands of one class.

    Attributes:
        hand: one of them; it is drawn.
        won: the share of them that won, from 0 to 1.
        figures: in how many rounds, and what they brought, as they are to be read.
        net: the chips that they brought, for the colour of the figure.
    """

    hand: PicturedHand
    won: float
    figures: tuple[str, str]
    net: int


@dataclass(frozen=True, slots=True)
class ProfilePicture:
    """What the picture of a profile shows; figures are texts of digits and signs.

    Attributes:
        line: the chips that the member had, one time after another; two or more.
        hands: the results by class of hand, the strongest first.
    """

    line: Sequence[int]
    hands: Sequence[ClassOfHand]


def profile_picture(profile: ProfilePicture) -> bytes:
    """The picture: the line, and below it the hands, two in a row."""
    size = art_of(profile.hands[0].hand.game).small
    hand, high = layout.hand_width(size), layout.tray_height(size)
    width = 2 * _GAP + _ACROSS * (hand + _BETWEEN) - _BETWEEN
    below = high + _BAR + _DIGITS + 3 * _GAP
    rows = -(-len(profile.hands) // _ACROSS)
    top = _CHART + _GAP
    picture = sheet(width, top + rows * below, TABLE)
    picture.paste(_chart(profile.line, width, _CHART), (0, 0))
    for number, one in enumerate(profile.hands):
        left, at = _GAP + number % _ACROSS * (hand + _BETWEEN), top + number // _ACROSS * below
        lay_hand(picture, one.hand, left, at, size)
        picture.paste(_results(one, hand), (left, at + high + _GAP // 2))
    return png(picture)


def _chart(line: Sequence[int], width: int, height: int) -> Image.Image:
    """The line, with what is between it and zero filled."""
    top, zero = 2 * _GAP, height - _GAP
    scale = (zero - top) / max(*line, 1)
    across = (width - 4 * _GAP) / (len(line) - 1)
    points: list[Point] = [
        (2 * _GAP + number * across, zero - chips * scale) for number, chips in enumerate(line)
    ]
    canvas = Canvas(width, height, TABLE, oversize=2)
    canvas.area([(points[0][0], zero), *points, (points[-1][0], zero)], TRAY)
    canvas.line([(points[0][0], zero), (points[-1][0], zero)], 2, EDGE)
    canvas.line(points, 6, GOLD)
    x, y = points[-1]
    canvas.panel(x - 9, y - 9, x + 9, y + 9, 9, GOLD)
    return canvas.finished()


def _results(one: ClassOfHand, width: int) -> Image.Image:
    """How many of these hands won, as a bar, and their figures."""
    picture = sheet(width, _BAR + _DIGITS + _GAP, TABLE)
    picture.paste(sprite(_bar, width, TRAY), (0, 0))
    if one.won:
        won, wide = sprite(_bar, width, WON), max(_BAR, round(width * one.won))
        picture.paste(won.crop((0, 0, wide - _BAR // 2, _BAR)), (0, 0))
        picture.paste(won.crop((width - _BAR // 2, 0, width, _BAR)), (wide - _BAR // 2, 0))
    rounds, net = one.figures
    top, half = _BAR + _GAP // 2, width // 2 - _GAP
    _write(picture, rounds, 0, top, _DIGITS, half, PAPER)
    _write(picture, net, width - min(half, _wide(net, _DIGITS)), top, _DIGITS, half, _colour(one.net))
    return picture


def _bar(width: int, colour: Colour) -> Image.Image:
    canvas = Canvas(width, _BAR, TABLE)
    canvas.panel(0, 0, width, _BAR, _BAR / 2, colour)
    return canvas.finished()


def _write(
    picture: Image.Image, figure: str, left: int, top: int, height: int, widest: int, colour: Colour
) -> None:
    """Writes a figure, condensed to at most `widest`; each of its characters is rendered once."""
    squeezed = min(_SQUEEZES, _SQUEEZES * widest // _wide(figure, height))
    at: float = left
    for character in figure:
        ink, following = (one * squeezed / _SQUEEZES for one in advance(character, height))
        if character != " ":
            picture.paste(sprite(_character, character, height, squeezed, colour), (round(at + ink), top))
        at += following


def _wide(figure: str, height: int) -> int:
    return ceil(sum(advance(character, height)[1] for character in figure))


def _character(character: str, height: int, squeezed: int, colour: Colour) -> Image.Image:
    """The ink of a character, as wide as `squeezed` of `_SQUEEZES` parts, on the cloth."""
    wide = text_width(character, height) * squeezed / _SQUEEZES
    # A comma hangs below the line.
    canvas = Canvas(ceil(wide), height + _GAP, TABLE)
    canvas.text(character, 0, 0, height, wide, colour)
    return canvas.finished()


def _colour(gained: int) -> Colour:
    return WON if gained > 0 else LOST if gained < 0 else PAPER
