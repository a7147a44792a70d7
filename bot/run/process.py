"""How a process of the bot runs: on the fastest event loop there is, with rare garbage collections.

Every report of a fault needs the versions of what it runs on.
"""

import asyncio
import gc
import platform
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, TypeVar

YOUNG: Final = 10_000
"""New objects before a collection. A batch of the ledger is thousands of rows that all live until they are on
disk, so collecting during a batch finds nothing."""


def collect_rarely() -> None:
    """Freezes all objects that exist now, such as imported modules, and collects less often from then on.

    A full collection over what the bot imports blocks it for nearly a tenth of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])


try:
    import uvloop
except ImportError:
    new_event_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
else:
    new_event_loop = uvloop.new_event_loop

Result = TypeVar("Result")


def run_async(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs this to its end, as `asyncio.run` does."""
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)


def versions() -> str:
    """The versions in one line, gnau's first."""
    others = [
        f"Python {platform.python_version()}",
        f"discord.py {version('discord.py')}",
        f"SQLite {sqlite3.sqlite_version}",
    ]
    with suppress(PackageNotFoundError):
        # An extra.
        others.append(f"psycopg {version('psycopg')}")
    return f"gnau {version('gnau')} ({', '.join(others)})"
