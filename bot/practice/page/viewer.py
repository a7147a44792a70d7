"""Who looks at the page: one person in one channel, by the address of their tab, and what they have read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel, Permission, User

LONGEST_SHOWN: Final = 40
"""How many characters of a wrong name in an address are repeated."""


@dataclass(frozen=True, slots=True)
class ComponentState:
    """The custom_ids in a message that wait for a reply, and an error or a note about the last one."""

    busy: frozenset[str] = frozenset()
    error: str | None = None
    note: str | None = None


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

    def role_name(self, role_id: int) -> str | None:
        """The name of a role of this server, or None."""
        roles = self.channel.server.roles if self.channel.server else []
        return next((role.name for role in roles if role.id == role_id), None)

    def channel_name(self, channel_id: int) -> str | None:
        """The name of a channel, or None if it is gone or hidden from the person."""
        channel = self.person.world.channels.get(channel_id)
        return channel.name if channel and self.can_see(channel) else None

    def emoji_url(self, emoji_id: int) -> str:
        """Where the picture of an emoji is."""
        return f"{self.person.world.files_url}/0/{emoji_id}/emoji.png"

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


@dataclass(frozen=True, slots=True)
class Opening:
    """What a tab opens with, and a notice of what is wrong with its address; empty if nothing is."""

    viewer: Viewer
    notice: str


def read_address(query: Mapping[str, str], people: Iterable[Person], home: Channel) -> Opening:
    """What an address opens: `?as=` names the person, `?in=` is the id of the channel.

    Without them, it is the first person in the channel `home`.
    """
    people = list(people)
    wrong: list[str] = []
    person = people[0]
    if name := query.get("as", ""):
        names = {known.casefold(): it for it in people for known in (it.name, it.user.name)}
        if (found := names.get(name.casefold())) is not None:
            person = found
        else:
            wrong.append(f"Nobody here is called {_short(name)}. This tab plays as {person.name}.")
            wrong.append(f"There are: {', '.join(it.name for it in people)}.")
    channel = home
    if channel_id := query.get("in", ""):
        listed = {str(it.id): it for it in person.world.channels.values()}
        seen = listed.get(channel_id)
        if seen is not None and Viewer(person, seen).can_see(seen):
            channel = seen
        else:
            wrong.append(f"There is no channel {_short(channel_id)} for {person.name}. This is #{home.name}.")
    if not Viewer(person, channel).can_see(channel):
        channel = person.dm()
    return Opening(Viewer(person, channel), " ".join(wrong))


def write_address(viewer: Viewer) -> str:
    """The address of a tab, from the `?` on."""
    return f"?{urlencode({'as': viewer.person.user.name, 'in': viewer.channel.id})}"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_SHOWN else f"{name[: LONGEST_SHOWN - 1]}…"


@dataclass(frozen=True, slots=True)
class Unread:
    """How many messages a person has not read in a channel, and the number on its badge."""

    messages: int = 0
    badge: int = 0


class ReadMarkers:
    """The newest message that each person has seen in each channel."""

    def __init__(self) -> None:
        self._newest: dict[tuple[int, int], int] = {}

    def mark_read(self, person: Person, channel: Channel) -> None:
        """Marks everything in the channel as read by this person."""
        newest = max((message.id for message in person.sees(channel)), default=0)
        self._newest[person.id, channel.id] = newest

    def unread(self, person: Person, channel: Channel) -> Unread:
        """What is unread. The badge counts every message in a DM, and only mentions elsewhere."""
        newest = self._newest.get((person.id, channel.id), 0)
        viewer = Viewer(person, channel)
        new = [it for it in person.sees(channel) if it.id > newest and it.author is not person.user]
        return Unread(len(new), sum(channel.is_dm or viewer.is_mentioned_in(message) for message in new))
