"""The shapes in pictures, and how their outlines are made: straight lines, Bézier curves and circles.

All outlines are in a square from -1 to 1 on both axes, y downwards.
"""

import math
from collections.abc import Iterable
from typing import Final

Point = tuple[float, float]
Outline = tuple[Point, ...]
Curve = tuple[Point, Point, Point]
"""A cubic Bézier curve from the current point: two control points and the end."""

_STEPS: Final = 20
"""Straight segments per curve: enough to look smooth at the largest size."""


def outline(start: Point, *segments: Point | Curve) -> Outline:
    """The polygon from `start` along segments: a point is a straight line to it, a `Curve` is a curve."""
    points = [start]
    for segment in segments:
        if len(segment) == 3:
            points.extend(_curved(points[-1], segment))
        else:
            points.append(segment)
    return tuple(points)


def _curved(start: Point, curve: Curve) -> Iterable[Point]:
    first, second, end = curve
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        yield (
            a * start[0] + b * first[0] + c * second[0] + d * end[0],
            a * start[1] + b * first[1] + c * second[1] + d * end[1],
        )


def symmetric(half: Outline) -> Outline:
    """The outline with this right half, from top to bottom, and its mirror image on the left."""
    return half + tuple((-x, y) for x, y in reversed(half))


def mirrored(shape: Outline) -> Outline:
    """The outline with left and right swapped."""
    return tuple((-x, y) for x, y in shape)


def disc(x: float, y: float, radius: float) -> Outline:
    """A circle around a point."""
    corners = 4 * _STEPS
    return tuple(
        (x + radius * math.cos(turn), y + radius * math.sin(turn))
        for turn in (2 * math.pi * corner / corners for corner in range(corners))
    )


def rectangle(left: float, top: float, right: float, bottom: float) -> Outline:
    """An upright rectangle."""
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def placed(shape: Outline, centre: Point, size: float) -> Outline:
    """The outline with its square `size` wide and its middle at `centre`."""
    half = size / 2
    return tuple((centre[0] + x * half, centre[1] + y * half) for x, y in shape)


Shape = tuple[Outline, ...]
"""Outlines in one colour that make one shape together."""

_HEART: Final = symmetric(
    outline(
        (0, -0.52),
        ((0.16, -0.86), (0.42, -0.98), (0.62, -0.94)),
        ((0.9, -0.88), (1.02, -0.58), (0.96, -0.3)),
        ((0.86, 0.16), (0.36, 0.5), (0, 1)),
    )
)
_DIAMOND: Final = symmetric(
    outline((0, -1.06), ((0.2, -0.66), (0.52, -0.26), (0.86, 0)), ((0.52, 0.26), (0.2, 0.66), (0, 1.06)))
)
_STEM: Final = symmetric(outline((0, 0.1), (0.09, 0.2), ((0.1, 0.62), (0.2, 0.86), (0.46, 1)), (0, 1)))
_SPADE: Final = symmetric(
    outline(
        (0, -1),
        ((0.3, -0.56), (0.92, -0.22), (0.96, 0.26)),
        ((0.98, 0.62), (0.6, 0.78), (0.34, 0.64)),
        ((0.2, 0.56), (0.08, 0.44), (0, 0.3)),
    )
)

SUIT_SHAPES: Final[tuple[Shape, ...]] = (
    (disc(0, -0.52, 0.46), disc(0.53, 0.2, 0.46), disc(-0.53, 0.2, 0.46), disc(0, 0.05, 0.22), _STEM),
    (_DIAMOND,),
    (_HEART,),
    (_SPADE, _STEM),
)
"""The pip of each suit, in the order of `bot.rules.cards.SUITS`."""

DOT: Final[Shape] = (disc(0, 0, 1),)
"""The pip of a tile."""
_STAR_POINTS: Final = 5
_STAR_HOLLOW: Final = 0.46
"""The distance of the star's inner corners from the middle; its points are at 1."""
STAR: Final[Shape] = (
    tuple(
        (reach * math.sin(turn), -reach * math.cos(turn))
        for turn, reach in (
            (math.pi * corner / _STAR_POINTS, _STAR_HOLLOW if corner % 2 else 1.0)
            for corner in range(2 * _STAR_POINTS)
        )
    ),
)
"""The mark of a wild tile."""

