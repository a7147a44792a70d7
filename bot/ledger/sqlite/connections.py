"""Opens a file, reads it, copies it and empties its WAL: one connection writes, some only read, one migrates.

aiosqlite hands its thread one statement at a time. Each costs two thread switches, which on a busy machine
take longer than the statement. The ledger's batch of a dozen statements therefore runs as one step.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import aiosqlite
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.ledger.engine import Storage
from bot.ledger.errors import LedgerError, LedgerUnavailable, Unstorable
from bot.ledger.files import sync
from bot.ledger.sqlite.file_lock import LedgerFile
from bot.ledger.sqlite.storage_errors import damage_of, in_words

Given = ParamSpec("Given")
Result = TypeVar("Result")

_FETCH_SIZE: Final = 64
"""How many rows a cursor fetches at once, as with `aiosqlite.connect`."""


class ThreadedConnection(aiosqlite.Connection):
    """aiosqlite's connection, and `step`."""

    def stop(self) -> asyncio.Future[Any] | None:
        """Stops the thread, once: a second stop would find nobody to answer, and who closes waits for it.

        SQLAlchemy stops a connection whose closing is cancelled, and goes on to close it.
        """
        return super().stop() if self._running else None

    async def step(
        self,
        work: Callable[Concatenate[sqlite3.Connection, Given], Result],
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Result:
        """Calls a function in the connection's thread, and returns its result.

        Cancelling the wait does not cancel the function.
        """
        done: Result = await self._execute(work, self._conn, *args, **options)  # type: ignore[no-untyped-call]  # aiosqlite does not type it
        return done


class KeptConnection:
    """One connection of an engine: opened when it is first needed, and kept open."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._opening = asyncio.Lock()

    async def step(
        self,
        work: Callable[Concatenate[sqlite3.Connection, Given], Result],
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Result:
        """Calls a function in the connection's thread, as `ThreadedConnection.step` does."""
        async with self._opening:
            if self._connection is None:
                self._connection = await self._engine.connect()
            driver = (await self._connection.get_raw_connection()).driver_connection
        assert isinstance(driver, ThreadedConnection)
        return await driver.step(work, *args, **options)

    async def release(self) -> None:
        """Returns it to the engine, which rolls back what is not committed."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def threaded_connection(database: str, **options: Any) -> ThreadedConnection:
    """Opens a file as `aiosqlite.connect` does, in a daemon thread, so that the program can exit."""
    connection = ThreadedConnection(partial(sqlite3.connect, database, **options), _FETCH_SIZE)
    connection._thread.daemon = True
    return connection


BEGIN: Final = "BEGIN IMMEDIATE"
"""Starts a write transaction with the write lock, rather than taking it at the first write."""
_DURABLE: Final = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL")
_OVERWRITE: Final = "PRAGMA secure_delete=ON"
"""Writes zeros over what is deleted: erased members must not be left in free space."""
_PAGE_SIZE: Final = "PRAGMA page_size=8192"
"""Applies only to a new file. A batch writes adjacent rows, so fewer, larger pages cost less."""
_CACHE: Final = ("PRAGMA cache_size=-16384", "PRAGMA wal_autocheckpoint=2000")
"""16 MiB of pages, so that a large batch is written only once, at its commit; and checkpoints, for which the
next batches wait, only after 16 MiB."""
Driver = Callable[..., ThreadedConnection]
"""Opens a connection, as `threaded_connection` does."""
MAX_READERS: Final = 4
"""How many connections read at once; further readers wait."""


def writing_engine(
    path: Path,
    busy_seconds: float,
    driver: Driver = threaded_connection,
    file: LedgerFile | None = None,
) -> AsyncEngine:
    """An engine with a single connection, the one that writes; to no other file, if one is given."""
    engine = create_async_engine(
        # Not "rwc": if the file was deleted, no new one may take its place.
        _address(path, "rw"),
        pool_size=1,
        max_overflow=0,
        connect_args={"isolation_level": None, "timeout": busy_seconds, "async_creator_fn": driver},
    )
    statements = (*_DURABLE, "PRAGMA foreign_keys=ON", _OVERWRITE, *_CACHE)
    _prepare(engine.sync_engine, *statements)
    if file is not None:
        event.listen(engine.sync_engine, "do_connect", lambda *_: file.check_path())
        event.listen(engine.sync_engine, "connect", lambda *_: file.note_open())
    return engine


def reading_engine(
    path: Path, driver: Driver = threaded_connection, file: LedgerFile | None = None
) -> AsyncEngine:
    """An engine of read-only connections, to no other file if one is given; a transaction is a snapshot."""
    engine = create_async_engine(
        # A read-only connection does not checkpoint the WAL when it closes.
        _address(path, "ro"),
        pool_size=MAX_READERS,
        max_overflow=0,
        connect_args={"isolation_level": None, "async_creator_fn": driver},
    )
    _prepare(engine.sync_engine, "PRAGMA query_only=ON")
    if file is not None:
        event.listen(engine.sync_engine, "do_connect", lambda *_: file.check_path())
    _begin_with(engine.sync_engine, "BEGIN")
    return engine


def _address(path: Path, mode: str) -> URL:
    return URL.create(
        "sqlite+aiosqlite", database=path.absolute().as_uri(), query={"mode": mode, "uri": "true"}
    )


def reading_connection(path: Path, busy_seconds: float = 5.0) -> sqlite3.Connection:
    """A read-only connection, for SQLite's own checks and for copying."""
    return _connection(path, "ro", busy_seconds)


def writing_connection(path: Path, busy_seconds: float = 5.0) -> sqlite3.Connection:
    """The same, but it may finish what a killed process left in the files, and write."""
    return _connection(path, "rw", busy_seconds)


def _connection(path: Path, mode: str, busy_seconds: float) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=busy_seconds)


