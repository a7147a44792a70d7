"""What the log says of a bot that does well: how it started, what was played each day, and how it stopped."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot.croupier.croupier import Croupier
from bot.croupier.open_tables import TableChanged
from bot.run.versions import versions
from bot.table.events import RoundSettled

log = logging.getLogger(__name__)

DAY: Final = 86_400.0
"""How often the log says what was played, in seconds."""


@asynccontextmanager
async def activity_logged(
    croupier: Croupier, database: Path, presses: Callable[[], int]
) -> AsyncIterator[None]:
    """Logs what runs as the block begins, what was played each day, and all of it as the block ends.

    Args:
        croupier: whose rounds count; its tables are loaded.
        database: the SQLite file.
        presses: how many presses came since the start.
    """
    tables = croupier.tables.all()
    servers = len({table.server_id for table in tables})
    log.info("%s starts: %s, open tables: %d, servers: %d", versions(), database, len(tables), servers)
    activity = Activity(croupier, presses)
    daily = asyncio.create_task(activity.log_daily())
    try:
        yield
    finally:
        daily.cancel()
        activity.log_all()


class Activity:
    """Counts what is played.

    Args:
        croupier: whose rounds count.
        presses: how many presses came since the start.
    """

    def __init__(self, croupier: Croupier, presses: Callable[[], int]) -> None:
        self._croupier = croupier
        self._presses = presses
        self._rounds = 0
        self._began = time.monotonic()
        croupier.listen(self._on_change)

    async def log_daily(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        """Logs what was played in each day, until it is cancelled."""
        while True:
            rounds, presses = self._rounds, self._presses()
            await sleep(DAY)
            self._log("played in a day", rounds, presses)

    def log_all(self) -> None:
        """Logs how long the bot ran, and what was played."""
        self._log(f"ran for {timedelta(seconds=round(time.monotonic() - self._began))}", 0, 0)

    def _log(self, what: str, rounds_before: int, presses_before: int) -> None:
        rounds, presses = self._rounds - rounds_before, self._presses() - presses_before
        tables = len(self._croupier.tables.all())
        log.info("%s, rounds: %d, presses: %d, open tables: %d", what, rounds, presses, tables)

    def _on_change(self, change: TableChanged) -> None:
        self._rounds += sum(isinstance(event, RoundSettled) for event in change.events)
