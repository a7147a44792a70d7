"""Running the bot: ledger, croupier and the connection to Discord, opened in their order and closed again."""

import asyncio
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from bot.client import GUILD_READY_SECONDS
from bot.config import Settings
from bot.croupier import Croupier, HouseOf, Houses
from bot.croupier.houses import unchanged
from bot.ledger.ledger import open_ledger
from bot.ui.bot import GnauBot

STOPS: Final = (signal.SIGTERM, signal.SIGINT)


@asynccontextmanager
async def running(
    settings: Settings,
    at_first: HouseOf = unchanged,
    *,
    guild_ready_seconds: float = GUILD_READY_SECONDS,
) -> AsyncIterator[tuple[GnauBot, asyncio.Task[None]]]:
    """A bot that is connected and ready, for as long as the block lasts; and what ends with its connection.

    Args:
        settings: how to reach Discord, and where chips are kept.
        at_first: the house of a server that has changed nothing of its rules, by its id.
        guild_ready_seconds: how long discord.py waits for more servers before it is ready.

    Raises:
        bot.config.SettingError: where Discord refuses the token.
        bot.client.DiscordUnreachableError: where Discord cannot be used for another reason.
        bot.ledger.errors.LedgerError: where the ledger cannot be opened.
    """
    async with open_ledger(settings.database_url) as ledger:
        houses = Houses(ledger, at_first)
        await houses.load()
        croupier = Croupier(ledger, houses.house_of)
        await croupier.load()
        bot = GnauBot(settings, croupier, houses, guild_ready_seconds=guild_ready_seconds)
        try:
            async with bot.connected() as connection:
                yield bot, connection
        finally:
            await croupier.close()


async def serve(settings: Settings) -> None:
    """Runs the bot until it is told to stop, by an interrupt or SIGTERM.

    Raises:
        bot.config.SettingError: as `running` does, and where Discord refuses the token later on.
        bot.client.DiscordUnreachableError: as `running` does, and where the connection is lost for good.
        bot.ledger.errors.LedgerError: where the ledger cannot be opened.
    """
    await until_stopped(_serve_until_disconnected(settings))


async def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Does the work of this process, and ends it in peace when an interrupt or SIGTERM comes.

    Raises:
        Whatever the work raises.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()

    # Not the loop's own handler: it goes with the loop, and a signal that is repeated would kill the process.
    for stop in STOPS:
        signal.signal(stop, lambda *_: loop.call_soon_threadsafe(stopped.set))
    working = asyncio.create_task(work)
    told = asyncio.create_task(stopped.wait())
    try:
        await asyncio.wait({working, told}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        told.cancel()
        # Cancelled once and not with each signal: closing must not be broken off.
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
        # All that is left is to exit, with the status that is due.
        for stop in STOPS:
            signal.signal(stop, signal.SIG_IGN)


async def _serve_until_disconnected(settings: Settings) -> None:
    async with running(settings) as (_, connection):
        await asyncio.shield(connection)
