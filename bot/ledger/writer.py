"""The only writer: commits everything that waits in one transaction (group commit).

While one batch goes to disk, the next one collects. Under load, many changes share one sync of the disk;
without load, no change waits for another. What is in the queue is written even if its caller was cancelled.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.ledger.batch import Batch
from bot.ledger.changes import Change, Fact, LocaleChosen
from bot.ledger.errors import LedgerError, LedgerUnavailable, Unstorable
from bot.ledger.sqlite.connections import BEGIN, KeptConnection, emptied_wal, empty_wal_on_small_disk
from bot.ledger.sqlite.erasure import Traces
from bot.ledger.sqlite.file_lock import LedgerFile
from bot.ledger.sqlite.storage_errors import Outage, damage_of, in_words, is_full
from bot.ledger.store import Store
from bot.ledger.times import refuse_late
from bot.ledger.write_cache import PreparedChange, WriteCache, cache_misses, prepare

log = logging.getLogger(__name__)

MAX_BATCH: Final = 64
"""The most changes in one transaction."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A change or fact to write, and the future of its caller."""

    work: Change | Fact
    done: asyncio.Future[None]


class Writer:
    """Writes changes and facts in the order of their arrival.

    Args:
        engine: has one connection, the only one that writes to this database.
        committed: called with each batch once it is committed, in order.
        uncertain: called when it is no longer certain what is on disk, and nothing is being written.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        committed: Callable[[Batch], None],
        uncertain: Callable[[], None],
        file: LedgerFile,
    ) -> None:
        self._connection = KeptConnection(engine)
        self._committed = committed
        self._uncertain = uncertain
        self._file = file
        self._outage = Outage(file.path)
        self._store = Store()
        self._cache = WriteCache()
        self._queue: asyncio.Queue[_Pending | None] = asyncio.Queue()
        self._closed = False
        self._traces = Traces()
        self._task = asyncio.create_task(self._run(), name="ledger writer")

    async def open(self) -> None:
        """Opens the connection that writes, and overwrites what there still is of erased members."""
        await self._connection.step(self._traces.look)
        if self._traces.left:
            await self._overwrite_traces()

    async def submit(self, work: Change | Fact) -> None:
        """Writes a change or a fact, as `Ledger.commit` and `Ledger.record` say."""
        if self._closed:
            raise LedgerUnavailable("the ledger is closed")
        done = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Pending(work, done))
        await done

    async def close(self) -> None:
        """Accepts nothing more, and returns when everything that waits is written."""
        if not self._closed:
            self._closed = True
            self._queue.put_nowait(None)
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        waiting: list[_Pending] = []
        try:
            while waiting := await self._next_batch():
                await self._write_batch(waiting)
        finally:
            # Callers still wait only if this task failed, or was cancelled with its event loop.
            self._closed = True
            while not self._queue.empty():
                waiting += filter(None, [self._queue.get_nowait()])
            _resolve(waiting, [LedgerUnavailable("the ledger's writer has stopped") for _ in waiting])
            if self._traces.left:
                await self._overwrite_traces()
            await self._connection.release()

    async def _next_batch(self) -> list[_Pending]:
        """Waits for work and returns what there is; empty when the writer is closed and done."""
        waiting: list[_Pending] = []
        following = await self._next()
        while following is not None:
            waiting.append(following)
            if len(waiting) == MAX_BATCH or self._queue.empty():
                return waiting
            following = self._queue.get_nowait()
        if waiting:
            self._queue.put_nowait(None)
        return waiting

    async def _next(self) -> _Pending | None:
        """Waits for work; meanwhile overwrites traces of erased members that are left."""
        while self._traces.left and self._traces.tried:
            try:
                return await asyncio.wait_for(self._queue.get(), self._traces.seconds)
            except TimeoutError:
                await self._overwrite_traces()
        return await self._queue.get()

    async def _overwrite_traces(self) -> None:
        """Overwrites what may be left of erased members; never raises."""
        try:
            await self._connection.step(self._overwrite)
        except Exception as failed:
            self._traces.retry_later(failed)
            await self._connection.release()

    def _overwrite(self, connection: sqlite3.Connection) -> None:
        """The same, in the connection's thread."""
        with self._file.checked():
            self._traces.overwrite(connection)

    async def _write_batch(self, waiting: Sequence[_Pending]) -> None:
        try:
            _resolve(waiting, await self._transact(waiting))
            return
        except Exception as error:
            if len(waiting) == 1:
                _resolve(waiting, [self._failure(waiting[0].work, error)])
                return
            log.debug("a batch of %s failed, trying each alone: %s", len(waiting), error)
        for at, one in enumerate(waiting):
            try:
                _resolve([one], await self._transact([one]))
            except Exception as error:
                failure = self._failure(one.work, error)
                _resolve([one], [failure])
                if isinstance(failure, LedgerUnavailable):
                    # The storage itself fails: trying the others would only delay their failure.
                    left = waiting[at + 1 :]
                    _resolve(
                        left, [self._failure(last.work, LedgerUnavailable(str(failure))) for last in left]
                    )
                    return

    def _failure(self, work: Change | Fact, error: Exception) -> Exception:
        """What its caller gets for an error; the log has one line while the storage fails."""
        failure = _as_ledger_error(work, error, self._file.path)
        if isinstance(failure, LedgerUnavailable):
            self._outage.refused(failure)
        return failure

    async def _transact(self, waiting: Sequence[_Pending]) -> list[LedgerError | None]:
        """Writes these in one transaction; returns each one's refusal, or None.

        The connection stays open between batches, and is released after a failure.
        """
        # If anything fails from here on, what is on disk is uncertain: the next batch starts with no cache.
        cache, self._cache = self._cache, WriteCache(erased=self._cache.erased)
        try:
            works = [one.work for one in waiting]
            outcomes, batch = await self._connection.step(self._write, works, cache)
        except BaseException:
            try:
                await self._connection.release()
            finally:
                # Not before: what was read until then could be either.
                self._uncertain()
            raise
        self._cache = cache
        self._outage.over()
        try:
            self._committed(batch)
        except Exception:
            # It is on disk: only what is in memory is in doubt.
            log.exception("memory could not be brought up to date")
            self._uncertain()
        return outcomes

    def _write(
        self, connection: sqlite3.Connection, asked: Sequence[Change | Fact], cache: WriteCache
    ) -> tuple[list[LedgerError | None], Batch]:
        """Writes one batch, as `_write_once` does, again if the disk is full of the WAL."""
        try:
            return self._write_once(connection, asked, cache)
        except sqlite3.OperationalError as error:
            if not is_full(error):
                raise
            connection.rollback()
            # The WAL has each page many times: there may be room enough without it.
            with self._file.checked():
                is_emptied = emptied_wal(connection)
            if not is_emptied:
                raise
            return self._write_once(connection, asked, cache)

    def _write_once(
        self, connection: sqlite3.Connection, asked: Sequence[Change | Fact], cache: WriteCache
    ) -> tuple[list[LedgerError | None], Batch]:
        """Writes one batch in the connection's thread, and brings the cache up to date.

        Returns:
            Each one's refusal, or None; and the batch.

        Raises:
            sqlite3.Error: it is not certain what is on disk, and the transaction stays open.
        """
        outcomes: list[LedgerError | None] = []
        works = [prepare(one) if isinstance(one, Change) else one for one in asked]
        changes = [work for work in works if isinstance(work, PreparedChange)]
        connection.execute(BEGIN)
        self._store.fill(connection, cache_misses(changes, cache), cache)
        batch = Batch(cache)
        for work in works:
            try:
                if isinstance(work, PreparedChange):
                    # Here, because the transaction may have waited for another program's lock.
                    refuse_late(work.change.not_after, work.change.key)
                    batch.add(work)
                else:
                    if isinstance(work, LocaleChosen):
                        refuse_late(work.not_after, "a chosen language")
                    batch.facts.append(work)
                outcomes.append(None)
            except LedgerError as refused:
                outcomes.append(refused)
        self._store.write(connection, batch)
        with self._file.checked():
            # Before the commit, which may be on disk even if it fails.
            if batch.erased:
                self._traces.add(connection)
            batch.note_erased()
            connection.commit()
            batch.update_cache()
            empty_wal_on_small_disk(connection, self._file.wal)
            if self._traces.left and not self._traces.seconds:
                self._traces.overwrite(connection)
        return outcomes, batch


def _resolve(waiting: Sequence[_Pending], outcomes: Sequence[Exception | None]) -> None:
    for one, outcome in zip(waiting, outcomes, strict=True):
        if one.done.done():
            continue
        if outcome is None:
            one.done.set_result(None)
        else:
            one.done.set_exception(outcome)


def _as_ledger_error(work: Change | Fact, error: Exception, path: Path) -> Exception:
    """The LedgerError for a database error; any other error is a bug, and is returned unchanged."""
    original = error.orig if isinstance(error, DBAPIError) else error
    match original:
        case sqlite3.IntegrityError() | sqlite3.DataError() | OverflowError():
            key = work.key if isinstance(work, Change) else type(work).__name__
            failure: LedgerError = Unstorable(key, str(original))
        case sqlite3.Error():
            failure = damage_of(path, original) or LedgerUnavailable(in_words(path, original))
        case _:
            return error
    failure.__cause__ = error
    return failure
