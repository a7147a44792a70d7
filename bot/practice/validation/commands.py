"""What Discord accepts as an application command, and how it returns one."""

import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final

from bot.practice.errors import Path, Validator

MOST_COMMANDS: Final = 100
"""Slash commands of one scope: global, or one server."""
MOST_OPTIONS: Final = 25
MOST_CHOICES: Final = 25
MOST_CHARACTERS: Final = 8000
"""Names, descriptions and choices of one command, added up."""

CHAT_INPUT: Final = 1
OF_A_MEMBER: Final = 2
"""The commands that are typed, and those in the menu of a member."""


class OptionKind(IntEnum):
    """Option types, by Discord's numbers; the bot's commands have no others."""

    SUBCOMMAND = 1
    SUBCOMMAND_GROUP = 2
    STRING = 3
    INTEGER = 4
    USER = 6


INNER: Final = (OptionKind.SUBCOMMAND, OptionKind.SUBCOMMAND_GROUP)
_VALUES: Final = tuple(kind for kind in OptionKind if kind not in INNER)
_CHOSEN: Final = {OptionKind.STRING: str, OptionKind.INTEGER: int}
"""The options that can have choices, and what each choice is."""


def valid_name(name: object) -> bool:
    """Whether this can name a slash command or option: 1–32 lower-case letters, digits, - _ '."""
    if not isinstance(name, str) or not 1 <= len(name) <= 32 or name != name.lower():
        return False
    return all(char in "-_'" or _is_letter_or_digit(char) for char in name)


def _is_letter_or_digit(char: str) -> bool:
    # Hindi and Thai write vowels as marks; Discord accepts marks only in these two scripts.
    return unicodedata.category(char)[0] in "LN" or unicodedata.name(char, "").startswith(
        ("DEVANAGARI", "THAI")
    )


def check_command(validator: Validator, path: Path, raw: dict[str, Any]) -> None:
    """Checks one command; errors go to the validator."""
    kind = raw.get("type") or CHAT_INPUT
    if not validator.one_of((*path, "type"), kind, (CHAT_INPUT, OF_A_MEMBER)):
        return
    if kind == OF_A_MEMBER:
        for name in (raw.get("name"), *(raw.get("name_localizations") or {}).values()):
            validator.text((*path, "name"), name, 1, 32)
        return
    _check_name(validator, path, raw)
    validator.text((*path, "description"), raw.get("description"), 1, 100)
    _check_options(validator, (*path, "options"), raw.get("options"), tuple(OptionKind))
    if _characters(raw) > MOST_CHARACTERS:
        validator.add_error(path, "APPLICATION_COMMAND_TOO_LARGE", most=MOST_CHARACTERS)


def check_commands(validator: Validator, raws: Sequence[dict[str, Any]]) -> None:
    """Checks all commands of one scope: each one, their number, and duplicate names."""
    if len(raws) > MOST_COMMANDS:
        validator.add_error((), "BASE_TYPE_BAD_LENGTH", least=0, most=MOST_COMMANDS)
    seen: set[object] = set()
    for place, raw in enumerate(raws):
        check_command(validator, (place,), raw)
        if raw.get("name") in seen:
            validator.add_error((place,), "APPLICATION_COMMANDS_DUPLICATE_NAME")
        seen.add(raw.get("name"))


def stored_command(
    raw: dict[str, Any], command_id: int, application_id: int, version: int, guild_id: int | None
) -> dict[str, Any]:
    """The command as Discord returns it: with ids and defaults filled in."""
    needed = raw.get("default_member_permissions")
    kept: dict[str, Any] = {
        "id": str(command_id),
        "application_id": str(application_id),
        "version": str(version),
        "type": raw.get("type") or CHAT_INPUT,
        "name": raw["name"],
        "name_localizations": raw.get("name_localizations"),
        "description": raw.get("description") or "",
        "description_localizations": raw.get("description_localizations"),
        "default_member_permissions": None if needed is None else str(needed),
        "dm_permission": raw.get("dm_permission") is not False,
        "contexts": raw.get("contexts"),
        "integration_types": raw.get("integration_types") or [0],
        "nsfw": bool(raw.get("nsfw")),
        "options": raw.get("options") or [],
    }
    if guild_id is not None:
        kept["guild_id"] = str(guild_id)
        # A command of one server does not appear in DMs.
        del kept["dm_permission"]
    return kept


