"""The books of a server: once a day, their code is posted in the channel that the house chose.

Note a code, and you can ask the host later whether it is still in the books: `gnau db check --head CODE`. A
record that was cut off, or an old backup, does not have it. The bot could edit its own message, so a code is
worth most where the host cannot change it: in your own notes.
"""

import asyncio
import logging
from typing import Final

from discord.ext import commands, tasks

from bot.games.register import DEFAULT_GAME
from bot.ledger.changes import HeadPosted
from bot.ledger.errors import LedgerError
from bot.rules.short_codes import short_code
from bot.ui.bot import GnauBot
from bot.ui.discord_errors import SENDING_FAILED, nonce
from bot.words import speaking_to, translate

log = logging.getLogger(__name__)

HOUR: Final = 3600.0
DAY: Final = 86_400.0


class Books(commands.Cog):
    """Posts the codes."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self._retry_at: dict[int, float] = {}

    async def cog_load(self) -> None:
        """Starts to look for codes to post."""
        self.post_codes.start()

    async def cog_unload(self) -> None:
        """Cancels what reads the ledger, which is closed after this."""
        self.post_codes.cancel()
        if (posting := self.post_codes.get_task()) is not None:
            await asyncio.wait([posting])

    @tasks.loop(minutes=5)
    async def post_codes(self) -> None:
        """Posts the code of every server where that is due."""
        try:
            posted = await self.bot.croupier.ledger.heads_posted()
            for server in self.bot.guilds:
                channels = self.bot.houses.house_of(server.id).rules(DEFAULT_GAME).log_channel
                due = max(posted.get(server.id, 0.0) + DAY, self._retry_at.get(server.id, 0.0))
                if channels and due <= self.bot.croupier.now():
                    await self._post(server.id, channels[0])
        except LedgerError as failed:
            log.error("no codes of books could be posted, the next try is in five minutes: %s", failed)

    @post_codes.before_loop
    async def _ready(self) -> None:
        await self.bot.wait_until_ready()

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
            log.warning("the code of the books of server %s could not be posted: %s", server_id, failed)
            # A channel that is gone must not be asked for every five minutes.
            self._retry_at[server_id] = now + HOUR
        else:
            await ledger.record(HeadPosted(server_id, now))


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Books(bot))
