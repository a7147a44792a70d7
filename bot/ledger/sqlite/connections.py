"""Opens the database: one connection that writes, some read-only ones, and one for migrations."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.ledger.sqlite.connection_thread import ThreadedConnection, threaded_connection
from bot.ledger.sqlite.ledger_file import LedgerFile

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
    """An engine with a single connection, the one that writes.

    Args:
        path: the SQLite file, which exists.
        busy_seconds: how long it waits for another program's lock on the file.
        driver: opens the connection.
        file: no other file is opened, if given.
    """
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
    """An engine of read-only connections; each transaction reads one snapshot.

    Args:
        path: the SQLite file.
        driver: opens the connections.
        file: no other file is opened, if given.
    """
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
    """A read-only connection, for SQLite's own checks and for copying.

    Args:
        path: the SQLite file.
        busy_seconds: how long it waits for another program's lock on the file.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    return _connection(path, "ro", busy_seconds)


def writing_connection(path: Path, busy_seconds: float = 5.0) -> sqlite3.Connection:
    """The same, but it may finish what a killed process left in the files, and write.

    Args:
        path: the SQLite file, which exists and which nobody else writes to.
        busy_seconds: how long it waits for another program's lock on the file.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    return _connection(path, "rw", busy_seconds)


def _connection(path: Path, mode: str, busy_seconds: float) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=busy_seconds)


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
