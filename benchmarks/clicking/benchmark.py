"""Runs a benchmark to its end, and stops it cleanly when asked to."""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from bot.run.process import collect_rarely, run_async
from clicking.bot_process import BotEndedError
from clicking.crowd import StuckError


def run_benchmark(work: Coroutine[Any, Any, None]) -> int:
    """Runs this to its end; returns the exit status.

    An interrupt or SIGTERM cancels it, so that it ends the bots that it started, even one that is slowed.
    """
    collect_rarely()
    try:
        run_async(_until_signalled(work))
    except (BotEndedError, StuckError) as failed:
        print(failed, file=sys.stderr)  # noqa: T201 - told in the terminal
        return 1
    except asyncio.CancelledError:
        return 130
    return 0


async def _until_signalled(work: Coroutine[Any, Any, None]) -> None:
    stop = _once(asyncio.current_task())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    await work


def _once(task: asyncio.Task[Any] | None) -> Callable[[], None]:
    """What cancels a task at the first call, and lets it tidy up at the others."""
    waiting = [task]

    def stop() -> None:
        if waiting and (running := waiting.pop()) is not None:
            running.cancel()

    return stop
