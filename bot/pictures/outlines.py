"""Outlines of shapes: polygons made of straight lines, Bézier curves and circles.

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
