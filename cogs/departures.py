"""Deleted channels and servers: their tables are closed, and held chips go back (B06).

A server that the bot has left is erased after 30 days, also if it left while the bot was down.
"""

import asyncio
import logging

import discord
from discord.ext import commands, tasks

from bot.ledger.errors import LedgerError
from bot.table.state import TableState
from bot.ui.background_tasks import BackgroundTasks
from bot.ui.bot import GnauBot
from bot.ui.discord_errors import SENDING_FAILED

log = logging.getLogger(__name__)


class Departures(commands.Cog):
    """Listens for what is deleted, closes the tables there, and erases servers in time."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self.croupier = bot.croupier
        self.privacy = bot.privacy
        self._tasks = BackgroundTasks()

    async def cog_load(self) -> None:
        """Starts to look for servers to erase."""
        self.erase_left_servers.start()

    async def cog_unload(self) -> None:
        """Cancels what reads the ledger, which is closed after this."""
        self.erase_left_servers.cancel()
        if (erasing := self.erase_left_servers.get_task()) is not None:
            await asyncio.wait([erasing])
        await self._tasks.close()

    @tasks.loop(hours=1)
    async def erase_left_servers(self) -> None:
        """Erases the servers that the bot left 30 days ago, and hashes that have outlived their purpose."""
        try:
            # First, so that a server is kept that invited the bot again while it was down.
            await self._compare_servers()
            await self.privacy.erase_left_servers()
            await self.privacy.erase_noted()
            await self.privacy.delete_outdated_hashes()
        except LedgerError as failed:
            log.error("servers could not be erased, the next try is in an hour: %s", failed)

    @erase_left_servers.before_loop
    async def _ready(self) -> None:
        await self.bot.wait_until_ready()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Closes the tables whose server or channel was deleted while the bot was away."""
        self._tasks.start(self._catch_up(), "departures")

    async def _catch_up(self) -> None:
        for table in self.croupier.tables.all():
            server = self.bot.get_guild(table.server_id)
            if server is None:
                await self.croupier.wind_up([table])
            elif not server.unavailable and server.get_channel_or_thread(table.channel_id) is None:
                await self._wind_up_if_gone(table)

    async def _compare_servers(self) -> None:
        """Notes which servers the bot left, or is in again, while it was down."""
        for server_id in await self.croupier.ledger.server_ids():
            if self.bot.get_guild(server_id) is None:
                await self.privacy.server_left(server_id)
            else:
                await self.privacy.server_joined(server_id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Closes every table of a server that the bot has left, and plans to erase the server."""
        await self.croupier.wind_up(self.croupier.tables.of_server(guild.id))
        await self.privacy.server_left(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Keeps a server that the bot is in again."""
        await self.privacy.server_joined(guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Closes the table of a deleted channel; threads have an event of their own."""
        tables = self.croupier.tables.of_server(channel.guild.id)
        await self.croupier.wind_up([table for table in tables if table.channel_id == channel.id])

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Closes the table of a deleted thread."""
        if table := self.croupier.tables.in_channel(payload.thread_id):
            await self.croupier.wind_up([table])

    async def _wind_up_if_gone(self, table: TableState) -> None:
        """Asks Discord before a channel counts as deleted: an archived thread is in no list."""
        try:
            await self.bot.fetch_channel(table.channel_id)
        except discord.NotFound:
            await self.croupier.wind_up([table])
        except SENDING_FAILED:
            return


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Departures(bot))
