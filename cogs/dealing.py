"""Dealing, turning up, and looking at one's own hand."""

from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.table.commands import Deal, RevealHand
from bot.ui.hand_delivery import hands_of
from bot.ui.hand_panels import own_views_of
from bot.ui.replies import Interaction, answering, ask
from bot.ui.table_choice import choose_table, suggest_tables, table_or_raise
from bot.ui.views.presses import Press, PressAction


class Dealing(commands.Cog):
    """The commands and buttons about cards."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self.hands = hands_of(bot)
        self.views = own_views_of(bot)

    async def cog_load(self) -> None:
        """Begins to send hands."""
        self.hands.open()

    async def cog_unload(self) -> None:
        """Gives up messages that wait."""
        await self.hands.close()
        await self.views.close()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Sends the hands that were out when the bot stopped."""
        self.hands.send_again()

    @commands.Cog.listener()
    async def on_table_press(self, interaction: Interaction, press: Press) -> None:
        """Answers the buttons that deal, turn up, and look."""
        async with answering(interaction):
            croupier = self.bot.croupier
            match press.action:
                case PressAction.DEAL:
                    deal = Deal(interaction.user.id, round_number=press.meant_round)
                    if after := await ask(interaction, press.table_id, deal):
                        await self.views.show(interaction, after)
                case PressAction.SHOW:
                    show = RevealHand(interaction.user.id, press.meant_round)
                    if after := await ask(interaction, press.table_id, show):
                        await self.views.show(interaction, after)
                case PressAction.HAND:
                    await self.views.show_own(interaction, table_or_raise(croupier, press.table_id))
                case PressAction.MESSAGES:
                    await self.hands.try_messages(interaction, table_or_raise(croupier, press.table_id))

    @app_commands.command(name="hand", description="Look at your hand, your bet and your chips")
    @app_commands.describe(table="Which table, where you sit at several")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.autocomplete(table=suggest_tables)
    async def hand(self, interaction: Interaction, table: str | None = None) -> None:
        """Shows the member his own view of a table."""
        async with answering(interaction):
            await self.views.show_own(interaction, choose_table(interaction, table))


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Dealing(bot))
