"""*How to play*: the rules in force, one screen at a time."""

from discord import app_commands
from discord.ext import commands

from bot.games.register import GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName
from bot.ui.bot import GnauBot
from bot.ui.guide.view import overview_view, page_view
from bot.ui.hand.pictures import render_examples
from bot.ui.odds import odds_for
from bot.ui.press.command_texts import choices, command_text
from bot.ui.press.custom_ids import TableAction, TablePress
from bot.ui.press.errors import MemberError
from bot.ui.press.guide_ids import GuideAction, GuidePage, GuidePress
from bot.ui.press.replies import Interaction, replace_pressed, reply_guide
from bot.ui.press.router import handles
from bot.ui.press.table_choice import chosen_game, table_or_raise
from bot.wire.requests import Content, defer_update


class Rules(commands.Cog):
    """The command, the menu entry and the buttons that show how to play."""

    rules = app_commands.Group(name="rules", description=command_text("command.rules"), guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @rules.command(name="show", description=command_text("command.rules.show"))
    @app_commands.describe(game=command_text("option.open.game"))
    @app_commands.choices(game=choices("game", GAMES))
    async def show(self, interaction: Interaction, game: str | None = None) -> None:
        """Shows how to play a game by the rules of this server."""
        name = await chosen_game(interaction, self.bot.croupier, game)
        await self._show(interaction, self._rules(interaction, name))

    @handles(TableAction.RULES)
    async def show_at_table(self, interaction: Interaction, press: TablePress) -> None:
        """Shows how to play by the rules in force at a table."""
        table = table_or_raise(self.bot.croupier, press.table_id)
        await self._show(interaction, table.rules, table.table_id)

    @handles(GuideAction.TURN)
    async def turn_page(self, interaction: Interaction, press: GuidePress) -> None:
        """Shows another page in place of the one where the button is."""
        rules = self._rules(interaction, press.game, press.table_id)
        if press.page is GuidePage.OVERVIEW:
            examples = await render_examples(rules)
            view = overview_view(rules, _server(interaction), examples, press.table_id)
            await replace_pressed(interaction, Content(view, files=[examples]))
            return
        odds = None
        if press.page is GuidePage.ODDS:
            # Counting may take some seconds, the first time.
            await defer_update(interaction)
            odds = await odds_for(rules)
        view = page_view(press.page, rules, odds, press.table_id)
        await replace_pressed(interaction, Content(view, files=[]))

    async def _show(self, interaction: Interaction, rules: HouseRules, table_id: int | None = None) -> None:
        examples = await render_examples(rules)
        view = overview_view(rules, _server(interaction), examples, table_id)
        await reply_guide(interaction, view, [examples])

    def _rules(self, interaction: Interaction, game: GameName, table_id: int | None = None) -> HouseRules:
        """The rules in force at a table while it is open; else those of a game on this server.

        Raises:
            MemberError: if the table is on another server.
        """
        table = None if table_id is None else self.bot.croupier.tables.get(table_id)
        if table is None:
            return self.bot.houses.house_of(_server(interaction)).rules(game)
        if table.server_id != _server(interaction):
            raise MemberError("reply.other_server")
        return table.rules


def _server(interaction: Interaction) -> int:
    """The server that it is shown on.

    Raises:
        MemberError: if it is shown by direct message, where nothing offers it.
    """
    if interaction.guild_id is None:
        raise MemberError("reply.outdated_component")
    return interaction.guild_id


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Rules(bot))
