from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import (
    RANKS,
    SUIT_SIGNS,
    SUITS,
    Card,
    card_name,
    card_of,
    card_text,
    deck,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from bot.rules.tiles import parse_tile
from tests.games.strategies import cards


def test_g01_a_deck_has_each_rank_in_each_suit_once() -> None:
    faces = [(rank_of(card), suit_of(card)) for card in deck()]

    assert len(faces) == 52
    assert set(faces) == {(rank, suit) for rank in range(13) for suit in range(4)}


def test_g01_two_decks_have_every_card_twice() -> None:
    assert sorted(deck(2)) == sorted([*deck(), *deck()])


def test_a_card_is_the_card_of_its_rank_and_suit() -> None:
    for card in deck():
        assert card_of(rank_of(card), suit_of(card)) == card


def test_the_text_of_a_card_reads_back() -> None:
    for card in deck():
        assert parse_card(card_text(card)) == card
        assert parse_card(card_name(card)) == card


def test_every_card_has_a_different_text() -> None:
    assert {card_text(card) for card in deck()} == {rank + suit for rank in RANKS for suit in SUITS}
    assert {card_name(card) for card in deck()} == {rank + sign for rank in RANKS for sign in SUIT_SIGNS}


def test_the_signs_stand_for_the_letters_of_their_suits() -> None:
    assert [card_name(parse_card(text)) for text in ("AC", "2D", "10H", "KS")] == ["A♣", "2♦", "10♥", "K♠"]


@pytest.mark.parametrize("text", ["10H", "TH", "th", "10h", "10♥", "T♥", " 10H "])
def test_a_card_can_be_written_in_several_ways(text: str) -> None:
    assert card_text(parse_card(text)) == "10H"


@given(st.lists(cards))
def test_the_text_of_cards_reads_back_in_order(several: list[Card]) -> None:
    assert parse_cards(" ".join(map(card_text, several))) == tuple(several)


@pytest.mark.parametrize("text", ["", " ", "S", "♠", "10", "1S", "0H", "11H", "3X", "3S4S", "S3", "joker"])
def test_text_that_is_not_a_card_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=rf'^"{text}" is not a card'):
        parse_card(text)


def test_the_first_word_that_is_not_a_card_is_quoted() -> None:
    with pytest.raises(ValueError, match=r'^"1S" is not a card'):
        parse_cards("3S 10H 1S 99X")


@pytest.mark.parametrize("parse", [parse_card, parse_tile])
def test_long_text_that_is_not_a_piece_is_quoted_in_short(parse: Callable[[str], object]) -> None:
    with pytest.raises(ValueError, match="is not a") as wrong:
        parse("X" * 100_000)
    assert len(str(wrong.value)) < 150
