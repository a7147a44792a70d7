"""What `/leaderboard` says and offers, as Discord gets it."""

import pytest

from bot.table.standings import Measure
from bot.ui.leaderboard import Leaders, Shown, leaderboard_words, own_words
from bot.ui.press.custom_ids import parse_custom_id


@pytest.mark.parametrize("measure", Measure)
def test_a_page_reads_the_same_after_a_press(measure: Measure) -> None:
    shown, nobody = Shown(measure), Leaders(())
    press = parse_custom_id(shown.press().custom_id)
    assert press is not None
    pressed = Shown.of(press)
    assert leaderboard_words(pressed, nobody) == leaderboard_words(shown, nobody)
    assert own_words(pressed, "Mei", None) == own_words(shown, "Mei", None)
