"""Slash commands as Discord's client shows them to somebody, in their language."""

from typing import Any

from bot.practice.command_input import AvailableCommand, in_language

Json = dict[str, Any]


def localized_command(command: AvailableCommand, locale: str) -> Json:
    """A command for one user.

    Args:
        command: the command.
        locale: the language of their client.

    Returns:
        `name`, the full name that is sent; `shown`, the name in their language; `description`; and the raw
        `options`, each with `shown` and with its texts in their language.
    """
    return {
        "name": command.name,
        "shown": command.shown(locale),
        "description": in_language(command.leaf, "description", locale),
        "options": [_localized_option(option, locale) for option in command.options],
    }


def _localized_option(option: Json, locale: str) -> Json:
    localized = option | {
        "shown": in_language(option, "name", locale),
        "description": in_language(option, "description", locale),
    }
    if choices := option.get("choices"):
        localized["choices"] = [choice | {"name": in_language(choice, "name", locale)} for choice in choices]
    return localized
