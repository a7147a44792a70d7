"""What `/leaderboard` says and offers, as Discord gets it."""

from dataclasses import replace

import pytest

from bot.ledger.changes import Season
from bot.ledger.records import Rank
from bot.table.standings import Measure
from bot.ui.leaderboard import Leaders, Shown, leaderboard_controls, leaderboard_words, own_words
from bot.ui.press.custom_ids import parse_custom_id
from tests.ui.messages import sent


@pytest.mark.parametrize("measure", Measure)
def test_a_page_reads_the_same_after_a_press(measure: Measure) -> None:
    shown, nobody = Shown(measure), Leaders(())
    press = parse_custom_id(shown.press().custom_id)
    assert press is not None
    pressed = Shown.of(press)
    assert leaderboard_words(pressed, nobody) == leaderboard_words(shown, nobody)
    assert own_words(pressed, "Mei", None) == own_words(shown, "Mei", None)


def test_nobody_gets_a_medal_for_less_than_zero() -> None:
    ranks = [(Rank(1, 1, 3), "Mei"), (Rank(2, 2, -1), "Alice")]
    lines = leaderboard_words(Shown(Measure.POINTS), Leaders(ranks)).splitlines()
    assert [line[:1] for line in lines[-2:]] == ["🥇", "`"]


def test_a_season_of_which_a_menu_shows_no_name_has_one() -> None:
    season = Season(
        1, 3, "<:gold:840000000000000009>", resets=False, channel_id=2, role_id=None, started_at=0
    )
    menus = sent(leaderboard_controls(Shown(), Leaders((), seasons=[season])))
    assert "season-3" in str([part for part in menus if "'label': 'season-3'" in str(part)])


def test_of_a_season_that_is_over_nobody_reads_yet() -> None:
    season = Season(1, 3, "Winter", resets=False, channel_id=2, role_id=None, started_at=0.0, ends_at=1.0)
    shown = Shown(Measure.POINTS).of_season(season.period)
    for is_over in (False, True):
        seasons = [replace(season, is_over=is_over)]
        told = (
            leaderboard_words(shown, Leaders((), seasons=seasons)),
            own_words(shown, "Mei", None, None, seasons),
        )
        assert [" yet" in words for words in told] == [not is_over] * 2
