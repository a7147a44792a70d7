"""Reads the ledger: compiled statements on a kept connection, or a whole snapshot at leisure."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.ledger.errors import LedgerUnavailable
from bot.ledger.sqlite.connections import KeptConnection
from bot.ledger.sqlite.storage_errors import Outage, damage_of, in_words

QUIET_SECONDS: Final = 60.0
"""How long no read may have failed before the log says that the database works again."""
_DIALECT: Final = sqlite.dialect(paramstyle="named")


class Statement:
    """A query whose SQL is made once; the value of each `bindparam` comes with each use."""

    def __init__(self, query: Select[*tuple[Any, ...]]) -> None:
        self.query = query

    @cached_property
    def sql(self) -> str:
        """The query as SQLite takes it."""
        return str(self._compiled)

    @cached_property
    def constants(self) -> dict[str, Any]:
        """The values that are part of the query."""
        return {name: value for name, value in self._compiled.params.items() if value is not None}

    @cached_property
    def _compiled(self) -> Any:
        return self.query.compile(dialect=_DIALECT)


def listed(name: str) -> Select[tuple[Any]]:
    """The elements of the value with this name, which is a JSON list."""
    return select(func.json_each(bindparam(name)).table_valued("value").c.value)


class Reader:
    """Reads the ledger. Each query sees everything committed before it.

    Every method raises LedgerUnavailable if the storage cannot be read.

    Args:
        engine: opens read-only connections.
        path: the file as errors name it.
        logs: whether the log has a line for an outage, as that of a running bot.
    """

    def __init__(self, engine: AsyncEngine, path: Path, *, logs: bool = False) -> None:
        self._reading_engine = engine
        self._kept = KeptConnection(engine)
        self._path = path
        self._reads = Outage(path, "reads", QUIET_SECONDS) if logs else None

    async def rows(self, statement: Statement, **values: Any) -> list[tuple[Any, ...]]:
        """The rows that a statement returns; others wait for it, so it takes milliseconds at most."""
        # After an error the connection stays: others may read on it, and SQLite's recover by themselves.
        with self._explained():
            return await self._kept.step(_fetch, statement, values)

    async def many_rows(self, statement: Statement, **values: Any) -> list[tuple[Any, ...]]:
        """The rows of a statement that may take long; nobody else waits for it."""
        async with self.reading() as connection:
            return [tuple(row) for row in await connection.execute(statement.query, values)]

    async def row(self, statement: Statement, **values: Any) -> tuple[Any, ...] | None:
        """The first row that a statement returns; None if there is none."""
        return next(iter(await self.rows(statement, **values)), None)

    async def value(self, statement: Statement, **values: Any) -> Any:
        """The first column of that row; None if there is none."""
        row = await self.row(statement, **values)
        return None if row is None else row[0]

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that reads one snapshot, for several queries or for many rows."""
        with self._explained():
            async with self._reading_engine.connect() as connection:
                yield connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turns errors of the storage into the ledger's own; the log has one line for all of an outage."""
        try:
            yield
        except (sqlite3.Error, DBAPIError) as error:
            failure = damage_of(self._path, error) or LedgerUnavailable(in_words(self._path, error))
            failure.__cause__ = error
            self._note_failed(failure)
            raise failure from error
        except LedgerUnavailable as lost:
            self._note_failed(lost)
            raise
        if self._reads is not None:
            self._reads.over()

    def _note_failed(self, failure: LedgerUnavailable) -> None:
        if self._reads is not None and not failure.is_logged:
            self._reads.refused(failure)

    async def close(self) -> None:
        """Lets the kept connection go; the engine stays open."""
        await self._kept.release()


def _fetch(connection: sqlite3.Connection, statement: Statement, values: dict[str, Any]) -> list[Any]:
    """Runs a statement in the connection's thread."""
    cursor = connection.execute(statement.sql, statement.constants | values)
    try:
        return cursor.fetchall()
    finally:
        # An error could keep it, and so the snapshot, which keeps the WAL from being emptied.
        cursor.close()
