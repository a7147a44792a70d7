"""Shuffling that anybody can check: commit, mix, draw, deal, reveal, and do it again.

The algorithm, in full, so that it can be written again in any language:

1. **Commit.** Before bets open, the house draws a *secret* of 32 bytes from the system's generator, and shows
   its *seal*: SHA-256 of the secret, in lower-case hexadecimal.
2. **Mix.** Every bettor contributes one text, which the house cannot know when it draws the secret. The
   contributions are put in ascending order of their members' ids, and each is written as
   `<member id>:<length of the text in UTF-8 bytes>:<text>` and a line feed, all in UTF-8. The *seed* is
   HMAC-SHA-256 with the secret as key, and as message `gnau/1`, a line feed, and these lines.
3. **Draw.** Block i, from 0 on, is HMAC-SHA-256 with the seed as key, and as message the purpose in ASCII
   (`deal` or `dice`) followed by i as eight bytes, the most significant first. The blocks one after another
   are the stream. A number below n is made of its next four bytes, the most significant first: where they are
   not below the largest multiple of n that 2³² holds, they are thrown away and the next four taken; the
   number is the remainder after division by n. So every number is equally likely.
4. **Shuffle.** The pieces begin in their pack's order. For each place from the last down to the second, a
   number below the count of places up to it, itself included, says with which place it changes pieces
   (Fisher and Yates). **Dice** are numbers below 6, plus 1.
5. **Deal.** One piece at a time, round the table, the banker last (G03).
6. **Reveal.** With the result the house shows the secret and the contributions: now everybody can check that
   the secret fits the seal, and that the seed makes the hands.

What the house could still do: choose when a secret is born, or not deal at all; and whoever can read its disk
while bets are open knows the secret, and could bet last, with words of his own that suit him.
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

from bot.rules.game import HAND_SIZE
from bot.rules.games import game_of
from bot.rules.knobs import HouseRules
from bot.rules.pieces import Piece

SECRET_SIZE: Final = 32
"""Bytes of a secret: as many as its seal has."""
FACES_OF_A_DIE: Final = 6
_HASH: Final = "sha256"
_VERSION: Final = b"gnau/1\n"
_DRAW_SIZE: Final = 4
_DRAWS: Final = 1 << (8 * _DRAW_SIZE)

AnyPiece = TypeVar("AnyPiece")
Below = Callable[[int], int]
"""Draws a whole number from 0 up to, not including, its argument; every one is equally likely."""


system_below: Final[Below] = secrets.randbelow
"""Draws from the system's generator, where nobody can check it."""


class Purpose(StrEnum):
    """What is drawn from a seed: each has a stream of its own."""

    DEAL = "deal"
    DICE = "dice"


@dataclass(frozen=True, slots=True, order=True)
class Contribution:
    """What a member adds to a shuffle.

    Attributes:
        member_id: whose it is.
        text: words of his own, or the id of the interaction by which he bet.
    """

    member_id: int
    text: str


def new_secret() -> str:
    """A fresh secret of the system's generator, in lower-case hexadecimal."""
    return secrets.token_bytes(SECRET_SIZE).hex()


def seal_of(secret: str) -> str:
    """What is shown of a secret before it may be known: its SHA-256, in lower-case hexadecimal.

    Raises:
        ValueError: where the secret is not 32 bytes in hexadecimal.
    """
    return sha256(_bytes_of(secret)).hexdigest()


def fits(secret: str, seal: str) -> bool:
    """Whether this secret is the one that was sealed.

    Raises:
        ValueError: where the secret is not 32 bytes in hexadecimal.
    """
    return compare_digest(seal_of(secret).encode(), seal.encode())


def drawing(secret: str, contributions: Iterable[Contribution], purpose: Purpose) -> Below:
    """Draws numbers from the seed that a secret and the members' contributions make.

    Raises:
        ValueError: where the secret is not 32 bytes in hexadecimal.
    """
    stream = _stream(_seed_of(_bytes_of(secret), contributions), purpose)

    def below(most: int) -> int:
        if not 0 < most <= _DRAWS:
            raise ValueError(f"a number is drawn below 1 to {_DRAWS}, not below {most}")
        enough = _DRAWS - _DRAWS % most
        return next(drawn for drawn in stream if drawn < enough) % most

    return below


def shuffled(pieces: Sequence[AnyPiece], below: Below) -> tuple[AnyPiece, ...]:
    """The pieces in an order that is equally likely to be any (Fisher-Yates).

    Args:
        pieces: what is shuffled; left as it is.
        below: draws the numbers.
    """
    order = list(pieces)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def shuffled_pack(hands: int, rules: HouseRules, below: Below = system_below) -> tuple[Piece, ...]:
    """All the pieces that so many hands are dealt from, the banker's included, shuffled (G02, T03).

    Args:
        hands: how many hands.
        rules: the rules, which say from what is dealt.
        below: draws the numbers; the system's generator where none is given.
    """
    return shuffled(game_of(rules).pack(hands, rules), below)


def thrown(dice: int, below: Below = system_below) -> tuple[int, ...]:
    """So many dice, each 1 to 6 (T03); `below` as in `shuffled_pack`."""
    return tuple(below(FACES_OF_A_DIE) + 1 for _ in range(dice))


def deal(
    pieces: Sequence[AnyPiece], hands: int, hand_size: int = HAND_SIZE
) -> tuple[tuple[AnyPiece, ...], ...]:
    """The hands that come of dealing one piece at a time round the table, in the order dealt to (G03).

    Raises:
        ValueError: where the pieces do not reach.
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


def _seed_of(secret: bytes, contributions: Iterable[Contribution]) -> bytes:
    lines = [_VERSION]
    for contribution in sorted(contributions):
        text = contribution.text.encode()
        lines.append(f"{contribution.member_id}:{len(text)}:".encode() + text + b"\n")
    return hmac_digest(secret, b"".join(lines), _HASH)


def _stream(seed: bytes, purpose: Purpose) -> Iterator[int]:
    """The stream, four bytes a time."""
    for block in count():
        drawn = hmac_digest(seed, purpose.encode() + block.to_bytes(8), _HASH)
        for start in range(0, len(drawn), _DRAW_SIZE):
            yield int.from_bytes(drawn[start : start + _DRAW_SIZE])
