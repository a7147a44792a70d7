"""A member's profile as a PNG, without words: how their chips went, marks with figures, and their hands."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from PIL import Image

from bot.pictures import layout
from bot.pictures.badges import crown_badge, star_mark
from bot.pictures.canvas import Canvas, advance, text_width
from bot.pictures.compose import lay_hand, sprite
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.piece_art import art_of
from bot.pictures.png import EDGE, GOLD, LOST, PAPER, TABLE, TRAY, WON, Colour, png, sheet
from bot.pictures.shapes import Point

_GAP: Final = 16
_CHART: Final = 300
"""The height of the line; on a phone, all lengths are about a third."""
_MARK: Final = 64
_DIGITS: Final = 40
"""The height of figures."""
_BAR: Final = 18
_SHARES: Final = (0.48, 0.31, 0.21)
"""The shares of the width that the marks take; the first has two figures."""
_ACROSS: Final = 2
"""How many hands are side by side."""
_SQUEEZES: Final = 20
"""In how many steps a figure is condensed."""
_MOST_POINTS: Final = 180
"""A longer line is thinned out: more points than these are not told apart."""


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
        line: the chips gained by playing, up to each day; it begins with 0.
        net: the figure at its end.
        marks: the figures beside the crown, the star and the days in a row; empty for one that is left out.
        hands: the results by class of hand, the strongest first.
    """

    line: Sequence[int]
    net: str
    marks: tuple[str, str, str]
    hands: Sequence[ClassOfHand]


def profile_picture(profile: ProfilePicture) -> bytes:
    """The picture: below the line the marks, and below them the hands, two in a row."""
    size = art_of(profile.hands[0].hand.game).small
    hand, high = layout.hand_width(size), layout.tray_height(size)
    width = _GAP + _ACROSS * (hand + _GAP)
    below = high + _BAR + _DIGITS + 3 * _GAP
    rows = -(-len(profile.hands) // _ACROSS)
    top = _CHART + _MARK + 2 * _GAP
    picture = sheet(width, top + rows * below, TABLE)
    picture.paste(_chart(profile, width, _CHART), (0, 0))
    picture.paste(_marks(profile.marks, width), (0, _CHART + _GAP // 2))
    for number, one in enumerate(profile.hands):
        left, at = _GAP + number % _ACROSS * (hand + _GAP), top + number // _ACROSS * below
        lay_hand(picture, one.hand, left, at, size)
        picture.paste(_results(one, hand), (left, at + high + _GAP // 2))
    return png(picture)


def _chart(profile: ProfilePicture, width: int, height: int) -> Image.Image:
    """The line, with what is between it and zero filled, and the last figure at its upper left."""
    step = -(-len(profile.line) // _MOST_POINTS)
    values = [*profile.line[:-1:step], profile.line[-1]]
    values = values if len(values) > 1 else [0, *values]
    low, high = min(0, *values), max(0, *values)
    top, bottom = 2 * _GAP + 1.5 * _DIGITS, height - _GAP
    scale = (bottom - top) / max(high - low, 1)
    across = (width - 4 * _GAP) / (len(values) - 1)
    zero = bottom + low * scale
    points: list[Point] = [
        (2 * _GAP + number * across, zero - value * scale) for number, value in enumerate(values)
    ]
    canvas = Canvas(width, height, TABLE, oversize=2)
    canvas.area([(points[0][0], zero), *points, (points[-1][0], zero)], TRAY)
    canvas.line([(points[0][0], zero), (points[-1][0], zero)], 2, EDGE)
    canvas.line(points, 6, GOLD)
    x, y = points[-1]
    canvas.panel(x - 9, y - 9, x + 9, y + 9, 9, GOLD)
    chart = canvas.finished()
    room = width - 4 * _GAP
    _write(chart, profile.net, 2 * _GAP, _GAP, round(1.5 * _DIGITS), room, _colour(profile.line[-1]))
    return chart


def _marks(figures: tuple[str, str, str], width: int) -> Image.Image:
    """The crown, the star and a row of days, each with its figure."""
    picture = sheet(width, _MARK, TABLE)
    left = _GAP
    for figure, mark, share in zip(figures, (crown_badge, star_mark, _days_mark), _SHARES, strict=True):
        step = round((width - _GAP) * share)
        if figure:
            picture.paste(sprite(mark, _MARK), (left, 0))
            room = step - _MARK - 2 * _GAP
            _write(picture, figure, left + _MARK + _GAP, (_MARK - _DIGITS) // 2, _DIGITS, room, PAPER)
        left += step
    return picture


def _days_mark(size: int) -> Image.Image:
    """Days of a calendar, the last ones played; `size` in pixels."""
    canvas = Canvas(size, size, TABLE)
    cell = size / 3
    for number in range(9):
        left, top = number % 3 * cell, number // 3 * cell
        colour = GOLD if number >= 3 else TRAY
        canvas.panel(left + 2, top + 2, left + cell - 2, top + cell - 2, 3, colour)
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
