"""What a hand is: as its player arranged it, or the strongest way (B04)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bot.games.hands import declared, evaluate
from bot.games.worth import worth_of
from bot.rules.hand import Hand
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import Piece

HANDS_KEPT: Final = 1 << 12


def hand_of(pieces: Sequence[Piece], declared_ox: tuple[int, ...] | None, rules: HouseRules) -> Hand:
    """The hand that five pieces make, as it is settled.

    Args:
        pieces: the five pieces of a seat, a bank or a result.
        declared_ox: the places of the ox that the player declared; None for the strongest hand.
        rules: the rules of the round.

    Raises:
        ValueError: if there are not five pieces, or the places are not three of them.
    """
    return _hand_of(tuple(pieces), declared_ox, worth_of(rules))


@lru_cache(maxsize=HANDS_KEPT)
def _hand_of(pieces: tuple[Piece, ...], declared_ox: tuple[int, ...] | None, worth: HouseRules) -> Hand:
    """Kept for a while: a hand is shown many times between its deal and the end of the next round."""
    return evaluate(pieces, worth) if declared_ox is None else declared(pieces, declared_ox, worth)
