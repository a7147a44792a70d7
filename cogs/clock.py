"""Keeps what the bot knows of Discord's clock fresh, and warns if the machine's clock is wrong.

The dates of Discord's responses tell how old a press is. Without responses this is known less and less, and
after hours of silence the first press would be deferred although it is young.

Deadlines, daily chips and the erasing of servers go by the machine's clock.
"""

import logging
from datetime import UTC, datetime
from typing import Final

from discord.ext import commands
from discord.http import Route

from bot.ui.background_tasks import BackgroundTasks
from bot.ui.bot import GnauBot
from bot.ui.press.discord_errors import SENDING_FAILED

log = logging.getLogger(__name__)

MINUTES: Final = 20
"""In this time the two clocks drift apart by an eighth of a second at most."""
_TIME: Final = "%Y-%m-%d %H:%M:%S"


class Clock(commands.Cog):
    """Asks Discord for something small, for the date of its response."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self._tasks = BackgroundTasks()
        self._is_wrong = False

    async def cog_load(self) -> None:
        """Starts to ask."""
        self._tasks.repeat(self.ask_discord_the_time, MINUTES * 60, "clock", later=True)

    async def cog_unload(self) -> None:
        """Stops."""
        await self._tasks.close()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Compares the clocks: the start itself sent requests."""
        self._compare()

    async def ask_discord_the_time(self) -> None:
        """Sends one request, and compares the clocks."""
        try:
            await self.bot.http.request(Route("GET", "/gateway"))
        except SENDING_FAILED as failed:
            log.info("%s", failed)
        self._compare()

    def _compare(self) -> None:
        """Warns once that the machine's clock is wrong, and tells once that it is right again."""
        error = self.bot.clock_error
        if error and not self._is_wrong:
            now = self.bot.croupier.now()
            ours, discords = (datetime.fromtimestamp(at, UTC) for at in (now, now - error))
            log.warning(
                "the clock of this machine shows %s UTC, and Discord's %s: set it right. Deadlines, daily "
                "chips and the limit of gifts go by it, and no server that the bot left is erased meanwhile",
                ours.strftime(_TIME),
                discords.strftime(_TIME),
            )
        elif self._is_wrong and not error:
            log.info("the clock of this machine is right again")
        self._is_wrong = bool(error)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Clock(bot))
