"""What Discord accepts as the components of a message or modal, and how it returns them."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.practice.component_tree import SELECTS, Kind, walk
from bot.practice.errors import Path, Validator

MOST_COMPONENTS: Final = 40
MOST_TEXT: Final = 4000
MOST_OPTIONS: Final = 25

_IN_CONTAINER: Final = (
    Kind.ACTION_ROW,
    Kind.TEXT_DISPLAY,
    Kind.MEDIA_GALLERY,
    Kind.FILE,
    Kind.SEPARATOR,
)
_TOP: Final = (*_IN_CONTAINER, Kind.CONTAINER)
_IN_ROW: Final = (Kind.BUTTON, *sorted(SELECTS))
_IN_MODAL: Final = (Kind.TEXT_DISPLAY, Kind.LABEL)
_IN_LABEL: Final = (Kind.TEXT_INPUT, *sorted(SELECTS))
"""Discord has more kinds everywhere; the bot sends none of them."""
_BUTTON_STYLES: Final = (1, 2, 3, 4)
_INPUT_STYLES: Final = (1, 2)
"""A line or a paragraph."""
_CHANNEL_KINDS: Final = (0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16)

Json = dict[str, Any]
Media = Callable[[str], Json | None]
"""Returns Discord's description of the media at a URL, or None if there is none."""


