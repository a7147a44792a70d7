"""Shuffling, and dealing what was shuffled."""

import secrets
from collections.abc import Callable, Sequence
from math import ceil
from typing import Final, TypeVar

from bot.rules.cards import DECK_SIZE, Card, deck
from bot.rules.gnau import HAND_SIZE

HANDS_A_DECK: Final = DECK_SIZE // HAND_SIZE
"""One deck serves ten hands, the banker's included (G02)."""

Piece = TypeVar("Piece")


def decks_for(hands: int, fewest: int = 1) -> int:
    """The decks that so many hands need, the banker's included, and never fewer than the house has (G02)."""
    return max(fewest, ceil(hands / HANDS_A_DECK))


def shuffled(pieces: Sequence[Piece], below: Callable[[int], int] = secrets.randbelow) -> tuple[Piece, ...]:
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


def shuffled_cards(hands: int, fewest_decks: int = 1) -> tuple[Card, ...]:
    """As many decks as so many hands need, shuffled together."""
    return shuffled(deck(decks_for(hands, fewest_decks)))


def deal(pieces: Sequence[Piece], hands: int, hand_size: int = HAND_SIZE) -> tuple[tuple[Piece, ...], ...]:
    """The hands that come of dealing one piece at a time round the table, in the order dealt to (G03).

    Raises:
        ValueError: where the pieces do not reach.
    """
    if hands * hand_size > len(pieces):
        raise ValueError(f"{hands} hands of {hand_size} need {hands * hand_size} pieces, not {len(pieces)}")
    return tuple(tuple(pieces[place : hands * hand_size : hands]) for place in range(hands))
