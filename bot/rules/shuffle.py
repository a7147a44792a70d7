"""Shuffling that anybody can check: commit, mix, shuffle, deal, open, and repeat it.

This is the full algorithm, so that anybody can write it again in any language:

1. **Commit.** Before betting opens, the house takes a *secret* of 32 bytes from the system's random
   generator. It publishes the *commitment* to it, which players see as the *seal*: SHA-256 of the secret, in
   lower-case hexadecimal.
2. **Mix.** Every bettor adds one text, the *client seed*, which the house cannot know when it takes the
   secret. The client seeds are sorted by member id, ascending. Each is written as
   `<member id>:<length of the text in UTF-8 bytes>:<text>` and a line feed, all in UTF-8. The *seed* is
   HMAC-SHA-256 with the secret as key; the message is `gnau/1`, a line feed, and these lines.
3. **Random numbers.** Block i, from 0 on, is HMAC-SHA-256 with the seed as key; the message is the purpose in
   ASCII (`deal` or `dice`) followed by i as eight bytes, most significant first. The blocks form a stream.
   To get a number below n, take the next four bytes, most significant first. If they are not below the
   largest multiple of n that 2³² holds, discard them and take the next four. The number is the remainder
   after division by n. So every number is equally likely.
4. **Shuffle.** The pieces start in the order of their pack. For each place from the last down to the second,
   take a random number below the count of places up to and including it, and swap this piece with the one at
   that number (Fisher and Yates). **Dice** are random numbers below 6, plus 1.
5. **Deal.** One piece at a time, round the table, the banker last (G03).
6. **Open.** With the result the house shows the secret and the client seeds. Now anybody can check that the
   secret opens the commitment, and that the seed gives the hands.

What the house could still do: choose when to take a secret, or not deal at all. And somebody who can read its
disk while betting is open knows the secret, and could bet last with a client seed that suits them.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest
from hmac import digest as hmac_digest
from itertools import count
from typing import Final, TypeVar

from bot.rules.hand import HAND_SIZE

SECRET_SIZE: Final = 32
"""Bytes of a secret: as many as its commitment has."""
FACES_OF_A_DIE: Final = 6
_HASH: Final = "sha256"
_VERSION: Final = b"gnau/1\n"
_NUMBER_SIZE: Final = 4
_NUMBERS: Final = 1 << (8 * _NUMBER_SIZE)

AnyPiece = TypeVar("AnyPiece")
RandomBelow = Callable[[int], int]
"""Returns a random whole number from 0 up to, not including, its argument. All are equally likely."""

system_random: Final[RandomBelow] = secrets.randbelow
"""Random numbers from the system's generator, which nobody can check."""


class Purpose(StrEnum):
    """What random numbers are for. Each purpose has its own stream."""

    DEAL = "deal"
    DICE = "dice"


@dataclass(frozen=True, slots=True, order=True)
class ClientSeed:
    """The text that a member adds to a shuffle.

    Attributes:
        member_id: the member.
        text: their own words, or the id of the interaction that placed their bet.
    """

    member_id: int
    text: str


def new_secret() -> str:
    """A new secret from the system's generator, in lower-case hexadecimal."""
    return secrets.token_bytes(SECRET_SIZE).hex()


def commitment_to(secret: str) -> str:
    """The commitment to a secret, which players see as the seal: its SHA-256, in lower-case hexadecimal.

    Raises:
        ValueError: if the secret is not 32 bytes in hexadecimal.
    """
    return sha256(_bytes_of(secret)).hexdigest()


def opens(secret: str, commitment: str) -> bool:
    """Whether the commitment is to this secret.

    Raises:
        ValueError: if the secret is not 32 bytes in hexadecimal.
    """
    return compare_digest(commitment_to(secret).encode(), commitment.encode())


def seeded_random(secret: str, client_seeds: Iterable[ClientSeed], purpose: Purpose) -> RandomBelow:
    """Random numbers from the seed that a secret and the client seeds make.

    Raises:
        ValueError: if the secret is not 32 bytes in hexadecimal.
    """
    stream = _stream(_seed_of(_bytes_of(secret), client_seeds), purpose)

    def below(most: int) -> int:
        if not 0 < most <= _NUMBERS:
            raise ValueError(f"the bound of a random number is 1 to {_NUMBERS}, not {most}")
        enough = _NUMBERS - _NUMBERS % most
        return next(number for number in stream if number < enough) % most

    return below


def shuffled(pieces: Sequence[AnyPiece], below: RandomBelow) -> tuple[AnyPiece, ...]:
    """The pieces in random order; every order is equally likely (Fisher and Yates).

    Args:
        pieces: the pieces; they do not change.
        below: the random numbers.
    """
    order = list(pieces)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def roll(dice: int, below: RandomBelow = system_random) -> tuple[int, ...]:
    """Rolls dice, each 1 to 6 (T03).

    Args:
        dice: how many.
        below: the random numbers; by default from the system's generator.
    """
    return tuple(below(FACES_OF_A_DIE) + 1 for _ in range(dice))


def deal(
    pieces: Sequence[AnyPiece], hands: int, hand_size: int = HAND_SIZE
) -> tuple[tuple[AnyPiece, ...], ...]:
    """The hands, dealt one piece at a time round the table (G03).

    Raises:
        ValueError: if there are too few pieces.
    """
    if hands * hand_size > len(pieces):
        raise ValueError(f"{hands} hands of {hand_size} need {hands * hand_size} pieces, not {len(pieces)}")
    return tuple(tuple(pieces[place : hands * hand_size : hands]) for place in range(hands))


def _bytes_of(secret: str) -> bytes:
    try:
        found = bytes.fromhex(secret)
    except ValueError:
        found = b""
    if len(found) != SECRET_SIZE:
        raise ValueError(f"a secret is {SECRET_SIZE} bytes in hexadecimal")
    return found


def _seed_of(secret: bytes, client_seeds: Iterable[ClientSeed]) -> bytes:
    lines = [_VERSION]
    for client_seed in sorted(client_seeds):
        text = client_seed.text.encode()
        lines.append(f"{client_seed.member_id}:{len(text)}:".encode() + text + b"\n")
    return hmac_digest(secret, b"".join(lines), _HASH)


def _stream(seed: bytes, purpose: Purpose) -> Iterator[int]:
    """The stream of random numbers, four bytes each."""
    for block in count():
        bytes_of_block = hmac_digest(seed, purpose.encode() + block.to_bytes(8), _HASH)
        for start in range(0, len(bytes_of_block), _NUMBER_SIZE):
            yield int.from_bytes(bytes_of_block[start : start + _NUMBER_SIZE])
