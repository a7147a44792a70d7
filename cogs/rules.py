"""The rules of the house, for members to read."""

from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.rules.knobs import GameName, HouseRules
from bot.ui.odds import odds_for
from bot.ui.replies import Interaction, answering, defer, fill_reply
from bot.ui.table_choice import table_or_raise
from bot.ui.views.house_previews import sentence_view
from bot.ui.views.presses import Press, PressAction
from bot.words import game_title, odds_words, rules_text


class Rules(commands.Cog):
    """The command and the buttons that tell the rules."""

    rules = app_commands.Group(name="rules", description="The rules of this server", guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @rules.command(name="show", description="The rules in force at this server")
    @app_commands.describe(game="Of which game; Gnau, if none is named")
    @app_commands.choices(game=[app_commands.Choice(name=game_title(name), value=name) for name in GameName])
    async def show(self, interaction: Interaction, game: str = GameName.GNAU) -> None:
        """Shows the rules of a game as text."""
        async with answering(interaction):
            assert interaction.guild_id is not None
            house = self.bot.houses.house_of(interaction.guild_id)
            await _show_rules(interaction, house.rules(GameName(game)))

    @commands.Cog.listener()
    async def on_table_press(self, interaction: Interaction, press: Press) -> None:
        """Shows the rules in force at a table."""
        if press.action is PressAction.RULES:
            async with answering(interaction):
                await _show_rules(interaction, table_or_raise(self.bot.croupier, press.table_id).rules)


async def _show_rules(interaction: Interaction, rules: HouseRules) -> None:
    """Shows rules, and what they make of the bank, to this person alone."""
    await defer(interaction)
    text = f"{rules_text(rules)}\n\n{odds_words(await odds_for(rules))}"
    await fill_reply(interaction, sentence_view(text))


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Rules(bot))
