from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from bot.games.contract import Game
from bot.games.gnau.rules import GnauRules
from bot.games.knobs import PRESETS, knobs_of, preset_of
from bot.games.register import GAMES, AnyHouseRules
from bot.games.settle import largest_multiple
from bot.rules.house_rules import HouseRules, PassedOver
from bot.rules.knobs import BankPasses, SuitedBonus, Ties
from tests.games.presets import LODIGE, POINTS, WIKIPEDIA
from tests.houses import value_of

from .strategies import house_rules

EVERY_KNOB = [(game, knob) for game in GAMES.values() for knob in knobs_of(game.name)]
PRICES_OF_WIKIPEDIA = {
    name: getattr(WIKIPEDIA, name) for name in GnauRules.model_fields if name.startswith("multiple_")
}
ANY_RULES: TypeAdapter[HouseRules] = TypeAdapter(AnyHouseRules)


def test_the_preset_wikipedia_has_the_settings_of_its_column() -> None:
    assert (WIKIPEDIA.flex_3_6, WIKIPEDIA.triple_ox, WIKIPEDIA.five_small, WIKIPEDIA.ngau_tonku) == (
        True,
    ) * 4
    assert (WIKIPEDIA.five_dukes_tens, WIKIPEDIA.tonku_tens, WIKIPEDIA.mixed_double) == (False,) * 3
    assert WIKIPEDIA.ties is Ties.BANKER


def test_g18_the_preset_wikipedia_pays_7_7_5_3_1() -> None:
    assert WIKIPEDIA.multiple_five_dukes == 7
    assert WIKIPEDIA.multiple_five_small == 7
    assert WIKIPEDIA.multiple_ngau_tonku == 5
    assert WIKIPEDIA.multiple_double_ox == 3
    assert WIKIPEDIA.multiple_ox_of_ten == 1
    assert WIKIPEDIA.multiple_single_ox == 1


def test_g19_the_preset_points_scores_10_10_5_2_1() -> None:
    assert POINTS.multiple_five_dukes == POINTS.multiple_five_small == 10
    assert POINTS.multiple_ngau_tonku == 5
    assert POINTS.multiple_double_ox == 2
    assert POINTS.multiple_ox_of_ten == POINTS.multiple_single_ox == 1
    assert preset_of(POINTS.model_copy(update=PRICES_OF_WIKIPEDIA)) == "wikipedia"


def test_the_preset_lodige_has_the_settings_of_its_column() -> None:
    assert (LODIGE.flex_3_6, LODIGE.five_dukes_tens, LODIGE.mixed_double, LODIGE.ngau_tonku) == (True,) * 4
    assert (LODIGE.triple_ox, LODIGE.five_small, LODIGE.tonku_tens) == (False,) * 3
    assert (LODIGE.multiple_five_dukes, LODIGE.multiple_ngau_tonku, LODIGE.multiple_double_ox) == (10, 5, 2)
    assert LODIGE.multiple_ox_of_ten == LODIGE.multiple_single_ox == 1
    assert LODIGE.ties is Ties.BANKER


@pytest.mark.parametrize("rules", [WIKIPEDIA, POINTS, LODIGE])
def test_no_preset_of_gnau_has_a_suited_bonus_or_moves_the_bank(rules: HouseRules) -> None:
    assert value_of(rules, "suited_bonus") is SuitedBonus.OFF
    assert rules.bank_passes is BankPasses.STAYS


def test_g21_a_suited_bonus_doubles_the_most_that_a_bet_can_lose() -> None:
    tonku = GnauRules(suited_bonus=SuitedBonus.OX)

    assert largest_multiple(tonku) == 10
    assert largest_multiple(GnauRules(suited_bonus=SuitedBonus.OX, multiple_five_dukes=20)) == 20


def test_a_preset_is_known_by_its_settings() -> None:
    assert [preset_of(rules) for rules in PRESETS.values()] == list(PRESETS)
    assert preset_of(GnauRules(multiple_double_ox=4)) is None


@given(st.sampled_from(list(GAMES)).flatmap(house_rules))
def test_any_house_rules_survive_json(rules: HouseRules) -> None:
    again = ANY_RULES.validate_json(rules.model_dump_json())

    assert again == rules
    assert hash(again) == hash(rules)


def test_b03_rules_in_force_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        WIKIPEDIA.decks = 2  # type: ignore[misc]  # the very mistake that has to fail


def test_copied_rules_are_hashed_by_their_own_values() -> None:
    rules = GnauRules()
    assert hash(rules) == hash(GnauRules())
    assert hash(rules.model_copy(update={"seats": 3})) == hash(GnauRules(seats=3)) != hash(rules)


def test_an_unknown_knob_is_refused_and_named() -> None:
    with pytest.raises(ValidationError, match="flex_3_7"):
        GnauRules.model_validate({"flex_3_7": True})


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_stored_rules_of_another_game_or_version_or_of_none_are_refused(
    game: Game[Any, Any],
) -> None:
    stored = game.rules().model_dump(mode="json")

    assert ANY_RULES.validate_python(stored, context=PassedOver()) == game.rules()
    for missing in ("game", "game_version"):
        known = {name: value for name, value in stored.items() if name != missing}
        with pytest.raises(ValidationError):
            ANY_RULES.validate_python(known, context=PassedOver())
    for name, other in (("game", "chess"), ("game_version", game.version + 1)):
        with pytest.raises(ValidationError):
            ANY_RULES.validate_python(stored | {name: other}, context=PassedOver())


def test_a_wrong_value_is_refused_with_the_name_of_the_knob() -> None:
    for game, knob in EVERY_KNOB:
        wrong: list[object] = ["sideways"]
        if knob.kind == "number":
            assert knob.least is not None
            assert knob.most is not None
            for inside in (knob.least, knob.most):
                assert getattr(game.rules.model_validate({knob.name: inside}), knob.name) == inside
            wrong += [knob.least - 1, knob.most + 1]
        for value in wrong:
            with pytest.raises(ValidationError, match=knob.name):
                game.rules.model_validate({knob.name: value})


def test_only_the_last_call_and_computer_players_can_be_zero() -> None:
    numbers = [knob for game in GAMES for knob in knobs_of(game) if knob.kind == "number"]

    assert {knob.name for knob in numbers if knob.least == 0} == {"last_call_seconds", "computer_players"}


def test_g10_tonku_tens_needs_ngau_tonku() -> None:
    with pytest.raises(ValidationError, match="tonku_tens_alone"):
        GnauRules(ngau_tonku=False, tonku_tens=True)


def test_every_knob_has_a_clause_and_a_description() -> None:
    for game, knob in EVERY_KNOB:
        assert game.name in knob.games
        assert knob.clause[0] in "GNTB"
        assert knob.description.endswith(".")


@pytest.mark.parametrize(
    ("knobs", "most"),
    [
        ({}, 7),
        ({"multiple_five_dukes": 9}, 9),
        ({"multiple_five_small": 12}, 12),
        ({"multiple_five_small": 12, "five_small": False}, 7),
        ({"multiple_ngau_tonku": 11}, 11),
        ({"multiple_ngau_tonku": 11, "ngau_tonku": False}, 7),
        ({"multiple_double_ox": 8}, 8),
        ({"multiple_ox_of_ten": 10}, 10),
        ({"multiple_single_ox": 20}, 20),
        ({"multiple_five_dukes": 1, "five_small": False, "ngau_tonku": False}, 3),
    ],
)
def test_b02_a_bet_can_lose_the_largest_multiple_in_force(knobs: dict[str, Any], most: int) -> None:
    assert largest_multiple(GnauRules(**knobs)) == most
