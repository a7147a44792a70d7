"""The pieces that a round is dealt from."""

from typing import Final

from bot.games.register import game_of
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import Piece
from bot.rules.shuffle import RandomBelow, shuffled, system_random

_FEWEST_HANDS: Final = 2
"""A player's and the banker's."""


def decks_in_play(rules: HouseRules, hands: int = _FEWEST_HANDS) -> int:
    """How many whole decks, or woodpiles, this many hands are dealt from."""
    sets: int = game_of(rules).sets(hands, rules)
    return sets


def shuffled_pack(hands: int, rules: HouseRules, below: RandomBelow = system_random) -> tuple[Piece, ...]:
    """The shuffled pack for a round (G02, T03).

    Args:
        hands: how many hands are dealt, the banker's included.
        rules: the rules in force.
        below: the random numbers; by default from the system's generator.
    """
    pack: tuple[Piece, ...] = game_of(rules).pack(hands, rules)
    return shuffled(pack, below)
