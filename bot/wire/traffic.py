"""What the requests to Discord have in common: whether Discord is away, and this process's share of them.

The log says when Discord is away and when it is back, and now and then between, however much fails meanwhile.
Discord is away while requests fail, or a connection to its gateway cannot be had. A failure that is soon over
is one line at INFO: Discord's servers fail now and then, and the request is sent again.

Answers to interactions, and whatever else goes by their token, cost nothing and never wait. Other requests
wait for the share: Discord would refuse what is too much, for every process of the bot.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from email.utils import mktime_tz, parsedate_tz
from types import SimpleNamespace
from typing import Final

import aiohttp
import discord
from aiohttp import TraceConfig, TraceRequestEndParams, TraceRequestExceptionParams, TraceRequestStartParams

from bot.clock import Outage

log = logging.getLogger(__name__)

CLOCKS_DIFFER_SECONDS: Final = 1.5
"""The clocks differ by more than a second then; a response's date leaves half a second open."""
PATIENCE_SECONDS: Final = 3.0
"""How long Discord may fail before that is a warning."""
AGAIN_SECONDS: Final = 900.0
"""How often a line says that it still fails."""
SERVER_ERROR: Final = 500
"""The least status that says that Discord itself failed."""
LONGEST_REASON: Final = 200
"""The most characters of an error that a line repeats."""
TOO_MANY: Final = 429
MOST_REQUESTS: Final = 50
"""How many requests Discord takes from the whole bot in a second."""
COUNTED_SECONDS: Final = 1.05
"""The second in which they are counted, and a bit more: requests do not all travel as fast."""
_EDITS: Final = ("PATCH", "DELETE")
_REQUESTS: Final = "requests"
_SHARD: Final = "shard "
_GATEWAY: Final = ("ws", "wss")
Answered = Callable[[str, str, int | None, float, str], object]
"""Is told of a request: its method; the path of its address, which may have a token in it; the status of its
answer, None if the connection broke; how long that took, in seconds; and which limit had been reached, as
Discord says, empty if none."""


