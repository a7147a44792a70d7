"""What the parts of the Discord side share, and work that nobody waits for.

Such work is started now and cancelled with the bot; its failures are logged, those of an outage without a
traceback.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import discord

from bot.croupier.croupier import Croupier
from bot.ui.chips import NextChips
from bot.ui.press.errors import log_failure, may_pass
from bot.ui.readers import Names, Readers
from bot.wire.intake import StandBack

log = logging.getLogger(__name__)


class BackgroundTasks:
    """The background tasks of one part of the bot."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Runs this in the background; `name` is what the log calls it."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        if self._closed:
            task.cancel()
        return task

    def repeat(
        self, work: Callable[[], Coroutine[Any, Any, None]], seconds: float, name: str, *, later: bool = False
    ) -> asyncio.Task[None]:
        """Runs this now, or `later`, and again after these seconds each time; what fails is tried again then.

        The loops of `discord.ext.tasks` wait by the machine's clock: set back by a day, it stops them for a
        day, and set forward, it runs them again and again without a pause.
        """

        async def again_and_again() -> None:
            if later:
                await asyncio.sleep(seconds)
            while True:
                try:
                    await work()
                except Exception as failed:
                    _log(failed, name)
                await asyncio.sleep(seconds)

        return self.start(again_and_again(), name)

    async def close(self) -> None:
        """Cancels what is not done, and what is started from now on."""
        self._closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failed := task.exception()) is not None:
            _log(failed, task.get_name())


def _log(failed: BaseException, name: str) -> None:
    if may_pass(failed):
        log_failure(log, failed, "%s failed", name)
    else:
        log.error("%s failed", name, exc_info=failed)


@dataclass(frozen=True, slots=True)
class Services:
    """What the parts of the Discord side work with.

    Attributes:
        with_links: makes the commands in a text clickable.
    """

    client: discord.Client
    croupier: Croupier
    names: Names
    next_chips: NextChips
    readers: Readers
    tasks: BackgroundTasks
    stand_back: StandBack
    with_links: Callable[[str], str]
