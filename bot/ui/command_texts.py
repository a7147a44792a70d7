"""Names and descriptions of slash commands, from the catalogue."""

import discord
from discord import app_commands

from bot.words import english, translations


def command_text(code: str) -> app_commands.locale_str:
    """The English text of a message, with which Discord shows a command; the translator adds the others."""
    return app_commands.locale_str(english(code), code=code)


class CommandTranslator(app_commands.Translator):
    """Translates what `command_text` made."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in Discord's locale; None if there is none."""
        code = string.extras.get("code")
        if code is None:
            return None
        return translations(code).get(locale.value)