def copy_database(source: Path, target: Path) -> None:
    """Copies everything committed so far into one new file, and syncs it to disk.

    Writers may continue meanwhile. The copy has no files beside it.
    """
    with closing(reading_connection(source)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode=DELETE")
    sync(target)


def migrating_engine(path: Path, busy_seconds: float) -> Engine:
    """The engine for migrations, which all run in one transaction; synchronous, as Alembic is."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=NullPool,
        connect_args={"isolation_level": None, "timeout": busy_seconds},
    )
    _prepare(engine, _PAGE_SIZE, *_DURABLE)
    _begin_with(engine, BEGIN)
    return engine


def _prepare(engine: Engine, *statements: str) -> None:
    """Runs these statements on every new connection."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _entry: ConnectionPoolEntry) -> None:
        try:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement)
            cursor.close()
        except BaseException:
            # The pool does not know it yet: nobody else would close it.
            connection.close()
            raise


def _begin_with(engine: Engine, statement: str) -> None:
    """Begins every transaction with this statement; the driver's implicit begin is off."""

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(statement)


def emptied_wal(connection: sqlite3.Connection) -> bool:
    """Moves the WAL's content into the database and empties it; False if a reader is in the way."""
    (busy_milliseconds,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout=0")
    try:
        blocked, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout={busy_milliseconds}")
    return not blocked


def empty_wal_on_small_disk(connection: sqlite3.Connection, wal: Path) -> None:
    """Empties the WAL if it is larger than what is free on its disk; does not raise.

    The database can grow by no more than the WAL has. So the WAL alone never fills the disk so
    far that it can no longer be moved into the database, after which nothing could ever be written again.
    """
    with suppress(OSError, sqlite3.Error):
        if wal.stat().st_size > shutil.disk_usage(wal.parent).free:
            emptied_wal(connection)


class SqliteReading:
    """A database file that is open for reading.

    Args:
        file: what the file must still be, if that is checked.
    """

    dialect = sqlite.dialect(paramstyle="named")

    def __init__(
        self, path: Path, driver: Driver = threaded_connection, file: LedgerFile | None = None
    ) -> None:
        self.path = path
        self.name = str(path)
        self._reading = reading_engine(path, driver, file)
        self._kept = KeptConnection(self._reading)

    async def rows(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """As `Reading.rows`."""
        # After an error the connection stays: others may read on it, and SQLite's recover by themselves.
        return await self._kept.step(_fetch, sql, values)

    async def storage(self) -> Storage:
        """As `Reading.storage`."""
        return await asyncio.to_thread(self._storage)

    def _storage(self) -> Storage:
        wal = self.path.with_name(f"{self.path.name}-wal")
        try:
            return Storage(
                self.path.stat().st_size,
                wal.stat().st_size if wal.exists() else 0,
                shutil.disk_usage(self.path.parent).free,
            )
        except OSError as failed:
            raise LedgerUnavailable(f"{self.path}: {failed.strerror}") from failed

    def snapshot(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """As `Reading.snapshot`."""
        return self._reading.connect()

    def failure(self, error: BaseException, key: str = "") -> LedgerError | None:
        """As `Reading.failure`."""
        original = error.orig if isinstance(error, DBAPIError) else error
        match original:
            case LedgerUnavailable():
                return original
            case sqlite3.IntegrityError() | sqlite3.DataError() | OverflowError() if key:
                return Unstorable(key, str(original))
            case sqlite3.Error():
                return damage_of(self.path, original) or LedgerUnavailable(in_words(self.path, original))
        return None

    async def close(self) -> None:
        """As `Reading.close`."""
        await self._kept.release()
        await self._reading.dispose()


def _fetch(connection: sqlite3.Connection, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    cursor = connection.execute(sql, values)
    try:
        return cursor.fetchall()
    finally:
        # An error could keep it, and so the snapshot, which keeps the WAL from being emptied.
        cursor.close()
