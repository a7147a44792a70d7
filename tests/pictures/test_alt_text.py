import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pictures import AltWords, PicturedHand, hand_alt_text, showdown_alt_text
from bot.pictures.alt_text import LONGEST
from bot.rules.cards import card_name, deck, parse_cards
from bot.rules.settle import Outcome

from .draws import arranged, full_round, hands, rounds

ALL_NAMES = {card_name(card) for card in deck()}
LONG_WORDS = AltWords(
    bank="The banker of this table",
    seat="The player who sits in seat number {seat}",
    ox="three cards that make an ox",
    power="two power cards",
    rest="five cards without an ox",
    face_down="not yet turned up",
    won="has won against the bank",
    lost="has lost against the bank",
    draw="neither has won",
)


def test_a_hand_is_told_by_its_groups() -> None:
    assert hand_alt_text(arranged("3S 6D AC", "8H 8D")) == "ox 3♠ 6♦ A♣, power 8♥ 8♦"
    five = parse_cards("JS QD KC KH JD")
    assert hand_alt_text(PicturedHand(power=five)) == "power J♠ Q♦ K♣ K♥ J♦"
    assert hand_alt_text(PicturedHand(rest=five)) == "no ox J♠ Q♦ K♣ K♥ J♦"
    assert hand_alt_text(PicturedHand.face_down()) == "face down"


def test_a_round_is_told_line_by_line_the_banker_first() -> None:
    told = showdown_alt_text(
        [
            arranged("10S 4D 6C", "9H KD", seat=1, outcome=Outcome.BANKER),
            PicturedHand.face_down(seat=2),
            arranged("2S 7D AC", "AS KH", seat=3, outcome=Outcome.PLAYER),
            arranged("2S 7D AC", "AH KH", seat=12, outcome=Outcome.DRAW),
            arranged("3S 6D AC", "8H 8D"),
        ]
    )

    assert told.splitlines() == [
        "Bank: ox 3♠ 6♦ A♣, power 8♥ 8♦",
        "Seat 1: ox 10♠ 4♦ 6♣, power 9♥ K♦, lost",
        "Seat 2: face down",
        "Seat 3: ox 2♠ 7♦ A♣, power A♠ K♥, won",
        "Seat 12: ox 2♠ 7♦ A♣, power A♥ K♥, draw",
    ]


def test_twenty_hands_are_told_in_english_words() -> None:
    told = showdown_alt_text(full_round())

    assert "Seat 19: ox" in told
    assert len(told.splitlines()) == 20


def test_words_that_are_too_long_give_way_to_signs() -> None:
    told = showdown_alt_text(
        [
            *full_round()[:18],
            arranged("3S 6D AC", "8H 8D", seat=18, outcome=Outcome.PLAYER),
            PicturedHand.face_down(seat=19),
        ],
        LONG_WORDS,
    )

    assert told.splitlines()[0].startswith("♔: ")
    assert told.splitlines()[18:] == ["18: 3♠ 6♦ A♣ + 8♥ 8♦ ▲", "19: ?"]


def test_words_in_another_language_stand_in_for_the_english() -> None:
    german = AltWords(seat="Platz {seat}", ox="Ochse", power="Kraft", won="gewonnen")
    hand = arranged("3S 6D AC", "8H 8D", seat=4, outcome=Outcome.PLAYER)

    assert showdown_alt_text([hand], german) == "Platz 4: Ochse 3♠ 6♦ A♣, Kraft 8♥ 8♦, gewonnen"


@settings(deadline=None)
@given(hands(None))
def test_the_text_of_a_hand_names_every_piece(hand: PicturedHand) -> None:
    told = hand_alt_text(hand)

    assert 0 < len(told) <= LONGEST
    for card in hand.ox + hand.power + hand.rest:
        assert card_name(card) in told.replace(",", "").split()


@pytest.mark.parametrize("words", [AltWords(), LONG_WORDS], ids=["English", "long"])
@settings(deadline=None)
@given(st.data())
def test_the_text_of_a_round_names_every_piece_within_the_limit(words: AltWords, data: st.DataObject) -> None:
    shown = data.draw(rounds())
    told = showdown_alt_text(shown, words)

    assert 0 < len(told) <= LONGEST
    for hand, line in zip(shown, told.splitlines(), strict=True):
        cards = [card_name(card) for card in hand.ox + hand.power + hand.rest]
        assert [word for word in line.replace(",", "").split() if word in ALL_NAMES] == cards
