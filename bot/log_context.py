"""What a log line is about, set once where a task begins; and what no log line has: ids of members."""

import logging
import re
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})
_IDS: Final = re.compile(r"(?<=webhooks/)\d+/[\w.-]+|(?<=interactions/)\d+/[\w.-]+|\b\d{15,20}\b")
"""Discord's ids, and the tokens of interactions."""
_context: ContextVar[Mapping[str, int]] = ContextVar("log_context", default=_NOTHING)


def set_log_context(**context: int | None) -> None:
    """Sets what the log lines of this task are about; None is left out."""
    _context.set({name: value for name, value in context.items() if value is not None})


def log_context() -> Mapping[str, int]:
    """What the log lines of this task are about."""
    return _context.get()


class NoIdsFilter(logging.Filter):
    """Leaves out the ids and tokens in records of discord.py, whose addresses name members."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replaces them by an ellipsis; every record passes."""
        if record.name.partition(".")[0] == "discord":
            record.msg, record.args = _IDS.sub("…", record.getMessage()), None
        return True


class LogContextFilter(logging.Filter):
    """Adds `%(context)s` to each record: ` [server=1 table=2]`, or nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Adds the context; every record passes."""
        context = " ".join(f"{name}={value}" for name, value in _context.get().items())
        record.context = f" [{context}]" if context else ""
        return True
