"""The packs of games of cards (G01, G02)."""

from math import ceil
from typing import Final

from bot.rules.cards import DECK_SIZE, Card, deck
from bot.rules.hand import HAND_SIZE
from bot.rules.house_rules import CardRules

HANDS_A_DECK: Final = DECK_SIZE // HAND_SIZE
"""One deck serves ten hands, the banker's included (G02)."""


def decks_for(hands: int, fewest: int = 1) -> int:
    """How many decks are in play for this many hands, the banker's included (G02).

    Args:
        hands: the number of hands.
        fewest: the fewest decks that the house plays with.
    """
    return max(fewest, ceil(hands / HANDS_A_DECK))


def pack_for(hands: int, rules: CardRules) -> tuple[Card, ...]:
    """The cards that this many hands are dealt from (G01, G02)."""
    return deck(decks_for(hands, rules.decks))
