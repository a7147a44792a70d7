"""Pictures of hands: values in, PNG bytes out, with alternative texts that say the same.

Nothing here knows Discord, tables or chips. Render off the event loop: a picture takes milliseconds, and the
first one renders its sprites too.
"""

from bot.pictures.alt_text import AltWords, hand_alt_text, showdown_alt_text
from bot.pictures.compose import MOST_HANDS, hand_picture, showdown_picture
from bot.pictures.pictured_hand import BANK, PicturedHand

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
