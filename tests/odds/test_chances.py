"""The chances that presets have at hand: what a count gives, and only for the rules that were counted."""

from fractions import Fraction

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.knobs import PRESETS
from bot.games.tau_ngau.rules import TauNgauRules
from bot.odds.chances import chances_key, chances_under, counted_chances
from bot.odds.preset_chances import PRESET_CHANCES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Direction
from scripts.preset_chances import counted_presets

COUNTED = [
    pytest.param(
        rules, decks, id=f"{name}-{decks}", marks=() if rules == TauNgauRules() else pytest.mark.thorough
    )
    for name, rules, decks in counted_presets()
    if (name, decks) in {("wikipedia", 1), ("lodige", 2), ("niu-niu", 2), ("tau-ngau", 1)}
]
"""A covariance takes five seconds to count, of Tau Ngau one: the others come from the same count."""


def kept(rules: HouseRules, decks: int) -> tuple[Fraction, Fraction, Fraction]:
    """The mean, the variance and the covariance of a preset that are at hand."""
    mean, variance, covariance = map(Fraction, PRESET_CHANCES[chances_key(rules, decks)])
    return mean, variance, covariance


def test_every_preset_has_its_chances_at_hand_and_nothing_else_has() -> None:
    due = {chances_key(rules, decks) for _, rules, decks in counted_presets()}
    assert PRESET_CHANCES.keys() == due, "run python -m scripts.preset_chances"


def test_means_and_variances_are_what_a_count_gives() -> None:
    for name, rules, decks in counted_presets():
        mean, variance, covariance = kept(rules, decks)
        assert (mean, variance, None) == counted_chances(rules, decks, several_hands=False), (name, decks)
        assert 0 < covariance < variance, "all players meet the same banker's hand, each with their own"


@pytest.mark.parametrize(("rules", "decks"), COUNTED)
def test_covariances_are_what_a_count_gives(rules: HouseRules, decks: int) -> None:
    assert kept(rules, decks) == chances_under(rules, decks, several_hands=True)
    assert kept(rules, decks) == counted_chances(rules, decks, several_hands=True)


def test_other_rules_other_decks_and_another_version_are_counted() -> None:
    rules = GnauRules()
    others = [
        GnauRules(multiple_single_ox=2),
        GnauRules(flex_3_6=False),
        rules.model_copy(update={"game_version": 2}),
    ]
    keys = {chances_key(one, 1) for one in others} | {chances_key(rules, 8)}
    assert len(keys) == 4
    assert not keys & PRESET_CHANCES.keys()
    # How a table is run does not matter.
    same = GnauRules(seats=3, direction=Direction.COUNTER_CLOCKWISE)
    assert chances_key(same, 1) == chances_key(PRESETS["wikipedia"], 1)
