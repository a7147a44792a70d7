"""The dates of Discord's responses: what its clock showed, in whole seconds."""

from collections.abc import Callable
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from types import SimpleNamespace

from aiohttp import ClientSession, TraceConfig, TraceRequestEndParams, TraceRequestHeadersSentParams

Note = Callable[[float, float, float], None]
"""Takes the date in seconds since the epoch (UTC), when the request was sent, and when its response came."""


def note_dates(note: Note, clock: Callable[[], float]) -> TraceConfig:
    """What a client is given as `http_trace` so that the date of every response is noted.

    Args:
        note: takes the dates.
        clock: by which it is told when a request was sent, and when its response came, in seconds.
    """

    async def sent(_: ClientSession, request: SimpleNamespace, __: TraceRequestHeadersSentParams) -> None:
        request.sent = clock()

    async def came(_: ClientSession, request: SimpleNamespace, end: TraceRequestEndParams) -> None:
        date = _seconds(end.response.headers.get("Date", ""))
        if date is not None:
            note(date, request.sent, clock())

    trace = TraceConfig()
    trace.on_request_headers_sent.append(sent)
    trace.on_request_end.append(came)
    return trace


@lru_cache(maxsize=2)
def _seconds(date: str) -> float | None:
    """A date as HTTP has it, in seconds since the epoch; None if it is none."""
    try:
        return parsedate_to_datetime(date).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
