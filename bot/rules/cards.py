"""The cards of a French deck and their text form.

A card is a small integer, `rank * 4 + suit`, so that a hand hashes fast and a rule can look a card up
in a table. The same card of two decks is equal: no rule tells two queens of hearts apart.
"""

from typing import Final, NewType

from bot.rules.pieces import Piece, PieceSet
from bot.rules.typed_text import quote

Card = NewType("Card", Piece)

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("C", "D", "H", "S")
SUIT_SIGNS: Final = ("♣", "♦", "♥", "♠")
DECK_SIZE: Final = 52

ACE, THREE, SIX, TEN, JACK, KING = 0, 2, 5, 9, 10, 12
"""The ranks that rules name, as indexes in `RANKS`."""
SPADES: Final = 3


def rank_of(card: Card) -> int:
    """The rank, as an index in `RANKS`: 0 is the ace, 12 the king."""
    return card >> 2


def suit_of(card: Card) -> int:
    """The suit, as an index in `SUITS`."""
    return card & 3


def card_of(rank: int, suit: int) -> Card:
    """The card of a rank (an index in `RANKS`) and a suit (an index in `SUITS`)."""
    return Card(Piece(rank << 2 | suit))


def deck(decks: int = 1) -> tuple[Card, ...]:
    """The cards of one or more decks, in order (G01)."""
    return tuple(Card(Piece(number)) for _ in range(decks) for number in range(DECK_SIZE))


def card_text(card: Card) -> str:
    """The card as people type it: rank and the suit's letter, `3S`, `10H`, `KD`."""
    return RANKS[rank_of(card)] + SUITS[suit_of(card)]


def card_name(card: Card) -> str:
    """The card as people read it: rank and the suit's sign, `3♠`, `10♥`, `K♦`."""
    return RANKS[rank_of(card)] + SUIT_SIGNS[suit_of(card)]


def parse_card(text: str) -> Card:
    """Reads one card: `3S`, `10H` or `TH`, `kd`, `3♠`.

    Raises:
        ValueError: if the text is not a card; the message quotes the text.
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
    """Reads cards separated by spaces."""
    return tuple(parse_card(word) for word in text.split())


CARDS: Final[PieceSet[Card]] = PieceSet(
    name="card",
    pieces=deck(),
    emoji="🃏",
    parse=parse_card,
    text=card_text,
    shown=card_name,
    suit=suit_of,
    shown_rank=lambda card: RANKS[rank_of(card)],
)
"""The French cards."""
