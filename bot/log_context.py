"""What a log line is about, set once where a task begins; and what none has: ids of members, and tokens."""

import re
from typing import Final

from structlog.contextvars import bind_contextvars, clear_contextvars
from structlog.typing import EventDict

CONTEXT: Final = ("server", "table", "round", "interaction")
_TOKENS: Final = re.compile(r"(?<=webhooks/)\d+/[\w.-]+|(?<=interactions/)\d+/[\w.-]+")
"""The tokens of interactions, in the addresses that errors name."""
_IDS: Final = re.compile(rf"{_TOKENS.pattern}|\b\d{{15,20}}\b")
"""Discord's ids too."""


def set_log_context(**context: int | None) -> None:
    """Sets what the log lines of this task are about, of `CONTEXT`; None is left out."""
    clear_contextvars()
    add_log_context(**context)


def add_log_context(**context: int | None) -> None:
    """Adds to what the log lines of this task are about, such as the table that a command means."""
    bind_contextvars(**{name: value for name, value in context.items() if value is not None})


def without_ids(_: object, __: str, event: EventDict) -> EventDict:
    """Leaves out tokens; in records of discord.py, whose addresses name members, ids too."""
    hidden = _IDS if event["logger"].partition(".")[0] == "discord" else _TOKENS
    for name in event.keys() & {"event", "exception"}:
        event[name] = hidden.sub("…", event[name])
    return event
