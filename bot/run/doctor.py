"""What `gnau doctor` looks at. Each look is one that the bot takes when it starts, and its warnings count."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

from bot.config import SettingError, Settings, given_names, given_settings, misspelt_settings
from bot.ledger.database import Database, database_at
from bot.ledger.errors import LedgerCorrupt, LedgerError
from bot.ledger.upgrade import revisions
from bot.run.process import versions
from bot.ui.bot import refuse_other_application
from bot.ui.press.table_choice import lacking
from bot.wire.client import DiscordUnreachableError
from bot.wire.diagnosis import look_at_bot, look_at_network

Report = Callable[[bool, str], object]
"""Is told whether something is well, and what; or what to do."""


async def examine(report: Report, server_id: int | None) -> None:
    """Looks at everything; what needs a token only if there is one.

    Args:
        server_id: a server in which to look at permissions too.
    """
    with _warnings_reported(report):
        settings, wrong = _settings(report)
        report(True, f"{versions()}, schema {revisions()[-1]}")
        application = None
        if not wrong & {"DATABASE_URL", "DATABASE_URL_FILE"}:
            application = await _database(database_at(settings.database_url), settings.backup_every, report)
        is_reached = await _reported(look_at_network(settings), report)
        if is_reached and settings.token:
            accept = partial(refuse_other_application, noted=application)
            await _reported(look_at_bot(settings, accept, server_id, lacking), report)


class _Reporting(logging.Handler):
    def __init__(self, report: Report) -> None:
        super().__init__(logging.WARNING)
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        self._report(False, record.getMessage())


@contextmanager
def _warnings_reported(report: Report) -> Iterator[None]:
    handler, ours = _Reporting(report), logging.getLogger("bot")
    ours.addHandler(handler)
    try:
        yield
    finally:
        ours.removeHandler(handler)


def _settings(report: Report) -> tuple[Settings, set[str]]:
    """The settings, and which of them are wrong and have their defaults."""
    try:
        settings, wrong = given_settings()
        misspelt = list(misspelt_settings(given_names()))
    except SettingError as unreadable:
        report(False, str(unreadable))
        # It may name the database.
        return Settings(), {"DATABASE_URL"}
    for sentence in (*wrong.values(), *misspelt):
        report(False, sentence)
    if not wrong and not misspelt:
        report(True, "the settings are right")
    return settings, set(wrong)


async def _database(database: Database, every: float, report: Report) -> int | None:
    """Looks at the database and its backups; returns which application it belongs to, if it is known."""
    try:
        for well in await asyncio.to_thread(database.look):
            report(True, well)
        if not await asyncio.to_thread(database.is_there):
            return None
        _backups(database, every, report)
        async with database.reading() as ledger:
            return await ledger.application_id()
    except LedgerCorrupt as corrupt:
        for problem in corrupt.problems:
            report(False, problem)
    except LedgerError as failed:
        # It may check backups.
        report(False, await asyncio.to_thread(database.advice, failed))
    return None


def _backups(database: Database, every: float, report: Report) -> None:
    times = database.backups()
    age = timedelta(seconds=round(time.time() - times[-1])) if times else None
    if why := database.no_backups(every):
        report(True, why)
    elif age is None:
        report(False, "there is no backup yet: the bot makes one when it runs")
    elif age.total_seconds() > 2 * every:
        report(False, f"the newest backup is {age} old: see whether the bot runs, and what its log says")
    else:
        report(True, f"backups: {len(times)}, the newest {age} old")


async def _reported(look: AsyncIterator[str], report: Report) -> bool:
    """Reports what a look finds; returns whether it came to its end."""
    try:
        async for well in look:
            report(True, well)
    except (SettingError, DiscordUnreachableError) as wrong:
        report(False, str(wrong))
        return False
    return True
