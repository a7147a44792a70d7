from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from bot.games.knob_list import KNOBS
from bot.games.presets import LODIGE, POINTS, PRESETS, WIKIPEDIA, preset_of
from bot.rules.knobs import BankPasses, HouseRules, SuitedBonus, Ties

from .strategies import bounds_of, house_rules

BOUNDED = [name for name, knob in KNOBS.items() if knob.kind == "number"]
PRICES_OF_WIKIPEDIA = {
    name: getattr(WIKIPEDIA, name) for name in HouseRules.model_fields if name.startswith("multiple_")
}
NOT_BOUNDED = [name for name in HouseRules.model_fields if name not in BOUNDED]


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
    assert rules.suited_bonus is SuitedBonus.OFF
    assert rules.bank_passes is BankPasses.STAYS


def test_g21_a_suited_bonus_doubles_the_most_that_a_bet_can_lose() -> None:
    tonku = HouseRules(suited_bonus=SuitedBonus.OX)

    assert tonku.largest_multiple == 10
    assert HouseRules(suited_bonus=SuitedBonus.OX, multiple_five_dukes=20).largest_multiple == 20


def test_a_preset_is_known_by_its_settings() -> None:
    assert {preset_of(HouseRules.model_validate(rules.model_dump())) for rules in PRESETS.values()} == set(
        PRESETS
    )
    assert preset_of(HouseRules(multiple_double_ox=4)) is None


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_survives_json(name: str) -> None:
    assert HouseRules.model_validate_json(PRESETS[name].model_dump_json()) == PRESETS[name]


@given(house_rules())
def test_any_house_rules_survive_json(rules: HouseRules) -> None:
    again = HouseRules.model_validate_json(rules.model_dump_json())

    assert again == rules
    assert hash(again) == hash(rules)


def test_b03_rules_in_force_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        WIKIPEDIA.decks = 2  # type: ignore[misc]  # the very mistake that has to fail


def test_an_unknown_knob_is_refused_and_named() -> None:
    with pytest.raises(ValidationError, match="flex_3_7"):
        HouseRules.model_validate({"flex_3_7": True})


@pytest.mark.parametrize("knob", BOUNDED)
def test_a_number_out_of_bounds_is_refused_with_the_name_of_the_knob(knob: str) -> None:
    least, most = bounds_of(knob)

    for inside in (least, most):
        assert getattr(HouseRules.model_validate({knob: inside}), knob) == inside
    for outside in (least - 1, most + 1):
        with pytest.raises(ValidationError, match=knob):
            HouseRules.model_validate({knob: outside})


@pytest.mark.parametrize("knob", [knob for knob in BOUNDED if knob != "last_call_seconds"])
def test_only_the_last_call_can_be_zero(knob: str) -> None:
    with pytest.raises(ValidationError, match=knob):
        HouseRules.model_validate({knob: 0})
    assert HouseRules(last_call_seconds=0).last_call_seconds == 0


@pytest.mark.parametrize("knob", NOT_BOUNDED)
def test_a_wrong_value_is_refused_with_the_name_of_the_knob(knob: str) -> None:
    with pytest.raises(ValidationError, match=knob):
        HouseRules.model_validate({knob: "sideways"})


def test_g10_tonku_tens_needs_ngau_tonku() -> None:
    with pytest.raises(ValidationError, match="tonku_tens_alone"):
        HouseRules(ngau_tonku=False, tonku_tens=True)


@pytest.mark.parametrize("knob", HouseRules.model_fields)
def test_every_knob_has_a_clause_and_a_description(knob: str) -> None:
    field = HouseRules.model_fields[knob]
    extra = field.json_schema_extra

    assert isinstance(extra, dict)
    assert str(extra["clause"])[0] in "GTB"
    assert field.description is not None
    assert field.description.endswith(".")


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
    assert HouseRules(**knobs).largest_multiple == most
