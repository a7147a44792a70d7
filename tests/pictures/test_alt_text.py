import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.register import GAMES
from bot.games.settle import Outcome
from bot.pictures.alt_text import LONGEST, AltWords, hand_alt_text, showdown_alt_text
from bot.pictures.pictured_hand import PicturedHand
from bot.rules.cards import card_name, deck, parse_cards
from bot.rules.tiles import parse_tiles, tile_text, woodpile

from .strategies import any_hand, arranged, discarded, full_round, rounds

TAU_NGAU_WORDS = AltWords(ox="discard", power="left", rest="no discard")
NAMES: dict[str, dict[int, str]] = {
    "card": {card: card_name(card) for card in deck()},
    "tile": {tile: tile_text(tile) for tile in woodpile()},
}
LONG_WORDS = AltWords(
    bank="The banker of this table",
    seat="The player who sits in seat number {seat}",
    ox="three cards that make an ox",
    power="two power cards",
    rest="five cards without an ox",
    wild="which may count either three or six",
    face_down="not yet revealed",
    won="has won against the bank",
    lost="has lost against the bank",
    push="neither has won",
)


def named(text: str, pieces: str) -> list[str]:
    """The pieces that a text names, in its order."""
    names = set(NAMES[pieces].values())
    return [word for word in text.replace(",", "").replace("★", "").split() if word in names]


def test_the_text_of_a_hand_has_its_groups() -> None:
    assert hand_alt_text(arranged("3S 6D AC", "8H 8D")) == "ox 3♠ 6♦ A♣, power 8♥ 8♦"
    five = parse_cards("JS QD KC KH JD")
    assert hand_alt_text(PicturedHand(power=five)) == "J♠ Q♦ K♣ K♥ J♦"
    assert hand_alt_text(PicturedHand(rest=five)) == "no ox J♠ Q♦ K♣ K♥ J♦"


def test_t05_the_text_of_a_hand_of_tiles_has_discard_rest_and_wild_tiles() -> None:
    assert hand_alt_text(discarded("6-6 5-3 4-2", "6-5 2-1"), TAU_NGAU_WORDS) == (
        "discard 6-6 5-3 4-2 (wild), left 6-5 2-1 (wild)"
    )
    stuck = PicturedHand(rest=parse_tiles("6-6 1-1 3-1 5-4 2-2"), game="tau-ngau")
    assert hand_alt_text(stuck, TAU_NGAU_WORDS) == "no discard 6-6 1-1 3-1 5-4 2-2"


def test_the_text_of_a_round_has_one_line_per_hand() -> None:
    told = showdown_alt_text(
        [
            arranged("3S 6D AC", "8H 8D"),
            arranged("10S 4D 6C", "9H KD", seat=1, outcome=Outcome.BANKER),
            arranged("2S 7D AC", "AS KH", seat=3, outcome=Outcome.PLAYER),
            arranged("2S 7D AC", "AH KH", seat=12, outcome=Outcome.PUSH),
        ]
    )

    assert told.splitlines() == [
        "Bank: ox 3♠ 6♦ A♣, power 8♥ 8♦",
        "Seat 1: ox 10♠ 4♦ 6♣, power 9♥ K♦, lost",
        "Seat 3: ox 2♠ 7♦ A♣, power A♠ K♥, won",
        "Seat 12: ox 2♠ 7♦ A♣, power A♥ K♥, push",
    ]


def test_signs_replace_words_that_are_too_long() -> None:
    told = showdown_alt_text(
        [
            *full_round()[:19],
            arranged("3S 6D AC", "8H 8D", seat=19, outcome=Outcome.PLAYER),
        ],
        LONG_WORDS,
    )

    assert told.splitlines()[0].startswith("♔: ")
    assert told.splitlines()[19:] == ["19: 3♠ 6♦ A♣ + 8♥ 8♦ ▲"]


@given(any_hand())
def test_the_text_of_a_hand_names_every_piece(hand: PicturedHand) -> None:
    told = hand_alt_text(hand)

    assert 0 < len(told) <= LONGEST
    assert named(told, GAMES[hand.game].pieces.name) == [
        NAMES[GAMES[hand.game].pieces.name][piece] for piece in hand.pieces
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("words", [AltWords(), LONG_WORDS], ids=["English", "long"])
@given(st.data())
def test_the_text_of_a_round_names_every_piece_within_the_limit(words: AltWords, data: st.DataObject) -> None:
    shown = data.draw(rounds())
    told = showdown_alt_text(shown, words)

    assert 0 < len(told) <= LONGEST
    for hand, line in zip(shown, told.splitlines(), strict=True):
        assert named(line, GAMES[hand.game].pieces.name) == [
            NAMES[GAMES[hand.game].pieces.name][piece] for piece in hand.pieces
        ]
