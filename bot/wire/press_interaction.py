"""Presses as they come in: of the message, the channel and the member, only what the bot asks for.

discord.py makes objects of a whole message with all its components, and of a member with all their roles, for
each press. Here they are three small records.
"""

from dataclasses import dataclass
from typing import Any, Final

import discord
from discord.enums import try_enum

_PRIVATE: Final = discord.MessageFlags(ephemeral=True).value
_THREADS: Final = frozenset(
    kind.value
    for kind in (
        discord.ChannelType.news_thread,
        discord.ChannelType.public_thread,
        discord.ChannelType.private_thread,
    )
)


@dataclass(frozen=True, slots=True)
class Presser:
    """Who pressed."""

    id: int
    display_name: str


@dataclass(frozen=True, slots=True)
class PressedMessage:
    """The message that was pressed.

    Attributes:
        is_private: whether only who pressed sees it, in a server.
        files: the names of its attachments.
    """

    id: int
    is_private: bool
    files: frozenset[str]


@dataclass(frozen=True, slots=True)
class PressedChannel:
    """The channel or thread of a press.

    Attributes:
        thread_of: the channel that a thread belongs to; None if it is no thread, or Discord does not say.
    """

    id: int
    thread_of: int | None


class PressInteraction(discord.Interaction[Any]):
    """A press on a button, a menu or a modal.

    `user`, `channel` and `message` are a `Presser`, a `PressedChannel` and a `PressedMessage`; the message is
    None for a modal of a command.
    """

    __slots__ = ()

    def _from_data(self, data: Any) -> None:
        member, user = data.get("member"), data.get("user")
        if member is not None:
            user = member["user"]
        self.id = int(data["id"])
        self.type = try_enum(discord.InteractionType, data["type"])
        self.data = data.get("data")
        self.token = data["token"]
        self.application_id = int(data["application_id"])
        self.guild_id = int(data["guild_id"]) if data.get("guild_id") else None
        self.channel = _channel(data)  # type: ignore[assignment]  # see above
        self.locale = try_enum(discord.Locale, data.get("locale") or "en-US")
        self.user = Presser(int(user["id"]), _display_name(member or {}, user))  # type: ignore[assignment]  # see above
        self.message = _pressed(data["message"]) if data.get("message") else None  # type: ignore[assignment]
        self._permissions = int((member or {}).get("permissions", 0))
        self._app_permissions = int(data.get("app_permissions", 0))


def pressed(interaction: discord.Interaction[Any]) -> PressedMessage | None:
    """The message that was pressed; None for a command."""
    message: Any = interaction.message
    return message if isinstance(message, PressedMessage) else None


def thread_parent(interaction: discord.Interaction[Any]) -> int | None:
    """The channel that the thread of a press or a command belongs to; None if it is no thread."""
    channel: Any = interaction.channel
    if isinstance(channel, PressedChannel):
        return channel.thread_of
    return channel.parent_id if isinstance(channel, discord.Thread) else None


def _display_name(member: Any, user: Any) -> str:
    return str(member.get("nick") or user.get("global_name") or user["username"])


def _channel(data: Any) -> PressedChannel | None:
    """Where an interaction comes from; it may have the channel, or only its id, or neither."""
    channel = data.get("channel") or {"id": data.get("channel_id")}
    if channel["id"] is None:
        return None
    parent = channel.get("parent_id") if channel.get("type") in _THREADS else None
    return PressedChannel(int(channel["id"]), None if parent is None else int(parent))


def _pressed(message: Any) -> PressedMessage:
    return PressedMessage(
        int(message["id"]),
        bool(message.get("flags", 0) & _PRIVATE),
        frozenset(file["filename"] for file in message.get("attachments", ())),
    )
