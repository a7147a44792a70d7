"""One text for each value, so that two programs hash the same bytes: canonical JSON.

It is a part of RFC 8785 (JSON Canonicalization Scheme): UTF-8, no blanks, the names of an object in the order
of their characters, and only the escapes that JSON requires, the short ones where there are any. Numbers are
whole and no larger than 2⁵³ − 1, which every language reads exactly; larger ones are written as strings.
"""

import json
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
