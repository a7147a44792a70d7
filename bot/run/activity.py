"""What the log says of a bot that does well: how it started, what each day was, and how it stopped."""

import logging
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from bot.clock import DAY_SECONDS
from bot.run.monitoring.figures import Figures
from bot.run.process import versions
from bot.ui.bot import GnauBot

log = logging.getLogger(__name__)


@asynccontextmanager
async def activity_logged(bot: GnauBot, figures: Figures) -> AsyncIterator[None]:
    """Logs what runs as the block begins, what each day was, and all of it as the block ends."""
    tables, ledger = bot.croupier.tables.all(), bot.croupier.ledger
    log.info(
        "%s starts: %s (%s), shards: %s, open tables: %d, servers: %d",
        versions(),
        ledger.name,
        await ledger.version(),
        bot.settings.hosts,
        len(tables),
        len({table.server_id for table in tables}),
    )
    activity = Activity(bot, figures)
    bot.tasks.repeat(activity.log_day, DAY_SECONDS, "activity", later=True)
    try:
        yield
    finally:
        activity.log_all()


class Activity:
    """Logs what happened, from the figures."""

    def __init__(self, bot: GnauBot, figures: Figures) -> None:
        self._bot, self._figures, self._began = bot, figures, time.monotonic()
        self._before: Counter[str] = Counter()

    async def log_day(self) -> None:
        """Logs what happened since it was called last."""
        day = self._so_far()
        day.subtract(self._before)
        self._before.update(day)
        self._log("in a day", {**day, "members at play": len(self._figures.players)})
        self._figures.players.clear()

    def log_all(self) -> None:
        """Logs how long the bot ran, and what happened."""
        seconds = round(time.monotonic() - self._began)
        self._log(f"ran for {timedelta(seconds=seconds)}", self._so_far())

    def _so_far(self) -> Counter[str]:
        bot, ended = self._bot, self._figures.interactions.items()
        refusals = sum(count for (_, outcome, _), count in ended if outcome == "refused")
        outages = bot.outage.count + bot.croupier.ledger.writer.outage.count
        rounds = self._figures.rounds.total()
        return Counter(rounds=rounds, presses=bot.intake.presses, refusals=refusals, outages=outages)

    def _log(self, what: str, counted: dict[str, int]) -> None:
        said = {**counted, "open tables": len(self._bot.croupier.tables.all())}
        log.info("%s, %s", what, ", ".join(f"{name}: {count}" for name, count in said.items()))
