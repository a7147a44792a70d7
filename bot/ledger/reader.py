"""Reads the ledger: compiled statements on a kept connection, or a whole snapshot at leisure."""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy import Dialect, Select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.engine import Reading, Storage
from bot.ledger.errors import LedgerUnavailable, StorageOutage

Kind = TypeVar("Kind")
QUIET_SECONDS: Final = 60.0
"""How long no read may have failed before the log says that the database works again."""


class Statement:
    """A query whose SQL is made once; the value of each `bindparam` comes with each use."""

    def __init__(self, query: Select[*tuple[Any, ...]]) -> None:
        self.query = query
        self._compiled: dict[str, tuple[str, dict[str, Any]]] = {}

    def compiled(self, dialect: Dialect) -> tuple[str, dict[str, Any]]:
        """The query as the engine takes it, and the values that are part of it."""
        if dialect.name not in self._compiled:
            compiled = self.query.compile(dialect=dialect)
            constants = {name: value for name, value in compiled.params.items() if value is not None}
            self._compiled[dialect.name] = str(compiled), constants
        return self._compiled[dialect.name]


class Reader:
    """Reads the ledger. Each query sees everything committed before it.

    Every method raises LedgerUnavailable if the storage cannot be read.

    Args:
        engine: the database, which stays open.
        logs: whether the log has a line for an outage, as that of a running bot.
    """

    def __init__(self, engine: Reading, *, logs: bool = False) -> None:
        self._engine = engine
        self._reads = StorageOutage(engine.name, "reads", QUIET_SECONDS) if logs else None

    @property
    def reads_fail(self) -> bool:
        """Whether a read failed lately; False if nothing of it is logged."""
        return self._reads is not None and self._reads.why != ""

    async def rows(self, statement: Statement, **values: Any) -> list[tuple[Any, ...]]:
        """The rows that a statement returns; others wait for it, so it takes milliseconds at most.

        Args:
            values: by name; a list stands for the elements of a `listed` or `elements`.
        """
        sql, constants = statement.compiled(self._engine.dialect)
        with self._explained():
            return await self._engine.rows(sql, constants | _given(values))

    async def all_of(self, kind: Callable[..., Kind], statement: Statement, **values: Any) -> list[Kind]:
        """The rows that a statement returns, as a kind that is made of their columns."""
        return [kind(*row) for row in await self.rows(statement, **values)]

    async def one_of(self, kind: Callable[..., Kind], statement: Statement, **values: Any) -> Kind | None:
        """The first of these; None if there is none."""
        return next(iter(await self.all_of(kind, statement, **values)), None)

    async def many_rows(self, statement: Statement, **values: Any) -> list[tuple[Any, ...]]:
        """The rows of a statement that may take long; nobody else waits for it."""
        async with self.reading() as connection:
            return [tuple(row) for row in await connection.execute(statement.query, _given(values))]

    async def row(self, statement: Statement, **values: Any) -> tuple[Any, ...] | None:
        """The first row that a statement returns; None if there is none."""
        return next(iter(await self.rows(statement, **values)), None)

    async def value(self, statement: Statement, **values: Any) -> Any:
        """The first column of that row; None if there is none."""
        row = await self.row(statement, **values)
        return None if row is None else row[0]

    async def storage(self) -> Storage:
        """How large the database is."""
        with self._explained():
            return await self._engine.storage()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that reads one snapshot, for several queries or for many rows."""
        with self._explained():
            async with self._engine.snapshot() as connection:
                yield connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turns errors of the storage into the ledger's own; the log has one line for all of an outage."""
        try:
            yield
        except Exception as error:
            failure = self._engine.failure(error)
            if isinstance(failure, LedgerUnavailable) and self._reads is not None and not failure.is_logged:
                self._reads.refused(failure)
            if failure is None or failure is error:
                raise
            raise failure from error
        if self._reads is not None:
            self._reads.over()


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values as a statement takes them."""
    return {name: json.dumps(one) if isinstance(one, list) else one for name, one in values.items()}
