"""Tables, their events, and their deadlines."""

from dataclasses import fields
from typing import Any, Final

from sqlalchemy import Boolean, bindparam, func, select

from bot.ledger.reader import Reader, Statement
from bot.ledger.records import StoredEvent, StoredTable
from bot.ledger.schema import (
    deadlines,
    events,
    tables,
)

_FIELDS: Final = [field.name for field in fields(StoredTable)]
_FLAGS: Final = [column.name for column in tables.c if isinstance(column.type, Boolean)]
_TABLE: Final = select(*(tables.c[name] for name in _FIELDS))
_EVENT: Final = [events.c[field.name] for field in fields(StoredEvent)]
_OF_SERVER: Final = tables.c.server_id == bindparam("server")
_EVENTS_IN_ORDER: Final = (
    select(*_EVENT).where(events.c.table_id == bindparam("table")).order_by(events.c.sequence)
)
_OPEN_TABLES: Final = Statement(_TABLE.where(tables.c.is_open).order_by(tables.c.opened_at))
_EVERY_TABLE: Final = Statement(
    select(tables.c.server_id, tables.c.table_id, tables.c.number).order_by(
        tables.c.server_id, tables.c.number
    )
)
_BY_ID: Final = Statement(_TABLE.where(tables.c.table_id == bindparam("table")))
_OPEN_IN: Final = Statement(_TABLE.where(tables.c.channel_id == bindparam("channel"), tables.c.is_open))
# No index leads to a channel's closed tables. The one of a server's numbers stops at the newest.
_NEWEST_IN: Final = Statement(
    _TABLE.where(_OF_SERVER, tables.c.channel_id == bindparam("channel"))
    .order_by(tables.c.number.desc())
    .limit(1)
)
_NUMBERED: Final = Statement(_TABLE.where(_OF_SERVER, tables.c.number == bindparam("number")))
_NEXT_NUMBER: Final = Statement(select(func.coalesce(func.max(tables.c.number), 0) + 1).where(_OF_SERVER))
_EVENTS: Final = Statement(_EVENTS_IN_ORDER)
_EVENTS_AFTER: Final = Statement(_EVENTS_IN_ORDER.where(events.c.sequence > bindparam("sequence")))
_EVENTS_OF_ROUND: Final = Statement(_EVENTS_IN_ORDER.where(events.c.round_number == bindparam("round")))
_RECENT_KEYS: Final = Statement(
    select(events.c.table_id, events.c.command_key)
    .select_from(events.join(tables))
    .where(tables.c.is_open, events.c.sequence > tables.c.sequence - bindparam("last"))
    .distinct()
)
_EVENTS_NAMING: Final = Statement(
    select(tables.c.number, *_EVENT)
    .select_from(events.join(tables))
    .where(_OF_SERVER, func.instr(events.c.body, bindparam("party")) > 0)
    .order_by(events.c.link)
)
_DEADLINES: Final = Statement(select(deadlines.c.table_id, deadlines.c.at).order_by(deadlines.c.at))


class TableQueries(Reader):
    """Reads tables."""

    async def open_tables(self) -> list[StoredTable]:
        """Every open table of every server, the oldest first."""
        return [_table(row) for row in await self.rows(_OPEN_TABLES)]

    async def every_table(self) -> list[tuple[int, int, int]]:
        """Server, id and number of every table, open or closed, by server and number."""
        return [
            (server_id, table_id, number) for server_id, table_id, number in await self.rows(_EVERY_TABLE)
        ]

    async def table(self, table_id: int) -> StoredTable | None:
        """The table with this id, open or closed."""
        return _table_or_none(await self.row(_BY_ID, table=table_id))

    async def table_open_in(self, channel_id: int) -> StoredTable | None:
        """The open table of a channel or thread."""
        return _table_or_none(await self.row(_OPEN_IN, channel=channel_id))

    async def newest_table_in(self, server_id: int, channel_id: int) -> StoredTable | None:
        """The newest table of a channel or thread, open or closed."""
        return _table_or_none(await self.row(_NEWEST_IN, server=server_id, channel=channel_id))

    async def table_numbered(self, server_id: int, number: int) -> StoredTable | None:
        """The table with this number in a server, open or closed."""
        return _table_or_none(await self.row(_NUMBERED, server=server_id, number=number))

    async def next_table_number(self, server_id: int) -> int:
        """The number for the server's next table.

        Two callers at once get the same number; the second to commit it gets Unstorable.
        """
        number: int = await self.value(_NEXT_NUMBER, server=server_id)
        return number

    async def events(self, table_id: int, round_number: int | None = None) -> list[StoredEvent]:
        """A table's events in order; all of them, or those of one round."""
        if round_number is None:
            rows = await self.many_rows(_EVENTS, table=table_id)
        else:
            rows = await self.rows(_EVENTS_OF_ROUND, table=table_id, round=round_number)
        return [StoredEvent(*row) for row in rows]

    async def events_after(self, table_id: int, sequence: int) -> list[StoredEvent]:
        """A table's events after the one with this number, in order."""
        rows = await self.rows(_EVENTS_AFTER, table=table_id, sequence=sequence)
        return [StoredEvent(*row) for row in rows]

    async def recent_keys(self, last: int) -> list[tuple[int, str]]:
        """The keys of the commands behind the last events of every open table, each with its table's id.

        Args:
            last: the number of events at each table.
        """
        return [(table_id, key) for table_id, key in await self.rows(_RECENT_KEYS, last=last)]

    async def events_naming(self, server_id: int, party: int) -> list[tuple[int, StoredEvent]]:
        """The events that name a party, each with the number of its table, in the order of writing.

        This reads every event of the server. A body may name another number that ends like the party.
        """
        rows = await self.many_rows(_EVENTS_NAMING, server=server_id, party=str(party))
        return [(row[0], StoredEvent(*row[1:])) for row in rows]

    async def deadlines(self) -> dict[int, float]:
        """When each table continues automatically, in seconds since the epoch, UTC; the soonest first."""
        return dict(await self.rows(_DEADLINES))


def _table(row: tuple[Any, ...]) -> StoredTable:
    table = dict(zip(_FIELDS, row, strict=True))
    return StoredTable(**table | {flag: bool(table[flag]) for flag in _FLAGS})


def _table_or_none(row: tuple[Any, ...] | None) -> StoredTable | None:
    return None if row is None else _table(row)
