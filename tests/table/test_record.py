import json
import random
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from bot.rules.cards import deck
from bot.rules.game import HAND_SIZE
from bot.rules.knobs import HouseRules
from bot.rules.shuffle import shuffled
from bot.table.commands import (
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    ShowDown,
    ShowHand,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.events import Event, event_json, parse_event
from bot.table.evolve import fold
from bot.table.state import TableState, parse_state, state_json

from .trial_table import ALICE, BOB, CHAN, DORA, MEI, TrialTable

SHUFFLED = shuffled(deck(), random.Random(1).randrange)
NEXT_RULES = HouseRules(seats=19, multiple_double_ox=4)

EVENING: tuple[Command, ...] = (
    TakeBank(MEI, 5, 100, HouseRules()),
    PlaceBet(ALICE, 10),
    PlaceBet(BOB, 20),
    PlaceBet(CHAN, 30),
    PlaceSideBet(DORA, ALICE.member_id, 15),
    PlaceSideBet(DORA, BOB.member_id, 5),
    WithdrawSideBet(DORA.member_id, BOB.member_id),
    WithdrawBet(CHAN.member_id),
    SitOut(CHAN.member_id),
    Deal(MEI.member_id, SHUFFLED),
    Join(DORA),
    ShowHand(ALICE.member_id),
    Leave(BOB.member_id),
    ShowHand(BOB.member_id),
    ShowHand(MEI.member_id),
    ShowDown(NEXT_RULES),
    PlaceBet(ALICE, 7),
    GiveUpBank(MEI.member_id),
    CloseTable(MEI.member_id, manages=False),
)
"""An evening in which everything happens that can."""


def told() -> tuple[list[Event], list[TableState]]:
    """The evening's record, and every state between its commands."""
    table = TrialTable()
    states = [table.state]
    for command in EVENING:
        table.do(command)
        states.append(table.state)
    return table.record, states


def cards_in(told: Any) -> list[int]:
    """Every card that a piece of JSON tells of, however deep."""
    if isinstance(told, dict):
        own: list[int] = told.get("pieces", [])
        return own + [card for key, value in told.items() if key != "pieces" for card in cards_in(value)]
    return [card for value in told for card in cards_in(value)] if isinstance(told, list) else []


def test_the_evening_has_every_kind_of_event() -> None:
    record, _ = told()

    assert {type(event) for event in record} == set(get_args(Event))


def test_every_event_survives_json() -> None:
    for event in told()[0]:
        assert parse_event(event_json(event)) == event


def test_every_state_survives_json() -> None:
    for state in told()[1]:
        again = parse_state(state_json(state))
        assert again == state
        assert type(again.seats) is tuple


def test_a_record_told_again_is_the_table_as_it_was_kept() -> None:
    record, states = told()
    again = [parse_event(event_json(event)) for event in record]

    told_again = {state.sequence: state for state in (fold(None, again[: n + 1]) for n in range(len(again)))}

    assert [told_again[state.sequence] for state in states] == states


def test_the_sequence_counts_the_events() -> None:
    record, states = told()

    assert states[-1].sequence == len(record)


def test_no_event_and_no_state_tells_of_a_card_that_was_not_dealt() -> None:
    record, states = told()
    dealt = set(SHUFFLED[: 3 * HAND_SIZE])

    in_events = [card for event in record for card in cards_in(json.loads(event_json(event)))]
    in_states = [card for state in states for card in cards_in(json.loads(state_json(state)))]

    assert set(in_events) == dealt
    assert set(in_states) == dealt


@pytest.mark.parametrize(
    "text", ["", "{}", '{"kind": "bet_doubled"}', '{"kind": "bet_placed", "member_id": 1}']
)
def test_what_is_no_event_is_not_read_as_one(text: str) -> None:
    with pytest.raises(ValidationError):
        parse_event(text)


def test_what_is_no_state_is_not_read_as_one() -> None:
    with pytest.raises(ValidationError):
        parse_state("{}")
