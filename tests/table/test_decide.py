"""A decision has the events of a command, the state after them, and the chips that move."""

from collections.abc import Callable

import pytest

from bot.rules.shuffle import SECRET_SIZE
from bot.table.commands import Command, Deal, Leave, PlaceBet, RevealHand, Showdown, SitOut
from bot.table.commitment import Entropy
from bot.table.decide import Decision
from bot.table.draft import moves_of
from bot.table.evolve import fold

from .trial_table import (
    ALICE,
    BOB,
    DOUBLE_8,
    MEI,
    NO_OX,
    SINGLE_1,
    SINGLE_9,
    TrialTable,
    banked,
    stacked,
)

ENTROPY = Entropy("ab" * SECRET_SIZE, "1100220033")


def betting() -> TrialTable:
    return banked(entropy=lambda: ENTROPY, bets={ALICE: 10})


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


def test_what_changes_nothing_leaves_the_state_alone() -> None:
    table = betting()

    decided = table.decided(PlaceBet(ALICE, 10))

    assert decided == Decision((), table.state, ())
