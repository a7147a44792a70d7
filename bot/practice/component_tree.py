"""Reads a message's raw component tree: its texts, buttons, select menus and pictures."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Kind(IntEnum):
    """The component types that the bot sends, by Discord's numbers."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    CHANNEL_SELECT = 8
    TEXT_DISPLAY = 10
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18


SELECTS = frozenset({Kind.STRING_SELECT, Kind.CHANNEL_SELECT})


@dataclass(frozen=True, slots=True)
class Button:
    """A button as a user sees it. `style`: 1 blurple, 2 grey, 3 green, 4 red."""

    label: str
    custom_id: str
    style: int
    disabled: bool
    emoji: str | None


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a string select."""

    label: str
    value: str
    description: str | None
    emoji: str | None
    default: bool


@dataclass(frozen=True, slots=True)
class Select:
    """A select menu; `options` is empty for a menu of channels."""

    kind: Kind
    custom_id: str
    placeholder: str | None
    options: tuple[Option, ...]
    min_values: int
    max_values: int
    disabled: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a media gallery: its URL and alt text."""

    url: str
    description: str | None


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yields every component, parents before children, in display order."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        if child := component.get("component"):
            yield from walk([child])


def texts(components: list[dict[str, Any]]) -> Iterator[str]:
    """The contents of all text displays."""
    return (part["content"] for part in walk(components) if part["type"] == Kind.TEXT_DISPLAY)


def buttons(components: list[dict[str, Any]]) -> Iterator[Button]:
    """All buttons."""
    for part in walk(components):
        if part["type"] == Kind.BUTTON:
            yield Button(
                label=part.get("label") or "",
                custom_id=part["custom_id"],
                style=part["style"],
                disabled=part.get("disabled", False),
                emoji=_emoji(part),
            )


def select_of(part: dict[str, Any]) -> Select:
    """A raw select component as a `Select`."""
    return Select(
        kind=Kind(part["type"]),
        custom_id=part["custom_id"],
        placeholder=part.get("placeholder"),
        options=tuple(
            Option(
                label=option["label"],
                value=option["value"],
                description=option.get("description"),
                emoji=_emoji(option),
                default=option.get("default", False),
            )
            for option in part.get("options") or ()
        ),
        min_values=part.get("min_values", 1),
        max_values=part.get("max_values", 1),
        disabled=part.get("disabled", False),
    )


def selects(components: list[dict[str, Any]]) -> Iterator[Select]:
    """All select menus."""
    return (select_of(part) for part in walk(components) if part["type"] in SELECTS)


def gallery(components: list[dict[str, Any]]) -> Iterator[Picture]:
    """All pictures of media galleries."""
    for part in walk(components):
        if part["type"] == Kind.MEDIA_GALLERY:
            yield from (Picture(it["media"]["url"], it.get("description")) for it in part["items"])


def _emoji(part: dict[str, Any]) -> str | None:
    emoji = part.get("emoji")
    return emoji.get("name") if emoji else None
