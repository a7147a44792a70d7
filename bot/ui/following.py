"""Messages that follow a table: changes are gathered, then a message is edited until it shows them all.

Edits that cost have their turn one after another, and not too many wait for it.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from bot.ledger.errors import LedgerError
from bot.ui.press.errors import SENDING_FAILED, log_failure, may_pass
from bot.ui.services import Services

log = logging.getLogger(__name__)

FAR_UP: Final = 2
"""With more messages below it, what is to be seen now is sent below them: a phone shows few."""
GATHER_SECONDS: Final = 0.15
"""How long changes are gathered before an edit: the last state of a burst wins."""
RETRY_SECONDS: Final = (1.0, 5.0, 30.0)
"""The pauses before a failed edit is tried again; after the last it waits for the next change.

While Discord is away, the last one comes again and again: there may be no next change.
"""
PAUSE_SECONDS: Final = 0.1
"""The pause between two edits that cost: a fifth of what Discord lets the bot send."""
MOST_WAITING: Final = 50
"""How many edits that cost may wait; others are dropped."""


class LiveMessage(Protocol):
    """A message that shows a table."""

    @property
    def table_id(self) -> int:
        """Which table."""

    @property
    def is_behind(self) -> bool:
        """Whether it does not show everything yet."""

    async def wait_for_budget(self) -> None:
        """Waits while an edit would cost and is not urgent."""

    async def edit(self) -> None:
        """Brings the message up to date, by the cheapest way there is.

        Raises:
            One of `SENDING_FAILED`, or LedgerError: if it may work another time.
        """


Message = TypeVar("Message", bound=LiveMessage)


class Following(Generic[Message]):
    """Edits messages that have fallen behind their table, each in a task of its own.

    Args:
        what: what the log calls such a message.
        on_idle: is called when a message shows everything, or is given up until the next change.
    """

    def __init__(self, what: str, services: Services, on_idle: Callable[[Message], None]) -> None:
        self._what = what
        self._services = services
        self._on_idle = on_idle
        self._gathering: dict[Message, asyncio.TimerHandle] = {}
        self._editing: set[Message] = set()

    def edit_soon(self, message: Message, seconds: float = GATHER_SECONDS) -> None:
        """Edits a message after this time, unless it shows everything by then; an earlier time counts."""
        if message in self._editing:
            return
        loop = asyncio.get_running_loop()
        timer = self._gathering.get(message)
        if timer is not None:
            if timer.when() <= loop.time() + seconds:
                return
            timer.cancel()
        self._gathering[message] = loop.call_later(seconds, self._gathered, message)

    def _gathered(self, message: Message) -> None:
        """Edits a message now, unless a press was answered with its newest state meanwhile."""
        del self._gathering[message]
        if message.is_behind:
            self._editing.add(message)
            self._services.tasks.start(self._edit(message), "edit")
        else:
            self._on_idle(message)

    async def _edit(self, message: Message) -> None:
        try:
            await self._edit_until_current(message)
        except Exception:
            log.exception("the %s of table %s could not be edited", self._what, message.table_id)
        finally:
            # Nothing is awaited after the last look at the message, so a later change starts a new task.
            self._editing.remove(message)
            self._on_idle(message)

    async def _edit_until_current(self, message: Message) -> None:
        pauses = iter(RETRY_SECONDS)
        while message.is_behind:
            await message.wait_for_budget()
            await self._services.stand_back()
            try:
                await message.edit()
            except (*SENDING_FAILED, LedgerError) as failed:
                log_failure(
                    log, failed, "the %s of table %s could not be edited", self._what, message.table_id
                )
                pause = next(pauses, RETRY_SECONDS[-1] if may_pass(failed) else None)
                if pause is None:
                    return
                await asyncio.sleep(pause)


class CostlyEdits:
    """Lets edits that cost through, one after another."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def turn(self) -> bool:
        """Waits for a turn; returns False at once if too many wait."""
        if self._waiting == MOST_WAITING:
            return False
        self._waiting += 1
        try:
            async with self._turn:
                await asyncio.sleep(PAUSE_SECONDS)
        finally:
            self._waiting -= 1
        return True
