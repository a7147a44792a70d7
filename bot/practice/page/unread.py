"""Unread messages: what each person has read, shared by all tabs of the same person."""

from dataclasses import dataclass

from bot.practice.page.viewer import Viewer
from bot.practice.person import Person
from bot.practice.servers import Channel


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
