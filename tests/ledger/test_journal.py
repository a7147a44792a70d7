"""Streaming the whole ledger: each command complete, in the order of its table's events."""

from contextlib import aclosing

import pytest

from bot.ledger import journal
from bot.ledger.changes import Change, HouseRow
from bot.ledger.journal import StoredCommand, commands_without_effect, stored_commands
from bot.ledger.ledger import Ledger
from tests.ledger.sample_changes import NOW, SERVER, at_table, bet, change, lost, opening, returned, row
from tests.ledger.tampering import tamper


async def read_commands(ledger: Ledger) -> list[StoredCommand]:
    async with ledger.reading() as connection, aclosing(stored_commands(connection)) as commands:
        return [command async for command in commands]


def in_short(command: StoredCommand) -> tuple[int | None, str, list[int], list[int]]:
    """Table, key, the numbers of events, and the links of transfers."""
    table_id = None if command.table is None else command.table.table_id
    events, transfers = [one.sequence for one in command.events], [one.link for one in command.transfers]
    return table_id, command.key, events, transfers


@pytest.fixture(params=[journal.FETCH_SIZE, 1])
async def two_tables(
    request: pytest.FixtureRequest, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> Ledger:
    """Two tables with alternating commands, in a server with two members; fetched in parts of any size."""
    monkeypatch.setattr(journal, "FETCH_SIZE", request.param)
    for party in (7, 8):
        await ledger.commit(opening(party))
    await ledger.commit(at_table(row(2, 78), bet(7, 10, 78), events=2, key="z"))
    await ledger.commit(at_table(row(1), bet(8, 20), bet(7, 30), deadline=NOW, key="a"))
    await ledger.commit(at_table(row(3, 78), key="nothing"))
    await ledger.commit(at_table(row(4), lost(8, 7, 20), returned(7, 30), events=3, deadline=NOW, key="b"))
    await ledger.commit(at_table(row(4, 78), returned(7, 10, 78), key="y"))
    return ledger


async def test_commands_without_a_table_come_first_then_each_table_in_order(
    two_tables: Ledger,
) -> None:
    commands = await read_commands(two_tables)
    assert [in_short(command)[:1] + in_short(command)[2:] for command in commands[:2]] == [
        (None, [], [1]),
        (None, [], [2]),
    ]
    assert [in_short(command) for command in commands[2:]] == [
        (77, "a", [1], [6, 7]),
        (77, "b", [2, 3, 4], [10, 11]),
        (78, "z", [1, 2], [3]),
        (78, "nothing", [3], []),
        (78, "y", [4], [15]),
    ]
    assert [command.deadline for command in commands] == [None, None, NOW, NOW, None, None, None]
    assert [command.table for command in commands[2:5:2]] == [
        await two_tables.table(77),
        await two_tables.table(78),
    ]
    record = await two_tables.events(78)
    assert [command.events for command in commands[4:]] == [tuple(record[:2]), (record[2],), (record[3],)]


async def test_a_table_without_events_is_listed_and_a_missing_one_is_skipped(
    two_tables: Ledger, address: str
) -> None:
    tamper(
        address,
        "INSERT INTO tables VALUES (5, 1, 5, 5, FALSE, FALSE, '{}', 0, 0.5, 0.5, NULL, NULL, 'gnau');"
        "INSERT INTO events VALUES (4, 1, 9, NULL, 'kind', '{}', 'a', 0.5, x'00')",
    )
    commands = await read_commands(two_tables)
    assert [in_short(command)[:3] for command in commands[2:4]] == [(5, "", []), (77, "a", [1])]
    assert len(commands) == 8


async def test_a_command_without_any_other_row_had_no_effect(two_tables: Ledger) -> None:
    await two_tables.commit(change(key="idle"))
    house = HouseRow(1, 7, "what", "the house")
    await two_tables.commit(Change("house", SERVER, NOW, house=house))
    async with two_tables.reading() as connection, aclosing(commands_without_effect(connection)) as idle:
        assert [one async for one in idle] == [(SERVER, "idle")]
