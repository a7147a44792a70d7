"""The dates of Discord's responses: what its clock showed, in whole seconds; and requests that failed."""

from collections.abc import Callable
from email.utils import mktime_tz, parsedate_tz
from functools import lru_cache
from types import SimpleNamespace
from typing import Final

from aiohttp import (
    ClientError,
    ClientSession,
    TraceConfig,
    TraceRequestEndParams,
    TraceRequestExceptionParams,
    TraceRequestHeadersSentParams,
)

Note = Callable[[float, float, float], None]
"""Takes the date in seconds since the epoch, UTC, and when the request was sent and the response received."""

SERVER_ERROR: Final = 500
"""The least status that says that Discord itself failed."""


def note_dates(note: Note, note_failure: Callable[[], None], clock: Callable[[], float]) -> TraceConfig:
    """What a client is given as `http_trace` so that the date of every response is noted.

    Args:
        note: takes the dates.
        note_failure: called if a request gets no response, or one that says that Discord failed.
        clock: by which it is told when a request was sent, and when its response was received, in seconds.
    """

    async def sent(_: ClientSession, request: SimpleNamespace, __: TraceRequestHeadersSentParams) -> None:
        request.sent = clock()

    async def came(_: ClientSession, request: SimpleNamespace, end: TraceRequestEndParams) -> None:
        if end.response.status >= SERVER_ERROR:
            note_failure()
            return
        date = seconds_of(end.response.headers.get("Date", ""))
        if date is not None:
            note(date, request.sent, clock())

    async def failed(_: ClientSession, __: SimpleNamespace, raised: TraceRequestExceptionParams) -> None:
        # Not if our own side gave it up, as a stop does.
        if isinstance(raised.exception, (ClientError, OSError)):
            note_failure()

    trace = TraceConfig()
    trace.on_request_headers_sent.append(sent)
    trace.on_request_end.append(came)
    trace.on_request_exception.append(failed)
    return trace


@lru_cache(maxsize=2)
def seconds_of(date: str) -> float | None:
    """A date as HTTP has it, in seconds since the epoch; None if it is none."""
    parsed = parsedate_tz(date)
    try:
        return None if parsed is None else mktime_tz(parsed)
    except (ValueError, OverflowError):
        return None
