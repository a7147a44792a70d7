"""Our bot under test, which counts and serves its figures while the benchmark wants that."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from bot.ledger.database import database_at
from bot.run.monitoring.monitor import Monitor
from clicking import gnau_bot
from clicking.under_test import run
from tests.ports import port_of_nobody

Words = dict[str, Callable[[], Awaitable[int | None]]]


@asynccontextmanager
async def connected(token: str, api_url: str, gateway_url: str, database_url: str) -> AsyncIterator[Words]:
    """Our bot, and what makes it count, which gives the port of its metrics, and stop counting."""
    async with gnau_bot.connected(token, api_url, gateway_url, database_url) as bot:
        monitor, port, stack = Monitor(), port_of_nobody(), AsyncExitStack()
        writer = bot.croupier.ledger.writer
        unheard = bot.arrivals.on_finished, bot.outage.on_answer, writer.on_written

        async def watch() -> int:
            await stack.enter_async_context(monitor.served(("127.0.0.1", port)))
            monitor.watch(bot, database_at(database_url), 3600.0)
            return port

        async def leave() -> None:
            await stack.aclose()
            bot.arrivals.on_finished, bot.outage.on_answer, writer.on_written = unheard

        yield {"watch": watch, "leave": leave}
        await stack.aclose()


if __name__ == "__main__":
    run(connected)
