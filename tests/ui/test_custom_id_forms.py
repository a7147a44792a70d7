"""The custom_ids that are out there, letter by letter: buttons live on for months, so these never change."""

import pytest

from bot.ui.press.custom_ids import parse_custom_id

FORMS = {
    **{
        f"gnau:12:3:{action}": action
        for action in (
            *(
                "join",
                "leave",
                "bank",
                "bank_modal",
                "play_house",
                "roll",
                "limits",
                "limits_modal",
                "give_up",
            ),
            *("give_up", "play", "other_bet", "bet_modal", "again", "withdraw", "sit_out", "side_bets"),
            *(
                "back_menu",
                "unback_any",
                "deal",
                "hand",
                "arrange",
                "strongest",
                "why",
                "reveal",
                "messages",
                "rules",
            ),
            *("close", "more"),
        )
    },
    "gnau:12:0:join": "join",
    "gnau:12:3:bet:50": "bet",
    "gnau:12:3:more:4": "more",
    "gnau:12:3:back:5@77": "back",
    "gnau:12:3:other_back@77": "other_back",
    "gnau:12:3:back_modal@77": "back_modal",
    "gnau:12:3:unback@77": "unback",
    "house:confirm:1f": "confirm",
    "house:cancel:1f": "cancel",
    "house:show:gnau": "show",
    "house:show:server": "show",
    "house:presets:tau-ngau": "presets",
    "house:pick:gnau:money:0": "pick",
    "house:value:gnau:betting_seconds": "value",
    "privacy:erase": "erase",
    "privacy:erase:123456789012345678": "erase",
    "privacy:keep": "keep",
    "channel:open:niu-niu:points": "open",
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


@pytest.mark.parametrize("custom_id", FORMS)
def test_a_custom_id_that_is_out_there_still_works(custom_id: str) -> None:
    press = parse_custom_id(custom_id)
    assert press is not None
    assert str(press.action) == FORMS[custom_id]
    assert press.custom_id == custom_id


def test_a_custom_id_of_a_table_names_round_chips_and_player() -> None:
    press = parse_custom_id("gnau:12:3:back:5@77")
    assert press is not None
    assert [getattr(press, name) for name in ("table_id", "round_number", "number", "backed")] == [
        12,
        3,
        5,
        77,
    ]


@pytest.mark.parametrize(
    ("custom_id", "arguments"),
    [
        ("house:pick:gnau:money:0", ("gnau", "money", "0")),
        ("privacy:erase", ()),
        ("privacy:erase:123456789012345678", ("123456789012345678",)),
    ],
)
def test_other_custom_ids_have_arguments(custom_id: str, arguments: tuple[str, ...]) -> None:
    press = parse_custom_id(custom_id)
    assert press is not None
    assert getattr(press, "arguments") == arguments  # noqa: B009 - of some kinds of presses only
