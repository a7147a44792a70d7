"""Passes every press and every form to the cogs: what they are for stands in their custom_id."""

from typing import Any

import discord
from discord.ext import commands

from bot.client import GnauBot
from bot.ui.replies import Interaction
from bot.ui.views.modals import FORM_EVENT, form_values
from bot.ui.views.presses import CHOICE_EVENT, PRESS_EVENT, Press, PressAction, press_of


class Presses(commands.Cog):
    """Hears of buttons, menus and forms, old ones too."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Tells the cogs of what was pressed, or what came back in a form, where it is of a table."""
        data: Any = interaction.data or {}
        press = press_of(data.get("custom_id", ""))
        if press is None:
            return
        if interaction.type is discord.InteractionType.modal_submit:
            self.bot.dispatch(FORM_EVENT, interaction, press, form_values(interaction))
        elif "values" not in data:
            self.bot.dispatch(PRESS_EVENT, interaction, press)
        elif press.action is not PressAction.MORE:
            self.bot.dispatch(CHOICE_EVENT, interaction, press, data["values"])
        elif (chosen := data["values"][0]) in set(PressAction):
            choice = Press(press.table_id, press.round_number, PressAction(chosen))
            self.bot.dispatch(PRESS_EVENT, interaction, choice)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Presses(bot))
