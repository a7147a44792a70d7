"""What happens in channels that concerns boards: new messages, deleted messages, a restart."""

import discord
from discord.ext import commands

from bot.ui.bot import GnauBot


class BoardWatch(commands.Cog):
    """Listens for what pushes boards up or deletes them."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self.boards = bot.boards

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Updates every board of the shard: nobody says what was deleted while there was no connection."""
        self.boards.edit_all({server.id for server in self.bot.guilds if server.shard_id == shard_id})

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

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Updates the board of an archived thread that somebody opens again."""
        if not payload.data["thread_metadata"]["archived"]:
            self.boards.thread_opened(payload.thread_id)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(BoardWatch(bot))
