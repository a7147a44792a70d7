"""How many decks games of cards are played with (G02)."""

from math import ceil
from typing import Final

from bot.rules.cards import DECK_SIZE
from bot.rules.hand import HAND_SIZE
from bot.rules.house_rules import CardRules

HANDS_A_DECK: Final = DECK_SIZE // HAND_SIZE
"""One deck serves ten hands, the banker's included (G02)."""


def decks_for(hands: int, rules: CardRules) -> int:
    """How many decks are in play for this many hands, the banker's included (G02)."""
    return max(rules.decks, ceil(hands / HANDS_A_DECK))