_BAND: Final = rectangle(-0.8, 0.3, 0.8, 0.56)
_KINGS_POINTS: Final = symmetric(outline((0, -0.5), (0.3, 0.06), (0.86, -0.34), (0.8, 0.24), (0, 0.24)))
CROWN: Final[Shape] = (
    _KINGS_POINTS,
    _BAND,
    disc(0, -0.52, 0.14),
    disc(0.86, -0.36, 0.13),
    disc(-0.86, -0.36, 0.13),
)
"""The headgear of the king, and the mark of the banker."""

_TIARA_ARCH: Final = symmetric(
    outline(
        (0, -0.4),
        ((0.12, -0.16), (0.2, -0.06), (0.34, -0.1)),
        ((0.5, -0.14), (0.62, 0.02), (0.84, 0.1)),
        (0.8, 0.56),
        ((0.5, 0.4), (0.24, 0.36), (0, 0.36)),
    )
)
TIARA: Final[Shape] = (
    _TIARA_ARCH,
    disc(0, -0.46, 0.19),
    disc(0.38, -0.2, 0.15),
    disc(-0.38, -0.2, 0.15),
    disc(0.8, 0.02, 0.12),
    disc(-0.8, 0.02, 0.12),
)
"""The headgear of the queen."""

_HORN: Final = outline(
    (0.34, 0.2),
    ((0.6, 0.2), (0.78, 0.02), (0.7, -0.56)),
    ((1.02, -0.2), (1.04, 0.5), (0.4, 0.5)),
)
_CAP: Final = symmetric(outline((0, -0.2), ((0.3, -0.2), (0.5, 0), (0.52, 0.36)), (0.52, 0.56), (0, 0.56)))
HORNED_CAP: Final[Shape] = (_CAP, _HORN, mirrored(_HORN))
"""The headgear of the jack, who herds the oxen."""

HEADGEAR: Final[tuple[Shape, ...]] = (HORNED_CAP, TIARA, CROWN)
"""The headgear of jack, queen and king."""

_OX_HORN: Final = outline(
    (0.26, -0.42),
    ((0.62, -0.36), (0.84, -0.56), (0.74, -0.98)),
    ((1.12, -0.6), (0.96, -0.06), (0.34, -0.1)),
)
_OX_EAR: Final = outline(
    (0.42, -0.12), ((0.6, -0.14), (0.8, -0.08), (0.9, 0.06)), ((0.7, 0.16), (0.54, 0.1), (0.4, 0.04))
)
_OX_HEAD: Final = symmetric(
    outline(
        (0, -0.44),
        ((0.24, -0.44), (0.42, -0.34), (0.44, -0.1)),
        ((0.44, 0.2), (0.3, 0.36), (0.32, 0.56)),
        ((0.38, 0.84), (0.2, 0.96), (0, 0.96)),
    )
)
OX_HEAD: Final[Shape] = (_OX_HEAD, _OX_HORN, mirrored(_OX_HORN), _OX_EAR, mirrored(_OX_EAR))
"""The head of the ox on the backs."""
OX_FEATURES: Final[Shape] = (
    disc(0.2, -0.04, 0.075),
    disc(-0.2, -0.04, 0.075),
    disc(0.13, 0.68, 0.06),
    disc(-0.13, 0.68, 0.06),
)
"""The eyes and nostrils of the ox, to render on its head."""

UP_TRIANGLE: Final[Shape] = (symmetric(outline((0, -0.8), (0.92, 0.7), (0, 0.7))),)
"""The mark of a win."""
DOWN_TRIANGLE: Final[Shape] = (symmetric(outline((0, -0.7), (0.92, -0.7), (0, 0.8))),)
"""The mark of a loss."""
BAR: Final[Shape] = (rectangle(-0.85, -0.26, 0.85, 0.26),)
"""The mark of a push."""
