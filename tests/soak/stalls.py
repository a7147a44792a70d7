"""When the machine stalled: a sleep that woke up late, or a byte that took long to reach the disk."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PAUSE_SECONDS: Final = 0.1
"""How long each sleep is, and the pause between two writes."""
STALL_SECONDS: Final = 1.0
"""How long a sleep or a write takes that is a stall. A busy machine takes half as long: that is no excuse."""
_FILE: Final = "stalls"


@dataclass(slots=True)
class Stall:
    """A time in which nothing went on, in seconds since the epoch, UTC."""

    begins: float
    ends: float

    @property
    def seconds(self) -> float:
        """How long it lasted."""
        return self.ends - self.begins

    def overlaps(self, begins: float, ends: float) -> bool:
        """Whether any of it was in this time."""
        return self.begins <= ends and begins <= self.ends


class Stalls:
    """Measures stalls of the machine and of this process, in which the stand-in runs; not those of the bot.

    Args:
        clock: seconds since the epoch, UTC.

    Attributes:
        noted: all that are over, in order. What sleep and disk measure at the same time is one stall.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.noted: list[Stall] = []
        self._now = clock
        self._measuring: set[float] = set()

    @asynccontextmanager
    async def watch(self, folder: Path) -> AsyncIterator[None]:
        """Measures during this block.

        Args:
            folder: where it writes: on the disk that the bot has.
        """
        measuring = [asyncio.create_task(one) for one in (self.sleep(), self.write(folder / _FILE))]
        try:
            yield
        finally:
            for task in measuring:
                task.cancel()
            for outcome in await asyncio.gather(*measuring, return_exceptions=True):
                if isinstance(outcome, Exception):
                    raise outcome

    def overlap(self, begins: float, ends: float) -> bool:
        """Whether there was a stall in this time, or still is one."""
        # Who asks may have woken up before the sleep that was late too.
        unfinished = (Stall(since, self._now()) for since in self._measuring)
        return any(
            stall.overlaps(begins, ends)
            for stall in (*self.noted, *unfinished)
            if stall.seconds >= STALL_SECONDS
        )

    async def sleep(self) -> None:
        """Measures how late a sleep wakes up, until cancelled."""
        while True:
            with self._measured():
                await asyncio.sleep(PAUSE_SECONDS)

    async def write(self, path: Path) -> None:
        """Measures how long a byte takes to reach the disk, until cancelled."""
        loop = asyncio.get_running_loop()
        with path.open("wb") as file, ThreadPoolExecutor(1) as thread:
            while True:
                with self._measured():
                    await loop.run_in_executor(thread, _put_on_disk, file.fileno())
                await asyncio.sleep(PAUSE_SECONDS)

    @contextmanager
    def _measured(self) -> Iterator[None]:
        """Notes a stall if what is done in this block takes long."""
        begins = self._now()
        self._measuring.add(begins)
        try:
            yield
        finally:
            self._measuring.discard(begins)
            self._note(Stall(begins, self._now()))

    def _note(self, stall: Stall) -> None:
        if stall.seconds < STALL_SECONDS:
            return
        while self.noted and self.noted[-1].overlaps(stall.begins, stall.ends):
            before = self.noted.pop()
            stall = Stall(min(before.begins, stall.begins), max(before.ends, stall.ends))
        self.noted.append(stall)


def _put_on_disk(file: int) -> None:
    os.pwrite(file, b".", 0)
    os.fsync(file)
