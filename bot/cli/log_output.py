"""The log of a bot on stderr: how its lines look, and a thread that writes them.

A reader that pauses, such as a terminal after Ctrl+S or a container's full pipe, never holds up the bot.
"""

import io
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Full, Queue
from threading import Thread
from typing import Any, Final, TextIO

from rich.console import Console
from rich.logging import RichHandler

from bot.cli.errors import in_one_line
from bot.log_context import LogContextFilter, NoIdsFilter, without_tokens

log = logging.getLogger(__name__)

MOST_WAITING: Final = 5_000
"""How many lines wait until they are read; more are dropped."""
FINISH_SECONDS: Final = 2.0
"""How long a bot that stops waits until its last lines are read."""


@contextmanager
def log_on_stderr(level: str = "INFO", *, of_discord: int = logging.INFO) -> Iterator[None]:
    """Writes the log to stderr while the block runs, and whatever else it writes there."""
    stderr = sys.stderr
    sys.stderr = unhurried = UnhurriedOutput(stderr, MOST_WAITING)
    console = Console(stderr=True)
    if console.is_terminal:
        handler: logging.Handler = RichHandler(console=console, show_path=False, log_time_format="%X")
        handler.setFormatter(_LineFormatter("%(name)s: %(message)s%(context)s"))
    else:
        # Tools that keep or search logs need one line for each record, however long.
        handler = logging.StreamHandler()
        handler.setFormatter(_LineFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s%(context)s"))
    handler.addFilter(LogContextFilter())
    handler.addFilter(NoIdsFilter())
    logging.basicConfig(handlers=[handler])
    set_log_level(level, of_discord=of_discord)
    try:
        yield
    finally:
        unhurried.finish(FINISH_SECONDS)
        sys.stderr = stderr


def set_log_level(level: str, *, of_discord: int = logging.INFO) -> None:
    """Logs records of this level and above, without private data from libraries.

    Discord's library logs everything on the wire at DEBUG, and the database's library everything written at
    INFO: tokens of interactions, and hands.
    """
    logging.getLogger().setLevel(level)
    quiet = ("aiosqlite", "sqlalchemy", "alembic.runtime.plugins")
    limits = {"discord": of_discord, **dict.fromkeys(quiet, logging.WARNING)}
    for library, least in limits.items():
        logging.getLogger(library).setLevel(max(least, logging.getLogger().level))


class UnhurriedOutput(io.TextIOBase):
    """A text stream that never waits for its reader: a thread writes to the real stream.

    What finds no room is dropped. Once everything else is read, a line says how much.
    """

    def __init__(self, stream: TextIO, most: int) -> None:
        self._stream = stream
        self._waiting: Queue[str | None] = Queue(most)
        self._dropped = 0
        # A daemon, because it may wait for its reader for ever.
        self._thread = Thread(target=self._write_all, name="log", daemon=True)
        self._thread.start()

    def write(self, text: str, /) -> int:
        """Has the text written soon, or drops it."""
        try:
            self._waiting.put_nowait(text)
        except Full:
            self._dropped += 1
        return len(text)

    def finish(self, seconds: float) -> None:
        """Returns when everything is written, or after about so many seconds. Call it last."""
        with suppress(Full):
            self._waiting.put(None, timeout=seconds)
            self._thread.join(seconds)

    def isatty(self) -> bool:
        """Whether the real stream is a terminal."""
        return self._stream.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]  # it cannot be set
        """That of the real stream."""
        return self._stream.encoding

    def _write_all(self) -> None:
        while (text := self._waiting.get()) is not None:
            self._stream.write(text)
            self._stream.flush()
            if self._dropped and self._waiting.empty():
                dropped, self._dropped = self._dropped, 0
                log.warning("%d lines of the log were dropped: nobody read them in time", dropped)


class _LineFormatter(logging.Formatter):
    """Writes a record in one line, and a traceback below it; no text in it can pass for another record."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as the library names it
        """The line, with line breaks and hidden characters escaped."""
        return in_one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - as the library names it
        """The traceback, indented, without tokens, with hidden characters escaped."""
        lines = without_tokens(super().formatException(ei)).split("\n")
        return "\n".join(f"  {in_one_line(line)}" for line in lines)
