"""What Discord accepts as a select menu in a message or modal, and how it returns one."""

from typing import Any, Final

from bot.practice.component_tree import Kind
from bot.practice.validation.validator import Path, Validator

MOST_OPTIONS: Final = 25

DEFAULT_KINDS: Final = {
    Kind.USER_SELECT: ("user",),
    Kind.ROLE_SELECT: ("role",),
    Kind.MENTIONABLE_SELECT: ("user", "role"),
    Kind.CHANNEL_SELECT: ("channel",),
}
"""What each menu without its own options offers, by Discord's names."""

_CHANNEL_KINDS: Final = (0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16)

Json = dict[str, Any]


def check_select(validator: Validator, path: Path, part: Json, *, in_modal: bool = False) -> Json:
    """Checks a select menu and returns it with defaults filled in.

    Args:
        validator: collects the errors.
        path: the place of the menu in the body.
        part: the raw menu.
        in_modal: whether it is in a modal. There it can't be disabled, and needs a value if it is required.
    """
    validator.text((*path, "custom_id"), part.get("custom_id"), 1, 100)
    validator.text((*path, "placeholder"), part.get("placeholder"), 0, 150, required=False)
    least = validator.integer((*path, "min_values"), part.get("min_values"), 0, MOST_OPTIONS, 1)
    most = validator.integer((*path, "max_values"), part.get("max_values"), 1, MOST_OPTIONS, 1)
    if least > most:
        validator.add_error((*path, "min_values"), "SELECT_COMPONENT_MIN_VALUES")
    if in_modal and part.get("disabled"):
        validator.add_error((*path, "disabled"), "SELECT_COMPONENT_DISABLED_IN_MODAL")
    if in_modal and least == 0 and part.get("required") is not False:
        validator.add_error((*path, "min_values"), "SELECT_COMPONENT_REQUIRED_MIN_VALUES")
    kept: Json = {"custom_id": part.get("custom_id"), "min_values": least, "max_values": most}
    for key in ("placeholder", "disabled", "required"):
        if part.get(key) is not None:
            kept[key] = part[key]
    if part["type"] == Kind.STRING_SELECT:
        return kept | {"options": _options(validator, path, part, most)}
    return kept | _offered(validator, path, part, least, most)


def _options(validator: Validator, path: Path, part: Json, most: int) -> list[Json]:
    """The options of a string select."""
    here = (*path, "options")
    options = validator.items(here, part.get("options"), 1, MOST_OPTIONS)
    seen: set[str] = set()
    for place, option in enumerate(options):
        validator.text((*here, place, "label"), option.get("label"), 1, 100)
        validator.text((*here, place, "description"), option.get("description"), 0, 100, required=False)
        if validator.text((*here, place, "value"), option.get("value"), 1, 100):
            if option["value"] in seen:
                validator.add_error((*here, place, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED")
            seen.add(option["value"])
    if options and most > len(options):
        validator.add_error((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES")
    if sum(bool(option.get("default")) for option in options) > most:
        validator.add_error(here, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES")
    return [{key: value for key, value in option.items() if value is not None} for option in options]


def _offered(validator: Validator, path: Path, part: Json, least: int, most: int) -> Json:
    """The channel types and default values of a menu of users, roles or channels."""
    kept: Json = {}
    here = (*path, "default_values")
    defaults = validator.items(here, part.get("default_values"), 0, MOST_OPTIONS)
    kinds = DEFAULT_KINDS[Kind(part["type"])]
    for place, value in enumerate(defaults):
        if value.get("type") not in kinds:
            validator.add_error((*here, place, "type"), "BASE_TYPE_CHOICES", listed=", ".join(kinds))
        if not str(value.get("id")).isdecimal():
            validator.add_error((*here, place, "id"), "NUMBER_TYPE_COERCE")
    if defaults and not least <= len(defaults) <= most:
        validator.add_error(here, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES")
    if defaults:
        kept["default_values"] = [{"type": it.get("type"), "id": str(it.get("id"))} for it in defaults]
    if part["type"] == Kind.CHANNEL_SELECT and part.get("channel_types"):
        for place, kind in enumerate(part["channel_types"]):
            validator.one_of((*path, "channel_types", place), kind, _CHANNEL_KINDS)
        kept["channel_types"] = part["channel_types"]
    return kept
