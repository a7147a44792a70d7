"""What Discord accepts as a message's components, and how it returns them."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.practice.component_tree import SELECTS, Kind, walk
from bot.practice.validation.selects import check_select
from bot.practice.validation.validator import Path, Validator

MOST_COMPONENTS: Final = 40
MOST_TEXT: Final = 4000
MOST_ROWS: Final = 5
"""Rows of a message without the components V2 flag."""

_LEGACY: Final = (Kind.ACTION_ROW,)
_IN_CONTAINER: Final = (
    Kind.ACTION_ROW,
    Kind.SECTION,
    Kind.TEXT_DISPLAY,
    Kind.MEDIA_GALLERY,
    Kind.FILE,
    Kind.SEPARATOR,
)
_TOP: Final = (*_IN_CONTAINER, Kind.CONTAINER)
_IN_ROW: Final = (Kind.BUTTON, *sorted(SELECTS))
_ACCESSORIES: Final = (Kind.BUTTON, Kind.THUMBNAIL)
_LINK, _PREMIUM = 5, 6

Media = Callable[[str], dict[str, Any] | None]
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

    def check(self, components: list[dict[str, Any]], *, v2: bool) -> list[dict[str, Any]]:
        """The components as they are stored.

        Args:
            components: as they were sent.
            v2: whether the message has the components V2 flag.
        """
        validator, path = self._validator, self._path
        every = list(walk(components))
        if v2 and len(every) > MOST_COMPONENTS:
            validator.add_error(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", most=MOST_COMPONENTS)
            return []
        if not validator.length(path, components, 0, MOST_COMPONENTS if v2 else MOST_ROWS):
            return []
        kept = self._children(path, components, _TOP if v2 else _LEGACY)
        written = sum(len(part["content"]) for part in walk(kept) if part["type"] == Kind.TEXT_DISPLAY)
        if written > MOST_TEXT:
            validator.add_error(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", most=MOST_TEXT)
        number_components(validator, path, kept)
        return kept

    def _children(
        self, path: Path, parts: list[dict[str, Any]], allowed: Sequence[Kind]
    ) -> list[dict[str, Any]]:
        kept = (self._component((*path, place), part, allowed) for place, part in enumerate(parts))
        return [part for part in kept if part is not None]

    def _component(self, path: Path, part: Any, allowed: Sequence[Kind]) -> dict[str, Any] | None:
        if not isinstance(part, dict):
            self._validator.add_error(path, "DICT_TYPE_CONVERT")
            return None
        if not self._validator.one_of((*path, "type"), part.get("type"), allowed):
            return None
        kind = Kind(part["type"])
        kept: dict[str, Any] = {"type": int(kind)}
        if part.get("id"):
            kept["id"] = self._validator.integer((*path, "id"), part["id"], 0, 2**31 - 1, 0)
        match kind:
            case Kind.ACTION_ROW:
                kept["components"] = self._row(path, part)
            case Kind.BUTTON:
                kept |= self._button(path, part)
            case Kind.SECTION:
                kept |= self._section(path, part)
            case Kind.TEXT_DISPLAY:
                right = self._validator.text((*path, "content"), part.get("content"), 1, MOST_TEXT)
                kept["content"] = part["content"] if right else ""
            case Kind.THUMBNAIL:
                kept |= self._picture(path, part)
            case Kind.MEDIA_GALLERY:
                items = self._validator.items((*path, "items"), part.get("items"), 1, 10)
                kept["items"] = [self._picture((*path, "items", n), item) for n, item in enumerate(items)]
            case Kind.FILE:
                media = self._resolve((*path, "file"), part.get("file"))
                kept |= {"file": media, "spoiler": bool(part.get("spoiler"))}
                kept |= {"name": media.get("url", "").rsplit("/", 1)[-1], "size": media.pop("size", None)}
            case Kind.SEPARATOR:
                spacing = self._validator.integer((*path, "spacing"), part.get("spacing"), 1, 2, 1)
                divider = part.get("divider")
                kept |= {"spacing": spacing, "divider": True if divider is None else bool(divider)}
            case Kind.CONTAINER:
                kept |= self._container(path, part)
            case _:
                kept |= check_select(self._validator, path, part)
                self._claim((*path, "custom_id"), kept.get("custom_id"))
        return kept

    def _row(self, path: Path, part: dict[str, Any]) -> list[dict[str, Any]]:
        here = (*path, "components")
        children = self._validator.items(here, part.get("components"), 1, 5)
        if len(children) > 1 and any(child.get("type") in SELECTS for child in children):
            # A select fills the whole row.
            self._validator.add_error(here, "COMPONENT_LAYOUT_WIDTH_EXCEEDED")
            return []
        return self._children(here, children, _IN_ROW)

    def _section(self, path: Path, part: dict[str, Any]) -> dict[str, Any]:
        here = (*path, "components")
        texts = self._children(
            here, self._validator.items(here, part.get("components"), 1, 3), (Kind.TEXT_DISPLAY,)
        )
        if part.get("accessory") is None:
            self._validator.add_error((*path, "accessory"), "BASE_TYPE_REQUIRED")
            return {"components": texts}
        accessory = self._component((*path, "accessory"), part["accessory"], _ACCESSORIES)
        return {"components": texts, "accessory": accessory}

    def _container(self, path: Path, part: dict[str, Any]) -> dict[str, Any]:
        here = (*path, "components")
        children = self._validator.items(here, part.get("components"), 1, MOST_COMPONENTS)
        colour = part.get("accent_color")
        if colour is not None:
            colour = self._validator.integer((*path, "accent_color"), colour, 0, 0xFFFFFF, 0)
        return {
            "accent_color": colour,
            "spoiler": bool(part.get("spoiler")),
            "components": self._children(here, children, _IN_CONTAINER),
        }

    def _button(self, path: Path, part: dict[str, Any]) -> dict[str, Any]:
        validator = self._validator
        if not validator.one_of((*path, "style"), part.get("style"), (1, 2, 3, 4, _LINK, _PREMIUM)):
            return {"style": 1}
        kept: dict[str, Any] = {"style": part["style"], "disabled": bool(part.get("disabled"))}
        if part.get("label") is not None and validator.text((*path, "label"), part["label"], 0, 80):
            kept["label"] = part["label"]
        if part.get("emoji"):
            kept["emoji"] = part["emoji"]
        if part["style"] == _LINK:
            validator.text((*path, "url"), part.get("url"), 1, 512)
            kept["url"] = part.get("url")
        elif part["style"] == _PREMIUM:
            validator.text((*path, "sku_id"), part.get("sku_id"), 1, 20)
            kept["sku_id"] = part.get("sku_id")
        elif validator.text((*path, "custom_id"), part.get("custom_id"), 1, 100):
            kept["custom_id"] = part["custom_id"]
            self._claim((*path, "custom_id"), part["custom_id"])
        if part["style"] == _LINK and part.get("custom_id"):
            validator.add_error((*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_AND_URL")
        if part["style"] != _PREMIUM and not part.get("label") and not part.get("emoji"):
            validator.add_error(path, "BUTTON_COMPONENT_INVALID_LABEL")
        return kept

    def _picture(self, path: Path, part: dict[str, Any]) -> dict[str, Any]:
        self._validator.text((*path, "description"), part.get("description"), 1, 1024, required=False)
        media = self._resolve((*path, "media"), part.get("media"))
        media.pop("size", None)
        return {"media": media, "description": part.get("description"), "spoiler": bool(part.get("spoiler"))}

    def _resolve(self, path: Path, media: Any) -> dict[str, Any]:
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


def number_components(validator: Validator, path: Path, kept: list[dict[str, Any]]) -> None:
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
