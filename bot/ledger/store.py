"""The statements of the writer: what a batch must know is read, and what it worked out is written.

Each statement runs once for the whole batch. They are compiled from the schema once, and rows handed to the
driver as they are: for a thousand rows that takes half the time of having each row bound by name.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

import aiosqlite
from sqlalchemy import (
    Column,
    Delete,
    Dialect,
    Insert,
    Table,
    Update,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.batch import Batch, Rows
from bot.ledger.known import Known, Touched
from bot.ledger.schema import (
    accounts,
    commands,
    deadlines,
    events,
    house_changes,
    house_drafts,
    members,
    servers,
    tables,
    transfers,
)


def _insert(table: Table, but: Iterable[Column[Any]] = ()) -> Insert:
    """Takes rows in the order of the table's columns, without these."""
    columns = [column for column in table.c if column not in set(but)]
    return insert(table).values({column.name: bindparam(column.name) for column in columns})


def _update(table: Table, *columns: Column[Any]) -> Update:
    """Takes rows of these columns' new values, in the order of the table, then of the primary key."""
    return (
        update(table).where(*_key(table)).values({column.name: bindparam(column.name) for column in columns})
    )


def _delete(table: Table) -> Delete:
    """Takes rows of primary keys."""
    return delete(table).where(*_key(table))


def _key(table: Table) -> list[Any]:
    return [column == bindparam(f"key_{column.name}") for column in table.primary_key]


def _named(column: Column[Any]) -> Any:
    return column.in_(bindparam("names", expanding=True))


_ANSWERS: Final = select(commands.c.key, commands.c.answer).where(_named(commands.c.key))
_SEQUENCES: Final = select(tables.c.table_id, tables.c.sequence).where(_named(tables.c.table_id))
_HEADS: Final = select(servers).where(_named(servers.c.server_id))
_HOUSES: Final = (
    select(house_changes.c.server_id, func.max(house_changes.c.number))
    .where(_named(house_changes.c.server_id))
    .group_by(house_changes.c.server_id)
)
_places: Final = func.json_each(bindparam("names")).table_valued("key", "value")
_BALANCES: Final = (
    # Given a list of pairs, SQLite reads all accounts; given them as a table, it looks each one up.
    select(accounts.c.balance)
    .select_from(_places)
    .outerjoin(
        accounts,
        (accounts.c.server_id == func.json_extract(_places.c.value, "$[0]"))
        & (accounts.c.account == func.json_extract(_places.c.value, "$[1]")),
    )
    .order_by(_places.c.key)
)
"""The balance of each place in a JSON list of servers and names, in its order; None where there is none."""

_WRITES: Final[list[tuple[Insert | Update | Delete, Callable[[Batch], Rows]]]] = [
    (_insert(servers), lambda batch: batch.new_heads),
    (_update(servers, servers.c.last_sequence, servers.c.last_hash), lambda batch: batch.heads),
    (_insert(accounts), lambda batch: batch.new_accounts),
    (_update(accounts, accounts.c.balance), lambda batch: batch.balances),
    (_insert(transfers), lambda batch: batch.transfers),
    (_insert(tables, but=(tables.c.message_id, tables.c.posted_at)), lambda batch: batch.new_tables),
    (
        _update(
            tables,
            tables.c.channel_id,
            tables.c.is_open,
            tables.c.is_playing,
            tables.c.state,
            tables.c.sequence,
            tables.c.closed_at,
        ),
        lambda batch: batch.tables,
    ),
    (_insert(events), lambda batch: batch.events),
    (_delete(deadlines), lambda batch: batch.touched_tables),
    (_insert(deadlines), lambda batch: batch.deadlines),
    (_insert(commands), lambda batch: batch.commands),
    (_insert(house_changes), lambda batch: batch.house_changes),
    (
        delete(house_drafts).where(house_drafts.c.at < bindparam("before")),
        lambda batch: batch.outdated_drafts,
    ),
    (_delete(house_drafts), lambda batch: batch.replaced_drafts),
    (_insert(house_drafts), lambda batch: batch.drafts),
    (_update(tables, tables.c.message_id, tables.c.posted_at), lambda batch: batch.boards),
    (_delete(members), lambda batch: batch.direct_members),
    (_insert(members), lambda batch: batch.direct_channels),
]
"""Each statement and its rows, in an order that every foreign key allows."""


class Store:
    """The statements as one kind of database takes them.

    Args:
        dialect: which kind.
    """

    def __init__(self, dialect: Dialect) -> None:
        self.writes = [(str(statement.compile(dialect=dialect)), rows) for statement, rows in _WRITES]

    async def look_up(self, connection: AsyncConnection, names: Touched, known: Known) -> None:
        """Reads what a batch must know, besides what is known, of what it touches."""
        if names.keys:
            known.answers.update((await connection.execute(_ANSWERS, {"names": names.keys})).all())
        if names.tables:
            known.sequences.update((await connection.execute(_SEQUENCES, {"names": names.tables})).all())
        if names.houses:
            known.houses.update((await connection.execute(_HOUSES, {"names": names.houses})).all())
        if names.servers:
            for server_id, *head in await connection.execute(_HEADS, {"names": names.servers}):
                known.heads[server_id] = (head[0], head[1])
        if names.accounts:
            found = (await connection.execute(_BALANCES, {"names": json.dumps(names.accounts)})).scalars()
            for place, balance in zip(names.accounts, found, strict=True):
                if balance is not None:
                    known.balances[place] = balance

    async def write(self, connection: AsyncConnection, batch: Batch) -> None:
        """Writes what a batch worked out.

        The statements go to the driver itself, each in one step of its thread, where SQLAlchemy takes three.

        Raises:
            sqlite3.Error: as the driver has it.
        """
        driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, aiosqlite.Connection)
        for statement, rows_of in self.writes:
            if rows := rows_of(batch):
                await driver.executemany(statement, rows)
