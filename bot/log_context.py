"""What a log line is about, set once where a task begins; and what no log line has: ids of members."""

import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})
_TOKENS: Final = re.compile(r"(?<=webhooks/)\d+/[\w.-]+|(?<=interactions/)\d+/[\w.-]+")
"""The tokens of interactions, in the addresses that errors name."""
_IDS: Final = re.compile(rf"{_TOKENS.pattern}|\b\d{{15,20}}\b")
"""Discord's ids too."""
_context: ContextVar[Mapping[str, int]] = ContextVar("log_context", default=_NOTHING)


def set_log_context(**context: int | None) -> None:
    """Sets what the log lines of this task are about; None is left out."""
    _context.set({name: value for name, value in context.items() if value is not None})


def log_context() -> Mapping[str, int]:
    """What the log lines of this task are about."""
    return _context.get()


class NoIdsFilter(logging.Filter):
    """Leaves out tokens; in records of discord.py, whose addresses name members, ids too."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replaces them by an ellipsis; every record passes."""
        is_discords = record.name.partition(".")[0] == "discord"
        # A record that lacks an argument is reported where it is written; here, its caller would fail.
        with suppress(TypeError, ValueError, KeyError):
            record.msg, record.args = (_IDS if is_discords else _TOKENS).sub("…", record.getMessage()), None
        return True


def without_tokens(text: str) -> str:
    """The text with an ellipsis for the token of each interaction, as a traceback may have it."""
    return _TOKENS.sub("…", text)


class LogContextFilter(logging.Filter):
    """Adds `%(context)s` to each record: ` [server=1 table=2]`, or nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Adds the context; every record passes."""
        context = " ".join(f"{name}={value}" for name, value in _context.get().items())
        record.context = f" [{context}]" if context else ""
        return True