class DiscordOutage:
    """What of Discord fails now, and what its clock shows.

    Attributes:
        clock_error: seconds by which the machine's clock was ahead of Discord's at the last response with a
            date, which has whole seconds; 0 before that. Of a response that took long, only what that cannot
            explain.
        on_answer: called with each request and its answer.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock_error = 0.0
        self.on_answer: Answered | None = None
        self._outage = Outage(PATIENCE_SECONDS, again_seconds=AGAIN_SECONDS, clock=clock)
        self._failing: set[str] = set()

    @property
    def is_on(self) -> bool:
        """Whether some part of Discord fails."""
        return bool(self._failing)

    @property
    def count(self) -> int:
        """How often Discord was away."""
        return self._outage.count

    @property
    def requests_fail(self) -> bool:
        """Whether the last request got no answer, or Discord failed itself."""
        return _REQUESTS in self._failing

    def keeps_away(self, shard: int) -> bool:
        """Whether Discord is away for the members of a shard, so that they cannot press."""
        return self._outage.goes_on and any(
            part == shard_name(shard) or not part.startswith(_SHARD) for part in self._failing
        )

    def watch(self, trace: TraceConfig) -> None:
        """Learns from every request of the client that has this trace; its gateway is another part."""

        async def started(_: object, request: SimpleNamespace, __: object) -> None:
            request.began = time.monotonic()

        async def ended(_: object, request: SimpleNamespace, end: TraceRequestEndParams) -> None:
            if end.url.scheme in _GATEWAY:
                return
            if self.on_answer is not None:
                seconds, status = time.monotonic() - request.began, end.response.status
                scope = end.response.headers.get("X-RateLimit-Scope", "") if status == TOO_MANY else ""
                self.on_answer(end.method, end.url.raw_path, status, seconds, scope)
            if end.response.status >= SERVER_ERROR:
                self.failed(_REQUESTS, f"it answers with status {end.response.status}")
            else:
                self.works(_REQUESTS)
                date = parsedate_tz(end.response.headers.get("Date"))
                if date is not None:
                    ahead = time.time() - mktime_tz(date) - 0.5
                    took = time.monotonic() - request.began
                    self.clock_error = min(ahead, max(0.0, ahead - took))

        async def raised(_: object, request: SimpleNamespace, failed: TraceRequestExceptionParams) -> None:
            # Not if our own side gave it up, as a stop does.
            broke = isinstance(failed.exception, (aiohttp.ClientError, OSError))
            if broke and failed.url.scheme not in _GATEWAY:
                if self.on_answer is not None:
                    seconds = time.monotonic() - request.began
                    self.on_answer(failed.method, failed.url.raw_path, None, seconds, "")
                self.failed(_REQUESTS, reason(failed.exception))

        trace.on_request_start.append(started)
        trace.on_request_end.append(ended)
        trace.on_request_exception.append(raised)

    def warn_of_clock(self) -> bool:
        """Logs that the machine's clock differs from Discord's, if it does; returns whether."""
        if abs(self.clock_error) <= CLOCKS_DIFFER_SECONDS:
            return False
        now = time.time()
        log.warning(
            "the clock of this machine shows %s UTC, and Discord's %s: set it right. Deadlines, daily "
            "chips and the limit of gifts go by it, and presses are answered more slowly meanwhile",
            *(
                datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
                for at in (now, now - self.clock_error)
            ),
        )
        return True

    def failed(self, part: str, why: str) -> None:
        """Notes that a part of Discord failed, and logs it once that has lasted, and then now and then."""
        self._failing.add(part)
        if (so_far := self._outage.failed()) is None:
            return
        if so_far.was_said:
            lasted, failures = so_far.lasted, so_far.failures
            log.warning("Discord is still away after %s: %s; requests that failed: %s", lasted, why, failures)
        else:
            log.warning("Discord is away: %s", why)

    def works(self, part: str) -> None:
        """Notes that a part of Discord works, and logs it if nothing fails any more."""
        if part not in self._failing:
            return
        self._failing.discard(part)
        if self._failing or (over := self._outage.worked()) is None:
            return
        if over.was_said:
            log.warning("Discord is back after %s; requests that failed: %s", over.lasted, over.failures)
        else:
            log.info("Discord failed for a moment; requests that failed: %s", over.failures)


def shard_name(number: int) -> str:
    """What the part of Discord is called that is the connection of a shard."""
    return f"{_SHARD}{number}"


def reason(failed: BaseException) -> str:
    """One line about why a request failed, without its address, which may have a token in it."""
    match failed:
        case TimeoutError():
            return "no answer in time"
        case discord.HTTPException() if failed.text.lstrip().startswith("<"):
            return f"it answers with status {failed.status} and a web page"
        case discord.ConnectionClosed(code=4014):
            return "it refuses an intent: switch it on in Discord's portal, under Bot (4014)"
        case discord.ConnectionClosed(code=4011):
            return "it wants more shards: raise SHARD_COUNT, or set none (4011)"
        case aiohttp.ClientHttpProxyError(status=407):
            return "the proxy of HTTPS_PROXY wants a user and a password: http://USER:PASSWORD@HOST:PORT"
        case aiohttp.ClientProxyConnectionError():
            return "the proxy of HTTPS_PROXY cannot be reached"
        case aiohttp.ClientHttpProxyError():
            return f"the proxy answers with status {failed.status}"
        case aiohttp.ClientResponseError():
            return f"it answers with status {failed.status}"
        case KeyError() | TypeError() | ValueError():
            return "the answer is not Discord's: check your network and any proxy"
    return " ".join(str(failed).split())[:LONGEST_REASON] or type(failed).__name__


class Budget:
    """Lets as many requests pass as the share allows; the others wait, changes of messages behind the rest.

    Args:
        share: which part of the bot's requests this process may send, above 0 and at most 1.

    Attributes:
        passed: how many requests have passed.
        waiting: how many wait now.
        waited_seconds: how long those that passed have waited, together.
    """

    def __init__(self, share: float = 1.0) -> None:
        self.passed = self.waiting = 0
        self.waited_seconds = 0.0
        most = MOST_REQUESTS * share
        self._sent: deque[float] = deque(maxlen=max(1, int(most)))
        self._seconds = COUNTED_SECONDS * max(1.0, 1 / most)
        self._turn = asyncio.Lock()
        self._edits = asyncio.Lock()

    def watch(self, trace: TraceConfig) -> None:
        """Has every request of the client with this trace wait for its turn, if it counts."""

        async def started(_: object, __: SimpleNamespace, request: TraceRequestStartParams) -> None:
            # Only what goes by a token in its address says nothing about who sends it.
            if "Authorization" in request.headers:
                await self.take(is_edit=request.method in _EDITS)

        trace.on_request_start.append(started)

    async def take(self, *, is_edit: bool = False) -> None:
        """Returns when a request may be sent."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        self.waiting += 1
        try:
            await self._wait(loop, is_edit=is_edit)
        finally:
            self.waiting -= 1
        self.passed += 1
        self.waited_seconds += loop.time() - since

    async def _wait(self, loop: asyncio.AbstractEventLoop, *, is_edit: bool) -> None:
        # One edit at a time stands in the queue: what is new waits for no more than that one.
        async with self._edits if is_edit else nullcontext(), self._turn:
            if len(self._sent) == self._sent.maxlen:
                await asyncio.sleep(self._sent[0] + self._seconds - loop.time())
            self._sent.append(loop.time())
