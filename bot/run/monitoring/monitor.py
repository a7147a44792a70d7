"""Watches the bot while it runs: for systemd, and for who asks for health or metrics at METRICS_ADDRESS."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from bot.ledger.database import Database
from bot.ledger.errors import LedgerError
from bot.run.monitoring.figures import Figures, LogCounter
from bot.run.monitoring.health import Health
from bot.run.monitoring.server import Page, served
from bot.run.monitoring.service_manager import keep_systemd_told
from bot.ui.bot import GnauBot

if TYPE_CHECKING:
    from bot.run.monitoring.metrics import Metrics

LIVE, READY, METRICS = "/livez", "/readyz", "/metrics"
MEASURE_SECONDS: Final = 15.0
"""How often the size of the database is looked at."""


class Monitor:
    """What watches the bot."""

    def __init__(self) -> None:
        self.health = Health()
        self.figures = Figures()
        self.health.on_beat = self.figures.lag.add
        self._metrics: Metrics | None = None

    def watch(self, bot: GnauBot, database: Database, backup_every: float) -> None:
        """Watches this bot from now on.

        Args:
            backup_every: how old the newest backup may get, in seconds; 0 for none.
        """
        self.health.bot = bot
        self.figures.listen(bot)
        if self._metrics is not None:
            self._metrics.database, self._metrics.backup_every = database, backup_every

    @asynccontextmanager
    async def served(self, address: tuple[str, int]) -> AsyncIterator[None]:
        """Serves what it sees while the block runs."""
        # The library is not imported where nobody reads metrics.
        from bot.run.monitoring.metrics import Metrics

        health, metrics = self.health, Metrics(self.figures, self.health)
        self._metrics = metrics
        pages = {
            LIVE: lambda: _as_page("live", health.why_not_live),
            READY: lambda: _as_page("ready", health.why_not_ready),
            METRICS: metrics.page,
        }
        counter = LogCounter(self.figures)
        logging.getLogger().addHandler(counter)
        try:
            with served(address, pages):
                async with _meanwhile(self._measure()):
                    yield
        finally:
            logging.getLogger().removeHandler(counter)

    async def _measure(self) -> None:
        """Looks again and again how large the database is, until it is cancelled."""
        while True:
            if self.health.bot is not None and self._metrics is not None:
                with suppress(LedgerError):
                    self._metrics.storage = await self.health.bot.croupier.ledger.storage()
            await asyncio.sleep(MEASURE_SECONDS)


@asynccontextmanager
async def monitored(address: tuple[str, int] | None) -> AsyncIterator[Monitor]:
    """Watches a bot while the block runs; tell it which bot, once there is one.

    Args:
        address: where the bot's health and metrics are served; None for nowhere.

    Raises:
        bot.config.SettingError: nothing can be served there.
    """
    monitor = Monitor()
    health = monitor.health
    async with _meanwhile(health.beat(), health.keep_trying(), keep_systemd_told(health)):
        if address is None:
            yield monitor
        else:
            async with monitor.served(address):
                yield monitor


@asynccontextmanager
async def _meanwhile(*works: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Does these while the block runs; then they are cancelled."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def _as_page(word: str, why_not: Callable[[], list[str]]) -> Page:
    reasons = why_not()
    status = HTTPStatus.SERVICE_UNAVAILABLE if reasons else HTTPStatus.OK
    return Page("".join(f"{line}\n" for line in reasons or [word]).encode(), status)
