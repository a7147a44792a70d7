"""A custom_id reads back as it was written, and no other text passes for one."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.lesson import LESSON
from bot.games.register import GAMES
from bot.rules.knobs import Play
from bot.ui.components import button
from bot.ui.press.custom_ids import (
    ANY_ROUND,
    ChannelAction,
    ChannelPress,
    Press,
    TableAction,
    TablePress,
    parse_custom_id,
)
from bot.ui.press.guide_ids import PLANS, GuidePage, GuidePress, LessonAction, LessonPress
from tests.ui.messages import MOST_CUSTOM_ID
from tests.ui.sample_tables import LAST_ID

presses = st.builds(
    TablePress,
    st.integers(1, LAST_ID),
    st.integers(0, 999_999_999),
    st.sampled_from(TableAction),
    st.integers(0, LAST_ID),
    st.integers(0, LAST_ID),
) | st.builds(
    TablePress,
    st.integers(1, LAST_ID),
    st.integers(0, 999_999_999),
    st.sampled_from([TableAction.JOIN, TableAction.UNBACK_ANY, TableAction.HAND]),
    st.none() | st.integers(0, LAST_ID),
    st.none() | st.integers(0, LAST_ID),
)
channel_presses = st.builds(
    ChannelPress, st.sampled_from(ChannelAction), st.sampled_from(list(GAMES)), st.sampled_from(Play)
)
guide_presses = st.builds(
    GuidePress,
    st.sampled_from(GuidePage),
    st.sampled_from(list(GAMES)),
    st.none() | st.integers(1, LAST_ID),
)
questions = st.integers(1, len(LESSON)).flatmap(
    lambda question: st.builds(
        LessonPress,
        st.just(LessonAction.ANSWER),
        st.integers(0, LAST_ID),
        st.sampled_from(list(GAMES)),
        st.integers(0, PLANS - 1),
        st.just(question),
        st.integers(0, question - 1),
    )
)
answers = st.builds(
    lambda press, pieces, choice: replace(press, pieces=pieces, **choice),
    questions,
    st.lists(st.integers(0, 20), min_size=5, max_size=5).map(tuple),
    st.sampled_from([(), *combinations(range(5), 3)]).map(lambda three: {"three": three})
    | st.integers(0, 999).map(lambda strength: {"strength": strength}),
)
nexts = questions.map(lambda press: replace(press, action=LessonAction.NEXT, question=press.question + 1))
every_press = presses | channel_presses | guide_presses | answers | nexts


@given(every_press)
def test_a_press_reads_back_as_it_was_written(press: Press) -> None:
    assert parse_custom_id(press.custom_id) == press
    assert len(press.custom_id) <= MOST_CUSTOM_ID


@given(every_press, every_press)
def test_different_presses_have_different_custom_ids(one: Press, other: Press) -> None:
    assert (one.custom_id == other.custom_id) is (one == other)


@given(st.text() | st.from_regex(r"gnau:[^:]*:[^:]*:[^:]*(:[^:]*)?(@[^:]*)?", fullmatch=True))
def test_any_other_custom_id_is_no_press_or_the_same_press(custom_id: str) -> None:
    """The bot also sees custom_ids of other bots and of Discord."""
    press = parse_custom_id(custom_id)
    assert press is None or parse_custom_id(press.custom_id) == press


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "gnau",
        "gnau:1:1:join:",
        "gnau:1:1:join:5:5",
        "gnau:1:1:fly",
        "gnau:1:1:JOIN",
        "gnau:-1:1:join",
        "gnau:1::join",
        "gnau:1:1:join\n",
        " gnau:1:1:join",
        "ngau:1:1:join",
        f"gnau:1:1:join:{1 << 63}",
        f"gnau:1:1:unback@{1 << 63}",
        f"gnau:{1 << 63}:1:join",
        "gnau:1:1:bet",
        "gnau:1:1:back:5",
        "gnau:1:1:back@5",
        "gnau:1:1:unback",
        "gnau:١:1:join",
        "house:fly",
        "guide:ranking",
        "guide:fly:gnau",
        "guide:ranking:poker",
        "guide:ranking:5",
        "guide:ranking:gnau:0",
        "guide:ranking:gnau:12345678901234567890",
        "learn:next:1:gnau:1:0:0",
        "learn:next:1:gnau:1:7:0",
        "learn:next:1:gnau:1:1:1",
        "learn:next:1:poker:1:1:0",
        "learn:next:1:gnau:1:1:0:1-2-3-4-5:r7",
        "learn:answer:1:gnau:1:1:0",
        "learn:answer:1:gnau:1:6:0:1-2-3-4-5:r7",
        "learn:answer:1:gnau:1:1:0:1-2-3-4:r7",
        "learn:answer:1:gnau:1:1:0:1-2-3-4-52:r7",
        "learn:answer:1:tau-ngau:1:1:0:1-2-3-4-21:r7",
        "learn:answer:1:gnau:1:1:0:1-2-3-4-5:r",
        "learn:answer:1:gnau:1:1:0:1-2-3-4-5:t01",
        "learn:answer:1:gnau:1:1:0:1-2-3-4-5:t011",
        "learn:answer:1:gnau:1:1:0:1-2-3-4-5:t015",
        "channel:open",
        "channel:open:gnau",
        "channel:open:gnau:chips:5",
        "channel:open:poker:chips",
        "channel:open:gnau:money",
        "channel:fly:gnau:chips",
        "house:show:" + "x" * 41,
        "gnau:123456789012345678901:1:join",
        "gnau:1:1:back@",
        "gnau:1:1:back:@5",
        "gnau:1:1:back@5:5",
        "gnau:1:1:back@123456789012345678901",
    ],
)
def test_an_almost_valid_press_is_rejected(custom_id: str) -> None:
    assert parse_custom_id(custom_id) is None


def test_a_press_for_any_round_has_no_meant_round() -> None:
    assert TablePress(1, ANY_ROUND, TableAction.BET).meant_round is None
    assert TablePress(1, 7, TableAction.BET).meant_round == 7


def test_a_button_shows_the_press_it_carries() -> None:
    press = TablePress(1, 7, TableAction.BET, 50)
    made = button(press, "50", emoji="🪙", disabled=True)
    assert (made["custom_id"], made["label"], made["disabled"]) == (press.custom_id, "50", True)
    assert made["emoji"] == {"name": "🪙"}
