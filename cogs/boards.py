"""What happens in channels that concerns boards: new messages, deleted messages, a restart."""

import discord
from discord.ext import commands

from bot.ui.bot import GnauBot


class BoardWatch(commands.Cog):
    """Listens for what pushes boards up or deletes them."""

    def __init__(self, bot: GnauBot) -> None:
        self.boards = bot.boards

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Updates every board."""
        self.boards.edit_all()

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Counts what pushes a board up its channel."""
        self.boards.count_message(message.channel.id, message.id)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Posts a deleted board again."""
        self.boards.message_deleted(payload.channel_id, payload.message_id)

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Posts a board again that was deleted with many other messages."""
        for message_id in payload.message_ids:
            self.boards.message_deleted(payload.channel_id, message_id)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(BoardWatch(bot))
