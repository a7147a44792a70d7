"""Pictures of hands: values in, PNG bytes out, and a text that says the same.

Nothing here knows of Discord, tables or chips. Draw off the event loop: a picture takes milliseconds, and the
first of its kind draws its sprites as well.
"""

from bot.pictures.alt_text import AltWords, hand_alt_text, showdown_alt_text
from bot.pictures.compose import MOST_HANDS, hand_picture, showdown_picture
from bot.pictures.hands import BANK, PicturedHand

__all__ = [
    "BANK",
    "MOST_HANDS",
    "AltWords",
    "PicturedHand",
    "hand_alt_text",
    "hand_picture",
    "showdown_alt_text",
    "showdown_picture",
]
