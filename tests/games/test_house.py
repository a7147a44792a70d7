import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauRules
from bot.games.house import UNCHANGED, House, house_json, read_house
from bot.games.knobs import KNOBS, PRESETS, knob_text, knobs_of, parse_knob, preset_of, rules_with, settable
from bot.games.register import GAMES
from bot.games.tau_ngau.rules import TauNgauRules
from bot.rules.house_rules import HouseRules, PassedOver
from bot.rules.knobs import OF_ALL_GAMES, Direction, GameName, Knob, Play, SuitedBonus, Ties, WrongRuleError
from bot.words.rules import wrong_rule
from tests.games.presets import POINTS, WIKIPEDIA
from tests.houses import TEXTS, value_of

from .strategies import house_rules

VERSIONS = {name: game.version for name, game in GAMES.items()}
SWITCHES = ("on", "off", "ON")


def texts_of(knob: Knob) -> st.SearchStrategy[str]:
    """Any text that is a value of a knob."""
    if knob.kind == "number":
        assert knob.least is not None
        assert knob.most is not None
        return st.integers(knob.least, knob.most).map(str)
    if knob.kind == "channels":
        return st.sampled_from(("off", "<#17>", "4") if knob.most == 1 else ("all", "<#17> <#4>", "4 17"))
    if knob.kind == "text":
        return st.sampled_from(TEXTS[knob.name])
    return st.sampled_from(SWITCHES if knob.kind == "on or off" else knob.choices)


settings_of_a_house = st.lists(
    st.sampled_from(settable()).flatmap(
        lambda knob: st.tuples(st.just(knob), texts_of(knob), st.sampled_from([None, *knob.games]))
    )
)


def settled(house: House, changes: list[tuple[Knob, str, GameName | None]]) -> House:
    """The house with these changes, without those that contradict earlier ones."""
    for knob, text, game in changes:
        try:
            house = house.with_knob(knob.name, text, game)
        except WrongRuleError:
            continue
    return house


def test_a_house_without_choices_plays_the_default_presets() -> None:
    assert UNCHANGED.rules() == WIKIPEDIA
    assert UNCHANGED.rules("tau-ngau") == PRESETS["tau-ngau"]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_house_plays_a_game_by_the_preset_it_chose(preset: str) -> None:
    rules = PRESETS[preset]
    house = UNCHANGED.with_knob("ties", "push").with_preset(preset)

    assert house.rules(rules.game) == rules
    assert preset_of(house.rules(rules.game)) == preset


def test_a_preset_does_not_change_hosting() -> None:
    assert UNCHANGED.with_knob("seats", "4").with_preset("lodige").rules().seats == 4


def test_a_knob_of_two_games_is_set_for_both_unless_one_is_chosen() -> None:
    both = UNCHANGED.with_knob("ties", "push")
    one = UNCHANGED.with_knob("ties", "banker", "tau-ngau")

    having = KNOBS["ties"].games
    assert [value_of(both.rules(game), "ties") for game in having] == [Ties.PUSH, Ties.PUSH]
    assert [value_of(one.rules(game), "ties") for game in having] == [Ties.BANKER, Ties.BANKER]
    assert not one.is_set(KNOBS["ties"], "gnau")
    assert one.is_set(KNOBS["ties"], "tau-ngau")


def test_a_knob_does_nothing_in_a_game_without_it() -> None:
    house = UNCHANGED.with_knob("direction", "counter-clockwise").with_knob("decks", "3")

    assert (house.rules("gnau").direction, value_of(house.rules("gnau"), "decks")) == (
        Direction.COUNTER_CLOCKWISE,
        3,
    )
    tau_ngau = TauNgauRules(direction=Direction.COUNTER_CLOCKWISE)
    assert house.rules("tau-ngau") == tau_ngau


def test_an_ox_of_ten_wins_as_any_single_until_it_is_set_itself() -> None:
    dearer = UNCHANGED.with_knob("multiple_single_ox", "3")

    assert value_of(dearer.rules(), "multiple_ox_of_ten") == 3
    assert value_of(dearer.with_knob("multiple_ox_of_ten", "5").rules(), "multiple_ox_of_ten") == 5


