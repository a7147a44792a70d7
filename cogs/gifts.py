"""Gifts of chips from member to member: `/give`.

The channel sees a gift: the receiver is mentioned there and so learns of it at once, and nobody's chips grow
in secret. That costs no message of its own. Why nothing is given, the giver alone is told.
"""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.croupier import Gift, GiftRefused, Gifts
from bot.ui.boards import boards_of
from bot.ui.replies import Interaction, answering, reply
from bot.words import given_words, no_gift_words

LONGEST_NOTE: Final = 200
"""The most characters of a note that goes with a gift."""


class GiftCog(commands.Cog, name="Gifts"):
    """The command by which chips are given away."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self._gifts = Gifts(bot.croupier)

    @app_commands.command(name="give", description="Give another member some of your chips")
    @app_commands.describe(
        member="To whom",
        amount="How many chips; what is held at a table stays there",
        note="A few words that go with it; everybody here reads them",
    )
    @app_commands.guild_only()
    async def give(
        self,
        interaction: Interaction,
        # A user as well: who has left the server can still be named, and is to be told of in a sentence.
        member: discord.Member | discord.User,
        amount: app_commands.Range[int, 1, 1_000_000_000],
        note: app_commands.Range[str, 1, LONGEST_NOTE] | None = None,
    ) -> None:
        """Gives chips, and tells the channel."""
        async with answering(interaction):
            assert interaction.guild_id is not None
            if member.bot:
                await reply(interaction, no_gift_words("to_bot"))
                return
            if isinstance(member, discord.User):
                await reply(interaction, no_gift_words("to_stranger"))
                return
            gift = Gift(interaction.guild_id, interaction.user.id, member.id, amount)
            answer = await self._gifts.give(gift, str(interaction.id))
            if isinstance(answer, GiftRefused):
                await reply(interaction, no_gift_words(answer.code, chips=amount, free=answer.free))
                return
            self._show_new_banks(gift)
            await interaction.response.send_message(
                given_words(gift.giver_id, gift.receiver_id, gift.chips, note),
                allowed_mentions=discord.AllowedMentions(users=[member]),
            )

    def _show_new_banks(self, gift: Gift) -> None:
        """Has the boards tell what banks cover now that giver or receiver holds."""
        for table in self.bot.croupier.tables.of_server(gift.server_id):
            if table.is_banker(gift.giver_id) or table.is_banker(gift.receiver_id):
                boards_of(self.bot).refresh(table.table_id)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(GiftCog(bot))
