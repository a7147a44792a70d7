"""Asks the pages of a bot that is watched: its health and its metrics."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from typing import Final

from bot.run.monitoring.monitor import Monitor, monitored
from bot.ui.bot import GnauBot
from tests.ports import port_of_nobody

PATIENCE: Final = 30.0


class Pages:
    """The pages at a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str, method: str = "GET") -> tuple[int, str]:
        """The status and the text of a page; it waits for them."""
        asked = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            asked.request(method, path)
            answer = asked.getresponse()
            return answer.status, answer.read().decode()
        finally:
            asked.close()

    async def ask(self, path: str) -> tuple[int, str]:
        """The same, while the event loop turns."""
        return await asyncio.to_thread(self.get, path)

    async def until(self, path: str, status: int, *words: str) -> str:
        """Waits until a page has this status and these words in it; returns its text."""
        told = (0, "")
        try:
            async with asyncio.timeout(PATIENCE):
                while told[0] != status or not all(word in told[1] for word in words):
                    await asyncio.sleep(0.02)
                    told = await self.ask(path)
        except TimeoutError:
            raise AssertionError(f"{path} never has {status} {words}: {told}") from None
        return told[1]


@asynccontextmanager
async def watched(bot: GnauBot | None = None) -> AsyncIterator[tuple[Monitor, Pages]]:
    """Watches a bot while the block runs."""
    port = port_of_nobody()
    async with monitored(("127.0.0.1", port)) as monitor:
        if bot is not None:
            monitor.watch(bot)
        yield monitor, Pages(port)
