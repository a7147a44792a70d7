"""Audits the database on disk, with connections of its own."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import groupby
from pathlib import Path
from random import Random

from sqlalchemy import select

from bot.croupier.replay import verify_tables
from bot.ledger.audit import audit
from bot.ledger.queries import Queries, queries_of
from bot.ledger.records import StoredEvent
from bot.ledger.schema import accounts, commands, deadlines, house_changes, tables, transfers
from bot.ledger.sqlite.connections import reading_engine
from bot.table.accounts import AccountKind, Reason
from bot.table.events import Event, parse_event
from bot.table.evolve import fold
from bot.table.moves import moves_of
from bot.table.state import TableState, parse_state
from tests.simulation.disk import Disk

Moved = tuple[str, str, int, str, int | None]
"""A transfer: source, target, chips, reason and round."""


class DiskAudit:
    """The database on disk.

    Args:
        ledger: reads it.
    """

    def __init__(self, ledger: Queries) -> None:
        self._ledger = ledger

    async def wrong(self) -> list[str]:
        """What is wrong now: balances, sums, the chain, holds, deadlines."""
        found = [str(finding) for finding in await audit(self._ledger)]
        async with self._ledger.reading() as connection:
            open_tables = select(tables.c.state).where(tables.c.is_open)
            states = [parse_state(text) for text in (await connection.execute(open_tables)).scalars()]
            query = select(accounts.c.table_id, accounts.c.party, accounts.c.balance)
            query = query.where(accounts.c.kind == AccountKind.HOLD, accounts.c.balance != 0)
            holds = (await connection.execute(query)).all()
            armed = dict((await connection.execute(select(deadlines.c.table_id, deadlines.c.at))).all())
        held: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for table_id, party, balance in holds:
            held[table_id][party] = balance
        due = {state.table_id: state.held for state in states if state.held}
        if held != due:
            found.append(f"held are {dict(held)}, and not {due}")
        wanted = {state.table_id: state.deadline for state in states if state.deadline is not None}
        if armed != wanted:
            found.append(f"the deadlines are {armed}, and not {wanted}")
        return found

    async def wrong_in_all_records(self) -> list[str]:
        """What is wrong with any record ever made: states, what each command moved, what was done twice."""
        found = [str(finding) for finding in await verify_tables(self._ledger)]
        moved = await self._moved()
        async with self._ledger.reading() as connection:
            states = {row.table_id: row.state for row in await connection.execute(select(tables))}
        for table_id, state in states.items():
            record = await self._ledger.events(table_id)
            found += _wrong_in(table_id, record, parse_state(state), moved)
        found += [
            f"{key} moved chips at no table: {made}"
            for key, made in moved.items()
            if not key.startswith(("opening:", "erased:"))
            and [reason for *_, reason, _ in made] != [Reason.GIFT]
        ]
        found += [
            f"{key} was done twice"
            for key, made in moved.items()
            if len(made) != 1 and not key.startswith("erased:")
        ]
        return found

    async def committed(self) -> set[str]:
        """The keys of all commands that are on disk."""
        async with self._ledger.reading() as connection:
            return set((await connection.execute(select(commands.c.key))).scalars())

    async def house_keys(self) -> list[str]:
        """The keys of all changes of house rules, in the order in which they were made."""
        async with self._ledger.reading() as connection:
            query = select(house_changes.c.command_key).order_by(house_changes.c.at)
            return list((await connection.execute(query)).scalars())

    async def open_tables(self) -> dict[int, TableState]:
        """Every open table."""
        return {row.table_id: parse_state(row.state) for row in await self._ledger.open_tables()}

    async def kinds(self, table_id: int) -> list[str]:
        """The kinds of a table's events, in order."""
        return [event.kind for event in await self._ledger.events(table_id)]

    async def _moved(self) -> dict[str, list[Moved]]:
        columns = transfers.c
        query = select(
            columns.command_key,
            columns.source,
            columns.target,
            columns.chips,
            columns.reason,
            columns.round_number,
        ).order_by(columns.server_id, columns.link)
        moved: defaultdict[str, list[Moved]] = defaultdict(list)
        async with self._ledger.reading() as connection:
            for key, *move in await connection.execute(query):
                moved[key].append((move[0], move[1], move[2], move[3], move[4]))
        return moved


def _wrong_in(
    table_id: int, record: list[StoredEvent], stored: TableState, moved: dict[str, list[Moved]]
) -> Iterator[str]:
    """What is wrong with a table's record; removes the moves of its commands from `moved`."""
    state: TableState | None = None
    keys = [key for key, _ in groupby(record, lambda event: event.command_key)]
    if len(keys) != len(set(keys)):
        yield f"a command of table {table_id} was done twice: {keys}"
    for key, rows in groupby(record, lambda event: event.command_key):
        events: tuple[Event, ...] = tuple(parse_event(row.body) for row in rows)
        made = [
            (str(move.source), str(move.target), move.chips, move.reason.value, move.round_number)
            for move in moves_of(state, events)
        ]
        if made != moved.pop(key, []):
            yield f"{key} moved other chips at table {table_id} than {made}"
        state = fold(state, events)
    if state != stored:
        yield f"the record of table {table_id} leads to {state}, stored is {stored}"


@asynccontextmanager
async def disk_audit(path: Path) -> AsyncIterator[DiskAudit]:
    """Opens the audit, which can be read at any time."""
    async with queries_of(reading_engine(path, Disk(Random(0)).connect)) as queries:
        yield DiskAudit(queries)
