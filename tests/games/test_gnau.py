"""The classes of hands of Gnau, clause by clause (G01 to G15)."""

import pytest

from bot.games.gnau.rules import NENKU, GnauClass, GnauRules, is_ox, points_of
from bot.games.hands import arrangements, evaluate
from bot.rules.cards import RANKS, parse_card, parse_cards
from bot.rules.pieces import last_digits
from tests.games.gnau_hands import class_and_value, every_class_and_value, hand
from tests.games.presets import WIKIPEDIA


def digits(text: str) -> frozenset[int]:
    """The last digit of every total that cards can have."""
    return last_digits(points_of(card, WIKIPEDIA) for card in parse_cards(text))


@pytest.mark.parametrize("text", ["", "AS 2H 3D 4C", "AS 2H 3D 4C 5C 6C"])
def test_g01_a_hand_is_five_cards(text: str) -> None:
    with pytest.raises(ValueError, match=f"is 5 cards, not {len(text.split())}"):
        evaluate(parse_cards(text), WIKIPEDIA)
    with pytest.raises(ValueError, match=f"is 5 cards, not {len(text.split())}"):
        arrangements(parse_cards(text), WIKIPEDIA)


def test_g04_points_are_1_for_the_ace_the_face_then_ten() -> None:
    points = [points_of(parse_card(f"{rank}H"), GnauRules(flex_3_6=False)) for rank in RANKS]

    assert points == [(1,), (2,), (3,), (4,), (5,), (6,), (7,), (8,), (9,), (10,), (10,), (10,), (10,)]


def test_g04_a_3_and_a_6_count_3_or_6() -> None:
    assert points_of(parse_card("3H"), WIKIPEDIA) == (3, 6)
    assert points_of(parse_card("6H"), WIKIPEDIA) == (6, 3), "its own points come first"
    assert points_of(parse_card("9H"), WIKIPEDIA) == (9,)


@pytest.mark.parametrize("text", ["3H AD 3S", "6H AD 6S", "3H 8D 6S", "3H 5D 9S", "6H 5D 9S"])
def test_g04_each_3_and_6_of_an_ox_is_read_on_its_own(text: str) -> None:
    assert is_ox(parse_cards(text), GnauRules(flex_3_6=True))


def test_g04_a_3_or_a_6_is_read_independently_among_the_power_cards() -> None:
    assert class_and_value("10H JD QS 3C 4H") == (GnauClass.SINGLE_OX, 10)
    assert class_and_value("10H JD QS 3C 4H", flex_3_6=False) == (GnauClass.SINGLE_OX, 7)
    assert class_and_value("10H JD QS 6C 2H") == (GnauClass.SINGLE_OX, 8)
    assert class_and_value("10H JD QS 6C 5H") == (GnauClass.SINGLE_OX, 8)
    assert class_and_value("10H JD QS 6C 5H", flex_3_6=False) == (GnauClass.SINGLE_OX, 1)


@pytest.mark.parametrize("text", ["AH 2D 7S", "2H 8D KS", "10H JD QS", "5H 7D 8S", "2H 9D 9S", "AH 9D 10C"])
def test_g05_three_cards_that_total_a_multiple_of_ten_are_an_ox(text: str) -> None:
    assert is_ox(parse_cards(text), WIKIPEDIA)


def test_g06_the_two_left_over_are_the_power_cards() -> None:
    best = hand("5H 4C 7D 2S 8H")

    assert best.ox == parse_cards("5H 7D 8H")
    assert best.power == parse_cards("4C 2S")
    assert best.pieces == parse_cards("5H 4C 7D 2S 8H")


def test_g07_three_of_a_kind_is_an_ox() -> None:
    assert is_ox(parse_cards("7H 7D 7S"), WIKIPEDIA)
    assert class_and_value("7H 7D 7S 8C 9C") == (GnauClass.SINGLE_OX, 7)
    assert class_and_value("7H 7D 7S 9C 9H") == (GnauClass.DOUBLE_OX, 9)


def test_g07_without_the_knob_three_of_a_kind_needs_a_total() -> None:
    assert class_and_value("7H 7D 7S 8C 9C", triple_ox=False) == (GnauClass.NO_OX, 0)
    assert class_and_value("KH KD KS 8C 9C", triple_ox=False) == (GnauClass.SINGLE_OX, 7)


