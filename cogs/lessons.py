"""`/learn`: five hands, one after another, each with a question. Chips never move, and nothing is stored."""

from random import SystemRandom

from discord import app_commands
from discord.ext import commands

from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.games.lesson import LESSON, exercise
from bot.games.register import DEFAULT_GAME, GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName
from bot.ui.bot import GnauBot
from bot.ui.components import Layout, button
from bot.ui.guide.lesson import answer_view, first_press, question_view, result_view
from bot.ui.hand.pictures import render_arranged, render_dealt
from bot.ui.press.command_links import with_links
from bot.ui.press.command_texts import choices, command_text
from bot.ui.press.guide_ids import NO_SERVER, GuidePage, GuidePress, LessonAction, LessonPress
from bot.ui.press.private_replies import Kind
from bot.ui.press.replies import Interaction, replace_pressed, reply_guide
from bot.ui.press.router import handles
from bot.ui.press.table_choice import game_here, tables_within_reach
from bot.wire.requests import Attachment, Content
from bot.words.translation import translate, typed_command


class Lessons(commands.Cog):
    """The command and the buttons of a lesson."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(name="learn", description=command_text("command.learn"))
    @app_commands.describe(game=command_text("option.open.game"))
    @app_commands.choices(game=choices("game", GAMES))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def learn(self, interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        """Asks the first question of a lesson."""
        server_id, played = await self._where(interaction)
        view, picture = await self._question(first_press(server_id, played if game is None else game.value))
        await reply_guide(interaction, view, [picture], Kind.LESSON)

    @handles(LessonAction.NEXT)
    async def go_on(self, interaction: Interaction, press: LessonPress) -> None:
        """Asks the next question; after the last one, says how many answers were right."""
        if press.question > len(LESSON):
            await replace_pressed(interaction, Content(self._result(interaction, press), files=[]))
            return
        view, picture = await self._question(press)
        await replace_pressed(interaction, Content(view, files=[picture]))

    @handles(LessonAction.ANSWER)
    async def explain(self, interaction: Interaction, press: LessonPress) -> None:
        """Says whether an answer is right, and why."""
        rules = self._rules(press)
        arranged = await render_arranged(evaluate(press.pieces, rules))
        await replace_pressed(interaction, Content(answer_view(press, rules, arranged), files=[arranged]))

    async def _question(self, press: LessonPress) -> tuple[Layout, Attachment]:
        rules = self._rules(press)
        asked = exercise(press.question, press.plan, rules, SystemRandom())
        dealt = await render_dealt(asked.pieces, rules.game)
        return question_view(press, asked, rules, dealt), dealt

    def _result(self, interaction: Interaction, press: LessonPress) -> Layout:
        if interaction.guild_id is None:
            return result_view(
                press, translate("learn.then_play_elsewhere", command=typed_command("play")), []
            )
        then = with_links(interaction, translate("learn.then_play"))
        guide = GuidePress(GuidePage.OVERVIEW, press.game)
        return result_view(press, then, [button(guide, translate("guide.button.overview"))])

    def _rules(self, press: LessonPress) -> HouseRules:
        """The rules that a lesson goes by: those of its server, or those that houses start with."""
        if press.server_id == NO_SERVER:
            return PRESETS[GAMES[press.game].default_preset]
        return self.bot.houses.house_of(press.server_id).rules(press.game)

    async def _where(self, interaction: Interaction) -> tuple[int, GameName]:
        """The server whose rules count, and the game that is played here."""
        within = tables_within_reach(interaction, self.bot.croupier)
        if interaction.guild_id is None:
            newest = next(iter(within), None)
            return (NO_SERVER, DEFAULT_GAME) if newest is None else (newest.server_id, newest.rules.game)
        here = next((one for one in within if one.channel_id == interaction.channel_id), None)
        if here is not None:
            return interaction.guild_id, here.rules.game
        return interaction.guild_id, await game_here(interaction, self.bot.croupier)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Lessons(bot))
