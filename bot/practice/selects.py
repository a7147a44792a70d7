"""What Discord accepts as a select menu, of a message or of a form, and how it gives one back."""

from typing import Any, Final

from bot.practice.component_tree import Kind
from bot.practice.forms import Form, Path

MOST_OPTIONS: Final = 25

DEFAULT_KINDS: Final = {
    Kind.USER_SELECT: ("user",),
    Kind.ROLE_SELECT: ("role",),
    Kind.MENTIONABLE_SELECT: ("user", "role"),
    Kind.CHANNEL_SELECT: ("channel",),
}
"""What each menu that has no options of its own offers, by Discord's names."""

_CHANNEL_KINDS: Final = (0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16)

Json = dict[str, Any]


def check_select(form: Form, path: Path, part: Json, *, in_form: bool = False) -> Json:
    """Checks a select menu, and gives it back filled out.

    Args:
        form: gathers what is wrong.
        path: where the menu stands in the body.
        part: the raw menu.
        in_form: whether it stands in a modal, where none is greyed, and one that must be answered asks for
            one value at least.
    """
    form.text((*path, "custom_id"), part.get("custom_id"), 1, 100)
    form.text((*path, "placeholder"), part.get("placeholder"), 0, 150, required=False)
    least = form.whole((*path, "min_values"), part.get("min_values"), 0, MOST_OPTIONS, 1)
    most = form.whole((*path, "max_values"), part.get("max_values"), 1, MOST_OPTIONS, 1)
    if least > most:
        form.wrong((*path, "min_values"), "SELECT_COMPONENT_MIN_VALUES")
    if in_form and part.get("disabled"):
        form.wrong((*path, "disabled"), "SELECT_COMPONENT_DISABLED_IN_MODAL")
    if in_form and least == 0 and part.get("required") is not False:
        form.wrong((*path, "min_values"), "SELECT_COMPONENT_REQUIRED_MIN_VALUES")
    kept: Json = {"custom_id": part.get("custom_id"), "min_values": least, "max_values": most}
    for key in ("placeholder", "disabled", "required"):
        if part.get(key) is not None:
            kept[key] = part[key]
    if part["type"] == Kind.STRING_SELECT:
        return kept | {"options": _options(form, path, part, most)}
    return kept | _offered(form, path, part, least, most)


def _options(form: Form, path: Path, part: Json, most: int) -> list[Json]:
    """The options of a menu that has its own."""
    here = (*path, "options")
    options = form.items(here, part.get("options"), 1, MOST_OPTIONS)
    seen: set[str] = set()
    for place, option in enumerate(options):
        form.text((*here, place, "label"), option.get("label"), 1, 100)
        form.text((*here, place, "description"), option.get("description"), 0, 100, required=False)
        if form.text((*here, place, "value"), option.get("value"), 1, 100):
            if option["value"] in seen:
                form.wrong((*here, place, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED")
            seen.add(option["value"])
    if options and most > len(options):
        form.wrong((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES")
    if sum(bool(option.get("default")) for option in options) > most:
        form.wrong(here, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES")
    return [{key: value for key, value in option.items() if value is not None} for option in options]


def _offered(form: Form, path: Path, part: Json, least: int, most: int) -> Json:
    """What a menu of users, roles or channels narrows down and has picked beforehand."""
    kept: Json = {}
    here = (*path, "default_values")
    defaults = form.items(here, part.get("default_values"), 0, MOST_OPTIONS)
    kinds = DEFAULT_KINDS[Kind(part["type"])]
    for place, value in enumerate(defaults):
        if value.get("type") not in kinds:
            form.wrong((*here, place, "type"), "BASE_TYPE_CHOICES", listed=", ".join(kinds))
        if not str(value.get("id")).isdecimal():
            form.wrong((*here, place, "id"), "NUMBER_TYPE_COERCE")
    if defaults and not least <= len(defaults) <= most:
        form.wrong(here, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES")
    if defaults:
        kept["default_values"] = [{"type": it.get("type"), "id": str(it.get("id"))} for it in defaults]
    if part["type"] == Kind.CHANNEL_SELECT and part.get("channel_types"):
        for place, kind in enumerate(part["channel_types"]):
            form.one_of((*path, "channel_types", place), kind, _CHANNEL_KINDS)
        kept["channel_types"] = part["channel_types"]
    return kept
