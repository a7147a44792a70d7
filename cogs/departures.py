"""Deleted channels and servers: their tables are closed, and held chips go back (B06)."""

import discord
from discord.ext import commands

from bot.table.state import TableState
from bot.ui.bot import GnauBot
from bot.ui.discord_errors import SENDING_FAILED


class Departures(commands.Cog):
    """Listens for what is deleted, and closes the tables there."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self.croupier = bot.croupier

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Closes the tables whose server or channel was deleted while the bot was away."""
        for table in self.croupier.tables.all():
            server = self.bot.get_guild(table.server_id)
            if server is None:
                await self.croupier.wind_up([table])
            elif not server.unavailable and server.get_channel_or_thread(table.channel_id) is None:
                await self._wind_up_if_gone(table)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Closes every table of a server that the bot has left."""
        await self.croupier.wind_up(self.croupier.tables.of_server(guild.id))

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
