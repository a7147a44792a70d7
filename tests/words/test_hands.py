from itertools import product

import pytest

from bot.rules.cards import RANKS, card_name, deck, parse_cards
from bot.rules.game import Hand
from bot.rules.gnau import GnauClass
from bot.rules.hands import evaluate
from bot.rules.knobs import HouseRules, SuitedBonus
from bot.rules.presets import TAU_NGAU_PRESET, WIKIPEDIA
from bot.rules.tiles import parse_tiles
from bot.words import hand_name, hand_words


@pytest.mark.parametrize(
    ("cards", "name", "words"),
    [
        ("JH QD KS JC QC", "Five Dukes", "J♥ Q♦ K♠ J♣ Q♣"),
        ("AH 2D 3S 4C 3H", "Five Small", "A♥ 2♦ 3♠ 4♣ 3♥"),
        ("AS 5H 7D KC 8H", "Ngau Tonku", "5♥ 7♦ 8♥ + A♠ K♣"),
        ("5C 7C 8C KD KH", "Double-Ox K", "5♣ 7♣ 8♣ + K♦ K♥"),
        ("5C 7C 8C AD AH", "Double-Ox A", "5♣ 7♣ 8♣ + A♦ A♥"),
        ("5C 10D 7C 8C 10H", "Double-Ox 10", "5♣ 7♣ 8♣ + 10♦ 10♥"),
        ("5C 4D 7C 8C 2C", "Ox of 6", "5♣ 7♣ 8♣ + 4♦ 2♣"),
        ("5C 7C 8C 9D AC", "Ox of 10", "5♣ 7♣ 8♣ + 9♦ A♣"),
        ("AH 5H 7D KC 8H", "Nenku (Ox of 1)", "5♥ 7♦ 8♥ + A♥ K♣"),
        ("AH 5H 7D 10C 8H", "Ox of 1", "5♥ 7♦ 8♥ + A♥ 10♣"),
        ("4H 4D 3C 8S 5H", "No Ox", "4♥ 4♦ 3♣ 8♠ 5♥"),
    ],
)
def test_a_hand_is_named_and_its_cards_are_told_apart(cards: str, name: str, words: str) -> None:
    hand = evaluate(parse_cards(cards), WIKIPEDIA)

    assert hand_name(hand) == name
    assert hand_words(hand) == words


@pytest.mark.parametrize(
    ("tiles", "name", "words"),
    [
        ("6-5 4-4 6-1 5-5 1-1", "Score 8", "[4-4] [5-5] [1-1] + [6-5] [6-1]"),
        ("1-1 1-1 2-2 2-2 5-5", "Score 2", "[1-1] [2-2] [2-2] + [1-1] [5-5]"),
        ("6-6 6-6 5-3 4-4 1-1", "No discard", "[6-6] [6-6] [5-3] [4-4] [1-1]"),
    ],
)
def test_t11_a_hand_of_tiles_is_named_and_its_discard_is_told_apart(
    tiles: str, name: str, words: str
) -> None:
    hand = evaluate(parse_tiles(tiles), TAU_NGAU_PRESET)

    assert hand_name(hand) == name
    assert hand_words(hand) == words


def test_g21_a_suited_hand_is_named_so() -> None:
    hand = evaluate(parse_cards("AH 7C 2H 7H 5D"), HouseRules(suited_bonus=SuitedBonus.OX))

    assert hand_name(hand) == "Ox of 2, suited"


def test_hands_that_score_differently_have_different_names() -> None:
    cards = deck()[:5]
    scored = [
        *(Hand(cards, GnauClass.DOUBLE_OX, value) for value in range(1, len(RANKS) + 1)),
        *(Hand(cards, GnauClass.SINGLE_OX, value) for value in range(1, 11)),
        *(Hand(cards, kind) for kind in GnauClass if kind not in (GnauClass.SINGLE_OX, GnauClass.DOUBLE_OX)),
    ]

    assert len({hand_name(hand) for hand in scored}) == len(scored) == 27


@pytest.mark.parametrize(("cards", "small"), [*product(["AH 2D 3S 4C 3H", "5C 7C 8C 3D 6H"], [True, False])])
def test_every_card_of_a_hand_is_told_once(cards: str, small: bool) -> None:
    hand = evaluate(parse_cards(cards), HouseRules(five_small=small, mixed_double=True))

    told = hand_words(hand).replace(" + ", " ").split(" ")
    assert sorted(told) == sorted(card_name(card) for card in parse_cards(cards))
