"""Slash commands: their texts and links, and what every command goes through as a press does."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import discord
from discord import app_commands

from bot.rules.typed_text import quote
from bot.ui.press.arrivals import Arrivals
from bot.ui.press.errors import MemberError, Outcome, outcome_of
from bot.ui.press.router import finish, report
from bot.wire.requests import Interaction
from bot.words.po_files import DEFAULT_LOCALE, closest_locale
from bot.words.translation import english, translations


class CommandTree(app_commands.CommandTree[discord.Client]):
    """The slash commands of the bot.

    Args:
        join: lets the bot wait for the current task before it stops; returns False if it stops already.
    """

    def __init__(
        self,
        client: discord.Client,
        arrivals: Arrivals,
        join: Callable[[], bool],
    ) -> None:
        super().__init__(client)
        self._arrivals = arrivals
        self._join = join

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Begins every command and every suggestion; refuses a fraction where a whole number is asked."""
        if not self._join():
            return False
        self._arrivals.begin(interaction)
        wrong = next(_fractions(interaction.data), None)
        if wrong is None:
            return True
        await report(interaction, MemberError("reply.not_whole", value=quote(wrong)))
        finish(interaction, command_name(interaction), Outcome("refused", "not_whole"))
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


def command_text(code: str) -> app_commands.locale_str:
    """The English text of a message, with which Discord shows a command; the translator adds the others."""
    return app_commands.locale_str(english(code), code=code)


def choices(room: str, values: Iterable[str]) -> list[app_commands.Choice[str]]:
    """A command's choices, each named by the message `<room>.<value>`."""
    return [app_commands.Choice(name=command_text(f"{room}.{value}"), value=value) for value in values]


class CommandTranslator(app_commands.Translator):
    """Translates what `command_text` made, and the names of commands and their options.

    discord.py asks for each text in each of Discord's locales: thousands of times at a start.
    """

    def __init__(self) -> None:
        self._closest = cache(closest_locale)
        self._translations = cache(translations)

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in Discord's locale; None if there is none."""
        closest = self._closest(locale.value)
        if closest == DEFAULT_LOCALE:
            return None
        code = string.extras.get("code") or name_code(context)
        return None if code is None else self._translations(code).get(closest)


def name_code(context: app_commands.TranslationContextTypes) -> str | None:
    """The code of the name of a command, a group or an option; None for anything else."""
    match context.location:
        case (
            app_commands.TranslationContextLocation.command_name
            | app_commands.TranslationContextLocation.group_name
        ):
            return f"name.{context.data.qualified_name.replace(' ', '.')}"
        case app_commands.TranslationContextLocation.parameter_name:
            return f"name.option.{context.data.display_name}"
        case _:
            return None
