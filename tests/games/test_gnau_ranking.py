"""The order and the multiples of hands of Gnau, and the worked examples (G16 to G24)."""

import pytest

from bot.games.gnau.rules import GnauClass
from bot.games.hands import arrangements
from bot.rules.cards import RANKS, parse_cards
from bot.rules.pieces import HandClass
from tests.games.gnau_hands import class_and_value, hand
from tests.games.presets import WIKIPEDIA

ORDERED = [
    ("JH QD KS JC QC", GnauClass.FIVE_DUKES, 0),
    ("AH 2D 3S 4C 3H", GnauClass.FIVE_SMALL, 0),
    ("AS 5H 7D KC 8H", GnauClass.NGAU_TONKU, 0),
    *[
        (f"5C 7C 8C {rank}D {rank}H", GnauClass.DOUBLE_OX, RANKS.index(rank) + 1)
        for rank in ("K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "A")
    ],
    ("AH 2D 4C 5H 8S", GnauClass.SINGLE_OX, 10),
    ("AH 2D 4C 5H 7S", GnauClass.SINGLE_OX, 9),
    ("AH 2D 7C 8H 10S", GnauClass.SINGLE_OX, 8),
    ("AH 9D 10C 9H 8S", GnauClass.SINGLE_OX, 7),
    ("AH 2D 4C 9H 10S", GnauClass.SINGLE_OX, 6),
    ("AH 2D 4C 8H 10S", GnauClass.SINGLE_OX, 5),
    ("AH 2D 4C 7H 10S", GnauClass.SINGLE_OX, 4),
    ("AH 2D 4C 7H 9S", GnauClass.SINGLE_OX, 3),
    ("AH 2D 4C 5H 10S", GnauClass.SINGLE_OX, 2),
    ("AH 2D 4C 5H 9S", GnauClass.SINGLE_OX, 1),
    ("AH 2D 4C 8H 9S", GnauClass.NO_OX, 0),
]


def test_g16_hands_rank_as_the_order_lists_them() -> None:
    made = [hand(text) for text, _, _ in ORDERED]

    assert [(one.hand_class, one.value) for one in made] == [(kind, value) for _, kind, value in ORDERED]
    strengths = [one.strength for one in made]
    assert strengths == sorted(set(strengths), reverse=True)


@pytest.mark.parametrize(
    ("text", "knob"),
    [
        ("JH QD KS JC QC", "multiple_five_dukes"),
        ("AH 2D 3S 4C 3H", "multiple_five_small"),
        ("AS 5H 7D KC 8H", "multiple_ngau_tonku"),
        ("5C 7C 8C KD KH", "multiple_double_ox"),
        ("AH 2D 4C 5H 8S", "multiple_ox_of_ten"),
        ("AH 2D 4C 5H 7S", "multiple_single_ox"),
    ],
)
def test_g18_each_class_wins_the_multiple_of_its_own_knob(text: str, knob: str) -> None:
    assert hand(text).multiple == getattr(WIKIPEDIA, knob)
    assert hand(text, **{knob: 19}).multiple == 19


def test_g18_the_multiples_of_wikipedia() -> None:
    assert [hand(text).multiple for text, _, _ in ORDERED] == [7, 7, 5, *[3] * 13, *[1] * 10, 0]


@pytest.mark.parametrize(
    ("ox", "power", "hand_class", "value"),
    [
        ("3H 6D 8C", "4S 8H", GnauClass.SINGLE_OX, 2),
        ("3H 6D 8H", "8C 4S", GnauClass.SINGLE_OX, 2),
        ("3H 6D 4S", "8C 8H", GnauClass.DOUBLE_OX, 8),
        ("8C 4S 8H", "3H 6D", GnauClass.SINGLE_OX, 9),
    ],
)
def test_g23_every_alternative_of_the_worked_example_is_found(
    ox: str, power: str, hand_class: HandClass, value: int
) -> None:
    made = list(arrangements(parse_cards("3H 6D 8C 4S 8H"), WIKIPEDIA))

    assert len(made) == 4
    assert (parse_cards(ox), parse_cards(power), hand_class, value) in [
        (one.ox, one.power, one.hand_class, one.value) for one in made
    ]


@pytest.mark.parametrize(
    ("text", "hand_class", "value"),
    [
        ("10H 4D 6C AS KH", GnauClass.NGAU_TONKU, 0),
        ("10H 4D 6C 8S 8H", GnauClass.DOUBLE_OX, 8),
        ("10H 4D 6C 8S 5H", GnauClass.SINGLE_OX, 3),
        ("4H 4D 3C 8S 5H", GnauClass.NO_OX, 0),
    ],
)
def test_g24_the_rows_of_the_japanese_article(text: str, hand_class: HandClass, value: int) -> None:
    assert class_and_value(text) == (hand_class, value)
