"""The house's rules, for members to read."""

from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.rules.knobs import HouseRules
from bot.words import edge_text, rules_text
from cogs._answers import Interaction, answering, show_text
from cogs._odds import bank_edge
from cogs._tables import table_or_raise
from cogs._views.presses import Press, PressAction


class House(commands.Cog):
    """The commands and buttons about house rules."""

    rules = app_commands.Group(name="rules", description="The rules of this server", guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @rules.command(name="show", description="The rules in force at this server")
    async def show(self, interaction: Interaction) -> None:
        """Shows the rules as text."""
        async with answering(interaction):
            assert interaction.guild_id is not None
            await _show_rules(interaction, self.bot.croupier.house_of(interaction.guild_id).rules())

    @commands.Cog.listener()
    async def on_table_press(self, interaction: Interaction, press: Press) -> None:
        """Shows the rules in force at a table."""
        if press.action is PressAction.RULES:
            async with answering(interaction):
                await _show_rules(interaction, table_or_raise(self.bot.croupier, press.table_id).rules)


async def _show_rules(interaction: Interaction, rules: HouseRules) -> None:
    """Shows rules, and what they make of the bank, to this person alone."""
    await show_text(interaction, f"{rules_text(rules)}\n\n{edge_text(await bank_edge(rules))}")


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(House(bot))
