"""The log of a bot on stderr, for people or as JSON: rendered by structlog, written by a thread.

A reader that pauses, such as a terminal after Ctrl+S or a container's full pipe, never holds up the bot.
"""

import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import QueueHandler, QueueListener
from queue import Full, Queue
from typing import Any, Final

from structlog.contextvars import merge_contextvars
from structlog.dev import ConsoleRenderer, plain_traceback
from structlog.processors import JSONRenderer, TimeStamper, format_exc_info
from structlog.stdlib import ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import EventDict

from bot.cli.errors import in_one_line
from bot.log_context import CONTEXT, without_ids

log = logging.getLogger(__name__)

MOST_WAITING: Final = 5_000
"""How many lines wait until they are read; more are dropped."""
FINISH_SECONDS: Final = 2.0
"""How long a bot that stops waits until its last lines are read."""


@contextmanager
def log_on_stderr(level: str = "INFO", *, of_discord: int = logging.INFO) -> Iterator[None]:
    """Writes the log to stderr while the block runs, with warnings, and with errors that nobody handles."""
    writer, hooks = _Writer(), (sys.unraisablehook, threading.excepthook)
    sys.unraisablehook = threading.excepthook = _log_unhandled
    logging.captureWarnings(capture=True)
    logging.getLogger().addHandler(writer.lines)
    set_log_format("text")
    set_log_level(level, of_discord=of_discord)
    writer.start()
    try:
        yield
    finally:
        writer.stop()
        logging.getLogger().removeHandler(writer.lines)
        logging.captureWarnings(capture=False)
        sys.unraisablehook, threading.excepthook = hooks


def set_log_format(log_format: str) -> None:
    """Writes lines for people, or JSON objects if that is asked for with `json`."""
    renderer: Any = _text
    escaping, stamps = [_escaped], TimeStamper("%Y-%m-%d %H:%M:%S,%f", utc=False)
    if log_format == "json":
        # JSON escapes hidden characters itself.
        renderer, escaping, stamps = JSONRenderer(), [], TimeStamper("iso")
    elif sys.stderr.isatty():
        has_colors = sys.platform != "win32" and "NO_COLOR" not in os.environ
        renderer = ConsoleRenderer(colors=has_colors, pad_event_to=0, exception_formatter=plain_traceback)
        stamps = TimeStamper("%X", utc=False)
    fields: list[Any] = [merge_contextvars, add_log_level, add_logger_name, stamps, format_exc_info]
    formatter = ProcessorFormatter(processor=renderer, foreign_pre_chain=[*fields, without_ids, *escaping])
    for lines in logging.getLogger().handlers:
        if isinstance(lines, _Lines):
            lines.setFormatter(formatter)


def set_log_level(level: str, *, of_discord: int = logging.INFO) -> None:
    """Logs records of this level and above, without private data from libraries.

    Discord's library logs everything on the wire at DEBUG, and the database's library everything written at
    INFO: tokens of interactions, and hands. Alembic logs at INFO that it looks at the database at each start;
    the ledger itself has a line for an upgrade.
    """
    logging.getLogger().setLevel(level)
    quiet = ("aiosqlite", "sqlalchemy", "alembic")
    limits = {"discord": of_discord, **dict.fromkeys(quiet, logging.WARNING)}
    for library, least in limits.items():
        logging.getLogger(library).setLevel(max(least, logging.getLogger().level))


class _Lines(QueueHandler):
    """Renders records into lines that wait to be written. What finds no room is dropped and counted."""

    dropped = 0

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            super().enqueue(record)
        except Full:
            self.dropped += 1

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - as the library names it
        # The library's own writes to stderr, and waits for its reader.
        log.error("a record of %s cannot be written: %r", record.name, record.msg)


class _Writer(QueueListener):
    """Writes the lines to stderr in a thread. Once all are read, one more says how many were dropped."""

    def __init__(self) -> None:
        self._waiting: Queue[logging.LogRecord | None] = Queue(MOST_WAITING)
        self.lines = _Lines(self._waiting)
        self._stderr = sys.stderr
        # No handler of the library's: as the process ends, it waits for each, and this one for its reader.
        super().__init__(self._waiting)

    def handle(self, record: logging.LogRecord) -> None:
        self._stderr.write(f"{record.getMessage()}\n")
        self._stderr.flush()
        if self.lines.dropped and self._waiting.empty():
            dropped, self.lines.dropped = self.lines.dropped, 0
            log.warning("%d lines of the log were dropped: nobody read them in time", dropped)

    def stop(self) -> None:
        """Returns when everything is written, or after about `FINISH_SECONDS`. The library would wait on."""
        stopping = threading.Thread(target=super().stop, daemon=True)
        stopping.start()
        stopping.join(FINISH_SECONDS)

    def enqueue_sentinel(self) -> None:
        """Says that nothing more comes, once there is room: the library would fail without."""
        self._waiting.put(None)


def _log_unhandled(found: Any) -> None:
    log.error("an error that nobody handles", exc_info=(found.exc_type, found.exc_value, found.exc_traceback))


def _escaped(_: object, __: str, event: EventDict) -> EventDict:
    """Escapes line breaks and hidden characters, and indents a traceback: nothing passes for another line."""
    event["event"] = in_one_line(event["event"])
    if "exception" in event:
        event["exception"] = "\n".join(f"  {in_one_line(line)}" for line in event["exception"].split("\n"))
    return event


def _text(_: object, __: str, event: EventDict) -> str:
    """One line for each record, however long, as tools need it that keep or search logs."""
    context = " ".join(f"{name}={event[name]}" for name in CONTEXT if name in event)
    line = f"{event['timestamp'][:-3]} {event['level'].upper()} {event['logger']}: {event['event']}"
    return "\n".join([line + (f" [{context}]" if context else ""), *filter(None, [event.get("exception")])])
