"""Our bot under test, which counts and serves its figures while the benchmark wants that."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.request import urlopen

from bot.ledger.database import database_at
from bot.run.monitoring.monitor import Monitor
from clicking import gnau_bot
from clicking.under_test import run
from tests.ports import port_of_nobody

FIRST_SECONDS, SCRAPE_SECONDS = 1.0, 15.0
"""When the metrics are asked for first, and how often then, as Prometheus does."""
Words = dict[str, Callable[[], Awaitable[None]]]


@asynccontextmanager
async def connected(token: str, api_url: str, gateway_url: str, database_url: str) -> AsyncIterator[Words]:
    """Our bot, and what makes it count and stop counting."""
    async with gnau_bot.connected(token, api_url, gateway_url, database_url) as bot:
        monitor, port, stack = Monitor(), port_of_nobody(), AsyncExitStack()
        writer = bot.croupier.ledger.writer
        unheard = bot.arrivals.on_finished, bot.outage.on_answer, writer.on_written

        async def scrape() -> None:
            await asyncio.sleep(FIRST_SECONDS)
            while True:
                await asyncio.to_thread(_read, port)
                await asyncio.sleep(SCRAPE_SECONDS)

        async def watch() -> None:
            await stack.enter_async_context(monitor.served(("127.0.0.1", port)))
            monitor.watch(bot, database_at(database_url), 3600.0)
            stack.callback(asyncio.create_task(scrape()).cancel)

        async def leave() -> None:
            await stack.aclose()
            bot.arrivals.on_finished, bot.outage.on_answer, writer.on_written = unheard

        yield {"watch": watch, "leave": leave}
        await stack.aclose()


def _read(port: int) -> None:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as page:
        page.read()


if __name__ == "__main__":
    run(connected)
