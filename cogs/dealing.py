"""Dealing, revealing, and looking at one's own hand."""

from discord import app_commands
from discord.ext import commands

from bot.table.commands import Deal, RevealHand
from bot.ui.bot import GnauBot
from bot.ui.press.command_texts import command_text
from bot.ui.press.custom_ids import TableAction, TablePress
from bot.ui.press.replies import Interaction
from bot.ui.press.router import handles
from bot.ui.press.table_choice import suggest_tables, table_or_raise


class Dealing(commands.Cog):
    """The command and the buttons about hands."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Sends the hands that were dealt when the bot stopped."""
        self.bot.delivery.send_again()

    @handles(TableAction.DEAL)
    async def deal(self, interaction: Interaction, press: TablePress) -> None:
        """Deals the round."""
        command = Deal(press.presser, round_number=press.meant_round)
        await self.bot.carry_out(interaction, press.table_id, command)

    @handles(TableAction.REVEAL)
    async def reveal(self, interaction: Interaction, press: TablePress) -> None:
        """Reveals the member's hand."""
        command = RevealHand(press.presser, press.meant_round)
        await self.bot.carry_out(interaction, press.table_id, command)

    @handles(TableAction.HAND)
    async def look(self, interaction: Interaction, press: TablePress) -> None:
        """Shows the member's panel."""
        await self.bot.panels.show(interaction, table_or_raise(self.bot.croupier, press.table_id))

    @handles(TableAction.MESSAGES)
    async def message_again(self, interaction: Interaction, press: TablePress) -> None:
        """Tries direct messages to the member again."""
        await self.bot.delivery.retry(interaction, table_or_raise(self.bot.croupier, press.table_id))

    @app_commands.command(name="hand", description=command_text("command.hand"))
    @app_commands.describe(table=command_text("option.table"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def hand(self, interaction: Interaction, table: str | None = None) -> None:
        """Shows the member's panel of a table."""
        state = self.bot.choose_table(interaction, table)
        await self.bot.panels.show(interaction, state)

    @hand.autocomplete("table")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The tables that fit what is typed."""
        return suggest_tables(interaction, self.bot.croupier, typed)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Dealing(bot))
