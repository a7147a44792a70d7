"""A custom_id reads back as it was written, and no other text passes for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction, parse_custom_id
from tests.ui.messages import MOST_CUSTOM_ID
from tests.ui.sample_tables import LAST_ID

TABLE_ACTIONS = (
    "join leave bank bank_modal play_house roll limits limits_modal give_up play other_bet bet_modal again "
    "withdraw sit_out side_bets back_menu unback_any deal hand strongest why reveal messages rules "
    "close more bank_next see_last squeeze dont_squeeze find_ox show_ox no_ox daily fairness close_now "
    "verify keep_open leave_queue leave_to_back"
)
FORMS = {
    **{f"gnau:12:3:{action}": action for action in TABLE_ACTIONS.split()},
    "gnau:12:0:join": "join",
    "gnau:12:3:bet:50": "bet",
    "gnau:12:0:bet_most:50": "bet_most",
    "gnau:12:3:arrange:2": "arrange",
    "gnau:12:3:more:4": "more",
    "gnau:12:3:back:5@77": "back",
    "gnau:12:3:other_back@77": "other_back",
    "gnau:12:3:back_modal@77": "back_modal",
    "gnau:12:3:unback@77": "unback",
    "house:confirm:123456789012345678": "confirm",
    "house:confirm:123456789012345678:history": "confirm",
    "house:cancel": "cancel",
    "house:cancel:123456789012345678:tau-ngau": "cancel",
    "house:cancel:123456789012345678:gnau.hosting": "cancel",
    "house:show:gnau": "show",
    "house:show:server": "show",
    "house:presets:tau-ngau": "presets",
    "house:pick:gnau:worth:1": "pick",
    "house:pick:gnau:hosting:1:menus": "pick",
    "house:value:gnau:betting_seconds": "value",
    "house:value:gnau:seats:menus": "value",
    "house:take_back": "take_back",
    "house:unban": "unban",
    f"house:unban_now:{'5e' * 32}": "unban_now",
    "house:bans": "bans",
    "house:start_season:123456789012345678:Winter: 2026": "start_season",
    "house:start_season:0:牛年": "start_season",
    "house:end_season:12": "end_season",
    "privacy:erase": "erase",
    "privacy:erase:123456789012345678": "erase",
    "learn:here": "learn",
    "learn:teach:123456789012345678:gnau:42:3": "teach",
    "house:exact:123456789012345678": "exact",
    "house:carry_out:123456789012345678": "carry_out",
    "gift:give:123456789012345678": "give",
    "house:audit:flows:13:0": "audit",
    "privacy:keep": "keep",
    "leaders:show:chips:all:all:own": "leaders",
    "leaders:when:best:week:gnau:0": "leaders_when",
    "leaders:by:net:month:all:12": "leaders_by",
    "leaders:game:biggest:all:tau-ngau:0": "leaders_game",
    "leaders:season:net:season-12:all:0": "leaders_season",
    "leaders:hide:on": "leaders_hide",
    "profile:0:all": "profile",
    "achievements:77": "achievements",
    "ledger:show:123456789012345678:all:older:9223372036854775807:0": "ledger",
    "ledger:show:123456789012345678:gifts:newer:12:1050": "ledger",
    "ledger:of:123456789012345678": "ledger_of",
    "ledger:in:handouts": "ledger_in",
    "ledger:in:csv": "ledger_in",
    "ledger:csv:123456789012345678": "ledger_file",
    "ledger:csv:123456789012345678:tau-ngau": "ledger_file",
    "ledger:show:123456789012345678:niu-niu:older:12:0": "ledger",
    "remind:daily:123456789012345678": "remind",
    "remind:table": "tell",
    "remind:off:daily:123456789012345678": "remind_off",
    "remind:off:table:123456789012345678": "remind_off",
    "remind:take:123456789012345678": "take_daily",
    "schedule:zone:123456789012345678:2359:20261231:weekly:tau-ngau:points": "zone",
    "schedule:zone:123456789012345678:0000:any:once:gnau:chips": "zone",
    "schedule:cancel:123456789012345678": "unschedule",
    "schedule:list": "scheduled",
    "schedule:ask": "schedule",
    "schedule:set": "schedule_modal",
    "wallet": "wallet",
    "break:ask": "ask_break",
    "tournament:enter:123456789012345678": "enter",
    "tournament:leave:123456789012345678": "withdraw_entry",
    "tournament:start:123456789012345678": "start_early",
    "tournament:cancel:123456789012345678": "call_off",
    "tournament:cancel_now:123456789012345678:0:12": "call_off_now",
    "break:30": "break",
    "break:now:30": "break_now",
    "break:not": "no_break",
    "loss:ask": "loss",
    "loss:set": "loss_modal",
    "channel:open:niu-niu:points": "open",
    "channel:open:gnau:chips:123456789012345678": "open",
    "channel:play:gnau": "play_now",
    "channel:house_rules:gnau:chips": "house_rules",
    "guide:overview:gnau": "turn_page",
    "guide:ranking:tau-ngau:12": "turn_page",
    "guide:odds:niu-niu": "turn_page",
    "guide:banker:gnau": "turn_page",
    "guide:words:gnau": "turn_page",
    "guide:knobs:gnau": "turn_page",
    "learn:next:0:gnau:99:1:0": "next",
    "learn:answer:5:gnau:7:2:1:1-2-3-4-50:t012": "answer",
    "learn:answer:5:gnau:7:2:1:1-2-3-4-50:t": "answer",
    "learn:answer:5:tau-ngau:7:2:1:1-2-3-4-20:r110": "answer",
}
"""The custom_ids that are out there, letter by letter: buttons live on for months, so these never change."""

numbers = st.integers(0, LAST_ID)
table_presses = st.builds(
    Press,
    st.sampled_from([action for action in PressAction if action.subject == "table"]),
    st.integers(1, LAST_ID),
    st.integers(0, 999_999_999),
    numbers,
    numbers,
) | st.builds(
    Press,
    st.sampled_from([PressAction.JOIN, PressAction.UNBACK_ANY, PressAction.HAND]),
    st.integers(1, LAST_ID),
    st.integers(0, 999_999_999),
    st.none() | numbers,
    st.none() | numbers,
)
every_press = table_presses | st.sampled_from(sorted(FORMS)).map(parse_custom_id)


@pytest.mark.parametrize("custom_id", FORMS)
def test_a_custom_id_that_is_out_there_still_works(custom_id: str) -> None:
    press = parse_custom_id(custom_id)
    assert press is not None
    assert str(press.action) == FORMS[custom_id]
    assert press.custom_id == custom_id


def test_every_action_has_a_custom_id_that_is_out_there() -> None:
    assert set(FORMS.values()) == set(PressAction)


def test_a_custom_id_names_table_round_chips_and_player_or_has_arguments() -> None:
    assert parse_custom_id("gnau:12:3:back:5@77") == Press(PressAction.BACK, 12, 3, 5, 77)
    picked = Press(PressAction.PICK, arguments=("gnau", "worth", "1"))
    assert parse_custom_id("house:pick:gnau:worth:1") == picked
    assert Press(PressAction.BET, 1, 7).meant_round == 7
    assert Press(PressAction.BET, 1, ANY_ROUND).meant_round is None


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
        "gnau:1:1:confirm",
        "gnau:-1:1:join",
        "gnau:0:1:join",
        "gnau:1::join",
        "gnau:1:1:join\n",
        " gnau:1:1:join",
        "ngau:1:1:join",
        f"gnau:1:1:join:{1 << 63}",
        f"gnau:1:1:unback@{1 << 63}",
        f"gnau:{1 << 63}:1:join",
        "gnau:1:1:bet",
        "gnau:1:0:bet_most",
        "gnau:1:1:back:5",
        "gnau:1:1:back@5",
        "gnau:1:1:unback",
        "gnau:١:1:join",
        "house:fly",
        "house:join:gnau",
        "house:show",
        "house:pick:gnau",
        "guide:ranking",
        "guide:fly:gnau",
        "guide:ranking:poker",
        "guide:ranking:5",
        "guide:ranking:gnau:0",
        "guide:ranking:gnau:12345678901234567890",
        "learn:next:1:poker:1:1:0",
        "learn:next:1:gnau:1:1:0:1-2-3-4-5:r7",
        "learn:answer:1:gnau:1:1:0",
        "learn:answer:1:gnau:1:1:0:1-2-3-4:r7",
        "learn:answer:1:gnau:1:1:0:1-2-3-4-5:r",
        "learn:answer:1:gnau:1:1:0:1-2-3-4-5:t01",
        "channel:open",
        "channel:open:gnau",
        "channel:open:gnau:chips:0",
        "channel:open:poker:chips",
        "channel:open:gnau:money",
        "channel:fly:gnau:chips",
        "house:show:whist",
        "house:show:history",
        "house:confirm:soon",
        "house:confirm:1:whist",
        "house:cancel:1:gnau.money",
        "house:presets:server",
        "house:pick:gnau:money:1",
        "house:value:gnau:trumps",
        "gnau:123456789012345678901:1:join",
        "gnau:1:1:back@",
        "gnau:1:1:back:@5",
        "gnau:1:1:back@5:5",
        "gnau:1:1:back@123456789012345678901",
    ],
)
def test_an_almost_valid_press_is_rejected(custom_id: str) -> None:
    assert parse_custom_id(custom_id) is None
