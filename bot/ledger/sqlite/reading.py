"""Reads a SQLite file: by a connection that stays open, and by snapshots."""

import asyncio
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.engine import Storage
from bot.ledger.errors import LedgerError, LedgerUnavailable, Unstorable
from bot.ledger.sqlite.connections import Driver, KeptConnection, reading_engine, threaded_connection
from bot.ledger.sqlite.file_lock import LedgerFile
from bot.ledger.sqlite.storage_errors import damage_of, in_words


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
