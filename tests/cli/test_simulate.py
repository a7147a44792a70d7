"""`gnau simulate`: random rounds, beside the exact odds."""

from typing import Any

import pytest

from bot.games.knobs import PRESETS
from tests.cli.runner import answer, ask
from tests.cli.schemas import SIMULATION, check

QUANTITIES = ("win", "lose", "push", "bank_edge")


def _play(*words: str) -> dict[str, Any]:
    told = answer("simulate", "--rounds", "5000", "--seats", "3", "--seed", "7", *words)
    check(told, SIMULATION)
    return told


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS)
def test_the_exact_odds_of_each_preset_stand_beside_the_simulated_ones(preset: str) -> None:
    told, exact = _play("--preset", preset), answer("odds", "--preset", preset)
    for quantity in QUANTITIES:
        assert told[quantity].items() >= exact[quantity].items()


def test_g02_seats_bring_in_decks_as_they_need_them() -> None:
    few = ("simulate", "--rounds", "10", "--seed", "1")
    assert answer(*few, "--seats", "9")["decks"] == 1
    assert answer(*few, "--seats", "10")["decks"] == 2
    assert answer(*few, "--seats", "10", "--decks", "3")["decks"] == 3


def test_the_answer_has_the_default_seed_and_seats() -> None:
    told = answer("simulate", "--rounds", "200")
    assert told["seats"] == 1
    again = answer("simulate", "--rounds", "200", "--seed", str(told["seed"]))
    assert again == told
    assert answer("simulate", "--rounds", "1", "--preset", "tau-ngau")["seats"] == 2


def test_the_table_has_simulated_and_exact_odds() -> None:
    shown = ask("simulate", "--rounds", "5000", "--seats", "3", "--seed", "7")
    assert (shown.exit_code, shown.stderr) == (0, "")
    edge = _play()["bank_edge"]
    for said in ("5,000 rounds", "3 seats", "seed 7", f"{edge['simulated']:.4%}", f"{edge['decimal']:.4%}"):
        assert said in shown.stdout
