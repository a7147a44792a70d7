"""Who reads the page and where: what names, places and pictures are to that person."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from bot.practice.messages import Message
from bot.practice.permissions import Permission
from bot.practice.person import Person
from bot.practice.places import Channel, User


@dataclass(frozen=True, slots=True)
class Waiting:
    """What one message's components wait for: the custom_ids that were used, and what came of the last."""

    busy: frozenset[str] = field(default=frozenset())
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """A person in front of one channel."""

    person: Person
    place: Channel

    def user(self, user_id: int) -> str | None:
        """The name of a user here: the nickname in this server, or the name anybody reads."""
        user = self.person.world.users.get(user_id)
        return self.name(user) if user else None

    def name(self, user: User) -> str:
        """What this user is called here."""
        member = self.place.server.member(user) if self.place.server else None
        return member.nick if member and member.nick else user.display_name

    def channel(self, channel_id: int) -> str | None:
        """The name of a channel, or None where it is gone or not to be seen."""
        channel = self.person.world.channels.get(channel_id)
        return channel.name if channel and self.may_see(channel) else None

    def may_see(self, channel: Channel) -> bool:
        """Whether the person sees this channel."""
        return Permission.VIEW_CHANNEL in channel.permissions_of(self.person.user)

    def people(self) -> list[User]:
        """Who is here, by name; the bot among them."""
        if self.place.server is None:
            return [self.person.user, self.person.world.bot]
        everybody = (member.user for member in self.place.server.members.values())
        return sorted(everybody, key=lambda user: self.name(user).casefold())

    def is_called_by(self, message: Message) -> bool:
        """Whether somebody else mentions the person, so that the message is shown as one to look at.

        A board names everybody at the table and calls nobody: the mentions of the bot do not count.
        """
        author, user = message.author, self.person.user
        return author is not user and not author.bot and user.mention in message.text

    def can_load(self, url: str) -> bool:
        """Whether a picture lies on this machine: the page fetches nothing from anywhere else."""
        return urlsplit(url).hostname in {"127.0.0.1", "localhost"}
