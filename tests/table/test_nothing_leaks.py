"""The secret and undealt pieces are in no repr and no error message."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from bot.games.hands import shuffled_pack
from bot.rules.shuffle import new_secret
from bot.table.commands import Deal
from bot.table.commitment import Entropy
from bot.table.events import SecretCommitted, event_json, parse_event
from bot.table.state import parse_state, state_json
from tests.games.presets import WIKIPEDIA
from tests.proof.committed_rounds import dealt, sealed_table

from .trial_table import ALICE, BOB, MEI, TrialTable

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
    assert secret is not None
    pack = shuffled_pack(3, table.state.rules)

    assert secret not in f"{table.state} {SecretCommitted(secret)} {Entropy(secret)}"
    assert str(pack[0]) not in repr(Deal(None, pack))


def test_an_error_about_a_state_quotes_nothing_of_it(table: TrialTable) -> None:
    stored = state_json(table.state)
    assert table.state.secret is not None
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
