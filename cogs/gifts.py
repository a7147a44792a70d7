"""Gifts of chips from member to member: `/give`.

The channel sees a gift: the receiver is mentioned and learns of it at once, and nobody's chips grow in
secret. Only the giver sees why a gift is refused.
"""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.croupier.gifts import Gift, GiftRefused, Gifts
from bot.croupier.identities import User
from bot.ui.bot import GnauBot
from bot.ui.press.command_texts import command_text
from bot.ui.press.late_interactions import not_after
from bot.ui.press.replies import Interaction, reply, reply_publicly
from bot.wire.requests import Content
from bot.words.members import given_words
from bot.words.tables import no_gift_words
from bot.words.translation import speaking_to

LONGEST_NOTE: Final = 200
"""The most characters of a gift's note."""


class GiftCog(commands.Cog, name="Gifts"):
    """The command that gives chips away."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self._gifts = Gifts(bot.croupier)

    @app_commands.command(name="give", description=command_text("command.give"))
    @app_commands.describe(
        member=command_text("option.give.member"),
        amount=command_text("option.give.amount"),
        note=command_text("option.give.note"),
    )
    @app_commands.guild_only()
    async def give(
        self,
        interaction: Interaction,
        # A user too: Discord lets a member be named who has left the server.
        member: discord.Member | discord.User,
        amount: app_commands.Range[int, 1, 1_000_000_000],
        note: app_commands.Range[str, 1, LONGEST_NOTE] | None = None,
    ) -> None:
        """Gives chips, and shows it to the channel."""
        assert interaction.guild_id is not None
        if member.bot:
            await reply(interaction, no_gift_words("to_bot"))
            return
        if isinstance(member, discord.User):
            await reply(interaction, no_gift_words("to_stranger"))
            return
        server_id = interaction.guild_id
        giver = await self.bot.party_in(interaction, server_id)
        gift = Gift(server_id, giver, User(member.id, member.display_name, locale=None), amount)
        answer = await self._gifts.give(gift, str(interaction.id), await not_after(interaction))
        if isinstance(answer, GiftRefused):
            await reply(interaction, _refusal(answer, member, amount))
            return
        self.bot.refresh_chips(server_id, giver, answer)
        # Everybody in the channel sees it.
        with speaking_to(self.bot.readers.of_server(server_id)):
            text = given_words(interaction.user.id, member.id, gift.chips, note)
        await reply_publicly(interaction, Content(words=text, mentions=[member.id]))


def _refusal(refused: GiftRefused, member: discord.Member | discord.User, amount: int) -> str:
    return no_gift_words(
        refused.code,
        chips=amount,
        free=refused.free,
        left=refused.left,
        resets=refused.resets_at,
        receiver=member.id,
    )


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(GiftCog(bot))
