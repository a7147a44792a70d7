"""The suggestions of `/house` while somebody types."""

from itertools import product

import pytest

from bot.games.house import UNCHANGED
from bot.games.knobs import parse_knob, settable
from bot.games.register import GAMES
from bot.rules.knobs import MOST_CHANNELS, GameName
from bot.ui.components import MOST_OPTIONS
from bot.ui.house.suggestions import LONGEST, Suggestions, group_named, suggested_knobs, suggested_values
from bot.ui.house.view import GROUPS, knobs_about

GNAU, TAU_NGAU = "gnau", "tau-ngau"
ANY_GAME = [None, *GAMES]
CHANNELS = {number: f"channel-{number}" for number in range(10**18, 10**18 + 40)}


def values(suggestions: Suggestions) -> list[str]:
    """The values of the suggestions, checked against Discord's limits."""
    assert len(suggestions) <= MOST_OPTIONS
    for one in suggestions:
        assert 0 < len(one.name) <= LONGEST
        assert 0 < len(one.value) <= LONGEST
    assert len({one.name for one in suggestions}) == len(suggestions)
    return [one.value for one in suggestions]


@pytest.mark.parametrize("game", ANY_GAME)
def test_typing_reaches_every_knob(game: GameName | None) -> None:
    every = {knob.name for knob in settable(game)}
    shown = values(suggested_knobs(UNCHANGED, game, ""))
    groups = [group for group in map(group_named, shown) if group is not None]
    by_group = {knob.name for about, of in groups for knob in knobs_about(of or game or GNAU, about)}
    assert every <= set(shown) | by_group
    for knob in settable(game):
        assert values(suggested_knobs(UNCHANGED, game, knob.name))[0] == knob.name
        assert knob.name in values(suggested_knobs(UNCHANGED, game, knob.name.replace("_", " ").upper()))
        offered = values(suggested_knobs(UNCHANGED, game, knob.about))
        of_group = [group for group in map(group_named, offered) if group is not None]
        assert knob.name in offered or not {(knob.about, knob.games[0]), (knob.about, None)}.isdisjoint(
            of_group
        )


def test_a_knob_that_games_set_differently_is_suggested_with_each_value() -> None:
    (ties, *_) = suggested_knobs(UNCHANGED, None, "ties")
    (small, *_) = suggested_knobs(UNCHANGED, None, "multiple_five_small")
    (of_gnau, *_) = suggested_knobs(UNCHANGED, GNAU, "ties")
    assert ties.name.startswith("Ties: Gnau banker, Tau Ngau nobody · ")
    assert small.name.startswith("Five Small wins ×: Gnau 7, Niu Niu 8 · ")
    assert of_gnau.name.startswith("Ties: banker · ")


def test_too_many_knobs_are_suggested_by_their_groups_first() -> None:
    suggestions = suggested_knobs(UNCHANGED, GNAU, "")
    assert values(suggestions)[: len(GROUPS)] == [about.value for about in GROUPS]
    assert all(group_named(one) for one in values(suggestions)[: len(GROUPS)])
    assert "15 rules" in suggestions[0].name
    few = values(suggested_knobs(UNCHANGED, TAU_NGAU, "daily"))
    assert (
        {"daily_chips", "daily_hours", "daily_bonus"}
        <= set(few)
        <= {knob.name for knob in settable(TAU_NGAU)}
    )


def test_only_valid_values_are_suggested() -> None:
    for knob, typed in product(
        settable(), ["", " ", "on", "o", "1", "7", "1,000", "x", "<#1>", "-1", "9" * 30]
    ):
        for game in GAMES:
            for value in values(suggested_values(UNCHANGED, game, knob.name, typed, CHANNELS)):
                assert parse_knob(knob.name, value)[0] == knob.name


def test_suggestions_mark_the_current_and_the_default_value() -> None:
    house = (
        UNCHANGED.with_preset("points").with_knob("multiple_double_ox", "9").with_knob("ties", "push", GNAU)
    )
    names = {one.value: one.name for one in suggested_values(house, GNAU, "multiple_double_ox", "12", {})}
    assert names == {
        "12": "12",
        "9": "9 (now)",
        "2": "2 (default)",
        "1": "1 (lowest)",
        "20": "20 (highest)",
    }
    names = {one.value: one.name for one in suggested_values(house, GNAU, "ties", "", {})}
    assert names == {"banker": "banker (default)", "push": "push: nobody (now)"}


def test_channels_are_added_one_by_one_while_they_fit() -> None:
    first, second, *_ = CHANNELS
    every = values(suggested_values(UNCHANGED, None, "channels", "", CHANNELS))
    assert every[0] == "all"
    assert f"<#{first}>" in every
    named = values(suggested_values(UNCHANGED, None, "channels", f"#{CHANNELS[second]}", CHANNELS))
    assert named == [f"<#{second}>"], "Enter must not pick what does not fit"
    assert values(suggested_values(UNCHANGED, None, "channels", "al", CHANNELS))[0] == "all"
    both = values(suggested_values(UNCHANGED, None, "channels", f"<#{first}> {CHANNELS[second]}", CHANNELS))
    assert both == [f"<#{first}> <#{second}>"]
    many = " ".join(f"<#{channel}>" for channel in list(CHANNELS)[:MOST_CHANNELS])
    assert values(suggested_values(UNCHANGED, None, "channels", many, CHANNELS)) == []


def test_one_channel_is_not_added_to_another_where_there_is_room_for_one() -> None:
    first, second, *_ = CHANNELS
    typed = f"<#{first}> {CHANNELS[second]}"
    assert values(suggested_values(UNCHANGED, None, "log_channel", typed, CHANNELS)) == []
    assert values(suggested_values(UNCHANGED, None, "log_channel", "of", CHANNELS))[0] == "off"
    assert values(suggested_values(UNCHANGED, None, "log_channel", "no such channel", CHANNELS)) == []


def test_what_is_typed_comes_first_where_it_is_allowed_and_nothing_where_it_is_not() -> None:
    """Discord's client sends its first suggestion in place of what is typed."""

    def values(knob: str, typed: str) -> list[str]:
        return [str(one.value) for one in suggested_values(UNCHANGED, None, knob, typed, {})]

    assert values("currency_name", "Taler") == ["Taler", "chips"]
    assert values("currency_name", "") == ["chips"]
    assert values("currency_name", "x" * 90) == []
    assert values("seats", "7")[0] == "7"
    assert values("seats", "99") == []
    assert "9" in values("seats", "")
