"""Deleted channels and servers without the bot: their tables are closed, and held chips go back (B06).

A server that the bot has left is erased after 30 days, also if it left while the bot was down.
"""

import logging
from typing import Final

import discord
from discord.ext import commands

from bot.ledger.errors import LedgerError
from bot.ui.absences import Absences
from bot.ui.bot import BotCog, GnauBot

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 3600.0
"""How often the bot looks for servers to erase."""


class Departures(BotCog):
    """Listens for what is deleted, and looks for what was deleted unnoticed."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self.croupier = bot.croupier
        self.privacy = bot.privacy
        self._absences = Absences(bot, bot.croupier, bot.privacy)
        self._has_looked = False

    async def cog_load(self) -> None:
        """Starts to look for what is gone."""
        self.bot.tasks.repeat(self.look, LOOK_SECONDS, "departures")

    async def look(self) -> None:
        """Finishes erasures, and finds the channels and servers that are gone."""
        await self.bot.wait_until_ready()
        self._has_looked = True
        try:
            await self.privacy.erase_noted()
            await self._absences.look_for_channels(self.croupier.tables.all())
            # First, so that a server is kept that invited the bot again while it was down.
            await self._absences.look_for_servers()
            await self._absences.erase_left_servers()
            if not self.bot.is_clock_wrong:
                await self.privacy.delete_outdated_hashes()
        except LedgerError as failed:
            log.error("servers could not be erased, the next try is in an hour: %s", failed)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Closes the tables whose channel was deleted while there was no connection."""
        # At the start, `look` does so.
        if self._has_looked:
            servers = [server.id for server in self.bot.guilds if server.shard_id == shard_id]
            tables = [table for table in self.croupier.tables.all() if table.server_id in servers]
            self.bot.tasks.start(self._absences.look_for_channels(tables), "departures")

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Closes every table of a server that has removed the bot, and plans to erase the server."""
        log.info("server %s has removed the bot: it is erased in 30 days", guild.id)
        await self._absences.wind_up(self.croupier.tables.of_server(guild.id))
        await self.privacy.server_left(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Keeps a server that the bot is in again."""
        await self.privacy.server_joined(guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Closes the table of a deleted channel, and those of its threads."""
        tables = self.croupier.tables.of_server(channel.guild.id)
        await self._absences.wind_up(table for table in tables if table.channel_id == channel.id)
        # Nobody names its archived threads.
        self.bot.tasks.start(self._absences.look_for_channels(tables), "departures")

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Closes the table of a deleted thread."""
        if table := self.croupier.tables.in_channel(payload.thread_id):
            await self._absences.wind_up([table])
