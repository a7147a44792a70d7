"""Puts the bot together and runs it: ledger, croupier, then the connection to Discord; closed in reverse."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from bot.config import Settings
from bot.croupier.croupier import Croupier
from bot.croupier.houses import HouseOf, Houses, unchanged
from bot.croupier.privacy import Privacy
from bot.ledger.database import database_at
from bot.ledger.ledger import open_ledger
from bot.run.activity import activity_logged
from bot.run.backup_command import BackupCommand
from bot.run.completeness import check_games
from bot.run.host_requests import requests_answered
from bot.run.monitoring.monitor import monitored
from bot.run.monitoring.service_manager import STOPPING, tell_systemd
from bot.ui.bot import GnauBot

log = logging.getLogger(__name__)

STOPS: Final = tuple(
    signal.Signals[name] for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
)
"""What stops the bot. Windows has no SIGHUP, which comes when a terminal is closed."""


@asynccontextmanager
async def running(
    settings: Settings, default_house: HouseOf = unchanged
) -> AsyncIterator[tuple[GnauBot, asyncio.Task[None]]]:
    """A bot that is connected and ready while the block runs, and the task of its connection.

    Args:
        default_house: the house rules of a server that has changed none, by its id.

    Raises:
        bot.config.SettingError: if Discord refuses the token, an intent or another setting.
        bot.wire.client.DiscordUnreachableError: if Discord wants more shards.
    """
    async with opened(settings, default_house) as bot, bot.connected() as connection:
        yield bot, connection


@asynccontextmanager
async def opened(settings: Settings, default_house: HouseOf = unchanged) -> AsyncIterator[GnauBot]:
    """A bot with its ledger and its tables, which is not connected yet; arguments as of `running`."""
    check_games()
    async with open_ledger(settings.database_url) as ledger:
        houses = Houses(ledger, default_house)
        croupier = Croupier(ledger, houses.house_of, hosts=settings.hosts)
        await houses.load()
        # Before the tables are loaded, which would bring the members of a restored backup into memory.
        await Privacy(croupier).erase_noted()
        await croupier.load()
        bot = GnauBot(settings, croupier, houses)
        try:
            yield bot
        finally:
            # Some read the ledger; a bot that never connected was not closed.
            await bot.tasks.close()
            await croupier.close()


async def serve(settings: Settings) -> None:
    """Runs the bot, and makes backups, until one of `STOPS`."""
    await until_stopped(_serve_until_disconnected(settings))
    log.info("stopped")


async def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Runs this until it ends, and shuts it down cleanly on one of `STOPS`."""
    came: list[signal.Signals] = []
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop_soon(number: int, _: object) -> None:
        came.append(signal.Signals(number))
        loop.call_soon_threadsafe(stopped.set)

    # Not the loop's own handlers: they end with the loop, and a second signal would kill the process.
    for stop in STOPS:
        # With `nohup`, a bot outlives its terminal.
        if stop.name != "SIGHUP" or signal.getsignal(stop) is not signal.SIG_IGN:
            signal.signal(stop, stop_soon)
    working = asyncio.create_task(work)
    told = asyncio.create_task(stopped.wait())
    try:
        await asyncio.wait({working, told}, return_when=asyncio.FIRST_COMPLETED)
        if came:
            log.info("stopping: %s", came[0].name)
            tell_systemd(STOPPING)
    finally:
        told.cancel()
        # Cancelled once, not with each signal: closing must not be interrupted.
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
        # All that is left is to exit.
        for stop in STOPS:
            signal.signal(stop, signal.SIG_IGN)


async def _serve_until_disconnected(settings: Settings) -> None:
    database = database_at(settings.database_url)
    async with (
        monitored(settings.metrics_address) as monitor,
        opened(settings) as bot,
        activity_logged(bot, monitor.figures),
        requests_answered(bot, database.meeting_place()),
        database.backed_up(
            settings.backup_every,
            settings.backup_keep,
            BackupCommand(settings.backup_command, settings.backup_every, monitor.figures, bot.tasks).tried,
        ),
    ):
        monitor.watch(bot, database, settings.backup_every)
        if not await bot.croupier.ledger.server_ids():
            log.warning(
                "the database %s is new, or nobody has chips in it yet: if that is wrong, stop the bot now",
                database.name,
            )
        async with bot.connected() as connection:
            await asyncio.shield(connection)
