"""Serves the bot's health while it runs, if METRICS_ADDRESS says where."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

from bot.run.monitoring.health import Health
from bot.run.monitoring.server import Page, served
from bot.ui.bot import GnauBot

LIVE, READY = "/livez", "/readyz"


class Monitor:
    """What watches the bot."""

    def __init__(self) -> None:
        self.health = Health()

    def watch(self, bot: GnauBot) -> None:
        """Watches this bot from now on."""
        self.health.bot = bot


@asynccontextmanager
async def monitored(address: tuple[str, int] | None) -> AsyncIterator[Monitor]:
    """Serves the health of a bot while the block runs; tell it which bot, once there is one.

    Args:
        address: where; None for nowhere.

    Raises:
        bot.config.SettingError: nothing can be served there.
    """
    monitor = Monitor()
    if address is None:
        yield monitor
        return
    health = monitor.health
    pages = {
        LIVE: lambda: _as_page("live", health.why_not_live),
        READY: lambda: _as_page("ready", health.why_not_ready),
    }
    with served(address, pages):
        tasks = [asyncio.create_task(work()) for work in (health.beat, health.keep_trying)]
        try:
            yield monitor
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)


def _as_page(word: str, why_not: Callable[[], list[str]]) -> Page:
    reasons = why_not()
    status = HTTPStatus.SERVICE_UNAVAILABLE if reasons else HTTPStatus.OK
    return Page("".join(f"{line}\n" for line in reasons or [word]).encode(), status)
