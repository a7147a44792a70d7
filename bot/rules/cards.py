"""The cards of a French deck and their text form.

A card is a small integer, `rank * 4 + suit`, so that a hand hashes fast and a rule may look a card up
in a table. Cards of several decks are equal: nothing in the rules tells two queens of hearts apart.
"""

from collections.abc import Iterable
from typing import Final, NewType

from bot.rules.pieces import Piece
from bot.rules.quote import quote

Card = NewType("Card", Piece)

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("C", "D", "H", "S")
SUIT_SIGNS: Final = ("♣", "♦", "♥", "♠")
DECK_SIZE: Final = 52

ACE, THREE, SIX, TEN, JACK, KING = 0, 2, 5, 9, 10, 12
"""Ranks that a rule calls by name, as places in `RANKS`."""
SPADES: Final = 3


def rank_of(card: Card) -> int:
    """The rank, as a place in `RANKS`: 0 is the ace, 12 the king."""
    return card >> 2


def suit_of(card: Card) -> int:
    """The suit, as a place in `SUITS`."""
    return card & 3


def card_of(rank: int, suit: int) -> Card:
    """The card of this rank and suit, both as places in `RANKS` and `SUITS`."""
    return Card(Piece(rank << 2 | suit))


def deck(decks: int = 1) -> tuple[Card, ...]:
    """The cards of so many decks, in order (G01)."""
    return tuple(Card(Piece(number)) for _ in range(decks) for number in range(DECK_SIZE))


def card_text(card: Card) -> str:
    """The card as it is written: rank and the suit's letter, `3S`, `10H`, `KD`."""
    return RANKS[rank_of(card)] + SUITS[suit_of(card)]


def card_name(card: Card) -> str:
    """The card as it is shown: rank and the suit's sign, `3♠`, `10♥`, `K♦`."""
    return RANKS[rank_of(card)] + SUIT_SIGNS[suit_of(card)]


def parse_card(text: str) -> Card:
    """Reads one card: `3S`, `10H` or `TH`, `kd`, `3♠`.

    Raises:
        ValueError: with a sentence that names the text, where it is no card.
    """
    word = text.strip().upper()
    rank_word, suit_word = word[:-1], word[-1:]
    if rank_word == "T":
        rank_word = "10"
    suit = SUITS.index(suit_word) if suit_word in SUITS else -1
    if suit < 0 and suit_word in SUIT_SIGNS:
        suit = SUIT_SIGNS.index(suit_word)
    if suit < 0 or rank_word not in RANKS:
        raise ValueError(f'"{quote(text)}" is not a card; a card is a rank and a suit, such as 3S, 10H or K♦')
    return card_of(RANKS.index(rank_word), suit)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Reads cards that stand apart by blanks.

    Raises:
        ValueError: with a sentence that names the first word that is no card.
    """
    return tuple(parse_card(word) for word in text.split())


def cards_text(cards: Iterable[Card]) -> str:
    """The cards as they are written, apart by blanks: what `parse_cards` reads."""
    return " ".join(card_text(card) for card in cards)
