"""SQLite as the ledger's engine: one file, which one process has open."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from sqlalchemy.dialects import sqlite

from bot.ledger.batch import Batch
from bot.ledger.engine import ServerHead
from bot.ledger.errors import Overtaken
from bot.ledger.sqlite.backup import upgrade_with_copy
from bot.ledger.sqlite.connections import (
    BEGIN,
    Driver,
    KeptConnection,
    SqliteReading,
    emptied_wal,
    empty_wal_on_small_disk,
    threaded_connection,
    writing_engine,
)
from bot.ledger.sqlite.erasure import Traces, note_erasures, noted_erasures
from bot.ledger.sqlite.file_lock import LedgerFile, exclusive_lock
from bot.ledger.sqlite.location import warn_of_readers
from bot.ledger.sqlite.storage_errors import as_ledger_errors, is_full

log = logging.getLogger(__name__)


class SqliteEngine(SqliteReading):
    """A database file that this process has locked and writes to."""

    processes = None
    row_dialect = sqlite.dialect()
    insert = staticmethod(sqlite.insert)

    def __init__(
        self, file: LedgerFile, busy_seconds: float = 5.0, driver: Driver = threaded_connection
    ) -> None:
        super().__init__(file.path, driver, file)
        self.file = file
        self._writing = writing_engine(file.path, busy_seconds, driver, file)
        self._writer = KeptConnection(self._writing)
        self._traces = Traces()

    async def version(self) -> str:
        """As `Engine.version`."""
        return f"SQLite {sqlite3.sqlite_version}"

    async def open(self) -> None:
        """Opens the file for writing, so that it is noticed from now on if the file or its WAL is lost.

        It also overwrites what there still is of erased members.
        """
        with as_ledger_errors(self.path):
            await self._writer.step(self._traces.look)
            # One that reads stays open, so that `close` can choose which connection is the last.
            await self.rows("SELECT count(*) FROM sqlite_schema", {})
        if self._traces.left:
            await self.keep_up()

    async def write(self, work: Callable[[sqlite3.Connection], Batch]) -> Batch:
        """As `Engine.write`."""
        return await self._writer.step(self._write, work)

    def _write(self, connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], Batch]) -> Batch:
        """Writes in the connection's thread, again if the disk is full of the WAL."""
        try:
            return self._write_once(connection, work)
        except Overtaken:
            connection.rollback()
            raise
        except sqlite3.OperationalError as error:
            if not is_full(error):
                raise
            connection.rollback()
            # The WAL has each page many times: there may be room enough without it.
            with self.file.checked():
                is_emptied = emptied_wal(connection)
            if not is_emptied:
                raise
            return self._write_once(connection, work)

    def _write_once(
        self, connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], Batch]
    ) -> Batch:
        connection.execute(BEGIN)
        batch = work(connection)
        with self.file.checked():
            # Before the commit, which may be on disk even if it fails.
            if batch.erased:
                self._traces.add(connection)
            batch.note_erased()
            connection.commit()
            empty_wal_on_small_disk(connection, self.file.wal)
            if self._traces.left and not self._traces.seconds:
                self._traces.overwrite(connection)
        return batch

    def erased_of(self, _: sqlite3.Connection, __: Collection[int]) -> set[int]:
        """As `Engine.erased_of`: there is no other process."""
        return set()

    async def release(self) -> None:
        """As `Engine.release`."""
        await self._writer.release()

    @property
    def upkeep_seconds(self) -> float | None:
        """As `Engine.upkeep_seconds`. Before the first try, the first write does it."""
        return self._traces.seconds if self._traces.left and self._traces.tried else None

    async def keep_up(self) -> None:
        """Overwrites what may be left of erased members."""
        if not self._traces.left:
            return
        try:
            await self._writer.step(self._overwrite)
        except Exception as failed:
            self._traces.retry_later(failed)
            await self._writer.release()

    def _overwrite(self, connection: sqlite3.Connection) -> None:
        with self.file.checked():
            self._traces.overwrite(connection)

    async def note_erasures(self, parties: list[int], _: ServerHead | None = None) -> None:
        """Notes beside the database that these parties are erased, also in its backups."""
        await asyncio.to_thread(note_erasures, self.path, parties)

    async def noted_erasures(self) -> list[int]:
        """As `Engine.noted_erasures`."""
        return await asyncio.to_thread(noted_erasures, self.path)

    async def close(self) -> None:
        """Closes all connections; if the last of them can write, SQLite moves the WAL into the database.

        Not into one that was overwritten: with pages of two databases in it, nobody could tell what happened.
        """
        await self._kept.release()
        first, last = self._reading, self._writing
        if self.file.is_overwritten:
            log.warning(
                "%s was overwritten: what was written last stays in %s", self.file.path, self.file.wal
            )
            first, last = last, first
        try:
            await first.dispose()
        finally:
            await last.dispose()


@asynccontextmanager
async def claimed(
    path: Path, *, busy_seconds: float = 5.0, driver: Driver = threaded_connection
) -> AsyncIterator[SqliteEngine]:
    """Opens a database file for this process only, at the newest schema.

    An older database is copied beside itself first, and the log says where. Missing folders and files are
    created.
    """
    async with AsyncExitStack() as stack:
        file = stack.enter_context(exclusive_lock(path))
        path = file.path
        upgrading = asyncio.get_running_loop().run_in_executor(None, upgrade_with_copy, path, busy_seconds)
        # A thread cannot be cancelled: keep the lock until it has finished with the file.
        # Nobody asks then how it ended.
        upgrading.add_done_callback(asyncio.Future.exception)
        stack.push_async_callback(asyncio.wait, [upgrading])
        done = await asyncio.shield(upgrading)
        if done.copy is not None:
            # A warning, because the copy stays until somebody deletes it.
            log.warning(
                "%s upgraded from version %s to %s; the old one is %s",
                path,
                done.before,
                done.after,
                done.copy,
            )
        warn_of_readers(path)
        engine = SqliteEngine(file, busy_seconds, driver)
        stack.push_async_callback(engine.close)
        await engine.open()
        yield engine
