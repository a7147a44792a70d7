"""The only writer: commits everything that waits in one transaction (group commit).

While one batch goes to disk, the next one collects. Under load, many changes share one sync of the disk;
without load, no change waits for another. What is in the queue is written even if its caller was cancelled.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeGuard

from bot.clock import steady_time
from bot.ledger.batch import Batch, PreparedChange, WriteCache, cache_misses, prepare
from bot.ledger.changes import Change, Fact, LocaleChosen, SeasonChanged, refuse_late
from bot.ledger.engine import Connection, Engine
from bot.ledger.errors import (
    ChipsLeft,
    InsufficientChips,
    LedgerError,
    LedgerUnavailable,
    LedgerUnreachable,
    Overtaken,
    Reconnected,
    StaleHouse,
    StaleTable,
    StorageOutage,
    Unstorable,
)
from bot.ledger.storable import refuse_unstorable
from bot.ledger.store import Store

log = logging.getLogger(__name__)

BY_CACHE: Final = (StaleTable, StaleHouse, InsufficientChips, ChipsLeft)
"""What is refused because of something that another process may have changed since it was read."""
TRIES: Final = 5
"""How often a batch is computed that another process overtakes."""
MAX_BATCH: Final = 64
"""The most changes in one transaction."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A change or fact to write, and the future of its caller."""

    work: Change | Fact
    done: asyncio.Future[bytes | None]


