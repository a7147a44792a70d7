"""Writes an indexed picture as a PNG, with a deflate that takes a fraction of the time of Pillow's."""

import struct
from typing import Final
from zlib import crc32

from isal import isal_zlib
from PIL import Image

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_INDEXED: Final = 3
_EIGHT_BITS: Final = 8
_UNFILTERED: Final = b"\0"
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
    pixels = picture.tobytes()
    rows = _UNFILTERED.join([b"", *(pixels[at : at + width] for at in range(0, len(pixels), width))])
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
