"""Runs on fresh seeds: nothing is lost, nothing happens twice, and every round ends."""

import os
import secrets
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.table import moves
from bot.table.accounts import Move, Reason
from bot.table.state import TableState
from tests.simulation.disk import Trouble
from tests.simulation.run import BrokenPromiseError, Report, simulate
from tests.simulation.run_size import LARGE
from tests.sizes import sized

SECONDS = "GNAU_SIMULATE_SECONDS"
"""Real seconds for fresh seeds."""
SEED = "GNAU_SIMULATE_SEED"
"""The only seed to run, if it is set."""
USUAL_SECONDS = sized(0.0, 60.0)
AT_LEAST_TIMES_REAL = 50
CHECKOUT = Path(__file__).parents[2]


def seeds() -> list[int]:
    """The seed that is asked for; else more than there is time for."""
    if seed := os.environ.get(SEED):
        return [int(seed)]
    return [secrets.randbelow(10**9) for _ in range(10_000)]


@pytest.mark.timeout(900)
def test_every_promise_is_kept_on_fresh_seeds() -> None:
    until = time.monotonic() + float(os.environ.get(SECONDS, USUAL_SECONDS))
    reports: list[Report] = []
    for seed in seeds():
        reports.append(simulate(seed))
        if time.monotonic() > until:
            break
    print(*reports, sep="\n")  # noqa: T201  # how fast it was is shown where it is asked for
    virtual = sum(report.virtual_seconds for report in reports)
    assert virtual > AT_LEAST_TIMES_REAL * sum(report.real_seconds for report in reports)


@pytest.mark.thorough
def test_a_run_meets_every_kind_of_event() -> None:
    met: Counter[str] = Counter()
    for seed in (8, 19, 20):
        met += simulate(seed).counts
    for what in (
        *("kill", "stop", "start", "disk", "disk forgets", "clock", "ready again", "lost"),
        *("channel gone", "member gone", "house", "house stays", "gone away", "NoSuchTableError"),
        *("hands_dealt", "round_settled", "round_called_off", "bank_passed", "dice_rolled"),
        *(
            "side_bet_placed",
            "hand_arranged",
            "hand_revealed",
            "table_closed",
            "Gift",
            "GiftRefused",
            "done",
            "refused",
            "unknown",
        ),
        *(trouble.words for trouble in Trouble if trouble is not Trouble.DELETED),
        *("UNKNOWN_CHANNEL", "UNKNOWN_MESSAGE", "MISSING_ACCESS", "TOO_MANY", "SERVER_ERROR", "ANSWER_LOST"),
    ):
        assert met[what], (what, met)


def test_a_run_that_keeps_a_bet_fails_with_its_seed_and_its_last_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hold_difference = moves._hold_difference

    def keeps_stakes(before: TableState, after: TableState) -> Iterator[Move]:
        return (move for move in hold_difference(before, after) if move.reason is not Reason.BET_RETURNED)

    monkeypatch.setattr(moves, "_hold_difference", keeps_stakes)
    with pytest.raises(BrokenPromiseError, match=r"(?s)(holds \d+ chips|held are \{).* news .*Seed 8 of"):
        simulate(8)


@pytest.mark.thorough
def test_a_seed_gives_the_same_trace_in_every_process() -> None:
    seed = 3
    here = simulate(seed)
    assert simulate(seed).digest == here.digest
    assert simulate(4).digest != here.digest
    for hashes in ("1", "2"):
        told = subprocess.run(
            [sys.executable, "-m", "tests.simulation", str(seed)],
            cwd=CHECKOUT,
            env={**os.environ, "PYTHONHASHSEED": hashes},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert here.digest in told.splitlines()


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_hundreds_of_tables_and_members_for_days() -> None:
    report = simulate(secrets.randbelow(10**9), LARGE)
    assert report.virtual_seconds > 2 * 86_400
    assert report.counts["table_opened"] > 200
    assert report.counts["round_settled"] > 200
    assert report.factor > AT_LEAST_TIMES_REAL
