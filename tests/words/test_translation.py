from fractions import Fraction

import pytest

from bot.words.translation import (
    Reader,
    chips,
    either,
    percent,
    plain_name,
    signed,
    signed_points,
    speaking_to,
    translate,
    typed_command,
)

MINUS = "\N{MINUS SIGN}"
EDGE = Fraction(3136871981, 60403728840)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ([chips(amount) for amount in (0, 1, 2, 1000)], ["0 chips", "1 chip", "2 chips", "1,000 chips"]),
        ([chips(1_234_567), chips(-30)], ["1,234,567 chips", f"{MINUS}30 chips"]),
        ([signed(gain) for gain in (150, -30, 0, -1500)], ["+150", f"{MINUS}30", "±0", f"{MINUS}1,500"]),
        ([percent(EDGE), percent(Fraction(0)), percent(Fraction(12))], ["5.19%", "0%", "1,200%"]),
        ([percent(Fraction(-1, 250)), percent(Fraction(-1, 10**6))], [f"{MINUS}0.40%", "less than 0.01%"]),
        ([translate("odds.part", part=part) for part in (EDGE, -EDGE)], ["5.1932%", f"{MINUS}5.1932%"]),
        ([either([*"abc"[:count]]) for count in (1, 2, 3)], ["a", "a or b", "a, b or c"]),
    ],
    ids=["chips", "many and few chips", "gains", "parts", "parts below zero", "four digits", "alternatives"],
)
def test_amounts_and_alternatives_are_written_so(told: list[str], words: list[str]) -> None:
    assert told == words


def test_a_link_in_somebodys_words_is_none_in_a_message() -> None:
    assert plain_name("see https://a.example/b_c: *now*") == r"see https\://a.example/b\_c: \*now\*"


def test_g22_a_gain_in_points_has_a_sign() -> None:
    told = [signed_points(gain) for gain in (3, 1, 0, -1, -1500)]
    assert told == ["+3 points", "+1 point", "±0 points", f"{MINUS}1 point", f"{MINUS}1,500 points"]


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


@pytest.mark.parametrize(
    ("locale", "typed"),
    [
        ("en", "/round verify round:1200"),
        ("de", "/runde prüfen runde:1200"),
        ("ms", "/round verify round:1200"),
    ],
)
def test_a_command_is_as_the_reader_types_it(locale: str, typed: str) -> None:
    with speaking_to(Reader(locale)):
        assert typed_command("round.verify", round=1200) == typed


def test_a_command_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"name\.rounds"):
        typed_command("rounds")
