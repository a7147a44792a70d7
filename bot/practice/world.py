"""The state of the stand-in: users, servers, channels, messages, interactions, and all changes to them."""

import mimetypes
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

from bot.practice.changes import Change, ChangeFeed
from bot.practice.interactions import Interaction, InteractionKind
from bot.practice.messages import Attachment, InteractionMetadata, Message, png_size
from bot.practice.servers import (
    EVERYDAY,
    NOTHING,
    Channel,
    ChannelKind,
    Member,
    Permission,
    Role,
    Server,
    User,
)

EPOCH_MS: Final = 1_420_070_400_000
"""Discord's epoch, the start of 2015 (UTC), in milliseconds of Unix time."""

_TIME_SHIFT: Final = 22
_SERIAL_MASK: Final = (1 << _TIME_SHIFT) - 1
_MOST_FILES: Final = 5_000
_MOST_INTERACTIONS: Final = 20_000
"""Caps memory in a long practice; bots no longer use what is older."""


class SnowflakeGenerator:
    """Generates increasing ids with their creation time in the upper bits."""

    def __init__(self) -> None:
        self._last = 0

    def next_id(self, now: datetime) -> int:
        """The next id for this time; larger than all before, even if the clock goes back."""
        milliseconds = int(now.timestamp() * 1000) - EPOCH_MS
        # Ids of the same millisecond differ in the lower bits, like Discord's worker and serial numbers.
        self._last = max(milliseconds << _TIME_SHIFT | (self._last + 1) & _SERIAL_MASK, self._last + 1)
        return self._last


def created_at(snowflake: int) -> datetime:
    """When this id was created (UTC)."""
    return datetime.fromtimestamp(((snowflake >> _TIME_SHIFT) + EPOCH_MS) / 1000, UTC)