@pytest.mark.parametrize("text", ["JH QD KS JC QC", "JH JD JS KC KH", "KH KD KS KC QH"])
def test_g08_five_of_jack_queen_king_are_five_dukes(text: str) -> None:
    best = hand(text)

    assert (best.hand_class, best.value) == (GnauClass.FIVE_DUKES, 0)
    assert (best.ox, best.power) == ((), ())


@pytest.mark.parametrize("text", ["AH 2D 3S 4C 3H", "2H 2D 2S 4C 3H", "AS AD 4S 4C 4H"])
def test_g09_five_from_ace_to_4_are_five_small_whatever_they_total(text: str) -> None:
    best = hand(text)

    assert (best.hand_class, best.value) == (GnauClass.FIVE_SMALL, 0)
    assert (best.ox, best.power) == ((), ())


def test_g09_a_five_is_not_small() -> None:
    assert class_and_value("AH 2D 3S 4C 5H")[0] is not GnauClass.FIVE_SMALL


@pytest.mark.parametrize("duke", ["J", "Q", "K"])
def test_g10_the_ace_of_spades_and_a_duke_are_ngau_tonku(duke: str) -> None:
    best = hand(f"AS 5H 7D {duke}C 8H")

    assert (best.hand_class, best.value) == (GnauClass.NGAU_TONKU, 0)
    assert best.power == parse_cards(f"AS {duke}C")


@pytest.mark.parametrize("ace", ["AC", "AD", "AH"])
def test_g11_another_ace_and_a_duke_are_nenku_a_single_of_1(ace: str) -> None:
    best = hand(f"{ace} 5H 7D KC 8H")

    assert (best.hand_class, best.value, best.multiple) == (GnauClass.SINGLE_OX, 1, 1)
    assert best.rank.alias == NENKU


@pytest.mark.parametrize("power", ["AS KC", "AH 10C", "2C 9H", "KC 2D", "KC 4D"])
def test_g11_nothing_else_is_nenku(power: str) -> None:
    assert hand(f"5H 7D 8H {power}").rank.alias != NENKU
    assert hand(f"5H 7D 8H {power}", ngau_tonku=False).rank.alias != NENKU


def test_g11_a_ten_makes_nenku_if_it_serves_as_the_duke() -> None:
    assert hand("AH 5H 7D 10C 8H", tonku_tens=True).rank.alias == NENKU


@pytest.mark.parametrize("rank", RANKS)
def test_g12_power_cards_of_one_rank_are_a_double(rank: str) -> None:
    best = hand(f"5C 7C 8C {rank}D {rank}H")

    assert (best.hand_class, best.value) == (GnauClass.DOUBLE_OX, RANKS.index(rank) + 1)
    assert best.power == parse_cards(f"{rank}D {rank}H")


def test_g13_3_and_6_are_a_double_of_6_if_the_knob_is_on() -> None:
    assert class_and_value("10C JC QC 3D 6H", mixed_double=True) == (GnauClass.DOUBLE_OX, 6)
    assert class_and_value("10C JC QC 3D 6H", mixed_double=False) == (GnauClass.SINGLE_OX, 9)


@pytest.mark.parametrize(
    ("power", "value"),
    [
        ("AD 10H", 1),
        ("AD JH", 1),
        ("2D 9H", 1),
        ("2D 10H", 2),
        ("AD 2H", 3),
        ("4D 9H", 3),
        ("4D QH", 4),
        ("AD 4H", 5),
        ("2D 4H", 6),
        ("7D KH", 7),
        ("AD 7H", 8),
        ("2D 7H", 9),
        ("3D 6H", 9),
        ("AD 9H", 10),
        ("4D 6H", 10),
        ("3D 4H", 10),
        ("KD QH", 10),
    ],
)
def test_g14_a_single_has_the_points_of_its_power_cards_modulo_ten(power: str, value: int) -> None:
    made = every_class_and_value(f"10C JC KC {power}")

    assert (GnauClass.SINGLE_OX, value) in made


@pytest.mark.parametrize("text", ["AH 2D 4S 8C 9H", "2H 2D 4S 7C 7H", "KH QD 9S 8C 9H"])
def test_g15_five_cards_without_an_ox_are_no_ox(text: str) -> None:
    best = hand(text)

    assert (best.hand_class, best.value) == (GnauClass.NO_OX, 0)
    assert (best.ox, best.power, best.multiple) == ((), (), 0)
