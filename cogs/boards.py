"""Hears what concerns the boards of tables."""

import discord
from discord.ext import commands

from bot.client import GnauBot
from bot.ui.boards import boards_of


class BoardWatch(commands.Cog):
    """Passes on what happens around boards."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self.boards = boards_of(bot)

    async def cog_load(self) -> None:
        """Takes up the boards that there are."""
        await self.boards.open()

    async def cog_unload(self) -> None:
        """Gives up edits that wait."""
        await self.boards.close()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Brings every board up to date."""
        self.boards.edit_all()

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Counts what pushes a board up its channel."""
        self.boards.message_came(message.channel.id, message.id)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Posts a board anew that somebody deleted."""
        self.boards.message_went(payload.channel_id, payload.message_id)

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Posts a board anew that went with many others."""
        for message_id in payload.message_ids:
            self.boards.message_went(payload.channel_id, message_id)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(BoardWatch(bot))
