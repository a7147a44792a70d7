"""Shuffling that anybody can check: commit, mix, shuffle, deal, open, and repeat it.

`docs/FAIRNESS.md` has the whole algorithm, so that anybody can write it again in any language.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from hmac import digest as hmac_digest
from itertools import count
from typing import Final, TypeVar

from bot.rules.hashing import canonical, short_code
from bot.rules.pieces import HAND_SIZE

FORMAT: Final = "gnau/2"
"""The name of this way to shuffle, and of the record of a round; it is in everything that is hashed."""
SECRET_SIZE: Final = 32
"""Bytes of a secret."""
FACES_OF_A_DIE: Final = 6
_HASH: Final = "sha256"
_NUMBER_SIZE: Final = 4
_NUMBERS: Final = 1 << (8 * _NUMBER_SIZE)

AnyPiece = TypeVar("AnyPiece")
RandomBelow = Callable[[int], int]
"""Returns a random whole number from 0 up to, not including, its argument. All are equally likely."""

system_random: Final[RandomBelow] = secrets.randbelow
"""Random numbers from the system's generator, which nobody can check."""


def new_secret() -> str:
    """A new secret from the system's generator, in lower-case hexadecimal."""
    return secrets.token_bytes(SECRET_SIZE).hex()


class Use(StrEnum):
    """What a secret is for: it seals one or the other, and no sheet of one is a sheet of the other."""

    DEAL = "deal"
    DICE = "dice"


@lru_cache(maxsize=4096)
def seal_of(secret: str, use: Use, table_id: int, round_number: int) -> str:
    """The commitment to a secret for the hands or the dice of a round: a code of 25 characters.

    Kept in memory, since each board and panel of a round shows it.
    """
    _bytes_of(secret)
    sealed = {
        "format": FORMAT,
        "purpose": "seal",
        "round": round_number,
        "secret": secret,
        "table": str(table_id),
        "use": use.value,
    }
    return code_of(canonical(sealed))


def words_code(salt: str, words: str) -> str:
    """The client seed of a member's own words: a code of 25 characters.

    Args:
        salt: random text: nobody can guess short words from their code once they are erased.
    """
    return code_of(canonical({"format": FORMAT, "purpose": "words", "salt": salt, "words": words}))


@lru_cache(maxsize=4096)
def ticket_of(seal: str, client_seed: str) -> str:
    """What binds the bot to a round's secret and to a member's client seed: one code of 25 characters.

    Kept in memory, since each panel of a round shows it.
    """
    return code_of(
        canonical({"client_seed": client_seed, "format": FORMAT, "purpose": "ticket", "seal": seal})
    )


def code_of(text: str) -> str:
    """The code of a text, from its SHA-256."""
    return short_code(sha256(text.encode()).digest())


def seeded_random(secret: str, sheet: str) -> RandomBelow:
    """Random numbers from the seed that a secret and a sheet make.

    Args:
        secret: 32 bytes in lower-case hexadecimal.
        sheet: the canonical text of everything that is fixed before the shuffle or the roll.
    """
    stream = _stream(hmac_digest(_bytes_of(secret), sheet.encode(), _HASH))

    def below(most: int) -> int:
        if not 0 < most <= _NUMBERS:
            raise ValueError(f"the bound of a random number is 1 to {_NUMBERS}, not {most}")
        enough = _NUMBERS - _NUMBERS % most
        return next(number for number in stream if number < enough) % most

    return below


def shuffled(pieces: Sequence[AnyPiece], below: RandomBelow) -> tuple[AnyPiece, ...]:
    """The pieces in random order; every order is equally likely (Fisher and Yates)."""
    order = list(pieces)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def roll(dice: int, below: RandomBelow = system_random) -> tuple[int, ...]:
    """Rolls dice, each 1 to 6 (T03)."""
    return tuple(below(FACES_OF_A_DIE) + 1 for _ in range(dice))


def deal(pieces: Sequence[AnyPiece], hands: int) -> tuple[tuple[AnyPiece, ...], ...]:
    """The hands, dealt one piece at a time round the table (G03)."""
    dealt = hands * HAND_SIZE
    if dealt > len(pieces):
        raise ValueError(f"{hands} hands of {HAND_SIZE} need {dealt} pieces, not {len(pieces)}")
    return tuple(tuple(pieces[place:dealt:hands]) for place in range(hands))


def _bytes_of(secret: str) -> bytes:
    try:
        found = bytes.fromhex(secret)
    except ValueError:
        found = b""
    # One text for each secret: the seal is of the text.
    if len(found) != SECRET_SIZE or found.hex() != secret:
        raise ValueError(f"a secret is {SECRET_SIZE} bytes in lower-case hexadecimal")
    return found


def _stream(seed: bytes) -> Iterator[int]:
    """The stream of random numbers, four bytes each."""
    for block in count():
        bytes_of_block = hmac_digest(seed, block.to_bytes(8), _HASH)
        for start in range(0, len(bytes_of_block), _NUMBER_SIZE):
            yield int.from_bytes(bytes_of_block[start : start + _NUMBER_SIZE])
