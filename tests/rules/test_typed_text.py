import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.typed_text import parse_digits


@given(st.integers(0, 10**15), st.sampled_from([",", " ", "\N{NO-BREAK SPACE}"]))
def test_a_number_can_have_groups_of_three_digits(number: int, apart: str) -> None:
    assert parse_digits(str(number)) == str(number)
    assert parse_digits(f"{number:,}".replace(",", apart)) == str(number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "2,5",
        "1,0",
        "12,50",
        "1,00,000",
        "1,000 000",
        ",100",
        "100,",
        "1,,000",
        "1,0000",
        "1.000",
        "-1",
        "+1",
        "1_000",
        "1e3",
        "٣",
        "²",
        "five",
        "1\n",
        "1\x00",
    ],
)
def test_text_that_is_not_a_whole_number_is_none(text: str) -> None:
    assert parse_digits(text) is None


def test_wide_digits_of_chinese_and_japanese_keyboards_are_digits() -> None:
    assert parse_digits("５０") == "50"
    assert parse_digits("１，０００") == "1000"
    assert parse_digits("２，５") is None
