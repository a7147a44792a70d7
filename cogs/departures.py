"""Channels, servers and members that are gone: nobody's chips hang where nobody can play any more (B06)."""

import discord
from discord.ext import commands

from bot.client import GnauBot
from bot.table.state import TableState


class Departures(commands.Cog):
    """Hears of what is gone, and winds up the tables there."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Winds up the tables whose server or channel went while the bot was away."""
        for table in self.bot.croupier.tables.all():
            server = self.bot.get_guild(table.server_id)
            if server is None:
                await self.bot.croupier.wind_up([table])
            elif not server.unavailable and server.get_channel_or_thread(table.channel_id) is None:
                await self._wind_up_if_gone(table)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Winds up every table of a server that the bot is no longer in."""
        await self.bot.croupier.wind_up(self.bot.croupier.tables.of_server(guild.id))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Winds up the table of a channel that was deleted; of its threads other events tell."""
        tables = self.bot.croupier.tables.of_server(channel.guild.id)
        gone = [table for table in tables if table.channel_id == channel.id]
        await self.bot.croupier.wind_up(gone)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Winds up the table of a thread that was deleted."""
        if table := self.bot.croupier.tables.in_channel(payload.thread_id):
            await self.bot.croupier.wind_up([table])

    async def _wind_up_if_gone(self, table: TableState) -> None:
        """Asks Discord before it believes that a channel is gone: an archived thread is in no list."""
        try:
            await self.bot.fetch_channel(table.channel_id)
        except discord.NotFound:
            await self.bot.croupier.wind_up([table])
        except discord.HTTPException:
            return


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Departures(bot))
