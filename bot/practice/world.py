"""The state of the stand-in: who and what there is, who sees what, and every way in which it changes."""

import mimetypes
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

from bot.practice.changes import Change, News
from bot.practice.interactions import Interaction, InteractionKind
from bot.practice.messages import Attachment, Message, Origin, png_size
from bot.practice.permissions import EVERYDAY, NOTHING, Permission
from bot.practice.places import Channel, ChannelKind, Member, Role, Server, User
from bot.practice.snowflakes import SnowflakeMint

_MOST_FILES: Final = 5_000
_MOST_INTERACTIONS: Final = 20_000
"""A long practice must not fill the memory; a bot has long let go of what is older."""


class World(News):
    """All of it. Whatever changes here is told to whoever watches, the gateway among them.

    Attributes:
        bot: the bot's own account.
        application_id: the bot's application, which has the same id as its account.
        users: accounts by id.
        servers: guilds by id that the bot may be in or have left.
        channels: every channel, thread and DM by id.
        messages: every message that is not deleted, by id.
        interactions: by id.
        files: what is in the newest attachments, by id.
        files_url: where these are served.
        commands: the registered application commands as Discord gives them back, by id; `guild_id` tells
            those of one server.
    """

    def __init__(self, bot_name: str = "gnau", founded: datetime | None = None) -> None:
        """Makes a world with nobody in it but the bot.

        Args:
            bot_name: what the bot's account is called.
            founded: the moment (UTC) in the ids of whatever is made before `begin`; who then makes the same
                things in the same order in another world has the same ids there. None is the present.
        """
        super().__init__()
        self._mint = SnowflakeMint()
        self._skew = timedelta()
        self._founded = founded
        self.bot = User(self.new_id(), bot_name.lower(), bot_name, bot=True)
        self.application_id = self.bot.id
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.servers: dict[int, Server] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.interactions: dict[int, Interaction] = {}
        self.files: dict[int, bytes] = {}
        self.files_url = "http://127.0.0.1/files"
        self.commands: dict[int, dict[str, Any]] = {}
        self._tokens: dict[str, Interaction] = {}

    # Time and ids

    def now(self) -> datetime:
        """The time it is here (UTC): the machine's, and what tests have let pass."""
        return datetime.now(UTC) + self._skew

    def let_pass(self, seconds: float) -> None:
        """Lets time pass at once: tokens die, messages grow old, as if so many seconds had gone by."""
        self._skew += timedelta(seconds=seconds)
        self.stir()

    def begin(self) -> None:
        """Ends the founding: from now on ids carry the moment they are made at."""
        self._founded = None

    def new_id(self) -> int:
        """A new snowflake."""
        return self._mint.make(self._founded or self.now())

    # Places and people

    def add_user(self, name: str) -> User:
        """A new human account; its username is the name in lower case."""
        user = User(self.new_id(), name.lower().replace(" ", "_"), name)
        self.users[user.id] = user
        return user

    def add_server(self, name: str, owner: User | None = None, *, with_bot: bool = True) -> Server:
        """A new server, with the bot in it; its owner is an account of its own where none is named."""
        everyone = Role(self.new_id(), "@everyone", EVERYDAY)
        server = Server(everyone.id, name, owner or self.add_user(f"{name} owner"), everyone)
        server.roles.append(everyone)
        self.servers[server.id] = server
        self.join(server, server.owner)
        if with_bot:
            self.join(server, self.bot)
        return server

    def join(self, server: Server, user: User, extra: Permission = NOTHING) -> Member:
        """Brings a user into a server, with these permissions beyond everybody's."""
        member = Member(user, server, self.now().isoformat())
        if extra or user.bot:
            role = Role(self.new_id(), user.display_name, extra, managed_by=user if user.bot else None)
            server.roles.append(role)
            member.roles.append(role)
        server.members[user.id] = member
        self.tell(Change("server_joined" if user is self.bot else "member_joined", server, user=user))
        return member

    def leave(self, server: Server, user: User) -> None:
        """Takes a user out of a server; with the bot go the commands it had for that server alone."""
        if server.members.pop(user.id, None) is None:
            return
        if user is self.bot:
            self.commands = {
                command_id: raw
                for command_id, raw in self.commands.items()
                if raw.get("guild_id") != str(server.id)
            }
        self.tell(Change("server_left" if user is self.bot else "member_left", server, user=user))

    def add_channel(self, server: Server, name: str) -> Channel:
        """A new text channel that everybody in the server sees."""
        return self._add_channel(Channel(self.new_id(), ChannelKind.TEXT, name, server))

    def add_thread(self, parent: Channel, name: str) -> Channel:
        """A new public thread in a channel."""
        thread = Channel(self.new_id(), ChannelKind.PUBLIC_THREAD, name, parent.server, parent)
        return self._add_channel(thread)

    def dm_with(self, user: User) -> Channel:
        """The DM between the bot and this user; made when first asked for."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        dm = Channel(self.new_id(), ChannelKind.DM, user.display_name, recipient=user)
        return self._add_channel(dm)

    def _add_channel(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        if channel.server is not None:
            channel.server.channels[channel.id] = channel
        self.tell(Change("channel_created", channel.server, channel))
        return channel

    def delete_channel(self, channel: Channel) -> None:
        """Deletes a channel, and first the threads that hang on it."""
        for thread in [other for other in self.channels.values() if other.parent is channel]:
            self.delete_channel(thread)
        if self.channels.pop(channel.id, None) is None:
            return
        # Told before it is gone from the server, so that those who saw it are told.
        self.tell(Change("channel_deleted", channel.server, channel))
        if channel.server is not None:
            del channel.server.channels[channel.id]

    # Messages

    def post(self, message: Message) -> Message:
        """Puts a new message into its channel."""
        self.messages[message.id] = message
        message.channel.message_ids.append(message.id)
        self._tell_of(message, "message_created")
        return message

    def edit(self, message: Message, change: Callable[[Message], None], *, silently: bool = False) -> Message:
        """Changes a message in place; `silently` does not mark it as edited (a deferred answer)."""
        change(message)
        if not silently:
            message.edited = self.now()
        self._tell_of(message, "message_updated")
        return message

    def delete_message(self, message: Message) -> None:
        """Takes a message out of its channel."""
        if self.messages.pop(message.id, None) is None:
            return
        message.channel.message_ids.remove(message.id)
        message.deleted = True
        self._tell_of(message, "message_deleted")

    def dismiss(self, message: Message, user: User) -> None:
        """Has the only reader of a message put it away; the bot is not told, and may still edit it."""
        if message.ephemeral_for is user and not message.dismissed:
            message.dismissed = True
            self.tell(Change("message_dismissed", message.channel.server, message.channel, message, user))

    def messages_in(self, channel: Channel) -> list[Message]:
        """Every message of a channel, oldest first."""
        return [self.messages[message_id] for message_id in channel.message_ids]

    def message_in(self, channel: Channel, message_id: int) -> Message | None:
        """The message of a channel with this id, or None."""
        message = self.messages.get(message_id)
        return message if message is not None and message.channel is channel else None

    def seen_by(self, user: User, channel: Channel) -> list[Message]:
        """What this user sees in a channel, oldest first."""
        if Permission.VIEW_CHANNEL not in channel.permissions_of(user):
            return []
        return [
            message
            for message in self.messages_in(channel)
            if message.ephemeral_for in (None, user) and not message.dismissed
        ]

    def describe_file(self, channel: Channel, filename: str, data: bytes, alt: str | None) -> Attachment:
        """A file about to be sent to a channel, with the address it will have; `keep_file` stores it."""
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

    def keep_file(self, file_id: int, data: bytes) -> None:
        """Stores what is in a file; of very many, the oldest are forgotten."""
        self.files[file_id] = data
        if len(self.files) > _MOST_FILES:
            del self.files[next(iter(self.files))]

    def _tell_of(self, message: Message, kind: Any) -> None:
        self.tell(Change(kind, message.channel.server, message.channel, message))

    # Interactions

    def open_interaction(
        self,
        kind: InteractionKind,
        user: User,
        channel: Channel,
        data: dict[str, Any],
        *,
        message: Message | None = None,
        trigger: Origin | None = None,
        command: str | None = None,
    ) -> Interaction:
        """Notes down what a person did, with a fresh token to answer by."""
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
        """The interaction that this token belongs to, dead or alive."""
        return self._tokens.get(token)
