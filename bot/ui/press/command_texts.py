"""Names and descriptions of slash commands, from the catalogue."""

from collections.abc import Iterable

import discord
from discord import app_commands

from bot.words.locale import closest_locale
from bot.words.po_files import DEFAULT_LOCALE
from bot.words.translation import english, translations


def command_text(code: str) -> app_commands.locale_str:
    """The English text of a message, with which Discord shows a command; the translator adds the others."""
    return app_commands.locale_str(english(code), code=code)


def choices(room: str, values: Iterable[str]) -> list[app_commands.Choice[str]]:
    """A command's choices, each named by the message `<room>.<value>`."""
    return [app_commands.Choice(name=command_text(f"{room}.{value}"), value=value) for value in values]


class CommandTranslator(app_commands.Translator):
    """Translates what `command_text` made, and the names of commands and their options."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in Discord's locale; None if there is none."""
        code, closest = string.extras.get("code") or name_code(context), closest_locale(locale.value)
        return None if code is None or closest == DEFAULT_LOCALE else translations(code).get(closest)


def name_code(context: app_commands.TranslationContextTypes) -> str | None:
    """The code of the name of a command, a group or an option; None for anything else."""
    match context.location:
        case app_commands.TranslationContextLocation.command_name:
            return f"name.{context.data.qualified_name.replace(' ', '.')}"
        case app_commands.TranslationContextLocation.group_name:
            return f"name.{context.data.qualified_name.replace(' ', '.')}"
        case app_commands.TranslationContextLocation.parameter_name:
            return f"name.option.{context.data.display_name}"
        case _:
            return None
