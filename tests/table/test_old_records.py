"""What an earlier version stored, before there were tiles, side bets and dice, is read as it was meant.

`records/cards_alone.json` was written by that version: the events of an evening, and the states between.
"""

import json
from pathlib import Path
from typing import Any

from bot.rules.knobs import GameName, HouseRules, PassedOver, Play
from bot.table.clock import Due, due
from bot.table.commands import ShowDown
from bot.table.decide import decide
from bot.table.events import RoundOpened, parse_event
from bot.table.evolve import fold
from bot.table.refusals import Refused
from bot.table.state import Phase, TableState, parse_state

RECORD = Path(__file__).parent / "records" / "cards_alone.json"


def stored() -> dict[str, list[Any]]:
    """The record as it stands on disk."""
    told: dict[str, list[Any]] = json.loads(RECORD.read_text())
    return told


def states() -> list[TableState]:
    """Every state between two commands, as it is read now."""
    return [parse_state(json.dumps(state)) for state in stored()["states"]]


def test_states_of_an_earlier_version_are_read_whole() -> None:
    for told, state in zip(stored()["states"], states(), strict=True):
        notes = PassedOver()
        assert parse_state(json.dumps(told), notes) == state
        assert notes.notes == []
        assert [list(seat.pieces) for seat in state.seats] == [seat["cards"] for seat in told["seats"]]
        assert (state.rules.game, state.rules.play) == (GameName.GNAU, Play.CHIPS)
        assert all(seat.three is None for seat in state.seats)
        assert (state.side_bets, state.throws) == ((), ())


def test_a_record_of_an_earlier_version_tells_the_same_table() -> None:
    events = [parse_event(json.dumps(event)) for event in stored()["events"]]
    told_again = {
        state.sequence: state for state in (fold(None, events[: n + 1]) for n in range(len(events)))
    }

    assert [told_again[state.sequence] for state in states()] == states()


def test_a_round_that_was_dealt_by_an_earlier_version_is_played_out() -> None:
    state = next(state for state in states() if state.phase is Phase.DEALT)
    assert state.deadline is not None
    assert due(state, state.deadline) is Due.SHOW_DOWN

    ending = decide(state, ShowDown(HouseRules()), state.deadline, {})

    assert not isinstance(ending, Refused)
    after = fold(state, ending)
    assert after.last is not None
    assert after.last.round_number == state.round_number
    assert len(after.last.players) == len(state.bets)
    assert any(isinstance(event, RoundOpened) for event in ending)
