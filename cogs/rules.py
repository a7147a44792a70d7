"""The rules of the house, for members to read."""

from discord import app_commands
from discord.ext import commands

from bot.games.register import DEFAULT_GAME, GAMES
from bot.rules.house_rules import HouseRules
from bot.ui.bot import GnauBot
from bot.ui.command_texts import choices, command_text
from bot.ui.custom_ids import TableAction, TablePress
from bot.ui.odds import odds_for
from bot.ui.replies import Interaction, fill_reply
from bot.ui.router import handles
from bot.ui.table_choice import chosen_game, table_or_raise
from bot.ui.views.components import text_view
from bot.wire.requests import defer
from bot.words import odds_words, rules_text


class Rules(commands.Cog):
    """The command and the menu entry that show the rules."""

    rules = app_commands.Group(name="rules", description=command_text("command.rules"), guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @rules.command(name="show", description=command_text("command.rules.show"))
    @app_commands.describe(game=command_text("option.rules.game"))
    @app_commands.choices(game=choices("game", GAMES))
    async def show(self, interaction: Interaction, game: str = DEFAULT_GAME) -> None:
        """Shows the rules of a game."""
        assert interaction.guild_id is not None
        house = self.bot.houses.house_of(interaction.guild_id)
        await _show_rules(interaction, house.rules(chosen_game(game)))

    @handles(TableAction.RULES)
    async def show_at_table(self, interaction: Interaction, press: TablePress) -> None:
        """Shows the rules in force at a table."""
        await _show_rules(interaction, table_or_raise(self.bot.croupier, press.table_id).rules)


async def _show_rules(interaction: Interaction, rules: HouseRules) -> None:
    """Shows rules, and the odds they make, to this person alone."""
    await defer(interaction)
    text = f"{rules_text(rules)}\n\n{odds_words(await odds_for(rules))}"
    await fill_reply(interaction, text_view(text))


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Rules(bot))
