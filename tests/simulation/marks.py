"""Names, ids and words of modelled members, which can be recognized in the bytes of any file."""

import re
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import Final

_NAME: Final = "Zoë-"
_WORDS: Final = "grandmother's gate "
_PREFIX: Final = 0x0B51D7
"""The highest 24 bits of each user's id; the lowest 40 are random."""
_LOW_BITS: Final = 40
USERS: Final = _PREFIX << _LOW_BITS
"""The lowest id of a user."""

_NAMES: Final = re.compile(_NAME.encode() + rb"[0-9a-f]{12}")
_SEEDS: Final = re.compile(_WORDS.encode() + rb"[0-9a-f]{12}")
_DIGITS: Final = re.compile(str(USERS)[:4].encode() + rb"\d{14}")
_COLUMNS: Final = re.compile(re.escape(_PREFIX.to_bytes(3, "big")) + rb".{5}", re.DOTALL)
"""Ids as SQLite stores a column."""
_KEYS: Final = re.compile(
    re.escape(bytes(0x80 | USERS >> shift & 0x7F for shift in (57, 50, 43))) + rb".{6}",
    re.DOTALL,
)
"""Ids as SQLite stores the key of a table, seven bits a byte."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What was found in bytes.

    Attributes:
        names: names of members.
        words: words that members chose.
        user_ids: users' ids.
    """

    names: frozenset[str]
    words: frozenset[str]
    user_ids: frozenset[int]


def new_name(random: Random) -> str:
    """A name that nobody had before."""
    return f"{_NAME}{random.getrandbits(48):012x}"


def new_words(random: Random) -> str:
    """Words that nobody chose before."""
    return f"{_WORDS}{random.getrandbits(48):012x}"


def new_user_id(random: Random) -> int:
    """An id that no user had before."""
    return USERS | random.getrandbits(_LOW_BITS)


def marks_in(content: bytes) -> Marks:
    """The names, words and ids in these bytes, in each form in which SQLite writes them."""
    numbers = [int.from_bytes(found, "big") for found in _COLUMNS.findall(content)]
    numbers += [_from_key(found) for found in _KEYS.findall(content)]
    numbers += [int(found) for found in _DIGITS.findall(content)]
    return Marks(
        frozenset(found.decode() for found in _NAMES.findall(content)),
        frozenset(found.decode() for found in _SEEDS.findall(content)),
        frozenset(number for number in numbers if number >> _LOW_BITS == _PREFIX),
    )


def _from_key(found: bytes) -> int:
    high = reduce(lambda value, byte: value << 7 | byte & 0x7F, found[:8], 0)
    return high << 8 | found[8]