def test_g19_g22_for_points_hands_score_as_in_casual_play() -> None:
    house = UNCHANGED.with_knob("multiple_double_ox", "9").with_knob("flex_3_6", "off")
    points = house.with_knob("suited_bonus", "five").rules(play=Play.POINTS)

    assert points.play is Play.POINTS
    assert not value_of(points, "flex_3_6")
    assert value_of(points, "suited_bonus") is SuitedBonus.OFF
    assert (value_of(points, "multiple_five_dukes"), value_of(points, "multiple_double_ox")) == (
        POINTS.multiple_five_dukes,
        POINTS.multiple_double_ox,
    )


def test_a_knob_is_reset_to_what_the_preset_says() -> None:
    house = UNCHANGED.with_preset("lodige").with_knob("triple-ox", "on").with_knob("seats", "3")

    assert house.without_knob("triple_ox").without_knob("seats") == UNCHANGED.with_preset("lodige").with_knob(
        "seats", "3"
    ).without_knob("seats").without_knob("triple_ox")
    assert not value_of(house.without_knob("Triple_Ox").rules(), "triple_ox")


@pytest.mark.parametrize(
    ("knob", "text", "value"),
    [
        ("daily_chips", "250", 250),
        ("daily_chips", "off", 0),
        ("daily_chips", "0", 0),
        ("gifts_per_day", "Off", 0),
    ],
)
def test_a_setting_of_the_server_is_in_no_games_rules(knob: str, text: str, value: int) -> None:
    house = UNCHANGED.with_knob(knob, text)

    assert getattr(house.server, knob) == value
    assert [house.rules(game) for game in GAMES] == [UNCHANGED.rules(game) for game in GAMES]
    assert house.without_knob(knob).server == UNCHANGED.server
    assert house.is_set(KNOBS[knob], "gnau")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("relief_hours", "0", "Hours between relief chips: a whole number from 1 to 720, not “0”."),
        ("seats", "off", "Seats: a whole number from 1 to 19, not “off”."),
        ("seets", "3", "There is no rule called “seets”. Did you mean Seats?"),
        ("game", "gnau", "game: that is chosen when a table is opened."),
        ("seats", "99", "Seats: a whole number from 1 to 19, not “99”."),
        ("seats", "many", "Seats: a whole number from 1 to 19, not “many”."),
        ("seats", "1,0", "Seats: a whole number from 1 to 19, not “1,0”."),
        ("seats", "9" * 5000, "Seats: a whole number from 1 to 19, not"),
        ("flex_3_6", "yes", "3 and 6 can swap: on or off, not “yes”"),
        ("ties", "nobody", "Ties: not “nobody”. Choices: banker, push"),
        ("no\nknob", "3", "There is no rule called “no knob”."),
        ("log_channel", "4 17", "Log channel: only 1 channel."),
        ("channels", "#general", "Channels for tables: channels from the list, or all, not “#general”."),
        ("tonku_tens", "on", "First turn on Ngau Tonku"),
        ("lowest_stake", "1000", "The lowest bet (1,000) is above the highest bet (500)"),
    ],
)
def test_a_wrong_setting_is_refused_in_one_sentence_with_the_knob(name: str, text: str, said: str) -> None:
    house = UNCHANGED.with_knob("ngau_tonku", "off").with_knob("highest_stake", "500")

    with pytest.raises(WrongRuleError) as refused:
        house.with_knob(name, text)
    sentence = wrong_rule(refused.value)
    assert said in sentence
    assert "\n" not in sentence
    assert len(sentence) < 150


def test_a_refusal_names_the_game_without_the_knob() -> None:
    with pytest.raises(WrongRuleError) as refused:
        UNCHANGED.with_knob("flex_3_6", "on", "tau-ngau")
    assert wrong_rule(refused.value) == "Tau Ngau has no rule “3 and 6 can swap”."
    with pytest.raises(WrongRuleError) as refused:
        rules_with("tau-ngau", {"flex_3_6": "on"})
    assert wrong_rule(refused.value) == "Tau Ngau has no rule “3 and 6 can swap”."
    with pytest.raises(WrongRuleError) as refused:
        UNCHANGED.with_preset("vegas")
    assert wrong_rule(refused.value).startswith("There is no preset called “vegas”. Presets: wikipedia")


def test_the_text_of_every_value_reads_back() -> None:
    for knob in settable():
        values = UNCHANGED.defaults(knob, knob.games[0])
        value = getattr(values, knob.name)
        name, read = parse_knob(knob.name.upper().replace("_", "-"), knob_text(value, knob.empty))

        assert getattr(type(values).model_validate({name: read}), name) == value