class World(ChangeFeed):
    """The whole state. Publishes every change to its listeners, such as the gateway.

    Attributes:
        servers: by id, including those that the bot has left.
        files: the contents of the newest attachments, by id.
        commands: the registered application commands as Discord returns them, by id. Those of one server
            have a `guild_id`.
        emojis: the application's, as Discord returns them.
    """

    def __init__(self, setup_time: datetime | None = None) -> None:
        """Creates a world that has only the bot.

        `setup_time` is the time (UTC) in all ids until `end_setup`; None means now. Two worlds with the same
        setup time and the same steps have the same ids.
        """
        super().__init__()
        self._ids = SnowflakeGenerator()
        self._setup_time = setup_time
        self.bot = User(self.new_id(), "gnau", "gnau", bot=True)
        self.application_id = self.bot.id
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.servers: dict[int, Server] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.interactions: dict[int, Interaction] = {}
        self.files: dict[int, bytes] = {}
        self.files_url = "http://127.0.0.1/files"
        self.commands: dict[int, dict[str, Any]] = {}
        self.emojis: list[dict[str, Any]] = []
        self._tokens: dict[str, Interaction] = {}

    # Time and ids

    def now(self) -> datetime:
        """The current time (UTC)."""
        return datetime.now(UTC)

    def end_setup(self) -> None:
        """Ends the setup: from now on ids have the time they are made."""
        self._setup_time = None

    def new_id(self) -> int:
        """A new snowflake."""
        return self._ids.next_id(self._setup_time or self.now())

    # Users, servers and channels

    def add_user(self, name: str) -> User:
        """Adds a human account; its username is the name in lower case."""
        user = User(self.new_id(), name.lower().replace(" ", "_"), name)
        self.users[user.id] = user
        return user

    def add_server(self, name: str, owner: User | None = None, *, with_bot: bool = True) -> Server:
        """Adds a server, by default with the bot; without an owner it gets a new account as owner."""
        everyone = Role(self.new_id(), "@everyone", EVERYDAY)
        server = Server(everyone.id, name, owner or self.add_user(f"{name} owner"), everyone)
        server.roles.append(everyone)
        self.servers[server.id] = server
        self.join(server, server.owner)
        if with_bot:
            self.join(server, self.bot)
        return server

    def join(self, server: Server, user: User, extra: Permission = NOTHING) -> Member:
        """Adds a user to a server, with extra permissions."""
        member = Member(user, server, self.now().isoformat())
        if extra or user.bot:
            role = Role(self.new_id(), user.display_name, extra, managed_by=user if user.bot else None)
            server.roles.append(role)
            member.roles.append(role)
        server.members[user.id] = member
        self.publish(Change("server_joined" if user is self.bot else "member_joined", server, user=user))
        return member

    def leave(self, server: Server, user: User) -> None:
        """Removes a user from a server; removing the bot deletes its commands for that server."""
        if server.members.pop(user.id, None) is None:
            return
        if user is self.bot:
            self.commands = {
                command_id: raw
                for command_id, raw in self.commands.items()
                if raw.get("guild_id") != str(server.id)
            }
        self.publish(Change("server_left" if user is self.bot else "member_left", server, user=user))

    def add_channel(self, server: Server, name: str, kind: ChannelKind = ChannelKind.TEXT) -> Channel:
        """Adds a channel that everybody in the server sees, or a category."""
        return self.insert_channel(Channel(self.new_id(), kind, name, server))

    def dm_with(self, user: User) -> Channel:
        """The DM channel between the bot and this user; created on first use."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        dm = Channel(self.new_id(), ChannelKind.DM, user.display_name, recipient=user)
        return self.insert_channel(dm)

    def insert_channel(self, channel: Channel) -> Channel:
        """Adds a channel that has been made."""
        self.channels[channel.id] = channel
        if channel.server is not None:
            channel.server.channels[channel.id] = channel
        self.publish(Change("channel_created", channel.server, channel))
        return channel

    def unarchive(self, thread: Channel) -> None:
        """Opens an archived thread again, as a message in it does."""
        thread.archived = thread.locked = False
        self.publish(Change("thread_updated", thread.server, thread))

    # Messages

    def post(self, message: Message) -> Message:
        """Adds a new message to its channel."""
        self.messages[message.id] = message
        message.channel.message_ids.append(message.id)
        self._publish_message(message, "message_created")
        return message

    def edit(self, message: Message, change: Callable[[Message], None], *, silently: bool = False) -> Message:
        """Changes a message; `silently` does not mark it as edited (a deferred reply)."""
        change(message)
        if not silently:
            message.edited = self.now()
        self._publish_message(message, "message_updated")
        return message

    def delete_message(self, message: Message) -> None:
        """Deletes a message."""
        if self.remove_message(message):
            self._publish_message(message, "message_deleted")

    def remove_message(self, message: Message) -> bool:
        """Takes a message out of its channel without telling anybody; returns whether it was there."""
        if self.messages.pop(message.id, None) is None:
            return False
        message.channel.message_ids.remove(message.id)
        message.deleted = True
        return True

    def dismiss(self, message: Message, user: User) -> None:
        """Dismisses an ephemeral message; the bot is not told and may still edit it."""
        if message.ephemeral_for is user and not message.dismissed:
            message.dismissed = True
            self.publish(Change("message_dismissed", message.channel.server, message.channel, message, user))

    def messages_in(self, channel: Channel) -> list[Message]:
        """Every message of a channel, oldest first."""
        return [self.messages[message_id] for message_id in channel.message_ids]

    def message_in(self, channel: Channel, message_id: int) -> Message | None:
        """The message of a channel with this id, or None."""
        message = self.messages.get(message_id)
        return message if message is not None and message.channel is channel else None

    def messages_seen_by(self, user: User, channel: Channel) -> list[Message]:
        """What this user sees in a channel, oldest first."""
        if Permission.VIEW_CHANNEL not in channel.permissions_of(user):
            return []
        return [
            message
            for message in self.messages_in(channel)
            if message.ephemeral_for in (None, user) and not message.dismissed
        ]

    def new_attachment(self, channel: Channel, filename: str, data: bytes, alt: str | None) -> Attachment:
        """A file that is about to be sent, with the URL it will have; `store_file` stores it."""
        file_id = self.new_id()
        width, height = png_size(data)
        return Attachment(
            file_id,
            filename,
            mimetypes.guess_type(filename)[0] or "application/octet-stream",
            len(data),
            f"{self.files_url}/{channel.id}/{file_id}/{quote(filename)}",
            alt,
            width,
            height,
        )

    def store_file(self, file_id: int, data: bytes) -> None:
        """Stores the contents of a file; drops the oldest beyond a limit."""
        self.files[file_id] = data
        if len(self.files) > _MOST_FILES:
            del self.files[next(iter(self.files))]

    def _publish_message(self, message: Message, kind: Any) -> None:
        self.publish(Change(kind, message.channel.server, message.channel, message))

    # Interactions

    def open_interaction(
        self,
        kind: InteractionKind,
        user: User,
        channel: Channel,
        data: dict[str, Any],
        *,
        message: Message | None = None,
        trigger: InteractionMetadata | None = None,
        command: str | None = None,
    ) -> Interaction:
        """Records what a user did, with a new token to reply with."""
        interaction = Interaction(
            self.new_id(),
            secrets.token_urlsafe(48),
            kind,
            user,
            channel,
            data,
            self.now(),
            message,
            trigger,
            command,
        )
        self.interactions[interaction.id] = interaction
        self._tokens[interaction.token] = interaction
        if len(self.interactions) > _MOST_INTERACTIONS:
            oldest = self.interactions.pop(next(iter(self.interactions)))
            del self._tokens[oldest.token]
        return interaction

    def interaction_by_token(self, token: str) -> Interaction | None:
        """The interaction with this token, even if the token has expired."""
        return self._tokens.get(token)
