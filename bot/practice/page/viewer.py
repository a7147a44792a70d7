"""Who looks at the page: one person in one channel, and what names, channels and pictures are to them."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.practice.messages import Message
from bot.practice.permissions import Permission
from bot.practice.person import Person
from bot.practice.servers import Channel, User


@dataclass(frozen=True, slots=True)
class ComponentState:
    """The custom_ids in a message that wait for a reply, and the error of the last one."""

    busy: frozenset[str] = frozenset()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Viewer:
    """A person who looks at a channel."""

    person: Person
    channel: Channel

    def user_name(self, user_id: int) -> str | None:
        """The name of the user with this id, or None."""
        user = self.person.world.users.get(user_id)
        return self.name_of(user) if user else None

    def name_of(self, user: User) -> str:
        """The user's nickname in this server, or else their display name."""
        member = self.channel.server.member(user) if self.channel.server else None
        return member.nick if member and member.nick else user.display_name

    def channel_name(self, channel_id: int) -> str | None:
        """The name of a channel, or None if it is gone or hidden from the person."""
        channel = self.person.world.channels.get(channel_id)
        return channel.name if channel and self.can_see(channel) else None

    def can_see(self, channel: Channel) -> bool:
        """Whether the person sees this channel."""
        return Permission.VIEW_CHANNEL in channel.permissions_of(self.person.user)

    def members(self) -> list[User]:
        """Everybody in this server or DM, sorted by name, with the bot."""
        if self.channel.server is None:
            return [self.person.user, self.person.world.bot]
        everybody = (member.user for member in self.channel.server.members.values())
        return sorted(everybody, key=lambda user: self.name_of(user).casefold())

    def is_mentioned_in(self, message: Message) -> bool:
        """Whether another human mentions the person.

        The bot's mentions do not count: a board mentions everybody at the table.
        """
        author, user = message.author, self.person.user
        return author is not user and not author.bot and user.mention in message.text

    def can_load(self, url: str) -> bool:
        """Whether a picture is on this machine: the page loads nothing from elsewhere."""
        return urlsplit(url).hostname in {"127.0.0.1", "localhost"}
