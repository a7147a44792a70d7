"""A decision has the events of a command, the state after them, and the chips that move."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from bot.rules.shuffle import SECRET_SIZE
from bot.table.commands import Command, Deal, Leave, PlaceBet, RevealHand, Showdown, SitOut
from bot.table.commitment import Entropy
from bot.table.decide import Decision, decide
from bot.table.draft import moves_of
from bot.table.evolve import evolve, fold

from .trial_table import (
    ALICE,
    BOB,
    DOUBLE_8,
    MEI,
    NO_OX,
    SINGLE_1,
    SINGLE_9,
    TrialTable,
    stacked,
    wallets_for,
)

ENTROPY = Entropy("ab" * SECRET_SIZE, "1100220033")


def betting() -> TrialTable:
    table = TrialTable(entropy=lambda: ENTROPY)
    table.bank(MEI)
    table.bet(ALICE, 10)
    return table


def dealt() -> TrialTable:
    table = betting()
    table.bet(BOB, 20)
    table.deal(SINGLE_9, DOUBLE_8, NO_OX)
    return table


def over() -> TrialTable:
    table = dealt()
    table.do(Leave(BOB))
    table.now += table.state.rules.arranging_seconds
    return table


CASES: dict[str, tuple[Callable[[], TrialTable], Command]] = {
    "bet": (betting, PlaceBet(BOB, 20)),
    "the same bet": (betting, PlaceBet(ALICE, 10)),
    "sit out": (betting, SitOut(ALICE)),
    "deal": (betting, Deal(MEI, stacked(SINGLE_9, SINGLE_1))),
    "leave the bank": (betting, Leave(MEI)),
    "reveal": (dealt, RevealHand(BOB)),
    "showdown": (over, Showdown(TrialTable().house)),
}


@pytest.mark.parametrize(("table", "command"), CASES.values(), ids=CASES.keys())
def test_state_and_moves_are_what_the_events_lead_to(
    table: Callable[[], TrialTable], command: Command
) -> None:
    trial = table()

    decided = trial.decided(command)

    assert isinstance(decided, Decision)
    assert decided.state == fold(trial.state, decided.events)
    assert decided.moves == moves_of(trial.state, decided.events)


@pytest.mark.parametrize(("table", "command"), CASES.values(), ids=CASES.keys())
def test_each_event_is_applied_once(table: Callable[[], TrialTable], command: Command) -> None:
    trial = table()
    wallets = wallets_for(trial.state, command, trial.accounts)

    decided, applied = _count_evolve(lambda: decide(trial.state, command, trial.now, wallets, ENTROPY))

    assert isinstance(decided, Decision)
    assert applied == len(decided.events)


def test_what_changes_nothing_leaves_the_state_alone() -> None:
    table = betting()

    decided = table.decided(PlaceBet(ALICE, 10))

    assert decided == Decision((), table.state, ())


def _count_evolve(work: Callable[[], Any]) -> tuple[Any, int]:
    """Does the work, and counts every event that is applied meanwhile."""
    applied = 0

    def watch(frame: FrameType, event: str, _: object) -> None:
        nonlocal applied
        applied += event == "call" and frame.f_code is evolve.__code__

    sys.setprofile(watch)
    try:
        done = work()
        return done, applied
    finally:
        sys.setprofile(None)
