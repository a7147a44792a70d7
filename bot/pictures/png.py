"""The palette of all pictures, and indexed pictures as PNG with a quicker deflate than Pillow's.

Pictures are indexed from the start, so composing needs no quantising. There are blends for the pairs of
colours that touch; an edge between other colours takes the nearest colour.
"""

import math
import struct
from typing import Final
from zlib import crc32

from isal import isal_zlib
from PIL import Image

Colour = tuple[int, int, int]

TABLE: Final[Colour] = (22, 50, 41)
"""The cloth: dark enough for Discord's dark theme, and still green in the light one."""
TRAY: Final[Colour] = (40, 82, 68)
"""The tray below a group of pieces."""
PAPER: Final[Colour] = (253, 251, 245)
EDGE: Final[Colour] = (196, 192, 180)
GOLD: Final[Colour] = (246, 190, 62)
DEEP_GOLD: Final[Colour] = (150, 96, 14)
BACK: Final[Colour] = (126, 28, 44)
BACK_LINE: Final[Colour] = (226, 150, 120)
WON: Final[Colour] = (86, 214, 200)
LOST: Final[Colour] = (255, 128, 84)

CLUB: Final[Colour] = (0, 142, 106)
DIAMOND: Final[Colour] = (32, 104, 220)
HEART: Final[Colour] = (204, 14, 44)
SPADE: Final[Colour] = (20, 22, 30)
SUIT_COLOURS: Final = (CLUB, DIAMOND, HEART, SPADE)
"""Four colours for four suits, in the order of `bot.rules.cards.SUITS`."""

_COLOURS: Final = (TABLE, TRAY, PAPER, EDGE, GOLD, DEEP_GOLD, BACK, BACK_LINE, WON, LOST, *SUIT_COLOURS)
_BLENDS: Final[tuple[tuple[Colour, Colour, int], ...]] = (
    *((PAPER, suit, 5) for suit in SUIT_COLOURS),
    (PAPER, TRAY, 3),
    (PAPER, TABLE, 4),
    (PAPER, EDGE, 1),
    (TABLE, TRAY, 2),
    (GOLD, PAPER, 1),
    (GOLD, DEEP_GOLD, 2),
    (DEEP_GOLD, PAPER, 2),
    (GOLD, TRAY, 2),
    (GOLD, TABLE, 2),
    (BACK, BACK_LINE, 3),
    (BACK, PAPER, 3),
    (WON, TABLE, 2),
    (LOST, TABLE, 3),
)
"""Pairs of colours that touch, and the number of blends between them."""


def _colours() -> tuple[Colour, ...]:
    colours = list(_COLOURS)
    for one, other, steps in _BLENDS:
        colours += [blend(one, other, step / (steps + 1)) for step in range(1, steps + 1)]
    return tuple(colours)


def blend(one: Colour, other: Colour, share: float) -> Colour:
    """The colour at `share` (0 to 1) of the way from one to the other, in sRGB like Pillow."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return (red, green, blue)


COLOURS: Final = _colours()
"""All colours; the position is the index in a picture."""
_FLAT: Final = [channel for colour in COLOURS for channel in colour]


def sheet(width: int, height: int, colour: Colour) -> Image.Image:
    """A picture in one colour of the palette; width and height in pixels."""
    image = Image.new("P", (width, height), COLOURS.index(colour))
    image.putpalette(_FLAT)
    return image


def _gilding(gold: Colour, *, writes: bool = False) -> list[int]:
    """For each index, what it becomes where trays become gold, and shadows dark gold; edges follow.

    Args:
        writes: whether paper and gold are what is written there, which becomes dark too.
    """
    becomes = {TRAY: gold, TABLE: DEEP_GOLD} | ({PAPER: TABLE, GOLD: DEEP_GOLD} if writes else {})
    indexes = list(range(256))
    for one, other, steps in _BLENDS:
        for step in range(steps + 2) if {one, other} & becomes.keys() else ():
            share = step / (steps + 1)
            wanted = blend(becomes.get(one, one), becomes.get(other, other), share)
            indexes[COLOURS.index(blend(one, other, share))] = _nearest(wanted)
    return indexes


def _nearest(colour: Colour) -> int:
    return min(range(len(COLOURS)), key=lambda index: math.dist(COLOURS[index], colour))


BRIGHT_GOLD: Final = blend(GOLD, PAPER, 1 / 2)
"""What shines on gold."""
GILT: Final = tuple(_gilding(gold) for gold in (GOLD, BRIGHT_GOLD))
"""Makes trays gold, and the rays on them."""
WRITTEN_GILT: Final = tuple(_gilding(gold, writes=True) for gold in (GOLD, BRIGHT_GOLD))
"""The same below pieces, where something may be written."""


def indexed(image: Image.Image) -> Image.Image:
    """An RGB picture in the nearest colours of the palette, without dithering."""
    return image.quantize(palette=sheet(1, 1, TABLE), dither=Image.Dither.NONE)


_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_INDEXED: Final = 3
_EIGHT_BITS: Final = 8
_LEVEL: Final = 1


def png(picture: Image.Image) -> bytes:
    """The picture as a PNG: 8 bits a pixel, unfiltered, not interlaced.

    Source: the PNG specification, third edition, https://www.w3.org/TR/png-3/.

    Raises:
        ValueError: if the picture has no palette.
    """
    palette = picture.getpalette("RGB")
    if picture.mode != "P" or palette is None:
        raise ValueError(f"a picture with a palette is wanted, not one of mode {picture.mode}")
    width, height = picture.size
    # What lies beside the picture is 0: each row begins with its filter, which is none.
    rows = picture.crop((-1, 0, width, height)).tobytes()
    header = struct.pack(">IIBBBBB", width, height, _EIGHT_BITS, _INDEXED, 0, 0, 0)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", bytes(palette)),
            _chunk(b"IDAT", isal_zlib.compress(rows, _LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data))