class Writer:
    """Writes changes and facts in the order of their arrival.

    Args:
        engine: the database; nobody else writes to it by this engine.
        committed: called with each batch once it is committed, in order.
        uncertain: called when it is no longer certain what is on disk of some servers, or with None of all,
            and nothing is being written.

    Attributes:
        outage: whether the storage can be written to.
        on_written: called with each batch that is committed, and how long that took, in seconds.
    """

    def __init__(
        self,
        engine: Engine,
        committed: Callable[[Batch], None],
        uncertain: Callable[[Collection[int] | None], None],
    ) -> None:
        self._engine = engine
        self._committed = committed
        self._uncertain = uncertain
        self.outage = StorageOutage(engine.name)
        self.on_written: Callable[[Batch, float], object] = lambda *_: None
        self._store = Store(engine.row_dialect, engine.insert)
        self._cache = WriteCache()
        self._queue: asyncio.Queue[_Pending | None] = asyncio.Queue()
        self._closed = False
        self._task = asyncio.create_task(self._run(), name="ledger writer")

    @property
    def has_stopped(self) -> bool:
        """Whether nothing will be written any more."""
        return self._task.done()

    @property
    def waiting(self) -> int:
        """How many changes and facts wait to be written."""
        return self._queue.qsize()

    async def submit(self, work: Change | Fact) -> bytes | None:
        """Writes a change or a fact, as `Ledger.commit` and `Ledger.record` say."""
        if self._closed:
            raise LedgerUnavailable("the ledger is closed")
        refuse_unstorable(work)
        done: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Pending(work, done))
        return await done

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
            await self._engine.keep_up()
            await self._engine.release()

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
        """Waits for work; meanwhile the engine removes what is left of erased members."""
        while (seconds := self._engine.upkeep_seconds) is not None:
            try:
                return await asyncio.wait_for(self._queue.get(), seconds)
            except TimeoutError:
                await self._engine.keep_up()
        return await self._queue.get()

    async def _write_batch(self, waiting: Sequence[_Pending]) -> None:
        try:
            _resolve(waiting, await self._transact(waiting))
            return
        except Exception as error:
            meaning = self._engine.failure(error, _name_of(waiting[0].work))
            # Another process may have stored what the database refuses it for.
            is_tried = len(waiting) == 1 and not (self._engine.processes and isinstance(meaning, Unstorable))
            if is_tried or isinstance(meaning, LedgerUnreachable):
                _resolve(waiting, [self._failure(one.work, error) for one in waiting])
                return
            log.debug("a batch of %s failed, trying each alone: %s", len(waiting), error)
        for at, one in enumerate(waiting):
            try:
                _resolve([one], await self._transact([one]))
            except Exception as error:
                failure = self._failure(one.work, error)
                _resolve([one], [failure])
                if _is_outage(failure):
                    # Trying the others would only delay their failure.
                    left = waiting[at + 1 :]
                    _resolve(
                        left, [self._failure(last.work, LedgerUnavailable(str(failure))) for last in left]
                    )
                    return

    def _failure(self, work: Change | Fact, error: Exception) -> Exception:
        """What its caller gets for an error; the log has one line while the storage fails."""
        failure = self._engine.failure(error, _name_of(work))
        if _is_outage(failure):
            self.outage.refused(failure)
        if failure is None or failure is error:
            # Any other error is a bug, and is told unchanged.
            return error
        failure.__cause__ = error
        return failure

    async def _transact(self, waiting: Sequence[_Pending]) -> list[LedgerError | bytes | None]:
        """Writes these as `_transact_once` does, again if another process wrote meanwhile."""
        for _ in range(TRIES - 1):
            try:
                return await self._transact_once(waiting)
            except (Overtaken, Reconnected) as error:
                log.debug("a batch of %s is computed again: %s", len(waiting), error)
        return await self._transact_once(waiting)

    async def _transact_once(self, waiting: Sequence[_Pending]) -> list[LedgerError | bytes | None]:
        """Writes these in one transaction; returns `Batch.outcomes`.

        The connection stays open between batches, and is released after a failure of the storage.
        """
        works = [one.work for one in waiting]
        # If anything fails from here on, what is on disk is uncertain: the next batch starts with no cache.
        cache, self._cache = self._cache, WriteCache(erased=self._cache.erased)
        began = steady_time()
        try:
            batch = await self._engine.write(partial(self._fill, works, cache))
        except Overtaken:
            # Nothing of it is on disk, and what is known of other servers still counts.
            servers = {work.server_id for work in works if isinstance(work, Change)}
            cache.drop(servers)
            self._cache = cache
            self._uncertain(servers)
            raise
        except BaseException:
            try:
                await self._engine.release()
            finally:
                # Not before: what was read until then could be either.
                self._uncertain(None)
            raise
        batch.update_cache()
        self._cache = cache
        self.outage.over()
        self.on_written(batch, steady_time() - began)
        try:
            self._committed(batch)
        except Exception:
            # It is on disk: only what is in memory is in doubt.
            log.exception("memory could not be brought up to date")
            self._uncertain(None)
        return batch.outcomes

    def _fill(self, asked: Sequence[Change | Fact], cache: WriteCache, connection: Connection) -> Batch:
        """Computes and writes a batch in the connection's thread, within a transaction."""
        works = [prepare(one) if isinstance(one, Change) else one for one in asked]
        changes = [work for work in works if isinstance(work, PreparedChange)]
        misses = cache_misses(changes, cache)
        self._store.fill(connection, misses, cache)
        servers = {work.change.server_id for work in changes} if self._engine.processes else set()
        may_be_old = servers.difference(misses.servers)
        batch = Batch(cache)
        for work in works:
            try:
                if isinstance(work, PreparedChange):
                    # Here, because the transaction may have waited for another program's lock.
                    refuse_late(work.change.not_after, work.change.key)
                    batch.outcomes.append(batch.add(work))
                else:
                    if isinstance(work, LocaleChosen | SeasonChanged):
                        refuse_late(work.not_after, type(work).__name__)
                    batch.record(work)
                    batch.outcomes.append(None)
            except LedgerError as refused:
                if may_be_old and isinstance(refused, BY_CACHE):
                    self._store.check_heads(connection, may_be_old, cache)
                    may_be_old.clear()
                batch.outcomes.append(refused)
        self._store.write(connection, batch)
        # Last, when nobody else can erase them any more before the commit.
        if batch.named and (erased := self._engine.erased_of(connection, batch.named) - cache.erased):
            cache.erased.update(erased)
            raise Overtaken
        return batch


def _is_outage(failure: Exception | None) -> TypeGuard[LedgerUnavailable]:
    """Whether the storage itself fails; with what is overtaken again and again, it works."""
    return isinstance(failure, LedgerUnavailable) and not isinstance(failure, Overtaken)


def _name_of(work: Change | Fact) -> str:
    return work.key if isinstance(work, Change) else type(work).__name__


def _resolve(waiting: Sequence[_Pending], outcomes: Sequence[Exception | bytes | None]) -> None:
    for one, outcome in zip(waiting, outcomes, strict=True):
        if one.done.done():
            continue
        if isinstance(outcome, Exception):
            one.done.set_exception(outcome)
        else:
            one.done.set_result(outcome)
