"""A database of this format, as it was written once, is read by every later version."""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final, get_args

import pytest

from bot.croupier.replay import verify_tables
from bot.games.register import GAMES
from bot.ledger.schema import (
    achievements,
    admin_notes,
    bans,
    flows,
    metadata,
    plans,
    seasons,
    standings,
    tallies,
    tournaments,
    uncounted_rounds,
)
from bot.ledger.sqlite.integrity import problems_in, reading
from bot.ledger.sqlite.upgrade import revision_of
from bot.ledger.upgrade import revisions
from bot.rules.hashing import canonical
from bot.rules.shuffle import code_of
from bot.table.events import Event, event_json, parse_event
from bot.table.round_proof import first_mismatch
from bot.table.state import Phase, parse_state
from tests.croupier.croupier_house import House

from .make import ERASED, GOLDEN, RECORDS, records_in


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    path = tmp_path / "gnau.db"
    path.write_bytes(gzip.decompress(GOLDEN.read_bytes()))
    return path


def column(golden: Path, query: str) -> list[str]:
    with closing(sqlite3.connect(golden)) as connection:
        return [row[0] for row in connection.execute(query)]


def test_it_has_no_faults(golden: Path) -> None:
    assert problems_in(golden, extra_audits=[verify_tables]) == []


ADDED_LATER: Final = (
    '{"closes":true,"by_admin":false,"kind":"closing_set"}',
    '{"party":7,"stake":5,"kind":"lowest_bet"}',
)
"""Kinds of events that came after the database was made, as they are stored."""


def test_it_has_every_kind_of_event_of_its_time_and_each_reads(golden: Path) -> None:
    kinds = {type(parse_event(body)) for body in column(golden, "SELECT body FROM events")}
    added = {type(parse_event(body)) for body in ADDED_LATER}
    assert [event_json(parse_event(body)) for body in ADDED_LATER] == list(ADDED_LATER)
    assert kinds.isdisjoint(added)
    assert kinds | added == set(get_args(Event))


def test_it_has_every_game_and_every_phase(golden: Path) -> None:
    states = [parse_state(state) for state in column(golden, "SELECT state FROM tables")]
    assert {state.rules.game for state in states} == set(GAMES)
    assert {state.phase for state in states} == set(Phase)
    assert {state.for_points for state in states} == {True, False}


def test_every_table_has_rows_and_every_value_that_may_be_missing_is_there_and_missing(golden: Path) -> None:
    later = {standings, tallies, flows, achievements, uncounted_rounds, plans, admin_notes, bans}
    later |= {seasons, tournaments}
    lacking, added_later = [], {"squeezes", "is_hidden", "has_left", "week_posted", "game", "finds_ox"}
    with closing(sqlite3.connect(golden)) as connection:
        for table in (one for one in metadata.sorted_tables if one not in later):
            for one in (column for column in table.c if column.name not in added_later):
                query = f"SELECT count({one.name}), count(*) FROM {table.name}"
                there, rows = connection.execute(query).fetchone()
                if there == 0 or (one.nullable and there == rows):
                    lacking.append(f"{table.name}.{one.name}")
    # Events of tables always have the number of a round; the ledger itself does not need one.
    assert lacking == ["events.round_number"]


def test_flags_are_both_on_and_off(golden: Path) -> None:
    with closing(sqlite3.connect(golden)) as connection:
        flags = connection.execute("SELECT DISTINCT is_open, is_playing FROM tables").fetchall()
    assert set(flags) == {(1, 0), (1, 1), (0, 0)}


def test_erased_members_are_in_events_and_nowhere_else(golden: Path) -> None:
    content = golden.read_bytes()
    assert ERASED.name.encode() not in content
    assert ERASED.user_id.to_bytes(8) not in content
    assert b"words to forget" not in content
    known = set(column(golden, "SELECT party FROM parties"))
    named = set(column(golden, "SELECT party FROM accounts WHERE kind = 'wallet'"))
    assert named - known


async def test_its_rounds_have_the_records_that_they_had_and_each_is_verified(golden: Path) -> None:
    records = json.loads(RECORDS.read_text(encoding="utf-8"))
    assert await records_in(golden) == records
    assert {record["sheet"]["rules"]["game"] for record in records.values()} == set(GAMES)
    for record in records.values():
        assert first_mismatch(json.dumps(record)) is None


def test_neither_is_made_anew() -> None:
    """A new format gets another database beside it: this one must stay readable."""
    records = json.loads(RECORDS.read_text(encoding="utf-8"))
    assert code_of(gzip.decompress(GOLDEN.read_bytes()).hex()) == "M6V56-Z3FZZ-M5E9M-QVKX2-DJBD9"
    assert code_of(canonical(records)) == "3FTCW-XHHNR-YR0ST-NJV29-XA2CP"


async def test_who_only_reads_an_older_version_leaves_it_as_it_is(golden: Path) -> None:
    parties = column(golden, "SELECT party FROM parties")
    async with reading(golden) as ledger:
        assert len(await ledger.identities(map(int, parties))) == len(parties)
    assert revision_of(golden) == revisions()[0]


async def test_the_bot_goes_on_with_it(golden: Path) -> None:
    async with House(golden) as house:
        tables = house.croupier.tables.all()
        assert len(tables) >= 4
        await house.croupier.wind_up(tables)
        assert house.croupier.tables.all() == []
        await house.check()
