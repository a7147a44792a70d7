"""The one who writes: gathers what is waiting into one transaction, and answers each when it is on disk.

While one batch is on its way to the disk the next one gathers by itself, so under load a sync of the disk is
paid once for many, and without load nobody waits for others (group commit). Whatever is in the queue is
carried out, also when who asked for it has gone away meanwhile.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.ledger.batch import Batch
from bot.ledger.changes import Change, Note
from bot.ledger.connection_thread import ThreadedConnection
from bot.ledger.connections import BEGIN
from bot.ledger.errors import LedgerError, LedgerUnavailable, Unstorable
from bot.ledger.storable import check_storable
from bot.ledger.store import Store
from bot.ledger.write_cache import Prepared, WriteCache, prepared, touched

log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 64
"""How many changes share one transaction at most."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Something to be written, and who waits for it."""

    work: Change | Note
    done: asyncio.Future[None]


class Writer:
    """Writes changes and notes in the order in which they come.

    Args:
        engine: an engine with one connection, the only one that writes to this database.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._store = Store(engine.dialect)
        self._known = WriteCache()
        self._queue: asyncio.Queue[_Waiting | None] = asyncio.Queue()
        self._closed = False
        self._connection: AsyncConnection | None = None
        self._task = asyncio.create_task(self._run(), name="ledger writer")

    async def put(self, work: Change | Note) -> None:
        """Has something written, and returns when it is on disk.

        To cancel the wait does not cancel the work.

        Raises:
            LedgerError: it was not done, for this reason.
        """
        if self._closed:
            raise LedgerUnavailable("the ledger is closed")
        check_storable(work)
        done = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Waiting(work, done))
        await done

    async def close(self) -> None:
        """Takes nothing more, and returns when all that was waiting is done."""
        if not self._closed:
            self._closed = True
            self._queue.put_nowait(None)
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        waiting: list[_Waiting] = []
        try:
            while waiting := await self._next():
                await self._carry_out(waiting)
        finally:
            # Somebody is left here only where this task ended by a fault, or was torn down with its loop.
            self._closed = True
            while not self._queue.empty():
                waiting += filter(None, [self._queue.get_nowait()])
            _answer(waiting, [LedgerUnavailable("the ledger's writer is gone") for _ in waiting])
            await self._let_go()

    async def _next(self) -> list[_Waiting]:
        """Whatever is waiting, as soon as anything is; nothing when all is done and no more can come."""
        waiting: list[_Waiting] = []
        following = await self._queue.get()
        while following is not None:
            waiting.append(following)
            if len(waiting) == MOST_AT_ONCE or self._queue.empty():
                return waiting
            following = self._queue.get_nowait()
        if waiting:
            self._queue.put_nowait(None)
        return waiting

    async def _carry_out(self, waiting: Sequence[_Waiting]) -> None:
        try:
            _answer(waiting, await self._together(waiting))
            return
        except Exception as error:
            if len(waiting) == 1:
                _answer(waiting, [_told(waiting[0].work, error)])
                return
            log.info("a batch of %s failed, each is tried alone: %s", len(waiting), error)
        for at, one in enumerate(waiting):
            try:
                _answer([one], await self._together([one]))
            except Exception as error:
                told = _told(one.work, error)
                _answer([one], [told])
                if isinstance(told, LedgerUnavailable):
                    # The storage itself fails: the others would only wait for the same, one after another.
                    _answer(waiting[at + 1 :], [LedgerUnavailable(str(told)) for _ in waiting[at + 1 :]])
                    return

    async def _together(self, waiting: Sequence[_Waiting]) -> list[LedgerError | None]:
        """Writes all of these in one transaction but those that are refused; says of each why, or None.

        The connection is kept from one batch to the next; once one failed, it goes back.
        """
        # Whatever goes wrong from here on, it is not certain what is on disk, and all is looked up anew.
        known, self._known = self._known, WriteCache()
        try:
            if self._connection is None:
                self._connection = await self._engine.connect()
            driver = (await self._connection.get_raw_connection()).driver_connection
            assert isinstance(driver, ThreadedConnection)
            outcomes = await driver.step(self._write, [one.work for one in waiting], known)
        except BaseException:
            await self._let_go()
            raise
        self._known = known
        return outcomes

    def _write(
        self, connection: sqlite3.Connection, asked: Sequence[Change | Note], known: WriteCache
    ) -> list[LedgerError | None]:
        """One batch, in the thread of its connection: what it touches is looked up, worked out and written.

        Args:
            connection: the one that writes; what it began stays open where this fails.
            asked: what is to be written.
            known: what is known before, and then what is known after it.

        Raises:
            sqlite3.Error: it is not certain what of it is on disk.
        """
        outcomes: list[LedgerError | None] = []
        works = [prepared(one) if isinstance(one, Change) else one for one in asked]
        changes = [work for work in works if isinstance(work, Prepared)]
        connection.execute(BEGIN)
        self._store.look_up(connection, touched(changes, known), known)
        batch = Batch(known)
        for work in works:
            try:
                if isinstance(work, Prepared):
                    batch.take(work)
                else:
                    batch.note(work)
                outcomes.append(None)
            except LedgerError as refused:
                outcomes.append(refused)
        self._store.write(connection, batch)
        connection.commit()
        batch.conclude()
        return outcomes

    async def _let_go(self) -> None:
        """Gives the connection back to the engine, which rolls back what is not committed."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _answer(waiting: Sequence[_Waiting], outcomes: Sequence[Exception | None]) -> None:
    for one, outcome in zip(waiting, outcomes, strict=True):
        if one.done.done():
            continue
        if outcome is None:
            one.done.set_result(None)
        else:
            one.done.set_exception(outcome)


def _told(work: Change | Note, error: Exception) -> Exception:
    """A failure of the database as the ledger says it; any other failure is a fault of ours, and stays."""
    original = error.orig if isinstance(error, DBAPIError) else error
    match original:
        case sqlite3.IntegrityError() | sqlite3.DataError():
            key = work.key if isinstance(work, Change) else str(work)
            told: LedgerError = Unstorable(key, str(original))
        case sqlite3.Error():
            told = LedgerUnavailable(str(original))
        case _:
            return error
    told.__cause__ = error
    return told
