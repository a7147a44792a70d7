"""Whole numbers as people write them: `1000`, `1,000`, `1 000`."""

import re
from typing import Final

_GROUPED: Final = re.compile(r"[0-9]{1,3}(?P<apart>[, \N{NO-BREAK SPACE}])[0-9]{3}(?:(?P=apart)[0-9]{3})*")
_PLAIN: Final = re.compile(r"[0-9]+")


def digits_written(text: str) -> str | None:
    """The digits of a whole number that is not below zero; None where the text is no such number.

    Its digits may stand in groups of three. Where they do not, a comma may be somebody's decimal point: who
    writes `2,5` does not mean 25.
    """
    if not (_PLAIN.fullmatch(text) or _GROUPED.fullmatch(text)):
        return None
    return "".join(_PLAIN.findall(text))
