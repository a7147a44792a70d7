"""Work under way, each piece of which is carried to its end, whoever asked for it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class Work:
    """The pieces of work that are not done yet."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Has this done in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def whole(self, work: Coroutine[Any, Any, Result]) -> Result:
        """What comes of this, which goes on to its end even where who asked for it goes away."""
        return await asyncio.shield(self.begin(work))

    async def end(self) -> None:
        """Returns when all is done that is under way."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # Where who asked has gone away, nobody else looks at how it failed.
            task.exception()