def _check_name(validator: Validator, path: Path, raw: dict[str, Any]) -> None:
    here = (*path, "name")
    if validator.text(here, raw.get("name"), 1, 32) and not valid_name(raw["name"]):
        validator.add_error(here, "APPLICATION_COMMAND_INVALID_NAME")
    for locale, name in (raw.get("name_localizations") or {}).items():
        if not valid_name(name):
            here = (*path, "name_localizations", locale)
            validator.add_error(here, "APPLICATION_COMMAND_INVALID_NAME")
    for locale, words in (raw.get("description_localizations") or {}).items():
        validator.text((*path, "description_localizations", locale), words, 1, 100)


def _check_options(validator: Validator, path: Path, raw: object, allowed: Sequence[OptionKind]) -> None:
    options = validator.items(path, raw, 0, MOST_OPTIONS)
    if len({option.get("type") in INNER for option in options}) > 1:
        validator.add_error(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID")
        return
    seen: set[object] = set()
    optional_seen = False
    for place, option in enumerate(options):
        here = (*path, place)
        if not validator.one_of((*here, "type"), option.get("type"), allowed):
            continue
        _check_name(validator, here, option)
        validator.text((*here, "description"), option.get("description"), 1, 100)
        if option.get("name") in seen:
            validator.add_error((*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED")
        seen.add(option.get("name"))
        kind = OptionKind(option["type"])
        if kind in INNER:
            allowed_here = _VALUES if kind is OptionKind.SUBCOMMAND else (OptionKind.SUBCOMMAND,)
            _check_options(validator, (*here, "options"), option.get("options"), allowed_here)
        else:
            if option.get("required") and optional_seen:
                validator.add_error(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID")
            optional_seen = optional_seen or not option.get("required")
            _check_choices(validator, here, option, kind)


def _check_choices(validator: Validator, path: Path, option: dict[str, Any], kind: OptionKind) -> None:
    here = (*path, "choices")
    choices = validator.items(here, option.get("choices"), 0, MOST_CHOICES)
    if (choices or option.get("autocomplete")) and kind not in _CHOSEN:
        validator.add_error(path, "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID")
    if choices and option.get("autocomplete"):
        validator.add_error(path, "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES")
    check_choices(validator, here, choices, kind)


def check_choices(
    validator: Validator, path: Path, choices: Sequence[dict[str, Any]], kind: OptionKind
) -> None:
    """Checks listed choices or autocomplete suggestions for an option of this kind."""
    wanted = _CHOSEN.get(kind, ())
    for place, choice in enumerate(choices):
        validator.text((*path, place, "name"), choice.get("name"), 1, 100)
        value = choice.get("value")
        if not isinstance(value, wanted) or isinstance(value, bool):
            validator.add_error((*path, place, "value"), "APPLICATION_COMMAND_OPTIONS_VALUE_INVALID")
        elif isinstance(value, str):
            validator.text((*path, place, "value"), value, 1, 100)


def _characters(raw: dict[str, Any]) -> int:
    """The number of characters Discord counts: for each text, its longest translation."""
    count = 0
    for key in ("name", "description"):
        words = [raw.get(key) or "", *(raw.get(f"{key}_localizations") or {}).values()]
        count += max(map(len, words))
    for choice in raw.get("choices") or ():
        count += len(str(choice.get("name"))) + len(str(choice.get("value")))
    return count + sum(map(_characters, raw.get("options") or ()))
