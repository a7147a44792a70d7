"""Streams the whole ledger, command by command: the events and transfers of each.

The database sorts, and only one command is in memory at a time, however large the ledger is.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, fields
from typing import Any, Final

from sqlalchemy import Row, Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.records import StoredEvent, StoredTable
from bot.ledger.schema import commands, deadlines, events, house_changes, tables, transfers

FETCH_SIZE: Final = 500
"""How many rows are fetched before other tasks get their turn."""


@dataclass(frozen=True, slots=True)
class StoredTransfer:
    """A stored transfer."""

    server_id: int
    link: int
    source: str
    target: str
    chips: int
    reason: str
    table_id: int | None
    round_number: int | None
    command_key: str


@dataclass(frozen=True, slots=True)
class StoredCommand:
    """Everything that is stored of one command.

    Attributes:
        key: its key; empty for a table without events.
        table: the current row of its table; None for a command without a table.
    """

    key: str
    table: StoredTable | None
    deadline: float | None
    events: tuple[StoredEvent, ...]
    transfers: tuple[StoredTransfer, ...]


_TABLE: Final = [tables.c[field.name] for field in fields(StoredTable)]
_EVENT: Final = [events.c[field.name] for field in fields(StoredEvent)]
_TRANSFER: Final = [transfers.c[field.name] for field in fields(StoredTransfer)]


async def stored_commands(connection: AsyncConnection) -> AsyncGenerator[StoredCommand, None]:
    """Yields every command that moved chips or has events at a table.

    Commands without a table come first, in the order of their transfers; then each table with its commands,
    in the order of its events. A transfer belongs to its command's table if that table has an event of the
    command, and otherwise to no table, whatever table the transfer itself names.
    """
    async with (
        aclosing(_rows(connection, _all_tables())) as every_table,
        aclosing(_rows(connection, _all_events())) as every_event,
        aclosing(_rows(connection, _all_transfers())) as every_transfer,
    ):
        event_rows, transfer_rows = _Lookahead(every_event), _Lookahead(every_transfer)
        while (row := await transfer_rows.next()) is not None and row.at_table is None:
            made = await transfer_rows.take(
                server_id=row.server_id, command_key=row.command_key, at_table=None
            )
            yield StoredCommand(row.command_key, None, None, (), _transfers(made))
        async for table in every_table:
            stored = StoredTable(*table[: len(_TABLE)])
            has_events = False
            while (row := await event_rows.next()) is not None and row.table_id == table.table_id:
                events_of = await event_rows.take(table_id=row.table_id, command_key=row.command_key)
                made = await transfer_rows.take(at_table=row.table_id, first_event=row.sequence)
                yield StoredCommand(
                    row.command_key, stored, table.deadline, _events(events_of), _transfers(made)
                )
                has_events = True
            if not has_events:
                yield StoredCommand("", stored, table.deadline, (), ())


async def commands_without_effect(connection: AsyncConnection) -> AsyncGenerator[tuple[int, str], None]:
    """Server and key of each command that has no event, transfer or house change.

    Erasures are left out, since what they delete is not there to be seen, and ends of seasons and steps of
    tournaments, which may move no chips.
    """
    effects = (transfers.c.command_key, events.c.command_key, house_changes.c.command_key)
    query = select(commands.c.server_id, commands.c.key).where(
        commands.c.key.not_like("erased:%"),
        commands.c.key.not_like("season:%"),
        commands.c.key.not_like("tournament:%"),
        *(commands.c.key.not_in(select(key)) for key in effects),
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
    """In the order of their events; transfers without a table first."""
    first_events = (
        select(events.c.table_id, events.c.command_key, func.min(events.c.sequence).label("first_event"))
        .select_from(events.join(tables))
        .group_by(events.c.table_id, events.c.command_key)
        .subquery()
    )
    at_table, first_event = first_events.c.table_id.label("at_table"), first_events.c.first_event
    same = (first_events.c.table_id == commands.c.table_id) & (
        first_events.c.command_key == transfers.c.command_key
    )
    return (
        select(*_TRANSFER, at_table, first_event)
        .select_from(
            transfers.outerjoin(commands, commands.c.key == transfers.c.command_key).outerjoin(
                first_events, same
            )
        )
        .order_by(at_table.nulls_first(), first_event, transfers.c.server_id, transfers.c.link)
    )


async def _rows(connection: AsyncConnection, query: Select[Any]) -> AsyncGenerator[Row[Any], None]:
    async with connection.stream(query) as rows:
        async for part in rows.partitions(FETCH_SIZE):
            for row in part:
                yield row


def _events(rows: list[Row[Any]]) -> tuple[StoredEvent, ...]:
    return tuple(StoredEvent(*row[: len(_EVENT)]) for row in rows)


def _transfers(rows: list[Row[Any]]) -> tuple[StoredTransfer, ...]:
    return tuple(StoredTransfer(*row[: len(_TRANSFER)]) for row in rows)


class _Lookahead:
    """Rows, of which the next one can be seen before it is taken."""

    def __init__(self, rows: AsyncIterator[Row[Any]]) -> None:
        self._rows = rows
        self._next: Row[Any] | None = None

    async def next(self) -> Row[Any] | None:
        """The next row, which stays; None if there is none."""
        if self._next is None:
            self._next = await anext(self._rows, None)
        return self._next

    async def take(self, **values: object) -> list[Row[Any]]:
        """Takes rows up to the first one that has other values in these columns."""
        taken = []
        while (row := await self.next()) is not None:
            if any(getattr(row, name) != value for name, value in values.items()):
                break
            taken.append(row)
            self._next = None
        return taken
