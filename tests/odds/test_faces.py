"""Pieces are grouped by face and suit."""

from bot.games.gnau.rules import ACE_OF_SPADES
from bot.odds.ranking import faces_of
from bot.rules.cards import card_of, deck, parse_cards
from bot.rules.tiles import CIVIL, MILITARY, parse_tiles, woodpile

CARDS, TILES = faces_of("gnau"), faces_of("tau-ngau")


def test_g10_cards_are_sorted_by_rank_and_the_ace_of_spades() -> None:
    assert CARDS.faces == (card_of(0, 0), ACE_OF_SPADES, *(card_of(rank, 0) for rank in range(1, 13)))
    assert CARDS.copies(deck()) == (3, 1, *[4] * 12)
    assert CARDS.copies(deck(3)) == (9, 3, *[12] * 12)
    assert CARDS.copies(parse_cards("AS AS AH 2S 2C KD")) == (1, 2, 2, *[0] * 10, 1)


def test_g21_cards_have_four_suits() -> None:
    assert CARDS.suits == 4
    assert CARDS.copies_by_suit(deck(2))[:3].tolist() == [[2, 2, 2, 0], [0, 0, 0, 2], [2, 2, 2, 2]]


def test_t01_tiles_are_sorted_by_their_face_alone() -> None:
    assert TILES.suits == 1
    assert TILES.copies(woodpile()) == (*[2] * len(CIVIL), *[1] * len(MILITARY))
    assert TILES.copies(parse_tiles("6-6 6-6 1-1")) == (2, 1, *[0] * 19)


def test_a_pack_is_one_deck_or_the_woodpile() -> None:
    assert CARDS.pack == deck()
    assert TILES.pack == woodpile()
