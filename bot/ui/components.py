"""The building blocks of messages and modals, as Discord's API takes them: plain data, and no objects."""

from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import discord

from bot.rules.server_settings import SERVER_EMOJI
from bot.ui.press.custom_ids import Press

Component = dict[str, Any]
"""A component of a message, or a modal, as the API has it."""
Layout = list[Component]
"""The components of a message, from top to bottom."""

MOST_OPTIONS: Final = 25
"""The most options of a menu, and the most suggestions for an option of a command."""
SHORT_BUTTONS: Final = 3
"""How many buttons with short labels a phone shows beside each other."""
_KIND: Final = {kind: kind.value for kind in discord.ComponentType}


def text(content: str) -> Component:
    """Words, with Discord's markdown."""
    return {"type": _KIND[discord.ComponentType.text_display], "content": content}


def link_to(server_id: int, channel_id: int | None, message_id: int | None = None) -> str:
    """The address of a channel, or of a message in it."""
    parts = (server_id, channel_id, *([] if message_id is None else [message_id]))
    return f"https://discord.com/channels/{'/'.join(map(str, parts))}"


def small_print(lines: Iterable[str]) -> Component:
    """Lines in small letters."""
    return text("\n".join(f"-# {line}" for line in lines))


def separator() -> Component:
    """A line across."""
    return {"type": _KIND[discord.ComponentType.separator]}


def picture(file_name: str, description: str) -> Component:
    """A picture that the message has as an attachment, described for those who cannot see it."""
    item = {"media": {"url": f"attachment://{file_name}"}, "description": description}
    return {"type": _KIND[discord.ComponentType.media_gallery], "items": [item]}


def file(file_name: str) -> Component:
    """A file that the message has as an attachment."""
    return {
        "type": _KIND[discord.ComponentType.file],
        "file": {"url": f"attachment://{file_name}"},
    }


GAIN: Final = 0x56D6C8
"""The colour of a gain: that of ▲ in pictures, and for every eye unlike that of a loss."""
LOSS: Final = 0xFF8054
"""The colour of a loss: that of ▼ in pictures."""


def box(parts: Iterable[Component], accent: int) -> Component:
    """A frame around texts and pictures, with a bar of colour (0xRRGGBB) beside it."""
    return {
        "type": _KIND[discord.ComponentType.container],
        "components": list(parts),
        "accent_color": accent,
    }


def is_framed(components: Sequence[Component]) -> bool:
    """Whether a message begins with such a frame, as Discord has it."""
    return bool(components) and components[0]["type"] == _KIND[discord.ComponentType.container]


def without_buttons(components: Sequence[Component]) -> Layout:
    """What a message of texts and pictures shows, as Discord has it, to keep it without its rows."""
    return [_kept(part) for part in components if part["type"] != _KIND[discord.ComponentType.action_row]]


def texts_below(components: Sequence[Component]) -> str:
    """The text below the rows of a message, as Discord has it; empty without one."""
    last = components[-1] if components else {}
    return str(last["content"]) if last.get("type") == _KIND[discord.ComponentType.text_display] else ""


def _kept(part: Component) -> Component:
    if part["type"] == _KIND[discord.ComponentType.container]:
        return box(map(_kept, part["components"]), part["accent_color"])
    if part["type"] == _KIND[discord.ComponentType.media_gallery]:
        (item,) = part["items"]
        name = urlsplit(item["media"]["url"]).path.rpartition("/")[2]
        return picture(name, item["description"])
    return text(part["content"])


def row(*parts: Component) -> Component:
    """Buttons beside each other, at most five; or one menu."""
    return {"type": _KIND[discord.ComponentType.action_row], "components": list(parts)}


def rows(buttons: Sequence[Component], across: int = SHORT_BUTTONS) -> Layout:
    """Buttons in rows of as many as fit the width of a phone."""
    return [row(*buttons[start : start + across]) for start in range(0, len(buttons), across)]


def button(
    press: Press,
    label: str,
    *,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: str | None = None,
    disabled: bool = False,
) -> Component:
    """A button."""
    made: Component = {
        "type": _KIND[discord.ComponentType.button],
        "style": style.value,
        "label": label_text(label),
        "custom_id": press.custom_id,
        "disabled": disabled,
    }
    if emoji is not None:
        made["emoji"] = {"name": emoji}
    return made


def menu(press: Press, placeholder: str, options: Iterable[Component]) -> Component:
    """A menu in which one of the options is picked."""
    return {
        "type": _KIND[discord.ComponentType.select],
        "custom_id": press.custom_id,
        "placeholder": label_text(placeholder),
        "min_values": 1,
        "max_values": 1,
        "options": list(options),
    }


def option(label: str, value: str, description: str | None = None, *, default: bool = False) -> Component:
    """One of the things that can be picked in a menu."""
    made: Component = {"label": label_text(label), "value": value, "default": default}
    if description is not None:
        made["description"] = label_text(description)
    return made


def modal(press: Press, title: str, parts: Iterable[Component]) -> Component:
    """A modal; its custom_id says what it is, so that a restart loses none."""
    return {"custom_id": press.custom_id, "title": title, "components": list(parts)}


def label(words: str, asked: Component, description: str | None = None) -> Component:
    """What a modal asks for, with the words above it."""
    made: Component = {"type": _KIND[discord.ComponentType.label], "label": words, "component": asked}
    if description is not None:
        made["description"] = description
    return made


def text_input(
    custom_id: str,
    written: str = "",
    *,
    longest: int = 15,
    placeholder: str | None = None,
    required: bool = True,
) -> Component:
    """A line to type in; `written` to begin with."""
    made: Component = {
        "type": _KIND[discord.ComponentType.text_input],
        "style": discord.TextStyle.short.value,
        "custom_id": custom_id,
        "required": required,
        "max_length": longest,
    }
    if written:
        made["value"] = written
    if placeholder is not None:
        made["placeholder"] = placeholder
    return made


def select(custom_id: str, options: Iterable[Component]) -> Component:
    """A choice of one in a modal."""
    return {
        "type": _KIND[discord.ComponentType.select],
        "custom_id": custom_id,
        "required": True,
        "options": list(options),
    }


def channel_select(
    custom_id: str, kinds: Iterable[discord.ChannelType], most: int, picked: Iterable[int]
) -> Component:
    """A choice of channels in a modal; `picked` to begin with."""
    return {
        "type": _KIND[discord.ComponentType.channel_select],
        "custom_id": custom_id,
        "min_values": 0,
        "max_values": most,
        "required": False,
        "channel_types": [kind.value for kind in kinds],
        "default_values": [{"id": str(channel), "type": "channel"} for channel in picked],
    }


def text_view(words: str) -> Layout:
    """A message of one text, with nothing to press."""
    return [text(words)]


def label_text(text: str) -> str:
    """The text without emoji of servers, for labels: Discord shows their code there."""
    return SERVER_EMOJI.sub("", text).replace("  ", " ").strip() if "<" in text else text
