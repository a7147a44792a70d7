"""What is hashed, and the codes that people compare: canonical JSON, and 125 bits of a hash."""

import json
import re
from typing import Final

LARGEST: Final = 2**53 - 1
"""The largest number; ids are strings."""


def canonical(value: object) -> str:
    """The text of a value: its UTF-8 bytes are what is hashed.

    Args:
        value: objects with names in ASCII, lists, strings, whole numbers, booleans, None.

    Raises:
        ValueError: if anything else is in it, such as a fraction or half of a surrogate pair.
    """
    _check(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _check(value: object) -> None:
    match value:
        case None | bool():
            pass
        case int():
            if abs(value) > LARGEST:
                raise ValueError(f"{value} is too large for a number; write it as a string")
        case str():
            if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
                raise ValueError("a string has half of a surrogate pair")
        case list() | tuple():
            for one in value:
                _check(one)
        case dict():
            for name, one in value.items():
                if not (isinstance(name, str) and name.isascii()):
                    raise ValueError(f"{name!r} is no name in ASCII")
                _check(one)
        case _:
            raise ValueError(f"a {type(value).__name__} has no canonical text")


LENGTH: Final = 25
"""The characters of a code, without hyphens."""
CODE: Final = r"[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){4}"
"""What a code looks like, as a regular expression."""
LONGEST_NUMBER: Final = 20
"""The most digits of a contribution that is the id of an interaction."""
_DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_BITS: Final = 5 * LENGTH
_LOOK_ALIKES: Final = str.maketrans("OIL", "011")


def short_code(digest: bytes) -> str:
    """The code of a hash of 16 bytes or more: `7K2Q9-XMD40-TRB8H-NE3WZ-4FJ6A`."""
    number = int.from_bytes(digest[:16]) >> (128 - _BITS)
    digits = "".join(_DIGITS[number >> (5 * place) & 31] for place in reversed(range(LENGTH)))
    return "-".join(digits[start : start + 5] for start in range(0, LENGTH, 5))


def read_contribution(text: str) -> str:
    """A contribution as somebody typed it: 1 to 20 digits of an id, or a code."""
    digits = re.sub(r"[\s-]", "", text)
    return digits if re.fullmatch(f"[0-9]{{1,{LONGEST_NUMBER}}}", digits) else read_code(text)


def read_code(text: str) -> str:
    """A code as somebody typed it, the way that `short_code` writes it.

    Capitals, hyphens and blanks do not matter, and O, I and L are read as 0 and 1.

    Raises:
        ValueError: if it is not a code.
    """
    digits = re.sub(r"[\s-]", "", text).upper().translate(_LOOK_ALIKES)
    if len(digits) != LENGTH or not set(digits) <= set(_DIGITS):
        raise ValueError("a code has 25 letters and digits, such as 7K2Q9-XMD40-TRB8H-NE3WZ-4FJ6A")
    return "-".join(digits[start : start + 5] for start in range(0, LENGTH, 5))
