"""`gnau simulate`: random rounds, beside the exact odds."""

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.games.knobs import PRESETS
from tests.cli.runner import answer, ask
from tests.cli.schemas import SIMULATION, check

GNAU = Path(sys.executable).parent / "gnau"
QUANTITIES = ("win", "lose", "push", "bank_edge")


def _play(*words: str) -> dict[str, Any]:
    told = answer("simulate", "--rounds", "200000", "--seats", "3", "--seed", "7", *words)
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


def test_a_single_round_has_no_standard_error() -> None:
    told = answer("simulate", "--rounds", "1", "--seed", "1")
    check(told, SIMULATION)
    assert told["win"]["standard_error"] is None
    assert told["win"]["standard_errors_off"] is None
    assert "–" in ask("simulate", "--rounds", "1", "--seed", "1").stdout


def test_the_table_has_simulated_and_exact_odds() -> None:
    shown = ask("simulate", "--rounds", "200000", "--seats", "3", "--seed", "7")
    assert (shown.exit_code, shown.stderr) == (0, "")
    edge = _play()["bank_edge"]
    for said in ("200,000 rounds", "3 seats", "seed 7", f"{edge['simulated']:.4%}", f"{edge['decimal']:.4%}"):
        assert said in shown.stdout


def stderr_of_a_terminal(*words: str) -> tuple[bytes, bytes]:
    """The stdout of `gnau simulate`, and its stderr if that is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [GNAU, "simulate", "--rounds", "3000000", "--seed", "1", *words],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={"TERM": "xterm", "PATH": os.environ["PATH"]},
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:
            # This is how Linux says that the other end of a terminal is closed.
            pass
        finally:
            os.close(ours)
        assert process.stdout is not None
        answer = process.stdout.read()
        assert process.wait(timeout=60) == 0
    return answer, shown


@pytest.mark.thorough
def test_a_terminal_shows_a_progress_bar_beside_a_table() -> None:
    """It is on stderr, so the table can be piped into a file."""
    table, shown = stderr_of_a_terminal()
    assert b"3,000,000 rounds" in table
    assert b"\x1b" not in table
    assert b"3000000/3000000" in shown
    answer, shown = stderr_of_a_terminal("--json")
    assert answer.startswith(b"{")
    assert shown == b""
