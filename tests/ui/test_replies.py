"""Long replies: as many whole lines as Discord takes, which counts UTF-16 code units."""

from bot.rules.typed_text import text_length
from bot.ui.press.replies import whole_lines
from bot.wire.requests import LONGEST_TEXT


def test_lines_of_emoji_fit_into_a_message() -> None:
    shown = whole_lines(["🐂" * 100] * 30)
    assert text_length(shown) <= LONGEST_TEXT
    assert shown.splitlines()[-1] == "… and 11 more"
