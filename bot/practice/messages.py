"""A message: its text, components, files and flags, who wrote it, and who sees it."""

import struct
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntFlag
from typing import Any

from bot.practice import component_tree
from bot.practice.component_tree import Button, Picture, Select
from bot.practice.servers import Channel, User


class Flag(IntFlag):
    """Message flags, by Discord's numbers."""

    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    COMPONENTS_V2 = 1 << 15


NO_FLAGS = Flag(0)


@dataclass(slots=True, eq=False)
class Attachment:
    """A file of a message. `size` is in bytes, `width` and `height` in pixels."""

    id: int
    filename: str
    content_type: str
    size: int
    url: str
    description: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class InteractionMetadata:
    """What a message shows about the interaction it replies to: its user, and the command if it was one."""

    interaction_id: int
    kind: int
    user: User
    command: str | None = None
    interacted_message_id: int | None = None
    original_response_id: int | None = None
    trigger: "InteractionMetadata | None" = None


@dataclass(slots=True, eq=False)
class Message:
    """A message. Edits change this object, so references to it stay up to date.

    Attributes:
        content: the plain text; empty for components V2.
        components: the raw component tree as Discord returns it, with ids and resolved URLs.
        ephemeral_for: the only user who sees it, or None if everybody in the channel does.
        interaction: the interaction it replies to.
        nonce: the sender's mark against duplicates.
        dismissed: whether the user who sees it dismissed it.
    """

    id: int
    channel: Channel
    author: User
    created: datetime
    content: str = ""
    components: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: Flag = NO_FLAGS
    edited: datetime | None = None
    ephemeral_for: User | None = None
    interaction: InteractionMetadata | None = None
    nonce: str | int | None = None
    deleted: bool = False
    dismissed: bool = False

    @property
    def text(self) -> str:
        """The content and every text display, one per line."""
        return "\n".join(filter(None, (self.content, *component_tree.texts(self.components))))

    @property
    def loading(self) -> bool:
        """Whether it still shows "is thinking…" (a deferred reply)."""
        return Flag.LOADING in self.flags

    @property
    def ephemeral(self) -> bool:
        """Whether only one user sees it."""
        return self.ephemeral_for is not None

    def buttons(self) -> list[Button]:
        """All buttons, in display order."""
        return list(component_tree.buttons(self.components))

    def button(self, key: str) -> Button | None:
        """The button with this custom_id, or else the first with exactly this label."""
        every = self.buttons()
        named = (button for button in every if button.custom_id == key)
        return next(named, None) or next((button for button in every if button.label == key), None)

    def selects(self) -> list[Select]:
        """All select menus, in display order."""
        return list(component_tree.selects(self.components))

    def select(self, key: str) -> Select | None:
        """The select with this custom_id, or else the first with exactly this placeholder."""
        every = self.selects()
        named = (select for select in every if select.custom_id == key)
        return next(named, None) or next((select for select in every if select.placeholder == key), None)

    def gallery(self) -> list[Picture]:
        """The pictures of its media galleries."""
        return list(component_tree.gallery(self.components))


def png_size(data: bytes) -> tuple[int | None, int | None]:
    """Width and height of a PNG in pixels, from its header; (None, None) for any other file."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return None, None
    width, height = struct.unpack_from(">II", data, offset=16)
    return width, height
