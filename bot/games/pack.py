"""The pieces that a round is dealt from, shuffled."""

from bot.games.register import game_of
from bot.rules.knobs import HouseRules
from bot.rules.pieces import Piece
from bot.rules.shuffle import RandomBelow, shuffled, system_random


def shuffled_pack(hands: int, rules: HouseRules, below: RandomBelow = system_random) -> tuple[Piece, ...]:
    """The shuffled pack for a round (G02, T03).

    Args:
        hands: how many hands are dealt, the banker's included.
        rules: the rules in force.
        below: the random numbers; by default from the system's generator.
    """
    return shuffled(game_of(rules).pack(hands, rules), below)
