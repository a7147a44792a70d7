"""Keeps this process within its share of the requests that Discord takes from the whole bot.

Answers to interactions, and whatever else goes by their token, cost nothing and never wait. Without this,
Discord would refuse what is too much, for every process of the bot.
"""

import asyncio
from collections import deque
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Final

from aiohttp import TraceConfig, TraceRequestStartParams

MOST_REQUESTS: Final = 50
"""How many requests Discord takes from the whole bot in a second."""
SECONDS: Final = 1.05
"""The second in which they are counted, and a bit more: requests do not all travel as fast."""
_EDITS: Final = ("PATCH", "DELETE")


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
        self._seconds = SECONDS * max(1.0, 1 / most)
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
