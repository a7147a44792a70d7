"""PostgreSQL as the ledger's engine: a database on a server, which several processes may write to.

What keeps two processes from writing the same chain stands in `Store.write`: a head moves only from the link
that the writer knows.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any, Final

from sqlalchemy import Dialect, make_url
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.batch import Batch
from bot.ledger.engine import ServerHead, Storage
from bot.ledger.errors import LedgerError, LedgerUnavailable, Overtaken, Reconnected
from bot.ledger.postgres.address import name_of
from bot.ledger.postgres.connections import (
    HANG_SECONDS,
    AnyConnection,
    Connection,
    ConnectionThread,
    cut_if_silent,
    snapshot_engine,
    unhurried,
)
from bot.ledger.postgres.processes import PostgresProcesses
from bot.ledger.postgres.server_errors import MOVED_ON, as_ledger_errors, failure_of
from bot.ledger.postgres.upgrade import migrate, unsafe_settings
from bot.ledger.schema import admin_notes, bans, direct_channels, parties, seed_words

log = logging.getLogger(__name__)

_WHO: Final = (parties, direct_channels, seed_words, admin_notes, bans)
_VACUUM: Final = f"VACUUM {', '.join(table.name for table in _WHO)}"
"""Removes deleted rows from the tables that say who is who."""
_NOTE: Final = "INSERT INTO erased_parties SELECT unnest(%s::BIGINT[]) ON CONFLICT DO NOTHING"
_HEAD: Final = "SELECT head FROM chains WHERE server_id = %s FOR UPDATE"
RETRY_SECONDS: Final = 60.0
"""How long the next try waits, if they could not be removed."""
UPKEEP_SECONDS: Final = 3600.0
"""How long that may take: it reads large tables, or waits for the server's own upkeep of them."""


def psycopg_dialect(style: str) -> Dialect:
    """SQLAlchemy's dialect for psycopg; values come by name in the style `pyformat`, by place in `format`."""
    kind: Callable[..., Dialect] = make_url("postgresql+psycopg://").get_dialect()
    return kind(paramstyle=style)