@given(settings_of_a_house)
def test_any_house_reads_back_from_storage(changes: list[tuple[Knob, str, GameName | None]]) -> None:
    house = settled(UNCHANGED, changes)
    again, notes = read_house(house_json(house))

    assert notes == ()
    assert [again.rules(game) for game in GAMES] == [house.rules(game) for game in GAMES]
    assert again.server == house.server


@pytest.mark.parametrize(
    ("stored", "notes"),
    [
        ({"hosting": {"jokers": 2, "seats": 4}}, ["jokers is not a knob"]),
        ({"hosting": {"daily_chips": -1, "seats": 4}}, ["daily_chips cannot be -1"]),
        ({"hosting": {"decks": 99, "seats": 4}}, ["decks cannot be 99"]),
        ({"hosting": {"flex_3_6": True, "seats": 4}}, ["flex_3_6 cannot be set here"]),
        ({"presets": {"gnau": "vegas"}, "hosting": {"seats": 4}}, ["'vegas' is not a preset of gnau"]),
        ({"presets": {"gnau": "tau-ngau"}, "hosting": {"seats": 4}}, ["'tau-ngau' is not a preset of gnau"]),
        ({"presets": {"gnau": ["points"]}, "hosting": {"seats": 4}}, ["['points'] is not a preset of gnau"]),
        (
            {"presets": [], "overrides": 7, "hosting": {"seats": 4}},
            ["presets: not a JSON object", "overrides: not a JSON object"],
        ),
        ({"overrides": {"gnau": 7}, "hosting": {"seats": 4}}, ["overrides of gnau: not a JSON object"]),
        ({"jokers": {}, "hosting": {"seats": 4}}, ["the house's rules: jokers is unknown"]),
        (
            {"presets": {"chess": "fide"}, "overrides": {"chess": {}}, "hosting": {"seats": 4}},
            ["presets: chess is unknown", "overrides: chess is unknown"],
        ),
        (
            {"overrides": {"gnau": {"ngau_tonku": False, "tonku_tens": True}}, "hosting": {"seats": 4}},
            ["tonku_tens contradicts the other knobs"],
        ),
    ],
)
def test_outdated_parts_of_a_stored_house_are_noted_and_skipped(stored: Any, notes: list[str]) -> None:
    house, said = read_house(json.dumps({"versions": VERSIONS, **stored}))

    assert house.rules().seats == 4
    assert len(said) == len(notes)
    assert all(note in sentence for note, sentence in zip(notes, said, strict=True))


@pytest.mark.parametrize("versions", [{}, {"gnau": 2, "tau-ngau": 1, "niu-niu": 1}, {"gnau": "1"}, []])
def test_choices_for_another_version_of_a_game_are_noted_and_skipped(versions: Any) -> None:
    own = {"gnau": {"multiple_double_ox": 9}}
    stored = {"presets": {"gnau": "lodige"}, "overrides": own, "hosting": {"seats": 4}, "versions": versions}

    house, said = read_house(json.dumps(stored))

    assert house.rules() == WIKIPEDIA.model_copy(update={"seats": 4})
    assert [note for note in said if note.startswith("the rules of gnau are of its version ")]


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", "[" * 9999])
def test_an_unreadable_stored_house_is_a_house_without_choices(text: str) -> None:
    house, notes = read_house(text)

    assert house == UNCHANGED
    assert notes


@given(house_rules(), st.dictionaries(st.text(), st.integers()))
def test_unknown_knobs_in_stored_rules_are_skipped(rules: HouseRules, unknown: dict[str, int]) -> None:
    unknown = {name: value for name, value in unknown.items() if name not in GnauRules.model_fields}
    stored = json.dumps(json.loads(rules.model_dump_json()) | unknown)
    passed_over = PassedOver()

    assert GnauRules.model_validate_json(stored, context=passed_over) == rules
    assert len(passed_over.notes) == len(unknown)


def test_no_preset_sets_a_knob_about_hosting_or_the_server() -> None:
    for rules in PRESETS.values():
        for knob in knobs_of(rules.game, *OF_ALL_GAMES):
            assert getattr(rules, knob.name) == getattr(GAMES[rules.game].rules(), knob.name)
