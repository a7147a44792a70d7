"""The ledger read from end to end, command by command: what each did at a table, and what chips it moved.

All of it is streamed and sorted by the database, so that one command at a time is in memory, and one table's
state: a server of many years needs no more than one of an evening.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, fields
from typing import Any, Final

from sqlalchemy import Row, Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.records import StoredEvent, StoredTable
from bot.ledger.schema import commands, deadlines, events, house_changes, tables, transfers

AT_ONCE: Final = 500
"""How many rows are fetched before others get their turn."""


@dataclass(frozen=True, slots=True)
class StoredTransfer:
    """A transfer, as it is stored.

    Attributes:
        server_id: in which server.
        sequence: its number in the server's chain.
        source: the name of the account whose chips went.
        target: the name of the account that got them.
        chips: how many; points, between scores.
        reason: why, as `bot.table.money.Reason` has it.
        table_id: at which table, if at any.
        round_number: in which round of it, if in any.
        command_key: the key of the command that made it.
    """

    server_id: int
    sequence: int
    source: str
    target: str
    chips: int
    reason: str
    table_id: int | None
    round_number: int | None
    command_key: str


@dataclass(frozen=True, slots=True)
class Deed:
    """All that is stored of one command.

    Attributes:
        key: its key.
        table: the table it was done at, as that is now; None where it was done at none.
        deadline: when that table goes on by itself, in seconds since the epoch, UTC; None where it waits.
        events: what happened there, in order; none where it was done at no table, or that has no record.
        transfers: what it moved, in order.
    """

    key: str
    table: StoredTable | None
    deadline: float | None
    events: tuple[StoredEvent, ...]
    transfers: tuple[StoredTransfer, ...]


_TABLE: Final = [tables.c[field.name] for field in fields(StoredTable)]
_EVENT: Final = [events.c[field.name] for field in fields(StoredEvent)]
_TRANSFER: Final = [transfers.c[field.name] for field in fields(StoredTransfer)]


async def deeds(connection: AsyncConnection) -> AsyncGenerator[Deed, None]:
    """Every command that moved chips or of which a table has events.

    First come those that moved chips at no table, in the order of their transfers; then each table with its
    commands in the order of its record. A transfer belongs to the table that its command was committed for,
    whatever it says itself, where that table has an event of the command; else it belongs to none.

    Args:
        connection: one moment of the ledger, as `Queries.reading` gives it.
    """
    async with (
        aclosing(_rows(connection, _all_tables())) as every_table,
        aclosing(_rows(connection, _all_events())) as every_event,
        aclosing(_rows(connection, _all_transfers())) as every_transfer,
    ):
        happened, moved = _Ahead(every_event), _Ahead(every_transfer)
        while (row := await moved.first_if(lambda one: one.at_table is None)) is not None:
            of_one = [row, *await moved.as_long_as(_same(row, "server_id", "command_key", "at_table"))]
            yield Deed(row.command_key, None, None, (), _transfers(of_one))
        async for table in every_table:
            stored = StoredTable(**{column.name: table._mapping[column] for column in _TABLE})
            at_table = _same(table, "table_id")
            has_record = False
            while (row := await happened.first_if(at_table)) is not None:
                of_one = [row, *await happened.as_long_as(_same(row, "table_id", "command_key"))]
                made = await moved.as_long_as(_at(row.table_id, row.sequence))
                yield Deed(row.command_key, stored, table.deadline, _events(of_one), _transfers(made))
                has_record = True
            if not has_record:
                yield Deed("", stored, table.deadline, (), ())


async def idle_commands(connection: AsyncConnection) -> AsyncGenerator[tuple[int, str], None]:
    """Server and key of each command that is stored, and of which nothing else is: it did nothing."""
    done = (transfers.c.command_key, events.c.command_key, house_changes.c.command_key)
    query = select(commands.c.server_id, commands.c.key).where(
        *(commands.c.key.not_in(select(key)) for key in done)
    )
    async with aclosing(_rows(connection, query)) as rows:
        async for row in rows:
            yield row.server_id, row.key


def _all_tables() -> Select[Any]:
    of_table = tables.outerjoin(deadlines, deadlines.c.table_id == tables.c.table_id)
    query = select(*_TABLE, deadlines.c.at.label("deadline")).select_from(of_table)
    return query.order_by(tables.c.table_id)


def _all_events() -> Select[Any]:
    query = select(*_EVENT, events.c.table_id).select_from(events.join(tables))
    return query.order_by(events.c.table_id, events.c.sequence)


def _all_transfers() -> Select[Any]:
    """In the order of the events that they belong to; those of no table first."""
    beginnings = (
        select(events.c.table_id, events.c.command_key, func.min(events.c.sequence).label("since"))
        .select_from(events.join(tables))
        .group_by(events.c.table_id, events.c.command_key)
        .subquery()
    )
    at_table, since = beginnings.c.table_id.label("at_table"), beginnings.c.since
    same = (beginnings.c.table_id == commands.c.table_id) & (
        beginnings.c.command_key == transfers.c.command_key
    )
    return (
        select(*_TRANSFER, at_table, since)
        .select_from(
            transfers.outerjoin(commands, commands.c.key == transfers.c.command_key).outerjoin(
                beginnings, same
            )
        )
        .order_by(at_table.nulls_first(), since, transfers.c.server_id, transfers.c.sequence)
    )


async def _rows(connection: AsyncConnection, query: Select[Any]) -> AsyncGenerator[Row[Any], None]:
    async with connection.stream(query) as rows:
        async for part in rows.partitions(AT_ONCE):
            for row in part:
                yield row


def _same(row: Row[Any], *names: str) -> Callable[[Row[Any]], bool]:
    """Whether another row says the same under these names."""
    values = [getattr(row, name) for name in names]
    return lambda one: [getattr(one, name) for name in names] == values


def _at(table_id: int, sequence: int) -> Callable[[Row[Any]], bool]:
    """Whether a transfer is of the command whose first event is this one."""
    return lambda one: (one.at_table, one.since) == (table_id, sequence)


def _events(rows: list[Row[Any]]) -> tuple[StoredEvent, ...]:
    return tuple(StoredEvent(*row[: len(_EVENT)]) for row in rows)


def _transfers(rows: list[Row[Any]]) -> tuple[StoredTransfer, ...]:
    return tuple(StoredTransfer(*row[: len(_TRANSFER)]) for row in rows)


class _Ahead:
    """Rows of which the next one is looked at before it is taken.

    Args:
        rows: the rows.
    """

    def __init__(self, rows: AsyncIterator[Row[Any]]) -> None:
        self._rows = rows
        self._next: Row[Any] | None = None

    async def first_if(self, wanted: Callable[[Row[Any]], bool]) -> Row[Any] | None:
        """Takes the next row, where there is one and it is wanted."""
        if self._next is None:
            self._next = await anext(self._rows, None)
        if self._next is None or not wanted(self._next):
            return None
        row, self._next = self._next, None
        return row

    async def as_long_as(self, wanted: Callable[[Row[Any]], bool]) -> list[Row[Any]]:
        """Takes rows up to the first that is not wanted."""
        taken = []
        while (row := await self.first_if(wanted)) is not None:
            taken.append(row)
        return taken
