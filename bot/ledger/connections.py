"""Opens the database: one connection that writes, a few that can only read, one for the migrations."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.ledger.connection_thread import ThreadedConnection, threaded_connection

BEGIN: Final = "BEGIN IMMEDIATE"
"""How a transaction that writes begins: alone, and not only when it first writes."""
_SAFE: Final = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL")
_PAGES: Final = "PRAGMA page_size=8192"
"""Only a new file takes it: what a batch writes lies side by side, and fewer, larger pages cost less."""
_ROOMY: Final = ("PRAGMA cache_size=-32768", "PRAGMA wal_autocheckpoint=2000")
"""Room for a batch of many tables: 32 MiB of pages, so that it is written once, when it is complete; and as
much as 16 MiB before what was written is moved to its place in the file, which the next batches wait for."""
Driver = Callable[..., ThreadedConnection]
"""Opens a connection to a file, as `threaded_connection` does."""
READERS: Final = 4
"""How many connections read at once; whoever comes when all are busy waits."""


def writing_engine(path: Path, busy_seconds: float, driver: Driver = threaded_connection) -> AsyncEngine:
    """The engine with the one connection that writes.

    Args:
        path: the SQLite file.
        busy_seconds: how long it waits for a lock that a foreign program has on the file.
        driver: what opens the connection.
    """
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(path)),
        pool_size=1,
        max_overflow=0,
        connect_args={"isolation_level": None, "timeout": busy_seconds, "async_creator_fn": driver},
    )
    _prepare(engine.sync_engine, *_SAFE, "PRAGMA foreign_keys=ON", *_ROOMY)
    _begin_with(engine.sync_engine, BEGIN)
    return engine


def reading_engine(path: Path, driver: Driver = threaded_connection) -> AsyncEngine:
    """The engine whose connections can only read, each transaction one moment of the ledger.

    Args:
        path: the SQLite file.
        driver: what opens the connections.
    """
    engine = create_async_engine(
        # Opened read-only, a connection cannot checkpoint the WAL when it is closed, either.
        URL.create(
            "sqlite+aiosqlite", database=path.absolute().as_uri(), query={"mode": "ro", "uri": "true"}
        ),
        pool_size=READERS,
        max_overflow=0,
        connect_args={"isolation_level": None, "async_creator_fn": driver},
    )
    _prepare(engine.sync_engine, "PRAGMA query_only=ON")
    _begin_with(engine.sync_engine, "BEGIN")
    return engine


def reading_connection(path: Path, busy_seconds: float = 5.0) -> sqlite3.Connection:
    """A connection that can only read, to ask SQLite itself about a file, or to copy it.

    Args:
        path: the SQLite file.
        busy_seconds: how long it waits for a lock that a foreign program has on the file.

    Raises:
        sqlite3.Error: where it cannot be opened.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=busy_seconds)


def migrating_engine(path: Path, busy_seconds: float) -> Engine:
    """The engine for the migrations, all in one transaction; not asynchronous, since Alembic is not."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=NullPool,
        connect_args={"isolation_level": None, "timeout": busy_seconds},
    )
    _prepare(engine, _PAGES, *_SAFE)
    _begin_with(engine, BEGIN)
    return engine


def _prepare(engine: Engine, *statements: str) -> None:
    """Has these run on each new connection."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _entry: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        cursor.close()


def _begin_with(engine: Engine, statement: str) -> None:
    """Begins each transaction with this: the driver's own notion of when to begin one is switched off."""

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(statement)
