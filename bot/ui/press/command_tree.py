"""Runs slash commands through what every press goes through too, and refuses impossible options."""

import logging
from collections.abc import Callable, Iterator
from typing import Any

import discord
from discord import app_commands

from bot.rules.typed_text import quote
from bot.ui.press.errors import MemberError, outcome_of
from bot.ui.press.interactions import Reception, finish, report
from bot.ui.press.replies import Interaction

log = logging.getLogger(__name__)


class CommandTree(app_commands.CommandTree[discord.Client]):
    """The slash commands of the bot.

    Args:
        client: the bot.
        reception: receives every interaction.
        join: lets the bot wait for the current task before it stops; returns False if it stops already.
    """

    def __init__(
        self,
        client: discord.Client,
        reception: Reception,
        join: Callable[[], bool],
    ) -> None:
        super().__init__(client)
        self._reception = reception
        self._join = join

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Begins every command and every suggestion; refuses a fraction where a whole number is asked."""
        if not self._join():
            return False
        self._reception.begin(interaction)
        wrong = next(_fractions(interaction.data), None)
        if wrong is None:
            return True
        await report(interaction, MemberError("reply.not_whole", value=quote(wrong)))
        finish(interaction, command_name(interaction), "not_whole")
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answers a command that failed with one sentence."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        answerable = await report(interaction, cause)
        finish(interaction, command_name(interaction), outcome_of(cause), answerable=answerable)


def command_name(interaction: Interaction) -> str:
    """What the log calls a command."""
    command = interaction.command
    return "unknown-command" if command is None else f"/{command.qualified_name}"


def _fractions(data: Any) -> Iterator[str]:
    """What options for whole numbers, those of sub-commands included, bring instead."""
    for option in (data or {}).get("options", ()):
        yield from _fractions(option)
        whole = option.get("type") == discord.AppCommandOptionType.integer.value
        # While somebody types, a suggestion's option holds the text so far.
        if whole and not option.get("focused") and type(option.get("value")) is not int:
            yield str(option.get("value"))
