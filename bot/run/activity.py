"""What the log says of a bot that does well: how it started, what was played each day, and how it stopped."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from bot.croupier.croupier import Croupier
from bot.croupier.open_tables import TableChanged
from bot.run.process import versions
from bot.table.events import RoundSettled
from bot.ui.bot import GnauBot

log = logging.getLogger(__name__)

DAY: Final = 86_400.0
"""How often the log says what was played, in seconds."""


@asynccontextmanager
async def activity_logged(bot: GnauBot) -> AsyncIterator[None]:
    """Logs what runs as the block begins, what was played each day, and all of it as the block ends."""
    tables = bot.croupier.tables.all()
    servers = len({table.server_id for table in tables})
    ledger = bot.croupier.ledger
    log.info(
        "%s starts: %s (%s), shards: %s, open tables: %d, servers: %d",
        versions(),
        ledger.name,
        await ledger.version(),
        bot.settings.hosts,
        len(tables),
        servers,
    )
    activity = Activity(bot.croupier, lambda: bot.intake.presses)
    bot.tasks.repeat(activity.log_day, DAY, "activity", later=True)
    try:
        yield
    finally:
        activity.log_all()


class Activity:
    """Counts what is played."""

    def __init__(self, croupier: Croupier, presses: Callable[[], int]) -> None:
        self._croupier = croupier
        self._presses = presses
        self._rounds = 0
        self._began = time.monotonic()
        self._logged = 0, 0
        croupier.listeners.add(self._on_settled, of=(RoundSettled,))

    async def log_day(self) -> None:
        """Logs what was played since it was called last."""
        rounds, presses = self._rounds, self._presses()
        self._log("played in a day", rounds - self._logged[0], presses - self._logged[1])
        self._logged = rounds, presses

    def log_all(self) -> None:
        """Logs how long the bot ran, and what was played."""
        seconds = round(time.monotonic() - self._began)
        self._log(f"ran for {timedelta(seconds=seconds)}", self._rounds, self._presses())

    def _log(self, what: str, rounds: int, presses: int) -> None:
        tables = len(self._croupier.tables.all())
        log.info("%s, rounds: %d, presses: %d, open tables: %d", what, rounds, presses, tables)

    def _on_settled(self, _: TableChanged) -> None:
        self._rounds += 1
