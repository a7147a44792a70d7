"""A statistical profile of this process: which part of the program, and which module, its CPU time goes to.

After every few milliseconds of CPU a signal looks where each thread is, and charges it with the CPU time that
this thread has used since. What is written in C counts for the Python function that called it.
"""

import asyncio
import contextlib
import signal
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

EVERY_SECONDS: Final = 0.003
"""CPU time between two looks."""
OVERHEAD: Final = "this profile"
METRICS: Final = "metrics"
PARTS: Final = (
    ("/clicking/", OVERHEAD),
    ("/bot/run/monitoring/", METRICS),
    ("/bot/pictures/", "pictures"),
    ("/PIL/", "pictures"),
    ("/bot/ui/pictures", "pictures"),
    ("/bot/words/", "words and views"),
    ("/bot/ui/board/", "words and views"),
    ("/bot/ui/hand/", "words and views"),
    ("/bot/ui/", "cogs and bot/ui"),
    ("/cogs/", "cogs and bot/ui"),
    ("/bot/client", "cogs and bot/ui"),
    ("/bot/table/", "table and rules (decide)"),
    ("/bot/rules/", "table and rules (decide)"),
    ("/bot/games/", "table and rules (decide)"),
    ("/pydantic/", "table and rules (decide)"),
    ("/bot/croupier/", "croupier"),
    ("/bot/ledger/", "ledger"),
    ("/sqlalchemy/", "ledger"),
    ("/aiosqlite/", "ledger"),
    ("/sqlite3/", "ledger"),
    ("/discord/http.py", "HTTP (aiohttp, discord.http)"),
    ("/discord/webhook/", "HTTP (aiohttp, discord.http)"),
    ("/discord/ui/", "discord.py layouts"),
    ("/discord/components.py", "discord.py layouts"),
    ("/discord/gateway.py", "gateway"),
    ("/aiohttp/http_websocket", "gateway"),
    ("/aiohttp/_websocket/", "gateway"),
    ("/aiohttp/client_ws", "gateway"),
    ("/discord/", "discord.py objects"),
    ("/aiohttp/", "HTTP (aiohttp, discord.http)"),
    ("/yarl/", "HTTP (aiohttp, discord.http)"),
    ("/multidict/", "HTTP (aiohttp, discord.http)"),
    ("/json/", "JSON"),
    ("/asyncio/", "event loop"),
    ("/selectors.py", "event loop"),
)
"""The first that a file's path contains says which part it is; any other file counts for its caller's."""
JSON_FUNCTIONS: Final = ("_to_json", "_from_json")
"""Of discord.py: they only call the JSON library, which may be written in C."""
REST: Final = "threads and start-up"
MOST_MODULES: Final = 15
WRITER: Final = "ledger writer"
"""The task whose share of the ledger is writing."""


class CpuProfile:
    """Between `start` and `stop`, the CPU seconds of each part and module."""

    def __init__(self) -> None:
        self._parts: defaultdict[str, float] = defaultdict(float)
        self._modules: defaultdict[str, float] = defaultdict(float)
        self._known: dict[CodeType, str | None] = {}
        self._used: dict[int, float] = {}

    def start(self) -> None:
        """Begins; the loop of this thread must be running."""
        self._parts.clear()
        self._modules.clear()
        self._used = self._clocks()
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, EVERY_SECONDS, EVERY_SECONDS)

    def stop(self) -> dict[str, Any]:
        """Ends, and returns the CPU seconds by part and by module (the largest), in descending order."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        return {"parts": _largest(self._parts), "modules": _largest(self._modules, MOST_MODULES)}

    def _look(self, _: int, here: FrameType | None) -> None:
        frames = sys._current_frames()
        main = threading.main_thread().ident
        for thread, used in self._clocks().items():
            seconds = used - self._used.get(thread, 0.0)
            self._used[thread] = used
            frame = here if thread == main else frames.get(thread)
            if frame is None or seconds <= 0:
                continue
            self._modules[_module(frame.f_code)] += seconds
            part = self._part(frame)
            if part == "ledger":
                part = self._half_of_ledger(frame) if thread != main else self._task_half()
            self._parts[part] += seconds

    @staticmethod
    def _clocks() -> dict[int, float]:
        """The CPU seconds that each thread has used, by its identity."""
        used = {}
        for thread in threading.enumerate():
            if thread.ident is not None:
                with contextlib.suppress(OSError):
                    used[thread.ident] = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
        return used

    def _part(self, frame: FrameType | None) -> str:
        while frame is not None:
            code = frame.f_code
            if code not in self._known:
                self._known[code] = _part_of(code)
            if (part := self._known[code]) is not None:
                return part
            frame = frame.f_back
        return REST

    @staticmethod
    def _half_of_ledger(frame: FrameType | None) -> str:
        """In a thread of SQLite, a batch that is written runs as a step of the ledger's own code."""
        while frame is not None:
            if "/bot/ledger/" in frame.f_code.co_filename:
                return "ledger: writes"
            frame = frame.f_back
        return "ledger: reads"

    @staticmethod
    def _task_half() -> str:
        try:
            task = asyncio.current_task()
        except RuntimeError:
            task = None
        return "ledger: writes" if task is not None and task.get_name() == WRITER else "ledger: reads"


def _largest(seconds: dict[str, float], most: int | None = None) -> dict[str, float]:
    return dict(sorted(seconds.items(), key=lambda one: one[1], reverse=True)[:most])


def _part_of(code: CodeType) -> str | None:
    path = code.co_filename
    if code.co_name in JSON_FUNCTIONS and "/discord/" in path:
        return "JSON"
    return next((part for fragment, part in PARTS if fragment in path), None)


def _module(code: CodeType) -> str:
    """The module's file without what lies above its package."""
    path = Path(code.co_filename)
    parts = path.with_suffix("").parts
    for root in ("site-packages", "python3.11", "python3.12", "python3.13", "python3.14"):
        if root in parts:
            parts = parts[len(parts) - parts[::-1].index(root) :]
    return ".".join(parts[-3:]) if len(parts) > 3 else ".".join(parts)
