"""Users, servers with their roles and members, channels, and what everybody may do there."""

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Literal

Context = Literal[0, 1]
"""Where an interaction happens: 0 is a server, 1 the DM with the bot."""


class Permission(IntFlag):
    """The permissions the stand-in checks; a server's owner has `EVERYTHING`."""

    ADMINISTRATOR = 1 << 3
    MANAGE_GUILD = 1 << 5
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    USE_EXTERNAL_EMOJIS = 1 << 18
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    CREATE_PUBLIC_THREADS = 1 << 35
    SEND_MESSAGES_IN_THREADS = 1 << 38
    EVERYTHING = (1 << 53) - 1


NOTHING = Permission(0)

EVERYDAY = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""What everybody may do in a new server."""


class ChannelKind(IntEnum):
    """The kinds of channel the stand-in has, by Discord's numbers."""

    TEXT = 0
    DM = 1
    CATEGORY = 4
    PUBLIC_THREAD = 11
    FORUM = 15


@dataclass(slots=True, eq=False)
class User:
    """An account of a human or the bot.

    Attributes:
        name: the unique username, in lower case.
        locale: the language of the client, as Discord names it (`en-US`, `de`).
        dms_open: whether the bot may send direct messages; if not, it gets 50007.
    """

    id: int
    name: str
    display_name: str
    bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True

    @property
    def mention(self) -> str:
        """The mention of this user in a message."""
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False)
class Role:
    """A named set of permissions. The role with the server's own id is everybody's."""

    id: int
    name: str
    permissions: Permission
    managed_by: User | None = None


@dataclass(slots=True, eq=False)
class Member:
    """A user in one server, with their extra roles and join time (ISO 8601, UTC)."""

    user: User
    server: "Server"
    joined_at: str
    roles: list[Role] = field(default_factory=list)
    nick: str | None = None

    @property
    def permissions(self) -> Permission:
        """What the member may do in the server, before channel overwrites."""
        if self.server.owner is self.user:
            return Permission.EVERYTHING
        granted = self.server.everyone.permissions
        for role in self.roles:
            granted |= role.permissions
        return Permission.EVERYTHING if Permission.ADMINISTRATOR in granted else granted


@dataclass(slots=True, eq=False)
class Server:
    """A guild. Discord sends its locale as `guild_locale`."""

    id: int
    name: str
    owner: User
    everyone: Role
    locale: str = "en-US"
    roles: list[Role] = field(default_factory=list)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, "Channel"] = field(default_factory=dict)
    system_channel: "Channel | None" = None

    def member(self, user: User) -> Member | None:
        """This user as a member, or None if they are not in the server."""
        return self.members.get(user.id)


@dataclass(slots=True, eq=False)
class Channel:
    """A channel or category of a server, a thread, or a DM between the bot and one user.

    Attributes:
        kind: nobody writes in a category or a forum itself.
        name: without the leading `#`; for a DM, the other user's name.
        parent: the channel of a thread.
        recipient: the human of a DM.
        message_ids: its messages that are not deleted, oldest first; `World.messages` has them.
        denied: what users (by id) are not allowed in this channel, as overwrites do.
        creator: who made a thread; None for the owner of its server.
        archived: whether a thread is archived: its messages stay as they are until somebody writes there.
        locked: whether only who manages threads can end that.
    """

    id: int
    kind: ChannelKind
    name: str
    server: Server | None = None
    parent: "Channel | None" = None
    recipient: User | None = None
    message_ids: list[int] = field(default_factory=list)
    denied: dict[int, Permission] = field(default_factory=dict)
    creator: User | None = None
    archived: bool = False
    locked: bool = False

    @property
    def is_dm(self) -> bool:
        """Whether this is a direct-message channel."""
        return self.kind is ChannelKind.DM

    @property
    def is_thread(self) -> bool:
        """Whether this is a thread."""
        return self.kind is ChannelKind.PUBLIC_THREAD

    @property
    def context(self) -> Context:
        """The interaction context: 0 in a server, 1 in a DM with the bot."""
        return 1 if self.is_dm else 0

    def permissions_of(self, user: User) -> Permission:
        """What this user may do here; nothing if they are not here."""
        if self.server is None:
            return EVERYDAY if user.bot or self.recipient is user else NOTHING
        member = self.server.member(user)
        if member is None:
            return NOTHING
        granted = member.permissions
        if granted == Permission.EVERYTHING:
            return granted
        # A thread uses the overwrites of its parent.
        granted &= ~(self.parent or self).denied.get(user.id, NOTHING)
        # Without seeing a channel, a member can do nothing in it.
        return granted if Permission.VIEW_CHANNEL in granted else NOTHING

    def can_write(self, user: User) -> bool:
        """Whether this user may send messages here; threads have their own permission."""
        needed = Permission.SEND_MESSAGES_IN_THREADS if self.is_thread else Permission.SEND_MESSAGES
        return needed in self.permissions_of(user)
