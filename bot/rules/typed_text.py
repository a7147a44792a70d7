"""Text that people type: reading whole numbers and lists, and quoting the text in an error message."""

import re
from typing import Final
from unicodedata import normalize

from bot.rules.clean_text import clean, is_hidden

LONGEST_QUOTE: Final = 40
"""The most characters of somebody's text in a message."""

_GROUPED: Final = re.compile(r"[0-9]{1,3}(?P<apart>[, \N{NO-BREAK SPACE}])[0-9]{3}(?:(?P=apart)[0-9]{3})*")
_WIDE: Final = str.maketrans("０１２３４５６７８９，　", "0123456789, ")
"""What keyboards for Chinese and Japanese type for digits, commas and blanks."""
_PLAIN: Final = re.compile(r"[0-9]+")
_COMMAS: Final = re.compile(r"[,、]")
_DASHES: Final = re.compile("[\N{HYPHEN}-\N{HORIZONTAL BAR}\N{MINUS SIGN}]")


def parse_digits(text: str) -> str | None:
    """The digits of a whole number such as `1000`, `1,000`, `1 000` or `１０００`, or None.

    A comma separates groups of three digits only: somebody who types `2,5` may mean two and a half, not 25.
    """
    text = text.translate(_WIDE)
    if not (_PLAIN.fullmatch(text) or _GROUPED.fullmatch(text)):
        return None
    return "".join(_PLAIN.findall(text))


def parse_list(text: str) -> list[str]:
    """The words between blanks and commas of any width: `８♦️，9♠` is `8♦` and `9♠`.

    Letters, digits and dashes become those of ASCII. What cannot be seen is left out.
    """
    if not text.isascii():
        # The blanks become plain ones before what is hidden goes, since line breaks count as both.
        words = _DASHES.sub("-", normalize("NFKC", text)).split()
        text = "".join(char for char in " ".join(words) if not is_hidden(char))
    return _COMMAS.sub(" ", text).split()


def quote(text: str) -> str:
    """The text as others may see it, cut to `LONGEST_QUOTE` characters; a blank stays a blank."""
    return clean(text, LONGEST_QUOTE) if text.strip() else text and " "
