"""Every piece drawn once: what is asked for a second time is the picture of the first."""

from collections.abc import Callable
from threading import Lock
from typing import Final, TypeVarTuple

from PIL import Image

_What = TypeVarTuple("_What")

_drawn: Final[dict[tuple[object, ...], Image.Image]] = {}
_drawing: Final = Lock()


def sprite(draw: Callable[[*_What], Image.Image], *what: *_What) -> Image.Image:
    """What `draw` draws of these hashable values, to be read and pasted, and never drawn upon.

    Safe to call from several threads: one draws, and the others wait for it.
    """
    key = (draw, *what)
    with _drawing:
        if key not in _drawn:
            image = draw(*what)
            # Pillow settles a palette when the image is first read: here, where one thread alone can see it.
            image.load()
            _drawn[key] = image
        return _drawn[key]
