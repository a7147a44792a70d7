"""What is stored: a table follows from its events, which have no undealt piece and no secret."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from bot.games.gnau.rules import GnauRules
from bot.games.hands import shuffled_pack
from bot.rules.cards import deck
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import BankPasses
from bot.rules.pieces import HAND_SIZE, Piece
from bot.rules.shuffle import new_secret, shuffled
from bot.rules.tiles import woodpile
from bot.table.commands import (
    Arrange,
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    KeepOpen,
    Leave,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    RollForBank,
    SetClientSeed,
    SetLimits,
    Showdown,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.commitment import Entropy
from bot.table.events import Event, LowestBet, SecretCommitted, event_json, parse_event
from bot.table.evolve import fold
from bot.table.state import TableState, parse_state, state_json
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA
from tests.proof.committed_rounds import dealt, sealed_table

from .trial_table import ALICE, BOB, CHAN, DORA, MEI, TrialTable

NEXT_RULES = GnauRules(seats=19, multiple_double_ox=4)
TILES_RULES = TAU_NGAU_PRESET.model_copy(
    update={"arrange": ArrangedBy.STRICT, "bank_passes": BankPasses.EVERY_ROUND}
)
SHUFFLED = {
    "gnau": shuffled(deck(), random.Random(1).randrange),
    "tau-ngau": shuffled(woodpile(), random.Random(1).randrange),
}


@dataclass(frozen=True)
class Evening:
    """The commands of an evening, in order."""

    rules: HouseRules
    commands: tuple[Command, ...]

    @property
    def dealt(self) -> set[Piece]:
        """The hands of two players and the banker."""
        return set(SHUFFLED[self.rules.game][: 3 * HAND_SIZE])


CARDS = (
    TakeBank(MEI, 5, 100, GnauRules()),
    PlaceBet(ALICE, 10),
    PlaceBet(BOB, 20),
    PlaceBet(CHAN, 30),
    SetClientSeed(CHAN, "eight eight eight"),
    PlaceSideBet(DORA, ALICE, 15),
    PlaceSideBet(DORA, BOB, 5),
    WithdrawSideBet(DORA, BOB),
    WithdrawBet(CHAN),
    SitOut(CHAN),
    Deal(MEI, SHUFFLED["gnau"]),
    Join(DORA),
    RevealHand(ALICE),
    Leave(BOB),
    RevealHand(BOB),
    RevealHand(MEI),
    Showdown(NEXT_RULES),
    PlaceBet(ALICE, 7),
    GiveUpBank(MEI),
    CloseTable(MEI, manages=False),
)
TILES = (
    Join(MEI),
    Join(ALICE),
    Join(BOB),
    RollForBank(ALICE, (3, 3, 1, 5, 2, 1, 6, 1, 2, 2), TILES_RULES),
    SetLimits(MEI, 2, 50),
    PlaceBet(ALICE, 10),
    PlaceBet(BOB, 20),
    Deal(MEI, SHUFFLED["tau-ngau"]),
    Arrange(ALICE, (0, 1, 2)),
    Arrange(MEI, (1, 2, 3)),
    Arrange(ALICE, None),
    CloseTable(MEI, manages=False),
    KeepOpen(MEI, manages=False),
    RevealHand(ALICE),
    RevealHand(BOB),
    RevealHand(MEI),
    Showdown(TILES_RULES),
    PlaceBet(MEI, 3),
)
EVENINGS = {"cards": Evening(GnauRules(), CARDS), "tiles": Evening(TILES_RULES, TILES)}
"""Evenings with every kind of event."""

each_evening = pytest.mark.parametrize("evening", EVENINGS.values(), ids=EVENINGS)


def told(evening: Evening) -> tuple[list[Event], list[TableState]]:
    """The events of the evening, and every state between its commands."""
    table = TrialTable(evening.rules, entropy=lambda: Entropy(new_secret(), "1100220033"))
    states = [table.state]
    for command in evening.commands:
        table.do(command)
        states.append(table.state)
    return table.record, states


def pieces_in(told: Any) -> list[int]:
    """Every piece in JSON values, at any depth."""
    if isinstance(told, dict):
        own: list[int] = told.get("pieces", [])
        return own + [piece for key, value in told.items() if key != "pieces" for piece in pieces_in(value)]
    return [piece for value in told for piece in pieces_in(value)] if isinstance(told, list) else []


def test_the_evenings_have_every_kind_of_event() -> None:
    records = [told(evening)[0] for evening in EVENINGS.values()]

    # Tables of a tournament have one more (`test_heats.py`).
    assert {type(event) for record in records for event in record} | {LowestBet} == set(get_args(Event))


@each_evening
def test_a_replay_of_the_stored_events_gives_the_same_states(evening: Evening) -> None:
    record, states = told(evening)
    again = [parse_event(event_json(event)) for event in record]

    told_again = {state.sequence: state for state in (fold(None, again[: n + 1]) for n in range(len(again)))}

    assert again == record
    assert [parse_state(state_json(state)) for state in states] == states
    assert [told_again[state.sequence] for state in states] == states
    assert states[-1].sequence == len(record)


@each_evening
def test_no_event_and_no_state_has_an_undealt_piece(evening: Evening) -> None:
    record, states = told(evening)

    in_events = [piece for event in record for piece in pieces_in(json.loads(event_json(event)))]
    in_states = [piece for state in states for piece in pieces_in(json.loads(state_json(state)))]

    assert set(in_events) == evening.dealt
    assert set(in_states) == evening.dealt


@pytest.mark.parametrize("text", ["", "{}", '{"kind": "bet_doubled"}', '{"kind": "bet_placed", "party": 1}'])
def test_text_that_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        parse_event(text)


def test_text_that_is_no_state_is_refused() -> None:
    with pytest.raises(ValidationError):
        parse_state("{}")


TELLTALE = 6
"""This many characters of a secret in a row are no coincidence."""


@pytest.fixture
def table() -> TrialTable:
    """A table after the deal, whose secret and hands nobody may know."""
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    dealt(table)
    return table


def parts(secret: str) -> list[str]:
    return [secret[at : at + TELLTALE] for at in range(len(secret) - TELLTALE + 1)]


def spoilt(told: Any) -> Iterator[Any]:
    """Stored values with one part missing or of another type, for each part."""
    if isinstance(told, dict):
        for name, value in told.items():
            rest = {other: kept for other, kept in told.items() if other != name}
            yield rest
            yield rest | {name: {"what": value}}
            for worse in spoilt(value):
                yield rest | {name: worse}
    elif isinstance(told, list):
        for at, value in enumerate(told):
            for worse in spoilt(value):
                yield [*told[:at], worse, *told[at + 1 :]]


def test_no_repr_shows_the_secret_or_an_undealt_piece(table: TrialTable) -> None:
    secret = table.state.secret
    pack = shuffled_pack(3, table.state.rules)

    assert secret not in f"{table.state} {SecretCommitted(secret)} {Entropy(secret)}"
    assert str(pack[0]) not in repr(Deal(None, pack))


def test_an_error_about_a_state_quotes_nothing_of_it(table: TrialTable) -> None:
    stored = state_json(table.state)
    hands = [str(list(map(int, table.state.pieces_of(member)))) for member in (ALICE, BOB, MEI)]
    complaints = 0
    for text in (*map(json.dumps, spoilt(json.loads(stored))), stored[:-1], f"[{stored}]"):
        try:
            parse_state(text)
        except ValidationError as wrong:
            complaints += 1
            said = str(wrong)
            assert "input_value" not in said
            assert not [part for part in parts(table.state.secret) if part in said], said
            assert not [hand for hand in hands if hand in said], said
    assert complaints > 50


def test_an_error_about_an_event_quotes_nothing_of_it() -> None:
    sealed = new_secret()
    for worse in spoilt(json.loads(event_json(SecretCommitted(sealed)))):
        with pytest.raises(ValidationError) as wrong:
            parse_event(json.dumps(worse))
        assert "input_value" not in str(wrong.value)
        assert not [part for part in parts(sealed) if part in str(wrong.value)]
