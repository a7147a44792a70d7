"""What members wrote is shown without hidden characters, and never too long."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.typed_text import LONGEST_QUOTE, MOST_MARKS, PLACEHOLDER, clean, json_text, quote, text_length

BIDIRECTIONAL = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u180e\u200b\u2060\u2061\u2800\u3164\ufeff\uffa0\U0001d159\U000e0041\U000e0100"
)
CONTROL = "\x00\x07\x1b\x7f\x9b"
JOINERS = "\u200c\u200d"
FAMILY = "👨\u200d👩\u200d👧"
WHOLE = [
    "Mei",
    "Nguyễn Thị Hồng",
    "e\u0302\u0301",
    "ནམ་མཁའ་བསྒྲུབས",
    "مى\u200cخواهم",
    "क\u094d\u200dष",
    "שלום 8",
    "李小龍",
    FAMILY,
    "🏳\ufe0f\u200d🌈",
    "👍🏽",
    "🙂\u200d↔\ufe0f",
    "1\ufe0f\u20e3",
    "🇲🇾",
    "❤\ufe0f",
]
HOSTILE = st.text(
    st.one_of(
        st.sampled_from(
            BIDIRECTIONAL + INVISIBLE + CONTROL + JOINERS + "\ufe0e\ufe0f\u0301\u094d\u20e3 \n\u2028"
        ),
        st.sampled_from("aA8*ä李ك\u0915🂡👨👩🏽🇲🇾↔❤"),
        st.characters(),
    ),
    max_size=60,
)


@pytest.mark.parametrize("text", WHOLE)
def test_names_of_every_script_and_emoji_stay_as_they_are(text: str) -> None:
    assert clean(text, 100) == text


@pytest.mark.parametrize("char", BIDIRECTIONAL + INVISIBLE + CONTROL)
def test_a_hidden_character_is_left_out(char: str) -> None:
    assert clean(f"Al{char}ice", 100) == "Alice"
    assert clean(f"{char}Alice{char}", 100) == "Alice"


@pytest.mark.parametrize("char", JOINERS + "\ufe0e\ufe0f")
def test_a_joiner_or_selector_that_changes_nothing_is_left_out(char: str) -> None:
    assert clean(f"{char}Al{char}{char}ice{char}", 100) == "Alice"
    assert clean(f"👨{char} {char}👩", 100).replace("\ufe0e", "").replace("\ufe0f", "") == "👨 👩"


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b", "\u202e\u2066", "\u3164", "\u0301\u0301", "\u200d"])
def test_a_text_in_which_nothing_can_be_seen_has_a_placeholder(text: str) -> None:
    assert clean(text, 100) == PLACEHOLDER


def test_stacked_marks_are_limited() -> None:
    assert clean("A" + "\u0301" * 50 + "lice", 100) == "A" + "\u0301" * MOST_MARKS + "lice"


def test_lines_and_blanks_become_one_blank() -> None:
    assert clean(" two\r\nlines \u200b \u3000\u2028and\ttabs ", 100) == "two lines and tabs"


def test_a_cut_never_divides_what_is_seen_as_one() -> None:
    assert clean("abcdef", 5) == "abcd…"
    assert clean("abce\u0302\u0301d", 6) == "abc…"
    assert clean(f"ab{FAMILY}", 9) == "ab…"
    assert clean("a🇲🇾🇸🇬", 8) == "a🇲🇾…"
    assert clean("🎲" * 4, 6) == "🎲🎲…"


@given(HOSTILE, st.integers(1, 80))
def test_any_text_comes_out_clean_and_short_and_is_clean_then(text: str, longest: int) -> None:
    shown = clean(text, longest)

    assert 0 < text_length(shown) <= longest
    assert shown == shown.strip()
    assert len(shown.splitlines()) == 1
    assert not set(shown) & set(BIDIRECTIONAL + INVISIBLE + CONTROL)
    assert not any(0xD800 <= ord(char) < 0xE000 for char in shown)
    assert clean(shown, longest) == shown
    marks = 0
    for char in shown:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        # A selector may stand before the marks of an emoji.
        assert marks <= MOST_MARKS + 1


@given(st.text())
def test_a_quote_is_short_and_blank_only_for_a_blank_text(text: str) -> None:
    assert text_length(quote(text)) <= LONGEST_QUOTE
    assert bool(quote(text).strip()) == bool(text.strip())


@given(st.recursive(st.text() | HOSTILE, lambda inner: st.lists(inner) | st.dictionaries(HOSTILE, inner)))
def test_json_hides_nothing_and_keeps_every_value(value: object) -> None:
    written = json_text(value)

    assert json.loads(written) == value
    assert not set(written) & set(BIDIRECTIONAL + INVISIBLE + CONTROL + JOINERS)
    written.encode()
