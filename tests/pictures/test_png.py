"""What is written as a PNG is read by Pillow as it was."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.pictures.png import png

palettes = st.integers(1, 256).flatmap(lambda colours: st.binary(min_size=3 * colours, max_size=3 * colours))


@given(width=st.integers(1, 40), height=st.integers(1, 40), palette=palettes, data=st.data())
def test_any_indexed_picture_is_read_as_it_was(
    width: int, height: int, palette: bytes, data: st.DataObject
) -> None:
    colours = len(palette) // 3
    pixel = st.integers(0, colours - 1)
    pixels = bytes(data.draw(st.lists(pixel, min_size=width * height, max_size=width * height)))
    picture = Image.frombytes("P", (width, height), pixels)
    picture.putpalette(palette)

    read = Image.open(BytesIO(png(picture)))

    read.load()
    assert (read.format, read.mode, read.size) == ("PNG", "P", (width, height))
    assert read.tobytes() == pixels
    assert bytes(read.getpalette() or ())[: len(palette)] == palette


def test_a_picture_without_a_palette_is_refused() -> None:
    with pytest.raises(ValueError, match="not one of mode RGB"):
        png(Image.new("RGB", (2, 2)))
