"""Shuffling, and dealing what was shuffled."""

import secrets
from collections.abc import Callable, Sequence
from typing import TypeVar

from bot.rules.game import HAND_SIZE
from bot.rules.games import game_of
from bot.rules.knobs import HouseRules
from bot.rules.pieces import Piece

AnyPiece = TypeVar("AnyPiece")


def shuffled(
    pieces: Sequence[AnyPiece], below: Callable[[int], int] = secrets.randbelow
) -> tuple[AnyPiece, ...]:
    """The pieces in an order that is equally likely to be any (Fisher-Yates).

    Args:
        pieces: what is shuffled; left as it is.
        below: an unbiased draw of a whole number from 0 up to, not including, its argument; the system's
            generator where none is given.
    """
    order = list(pieces)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def shuffled_pack(hands: int, rules: HouseRules) -> tuple[Piece, ...]:
    """All the pieces that so many hands are dealt from, the banker's included, in random order (G02, T03)."""
    return shuffled(game_of(rules).pack(hands, rules))


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
