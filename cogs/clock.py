"""Keeps what the bot knows of Discord's clock fresh, also while nobody presses anything.

The dates of Discord's responses tell how old a press is. Without responses this is known less and less, and
after hours of silence the first press would be deferred although it is young.
"""

import asyncio
import logging
from typing import Final

from discord.ext import commands, tasks
from discord.http import Route

from bot.ui.bot import GnauBot
from bot.ui.discord_errors import SENDING_FAILED

log = logging.getLogger(__name__)

MINUTES: Final = 20
"""In this time the two clocks drift apart by an eighth of a second at most."""


class Clock(commands.Cog):
    """Asks Discord for something small, for the date of its response."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Starts to ask."""
        self.ask_discord_the_time.start()

    async def cog_unload(self) -> None:
        """Stops."""
        self.ask_discord_the_time.cancel()

    @tasks.loop(minutes=MINUTES)
    async def ask_discord_the_time(self) -> None:
        """Sends one request."""
        try:
            await self.bot.http.request(Route("GET", "/gateway"))
        except SENDING_FAILED as failed:
            log.info("%s", failed)

    @ask_discord_the_time.before_loop
    async def _later(self) -> None:
        # The start itself sends requests.
        await asyncio.sleep(MINUTES * 60)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Clock(bot))
