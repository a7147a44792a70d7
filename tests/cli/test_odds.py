"""`gnau odds`: exact odds, for people and for programs."""

from fractions import Fraction
from math import comb

import pytest

from bot.games.knobs import PRESETS
from tests.cli.runner import answer
from tests.cli.schemas import ODDS, check


def test_the_edge_under_the_default_rules_is_exact() -> None:
    told = answer("odds")
    assert (told["hands"], told["pairs"]) == (2_598_960, 3_986_646_103_440)
    assert told["bank_edge"] == {
        "exact": "3136871981/60403728840",
        "decimal": pytest.approx(0.051931760526060924, rel=1e-15),
    }
    assert told["standard_deviation"]["decimal"] == pytest.approx(1.688534099389083, rel=1e-12)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_odds_of_each_preset_are_consistent(preset: str) -> None:
    told = answer("odds", "--preset", preset)
    check(told, ODDS)
    assert sum(count["hands"] for count in told["classes"]) == told["hands"]
    parts = [told[part] for part in ("win", "lose", "push")]
    assert sum(Fraction(part["exact"]) for part in parts) == 1
    for part in (*parts, told["bank_edge"]):
        assert part["decimal"] == float(Fraction(part["exact"]))


@pytest.mark.parametrize("more", [["--decks", "2"], ["--set", "decks=2"]])
def test_g01_more_decks_have_more_hands(more: list[str]) -> None:
    told = answer("odds", *more)
    assert told["hands"] == comb(104, 5)
    assert told["pairs"] == comb(104, 5) * comb(99, 5)
