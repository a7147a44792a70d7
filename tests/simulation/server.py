"""A PostgreSQL server that fails on demand: the real one, in one thread and in virtual time.

It takes the place of `Disk`, and the same faults mean what is like them: a connection that breaks, a full
disk of the server, another process that writes in between, silence.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import psycopg
from psycopg import errors
from sqlalchemy import Connection as SqlConnection
from sqlalchemy import NullPool, create_engine

from bot.ledger.batch import Batch
from bot.ledger.engine import ServerHead
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger
from bot.ledger.postgres.connections import HANG_SECONDS, Connection, connect
from bot.ledger.postgres.engine import PostgresEngine
from tests.simulation.disk import CALM_SECONDS, Trouble
from tests.simulation.loop import PROCESS

_ERRORS: Final = {
    Trouble.FULL: errors.DiskFull("no space left on device"),
    Trouble.LOCKED: errors.SerializationFailure("another process was faster"),
    Trouble.CORRUPT: errors.DataCorrupted("invalid page"),
}
_ONLY_WRITES: Final = (Trouble.FULL, Trouble.LOCKED)


def _broken() -> psycopg.Error:
    return psycopg.OperationalError("the connection broke")


class FaultyServer:
    """The server of one database.

    Args:
        random: decides how long operations take.
        address: the database.

    Attributes:
        trouble, forgets, watch, batches: as of `Disk`.
    """

    def __init__(self, random: Random, address: str) -> None:
        self.trouble: Trouble | None = None
        self.forgets = False
        self.watch: Callable[[str], None] | None = None
        self.batches = 0
        self.address = address
        self._random = random
        self._disturbed_at = -math.inf
        self._engines: list[_Engine] = []

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Ledger]:
        """Opens the ledger in the current process."""
        engine = _Engine(self.address, self)
        self._engines.append(engine)
        try:
            ledger = Ledger(engine)
            try:
                yield ledger
            finally:
                await ledger.close()
        finally:
            await engine.close()

    def reading(self) -> PostgresEngine:
        """The database without any fault."""
        return _Engine(self.address, FaultyServer(Random(0), self.address))

    def cut(self, process: int) -> None:
        """Detaches a process, as a kill does: nothing that it does is stored."""
        for engine in self._engines:
            if engine.process == process:
                engine.cut()

    @property
    def settled(self) -> bool:
        """As `Disk.settled`."""
        return not self.batches and asyncio.get_running_loop().time() > self._disturbed_at + CALM_SECONDS

    async def takes_its_time(self) -> None:
        """Waits for an operation: mostly almost no time, longest if the server is silent."""
        if self.trouble is Trouble.DELETED:
            await asyncio.sleep(HANG_SECONDS)
        elif (drawn := self._random.random()) >= 0.5:
            await asyncio.sleep(0 if drawn < 0.8 else 0.002 if drawn < 0.999 else 2.0)

    def look(self, engine: "_Engine", what: str) -> None:
        """One instant of an operation, at which it may fail."""
        try:
            if self.watch is not None:
                self.watch(what)
            if engine.is_cut or self.trouble in (Trouble.BROKEN, Trouble.DELETED):
                raise _broken()
            if self.trouble is not None and not (what == "read" and self.trouble in _ONLY_WRITES):
                raise _ERRORS[self.trouble]
        except psycopg.Error:
            self._disturb()
            raise

    def committed(self) -> None:
        """Hears of a commit; its answer may be lost."""
        if self.forgets:
            self.forgets = False
            self._disturb()
            raise _broken()

    def _disturb(self) -> None:
        self._disturbed_at = asyncio.get_running_loop().time()


class _Engine(PostgresEngine):
    """The engine of one process, whose every step goes through the server's faults."""

    def __init__(self, address: str, server: FaultyServer) -> None:
        super().__init__(address)
        self.process = PROCESS.get()
        self.is_cut = False
        self._server = server
        self._whole = create_engine(
            "postgresql+psycopg://",
            creator=lambda: connect(address),
            isolation_level="REPEATABLE READ",
            poolclass=NullPool,
            use_native_hstore=False,
        )

    def cut(self) -> None:
        """Fails from now on; what is not committed is rolled back."""
        self.is_cut = True
        for thread in (self._writer, self._reader, self._upkeep):
            thread._close()

    async def rows(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        await self._server.takes_its_time()
        self._server.look(self, "read")
        rows = await super().rows(sql, values)
        await self._server.takes_its_time()
        return rows

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Any]:
        await self._server.takes_its_time()
        self._server.look(self, "read")
        with self._whole.connect() as connection:
            yield _Snapshot(connection)

    async def write(self, work: Callable[[Connection], Batch]) -> Batch:
        self._server.batches += 1
        try:
            await self._server.takes_its_time()
            batch = await super().write(work)
            await self._server.takes_its_time()
            return batch
        finally:
            self._server.batches -= 1

    def _write(self, connection: Connection, work: Callable[[Connection], Batch]) -> Batch:
        watched: Any = _Watched(self._server, self, connection)
        return super()._write(watched, work)

    def _note_erasures(self, connection: Connection, parties: list[int], seen: ServerHead | None) -> None:
        try:
            self._server.look(self, "notes")
            super()._note_erasures(connection, parties, seen)
            self._server.look(self, "notes")
        except psycopg.Error as failed:
            raise LedgerUnavailable(str(failed)) from failed


@dataclass(frozen=True)
class _Watched:
    """psycopg's connection, with each operation sent through the server's faults."""

    server: FaultyServer
    engine: _Engine
    driver: Connection

    def cursor(self) -> "_Cursor":
        return _Cursor(self)

    def execute(self, statement: str, *rest: Any) -> Any:
        return self.does(self.driver.execute, statement, *rest)

    def does(self, work: Callable[..., Any], statement: str, *rest: Any) -> Any:
        what = "read" if statement.startswith(("SELECT", "BEGIN")) else "write"
        self.server.look(self.engine, what)
        done = work(statement, *rest)
        self.server.look(self.engine, what)
        return done

    def rollback(self) -> None:
        self.server.look(self.engine, "read")
        self.driver.rollback()

    def commit(self) -> None:
        self.server.look(self.engine, "commit")
        self.driver.commit()
        self.server.committed()
        self.server.look(self.engine, "commit")


class _Cursor:
    def __init__(self, connection: _Watched) -> None:
        self._connection = connection
        self._driver = connection.driver.cursor()

    @property
    def rowcount(self) -> int:
        return self._driver.rowcount

    def execute(self, statement: str, *rest: Any) -> Any:
        return self._connection.does(self._driver.execute, statement, *rest)

    def executemany(self, statement: str, rows: Any) -> Any:
        return self._connection.does(self._driver.executemany, statement, rows)


@dataclass(frozen=True)
class _Snapshot:
    """A snapshot that is read in the thread of the loop."""

    connection: SqlConnection

    async def execute(self, *query: Any) -> Any:
        return self.connection.execute(*query)

    @asynccontextmanager
    async def stream(self, *query: Any) -> AsyncIterator["_Rows"]:
        yield _Rows(self.connection.execute(*query))


@dataclass(frozen=True)
class _Rows:
    """The rows of a query, as `AsyncResult` has them."""

    result: Any

    async def __aiter__(self) -> AsyncIterator[Any]:
        for row in self.result:
            yield row

    async def partitions(self, size: int) -> AsyncIterator[Any]:
        for part in self.result.partitions(size):
            yield part
