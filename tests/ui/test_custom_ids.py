"""A custom_id reads back as it was written, and no other text passes for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.register import GAMES
from bot.rules.knobs import Play
from bot.ui.custom_ids import (
    ANY_ROUND,
    ChannelAction,
    ChannelPress,
    Press,
    TableAction,
    TablePress,
    parse_custom_id,
)
from bot.ui.views.components import button
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


@given(presses | channel_presses)
def test_a_press_reads_back_as_it_was_written(press: Press) -> None:
    assert parse_custom_id(press.custom_id) == press
    assert len(press.custom_id) <= MOST_CUSTOM_ID


@given(presses | channel_presses, presses | channel_presses)
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
