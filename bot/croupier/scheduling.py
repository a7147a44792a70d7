"""Timers and background tasks: one timer per table, and tasks that finish even if their caller goes away."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class Timers:
    """At most one timer per table.

    Args:
        expired: called with the table's id when its timer expires.
    """

    def __init__(self, expired: Callable[[int], object]) -> None:
        self._expired = expired
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._stopped = False

    def set(self, table_id: int, seconds: float | None) -> None:
        """Replaces the table's timer; None cancels it, and a negative time counts as zero."""
        if timer := self._timers.pop(table_id, None):
            timer.cancel()
        if seconds is not None and not self._stopped:
            loop = asyncio.get_running_loop()
            self._timers[table_id] = loop.call_later(max(seconds, 0), self._expire, table_id)

    def stop(self) -> None:
        """Cancels all timers, and ignores new ones."""
        self._stopped = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _expire(self, table_id: int) -> None:
        del self._timers[table_id]
        self._expired(table_id)


class Tasks:
    """Background tasks that have not finished yet."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Runs a coroutine in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    async def run_to_end(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine, which finishes even if the caller is cancelled; returns its result."""
        return await asyncio.shield(self.start(work))

    async def finish(self) -> None:
        """Returns when all tasks have finished."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # If the caller was cancelled, nobody else retrieves the exception.
            task.exception()