class MessageComponents:
    """Checks one message's components.

    Errors go to the validator, under `components`. Valid components come back as Discord returns them: with
    ids, defaults, and resolved `attachment://` URLs.
    """

    def __init__(self, validator: Validator, media: Media, path: Path = ("components",)) -> None:
        self._validator = validator
        self._media = media
        self._path = path
        self._custom_ids: set[str] = set()

    def check(self, components: list[Json]) -> list[Json]:
        """The components as they are stored."""
        validator, path = self._validator, self._path
        if len(list(walk(components))) > MOST_COMPONENTS:
            validator.add_error(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", most=MOST_COMPONENTS)
            return []
        kept = self._children(path, components, _TOP)
        written = sum(len(part["content"]) for part in walk(kept) if part["type"] == Kind.TEXT_DISPLAY)
        if written > MOST_TEXT:
            validator.add_error(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", most=MOST_TEXT)
        number_components(validator, path, kept)
        return kept

    def _children(self, path: Path, parts: list[Json], allowed: Sequence[Kind]) -> list[Json]:
        kept = (self._component((*path, place), part, allowed) for place, part in enumerate(parts))
        return [part for part in kept if part is not None]

    def _component(self, path: Path, part: Any, allowed: Sequence[Kind]) -> Json | None:
        if not isinstance(part, dict):
            self._validator.add_error(path, "DICT_TYPE_CONVERT")
            return None
        if not self._validator.one_of((*path, "type"), part.get("type"), allowed):
            return None
        kind = Kind(part["type"])
        kept: Json = {"type": int(kind)}
        if part.get("id"):
            kept["id"] = self._validator.integer((*path, "id"), part["id"], 0, 2**31 - 1, 0)
        match kind:
            case Kind.ACTION_ROW:
                kept["components"] = self._row(path, part)
            case Kind.BUTTON:
                kept |= self._button(path, part)
            case Kind.TEXT_DISPLAY:
                right = self._validator.text((*path, "content"), part.get("content"), 1, MOST_TEXT)
                kept["content"] = part["content"] if right else ""
            case Kind.MEDIA_GALLERY:
                items = self._validator.items((*path, "items"), part.get("items"), 1, 10)
                kept["items"] = [self._picture((*path, "items", n), item) for n, item in enumerate(items)]
            case Kind.FILE:
                media = self._resolve((*path, "file"), part.get("file"))
                kept |= {"file": media, "spoiler": False}
                kept |= {"name": media.get("url", "").rsplit("/", 1)[-1], "size": media.pop("size", None)}
            case Kind.SEPARATOR:
                kept |= {"spacing": 1, "divider": True}
            case Kind.CONTAINER:
                kept |= self._container(path, part)
            case _:
                kept |= check_select(self._validator, path, part)
                self._claim((*path, "custom_id"), kept.get("custom_id"))
        return kept

    def _row(self, path: Path, part: Json) -> list[Json]:
        here = (*path, "components")
        children = self._validator.items(here, part.get("components"), 1, 5)
        if len(children) > 1 and any(child.get("type") in SELECTS for child in children):
            # A select fills the whole row.
            self._validator.add_error(here, "COMPONENT_LAYOUT_WIDTH_EXCEEDED")
            return []
        return self._children(here, children, _IN_ROW)

    def _container(self, path: Path, part: Json) -> Json:
        here = (*path, "components")
        children = self._validator.items(here, part.get("components"), 1, MOST_COMPONENTS)
        colour = part.get("accent_color")
        if colour is not None:
            colour = self._validator.integer((*path, "accent_color"), colour, 0, 0xFFFFFF, 0)
        return {
            "accent_color": colour,
            "spoiler": False,
            "components": self._children(here, children, _IN_CONTAINER),
        }

    def _button(self, path: Path, part: Json) -> Json:
        validator = self._validator
        if not validator.one_of((*path, "style"), part.get("style"), _BUTTON_STYLES):
            return {"style": 1}
        kept: Json = {"style": part["style"], "disabled": bool(part.get("disabled"))}
        if part.get("label") is not None and validator.text((*path, "label"), part["label"], 0, 80):
            kept["label"] = part["label"]
        if part.get("emoji"):
            kept["emoji"] = part["emoji"]
        if validator.text((*path, "custom_id"), part.get("custom_id"), 1, 100):
            kept["custom_id"] = part["custom_id"]
            self._claim((*path, "custom_id"), part["custom_id"])
        if not part.get("label") and not part.get("emoji"):
            validator.add_error(path, "BUTTON_COMPONENT_INVALID_LABEL")
        return kept

    def _picture(self, path: Path, part: Json) -> Json:
        self._validator.text((*path, "description"), part.get("description"), 1, 1024, required=False)
        media = self._resolve((*path, "media"), part.get("media"))
        media.pop("size", None)
        return {"media": media, "description": part.get("description"), "spoiler": False}

    def _resolve(self, path: Path, media: Any) -> Json:
        url = media.get("url") if isinstance(media, dict) else None
        if not self._validator.text((*path, "url"), url, 1, 2048):
            return {}
        found = self._media(str(url))
        if found is None:
            self._validator.add_error((*path, "url"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND")
        return dict(found or {})

    def _claim(self, path: Path, custom_id: str | None) -> None:
        if custom_id is None:
            return
        if custom_id in self._custom_ids:
            self._validator.add_error(path, "COMPONENT_CUSTOM_ID_DUPLICATED")
        self._custom_ids.add(custom_id)


def number_components(validator: Validator, path: Path, kept: list[Json]) -> None:
    """Gives every component without an id the lowest free number."""
    every = list(walk(kept))
    given = [part["id"] for part in every if part.get("id")]
    if len(given) != len(set(given)):
        validator.add_error(path, "COMPONENT_ID_DUPLICATED")
    taken, number = set(given), 0
    for part in every:
        if part.get("id"):
            continue
        number += 1
        while number in taken:
            number += 1
        part["id"] = number


def check_select(validator: Validator, path: Path, part: Json, *, in_modal: bool = False) -> Json:
    """Checks a select menu and returns it with defaults filled in.

    In a modal it can't be disabled, and needs a value if it is required.
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
    return kept | _channels(validator, path, part, least, most)


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


def _channels(validator: Validator, path: Path, part: Json, least: int, most: int) -> Json:
    """The channel types and default values of a menu of channels."""
    kept: Json = {}
    here = (*path, "default_values")
    defaults = validator.items(here, part.get("default_values"), 0, MOST_OPTIONS)
    for place, value in enumerate(defaults):
        if value.get("type") != "channel":
            validator.add_error((*here, place, "type"), "BASE_TYPE_CHOICES", listed="channel")
        if not str(value.get("id")).isdecimal():
            validator.add_error((*here, place, "id"), "NUMBER_TYPE_COERCE")
    if defaults and not least <= len(defaults) <= most:
        validator.add_error(here, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES")
    if defaults:
        kept["default_values"] = [{"type": it.get("type"), "id": str(it.get("id"))} for it in defaults]
    if part.get("channel_types"):
        for place, kind in enumerate(part["channel_types"]):
            validator.one_of((*path, "channel_types", place), kind, _CHANNEL_KINDS)
        kept["channel_types"] = part["channel_types"]
    return kept


def check_modal(validator: Validator, path: Path, data: Json) -> Json:
    """Checks a modal and returns it with its components numbered."""
    validator.text((*path, "custom_id"), data.get("custom_id"), 1, 100)
    validator.text((*path, "title"), data.get("title"), 1, 45)
    here = (*path, "components")
    seen: set[str] = set()
    kept = [
        _in_modal(validator, (*here, place), part, seen)
        for place, part in enumerate(validator.items(here, data.get("components"), 1, 5))
    ]
    number_components(validator, here, kept)
    return {"custom_id": data.get("custom_id"), "title": data.get("title"), "components": kept}


def _in_modal(validator: Validator, path: Path, part: Json, seen: set[str]) -> Json:
    if not validator.one_of((*path, "type"), part.get("type"), _IN_MODAL):
        return {"type": 0}
    kept: Json = {"type": part["type"]}
    if part.get("id"):
        kept["id"] = part["id"]
    if part["type"] == Kind.TEXT_DISPLAY:
        validator.text((*path, "content"), part.get("content"), 1, MOST_TEXT)
        return kept | {"content": part.get("content") or ""}
    validator.text((*path, "label"), part.get("label"), 1, 45)
    validator.text((*path, "description"), part.get("description"), 1, 100, required=False)
    kept |= {"label": part.get("label"), "description": part.get("description")}
    inner = part.get("component")
    if not isinstance(inner, dict):
        validator.add_error((*path, "component"), "BASE_TYPE_REQUIRED")
        return kept
    if inner.get("label") is not None:
        validator.add_error((*path, "component", "label"), "TEXT_INPUT_LABEL_INVALID")
    return kept | {"component": _input(validator, (*path, "component"), inner, seen)}


def _input(validator: Validator, path: Path, part: Json, seen: set[str]) -> Json:
    if not validator.one_of((*path, "type"), part.get("type"), _IN_LABEL):
        return {"type": 0}
    kept = {key: value for key, value in part.items() if value is not None}
    if part["type"] == Kind.TEXT_INPUT:
        validator.text((*path, "custom_id"), part.get("custom_id"), 1, 100)
        validator.one_of((*path, "style"), part.get("style"), _INPUT_STYLES)
        validator.text((*path, "placeholder"), part.get("placeholder"), 0, 100, required=False)
        least = validator.integer((*path, "min_length"), part.get("min_length"), 0, 4000, 0)
        most = validator.integer((*path, "max_length"), part.get("max_length"), 1, 4000, 4000)
        if least > most:
            validator.add_error((*path, "min_length"), "TEXT_INPUT_MIN_LENGTH")
        if part.get("value"):
            validator.text((*path, "value"), part["value"], least, most)
    else:
        kept |= check_select(validator, path, part, in_modal=True)
    custom_id = part.get("custom_id")
    if custom_id in seen:
        validator.add_error((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED")
    seen.add(str(custom_id))
    return kept
