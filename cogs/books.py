"""The books of a server: once a day, their code is posted in the channel that the house chose.

Note a code, and you can ask the host later whether it is still in the books: `gnau db check --head CODE`. A
record that was cut off, or an old backup, does not have it. The bot could edit its own message, so a code is
worth most where the host cannot change it: in your own notes.
"""

import logging
from typing import Final

from discord.ext import commands

from bot.games.register import DEFAULT_GAME
from bot.ledger.changes import HeadPosted
from bot.ledger.errors import LedgerError
from bot.ledger.stored_times import is_recent
from bot.rules.hashing import short_code
from bot.ui.background_tasks import BackgroundTasks
from bot.ui.bot import GnauBot
from bot.ui.press.discord_errors import SENDING_FAILED, level_of, nonce
from bot.words.translation import speaking_to, translate

log = logging.getLogger(__name__)

HOUR: Final = 3600.0
DAY: Final = 86_400.0
LOOK_SECONDS: Final = 300.0
"""How often the bot looks for codes to post."""


class Books(commands.Cog):
    """Posts the codes."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self._failed_at: dict[int, float] = {}
        self._tasks = BackgroundTasks()

    async def cog_load(self) -> None:
        """Starts to look for codes to post."""
        self._tasks.repeat(self.post_codes, LOOK_SECONDS, "codes-of-books")

    async def cog_unload(self) -> None:
        """Cancels what reads the ledger, which is closed after this."""
        await self._tasks.close()

    async def post_codes(self) -> None:
        """Posts the code of every server where that is due."""
        await self.bot.wait_until_ready()
        try:
            posted = await self.bot.croupier.ledger.heads_posted()
            for server in self.bot.guilds:
                channels = self.bot.houses.house_of(server.id).rules(DEFAULT_GAME).log_channel
                now = self.bot.croupier.now()
                posted_lately = is_recent(posted.get(server.id, 0.0), DAY, now)
                failed_lately = is_recent(self._failed_at.get(server.id, 0.0), HOUR, now)
                if channels and not posted_lately and not failed_lately:
                    await self._post(server.id, channels[0])
        except LedgerError as failed:
            log.error("no codes of books could be posted, the next try is in five minutes: %s", failed)

    async def _post(self, server_id: int, channel_id: int) -> None:
        ledger, now = self.bot.croupier.ledger, self.bot.croupier.now()
        head = await ledger.head(server_id)
        if head is None:
            return
        link, digest = head
        # Everybody in the channel sees it.
        with speaking_to(self.bot.readers.of_server(server_id)):
            text = translate("books.code", head=short_code(digest), links=link, at=int(now))
        try:
            await self.bot.get_partial_messageable(channel_id, guild_id=server_id).send(
                text, nonce=nonce("books", server_id, link)
            )
        except SENDING_FAILED as failed:
            log.log(
                level_of(failed),
                "the code of the books of server %s could not be posted: %s",
                server_id,
                failed,
            )
            # A channel that is gone must not be asked for every five minutes.
            self._failed_at[server_id] = now
        else:
            await ledger.record(HeadPosted(server_id, now))


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Books(bot))
