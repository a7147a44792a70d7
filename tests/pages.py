"""Asks the pages of a bot that is watched: its health and its metrics."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

from bot.ledger.database import database_at
from bot.run.monitoring.monitor import Monitor, monitored
from tests.e2e.evening import Evening
from tests.ports import port_of_nobody

PATIENCE: Final = 60.0


class Scraped:
    """What the page of metrics said.

    Attributes:
        text: as it came.
        samples: every series, by name and labels, with its value.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.samples = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    @property
    def names(self) -> set[str]:
        """The names of all series."""
        return {name for name, _ in self.samples}

    def value(self, name: str, **labels: str) -> float:
        """One series; 0 if it is not there."""
        return self.samples.get((name, frozenset(labels.items())), 0.0)

    def total(self, name: str, **labels: str) -> float:
        """The sum of all series with this name and these labels."""
        wanted = labels.items()
        return sum(value for (of, has), value in self.samples.items() if of == name and wanted <= has)


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

    async def scrape(self) -> Scraped:
        """The metrics."""
        status, text = await self.ask("/metrics")
        assert status == 200, text
        return Scraped(text)

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


def watch(monitor: Monitor, evening: Evening) -> None:
    """Has the bot of an evening watched."""
    monitor.watch(evening.bot, database_at(evening.settings.database_url), 3600.0)


@asynccontextmanager
async def watched(evening: Evening | None = None) -> AsyncIterator[tuple[Monitor, Pages]]:
    """Watches a bot while the block runs; it makes no backups."""
    port = port_of_nobody()
    async with monitored(("127.0.0.1", port)) as monitor:
        if evening is not None:
            watch(monitor, evening)
        yield monitor, Pages(port)