class PostgresReading:
    """A database on a server that is open for reading."""

    dialect = psycopg_dialect("pyformat")

    def __init__(self, address: str, hang_seconds: float = HANG_SECONDS) -> None:
        self.name = name_of(address)
        self._address = address
        self._hang_seconds = hang_seconds
        self._reader = ConnectionThread(address, "ledger reader", hang_seconds)
        self._snapshots = snapshot_engine(address)
        self._unwanted: set[asyncio.Future[None]] = set()

    async def rows(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """As `Reading.rows`."""
        return await self._reader.execute(sql, values)

    async def storage(self) -> Storage:
        """As `Reading.storage`."""
        ((size,),) = await self.rows("SELECT pg_database_size(current_database())", {})
        return Storage(size)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """As `Reading.snapshot`."""
        opening = asyncio.create_task(self._snapshots.connect().start())
        try:
            # Not `asyncio.timeout`: the driver goes on to ask a silent server to cancel, for ten seconds.
            if not (await asyncio.wait([opening], timeout=self._hang_seconds))[0]:
                raise LedgerUnavailable("the server does not answer")
        except BaseException:
            unwanted = asyncio.create_task(self._close_unwanted(opening))
            self._unwanted.add(unwanted)
            unwanted.add_done_callback(self._unwanted.discard)
            raise
        connection = opening.result()
        watching = asyncio.create_task(
            cut_if_silent(self._address, self._hang_seconds, partial(_driver_of, connection))
        )
        try:
            yield connection
        finally:
            watching.cancel()
            # What was read is read, however it ends.
            with suppress(DBAPIError):
                await unhurried(asyncio.ensure_future(connection.close()))

    async def _close_unwanted(self, opening: asyncio.Task[AsyncConnection]) -> None:
        """Closes a connection once it is open; one that is cancelled halfway would stay open for good."""
        if not (await asyncio.wait([opening], timeout=self._hang_seconds))[0]:
            opening.cancel()
        with suppress(Exception, asyncio.CancelledError):
            await (await opening).close()

    def failure(self, error: BaseException, key: str = "") -> LedgerError | None:
        """As `Reading.failure`."""
        return failure_of(error, key)

    async def close(self) -> None:
        """As `Reading.close`."""
        try:
            if self._unwanted:
                await asyncio.wait(self._unwanted)
            await self._snapshots.dispose()
        finally:
            await self._reader.close()


class PostgresEngine(PostgresReading):
    """A database on a server that this process writes to."""

    row_dialect = psycopg_dialect("format")
    insert = staticmethod(postgresql.insert)

    def __init__(self, address: str, hang_seconds: float = HANG_SECONDS) -> None:
        super().__init__(address, hang_seconds)
        self._writer = ConnectionThread(address, "ledger writer", hang_seconds)
        self.processes = PostgresProcesses(self._reader)
        self._written_by: Connection | None = None
        # If this process or its machine is gone, its locks soon are too, instead of after hours.
        self._silence = f"SET LOCAL idle_in_transaction_session_timeout = {int(2000 * hang_seconds)}"
        self._begin = f"BEGIN; {self._silence}"
        self._has_traces = False
        self._cleaning: asyncio.Task[None] | None = None
        self._upkeep = ConnectionThread(address, "ledger upkeep", UPKEEP_SECONDS)

    async def write(self, work: Callable[[Connection], Batch]) -> Batch:
        """As `Engine.write`."""
        batch = await self._writer.step(self._write, work)
        if self._has_traces and self._cleaning is None:
            self._cleaning = asyncio.create_task(self._clean(), name="ledger upkeep")
        return batch

    def _write(self, connection: Connection, work: Callable[[Connection], Batch]) -> Batch:
        before, self._written_by = self._written_by, connection
        if before not in (None, connection):
            # It broke while nothing was written.
            raise Reconnected
        try:
            connection.execute(self._begin)
            batch = work(connection)
            batch.note_erased()
            connection.commit()
        except MOVED_ON as error:
            connection.rollback()
            raise Overtaken from error
        if batch.erased:
            self._has_traces = True
        return batch

    def erased_of(self, connection: Connection, parties: Collection[int]) -> set[int]:
        """As `Engine.erased_of`."""
        noted = "SELECT party FROM erased_parties WHERE party = ANY(%s)"
        return {party for (party,) in connection.execute(noted, (list(parties),))}

    async def release(self) -> None:
        """As `Engine.release`."""
        self._written_by = None
        await self._writer.release()

    @property
    def upkeep_seconds(self) -> float | None:
        """As `Engine.upkeep_seconds`: nothing waits for it here."""
        return None

    async def keep_up(self) -> None:
        """As `Engine.keep_up`, if it does not take long; the server's own upkeep does it too, but later."""
        if self._cleaning is not None:
            await asyncio.wait([self._cleaning], timeout=self._hang_seconds)

    async def _clean(self) -> None:
        """Removes what is left of erased members, by a connection that may take its time."""
        while self._has_traces:
            self._has_traces = False
            try:
                await self._upkeep.execute(_VACUUM)
                await self._upkeep.release()
            except Exception as failed:
                self._has_traces = True
                why = failure_of(failed) or failed
                log.warning("rows of erased members could not be removed yet: %s", why)
                await asyncio.sleep(RETRY_SECONDS)
        self._cleaning = None

    async def version(self) -> str:
        """As `Engine.version`."""
        with as_ledger_errors():
            ((version,),) = await self.rows("SHOW server_version", {})
        return f"PostgreSQL {version}"

    async def note_erasures(self, parties: list[int], seen: ServerHead | None = None) -> None:
        """As `Engine.note_erasures`."""
        with as_ledger_errors():
            # By the connection that reads, which is given up if the server hangs.
            await self._reader.step(self._note_erasures, parties, seen)

    def _note_erasures(self, connection: Connection, parties: list[int], seen: ServerHead | None) -> None:
        with connection.transaction():
            connection.execute(self._silence)
            if seen is not None:
                _refuse_moved(connection, *seen)
            connection.execute(_NOTE, (parties,))

    async def noted_erasures(self) -> list[int]:
        """As `Engine.noted_erasures`."""
        with as_ledger_errors():
            rows = await self.rows("SELECT party FROM erased_parties ORDER BY party", {})
        return [party for (party,) in rows]

    async def close(self) -> None:
        """As `Reading.close`."""
        try:
            if self._cleaning is not None:
                self._cleaning.cancel()
                self._upkeep.cut()
            await super().close()
        finally:
            await self._writer.close()
            await self._upkeep.close()


def _driver_of(connection: AsyncConnection) -> AnyConnection | None:
    """The driver's connection; None once it is closed."""
    found = connection.sync_connection
    if found is None or found.closed or found.invalidated:
        return None
    driver: AnyConnection | None = found.connection.driver_connection
    return driver


def _refuse_moved(connection: Connection, server_id: int, head: bytes | None) -> None:
    """Raises Overtaken if a chain has moved; if not, it does not until the end of the transaction."""
    if head is None:
        # There is no row yet that others would wait for.
        connection.execute("LOCK TABLE chains IN SHARE MODE")
    found = connection.execute(_HEAD, (server_id,)).fetchone()
    if (found and found[0]) != head:
        raise Overtaken


@asynccontextmanager
async def claimed(address: str, *, hang_seconds: float = HANG_SECONDS) -> AsyncIterator[PostgresEngine]:
    """Opens a database on a server, at the newest schema; an empty one is filled with it."""
    async with AsyncExitStack() as stack:
        opened: list[Connection] = []
        upgrading = asyncio.get_running_loop().run_in_executor(None, migrate, address, opened.append)
        stack.push_async_callback(asyncio.wait, [upgrading])
        # An upgrade may take long, and wait for that of another process.
        watching = asyncio.create_task(cut_if_silent(address, hang_seconds, lambda: next(iter(opened), None)))
        try:
            before, after = await unhurried(upgrading)
        finally:
            watching.cancel()
        name = name_of(address)
        if before not in (None, after):
            log.warning("%s upgraded from version %s to %s", name, before, after)
        if unsafe := await asyncio.to_thread(unsafe_settings, address):
            log.warning(
                "%s: a crash of the server can lose what members were told, because it is set to %s",
                name,
                ", ".join(f"{setting} = off" for setting in unsafe),
            )
        engine = PostgresEngine(address, hang_seconds)
        stack.push_async_callback(engine.close)
        yield engine
