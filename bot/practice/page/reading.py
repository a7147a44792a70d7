"""What each person has read, and so what is unread: shared by all tabs that are open as the same person."""

from bot.practice.messages import Message
from bot.practice.page.reader import Reader
from bot.practice.page.sidebar import Unread
from bot.practice.person import Person
from bot.practice.places import Channel


class Reading:
    """Keeps the newest message that each person has seen in each channel."""

    def __init__(self) -> None:
        self._marks: dict[tuple[int, int], int] = {}

    def mark(self, person: Person, channel: Channel) -> None:
        """Notes that the person has the channel before his eyes, up to its newest message."""
        newest = max((message.id for message in person.sees(channel)), default=0)
        self._marks[person.id, channel.id] = newest

    def unread(self, person: Person, channel: Channel) -> Unread:
        """What came since; in a DM every message calls for a badge, in a channel a mention."""
        mark = self._marks.get((person.id, channel.id), 0)
        reader = Reader(person, channel)
        fresh = [it for it in person.sees(channel) if it.id > mark and it.author is not person.user]
        return Unread(len(fresh), sum(1 for message in fresh if _calls(message, reader)))


def _calls(message: Message, reader: Reader) -> bool:
    return reader.place.is_dm or reader.is_called_by(message)
