"""Codes that people compare: the first 125 bits of a hash, as 25 characters in groups of five.

The characters are Crockford's base 32 (https://www.crockford.com/base32.html): no I, L, O or U. Fewer bits
would let somebody who chooses both of two texts search for an equal code: here that takes 2⁶² tries.
"""

import re
from typing import Final

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
    """A contribution as somebody typed it: 1 to 20 digits of an id, or a code.

    Raises:
        ValueError: if it is neither.
    """
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
