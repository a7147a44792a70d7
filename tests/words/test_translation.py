from fractions import Fraction

import pytest

from bot.words.translation import chips, either, percent, signed, signed_points, translate


@pytest.mark.parametrize(
    ("amount", "words"),
    [(0, "0 chips"), (1, "1 chip"), (2, "2 chips"), (1000, "1,000 chips"), (1_234_567, "1,234,567 chips")],
)
def test_chips_are_counted(amount: int, words: str) -> None:
    assert chips(amount) == words


def test_chips_below_zero_have_a_true_minus_sign() -> None:
    assert chips(-30) == "\N{MINUS SIGN}30 chips"


@pytest.mark.parametrize(
    ("amount", "words"), [(150, "+150"), (-30, "\N{MINUS SIGN}30"), (0, "±0"), (-1500, "\N{MINUS SIGN}1,500")]
)
def test_a_gain_has_a_sign(amount: int, words: str) -> None:
    assert signed(amount) == words


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (Fraction(3136871981, 60403728840), "5.19%"),
        (Fraction(0), "0.00%"),
        (Fraction(-1, 250), "\N{MINUS SIGN}0.40%"),
        (Fraction(-1, 10**6), "0.00%"),
        (Fraction(12), "1,200.00%"),
    ],
)
def test_a_part_is_a_percentage(part: Fraction, words: str) -> None:
    assert percent(part) == words


def test_a_percentage_can_have_four_digits() -> None:
    part = Fraction(3136871981, 60403728840)

    assert translate("odds.part", part=part) == "5.1932%"
    assert translate("odds.part", part=-part) == "\N{MINUS SIGN}5.1932%"


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (3, "+3 points"),
        (1, "+1 point"),
        (0, "±0 points"),
        (-1, "\N{MINUS SIGN}1 point"),
        (-1500, "\N{MINUS SIGN}1,500 points"),
    ],
)
def test_g22_a_gain_in_points_has_a_sign(amount: int, words: str) -> None:
    assert signed_points(amount) == words


@pytest.mark.parametrize(
    ("words", "told"), [(["18"], "18"), (["18", "21"], "18 or 21"), (["15", "18", "21"], "15, 18 or 21")]
)
def test_alternatives_are_joined_by_or(words: list[str], told: str) -> None:
    assert either(words) == told


def test_alternatives_need_at_least_one() -> None:
    with pytest.raises(ValueError, match="unpack"):
        either([])


def test_a_code_without_a_message_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"refusal\.no_such"):
        translate("refusal.no_such")


def test_a_missing_fact_is_an_error() -> None:
    with pytest.raises(KeyError, match="seat"):
        translate("refusal.already_seated")
    with pytest.raises(KeyError, match="seats"):
        translate("refusal.table_full")
