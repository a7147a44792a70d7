"""The messages of one channel on the page, each an element of its own: a change leaves the others alone."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, Final

from bot.practice.messages import Message
from bot.practice.page.elements import Drawn, Scroller
from bot.practice.page.message import draw_message, draw_note, summary
from bot.practice.page.nodes import Node, el
from bot.practice.page.reader import Reader, Waiting

SHOWN: Final = 100
"""How many messages are kept on the page; the oldest go first."""


class Talk:
    """The list of messages, built in the NiceGUI element that is open.

    Args:
        reader: who reads, and which channel.
        waiting: tells what a message's components wait for.
        act: called with the message, the action of what was pressed in it, and the value of the event.
    """

    def __init__(
        self,
        reader: Reader,
        waiting: Callable[[Message], Waiting],
        act: Callable[[Message, dict[str, Any], Any], Awaitable[None]],
    ) -> None:
        self._reader = reader
        self._waiting = waiting
        self._act = act
        self._lines: dict[Message, Drawn] = {}
        self._notes = count(1)
        self._scroller = Scroller()
        seen = reader.person.sees(reader.place)
        with self._scroller:
            if len(seen) <= SHOWN:
                Drawn(_beginning(reader), self._ignore)
        for message in seen[-SHOWN:]:
            self.update(message)

    def update(self, message: Message) -> None:
        """Draws a message that came or changed, and takes away one that the person no longer sees."""
        line = self._lines.get(message)
        if message.deleted or message.dismissed:
            if line is not None:
                self._remove(message)
        elif line is not None:
            line.draw(self._draw(message, self._before(message)))
        else:
            self._append(message)

    def add_note(self, command: str, error: str) -> None:
        """Shows under the messages that a command of the person failed."""
        serial = next(self._notes)

        async def dismiss(*_: object) -> None:
            line.delete()

        with self._scroller:
            line = Drawn(draw_note(self._reader, command, error, f"note-{serial}"), dismiss)

    def to_end(self) -> None:
        """Shows the newest message."""
        self._scroller.to_end()

    def reveal(self, message_id: str) -> None:
        """Brings a message into view and points it out; nothing happens where it is not on the page."""
        self._scroller.reveal(message_id)

    def spoken(self, message: Message) -> str:
        """A message as a screen reader says it."""
        return f"{self._reader.name(message.author)}: {summary(message, self._reader)}"

    def _append(self, message: Message) -> None:
        async def act(action: dict[str, Any], value: Any) -> None:
            await self._act(message, action, value)

        before = next(reversed(self._lines), None)
        with self._scroller:
            self._lines[message] = Drawn(self._draw(message, before), act)
        if len(self._lines) > SHOWN:
            self._remove(next(iter(self._lines)))

    def _remove(self, message: Message) -> None:
        shown = list(self._lines)
        at = shown.index(message)
        self._lines.pop(message).delete()
        # What stood under it may have gone without a name, as more of the same author's.
        for after in shown[at + 1 : at + 2]:
            self._lines[after].draw(self._draw(after, self._before(after)))

    def _before(self, message: Message) -> Message | None:
        shown = list(self._lines)
        at = shown.index(message)
        return shown[at - 1] if at else None

    def _draw(self, message: Message, before: Message | None) -> Node:
        return draw_message(message, self._reader, self._waiting(message), before)

    async def _ignore(self, *_: object) -> None:
        """Nothing in the channel's heading can be pressed."""


def _beginning(reader: Reader) -> Node:
    place, bot = reader.place, reader.person.world.bot.display_name
    if place.is_dm:
        title, words = bot, f"This is the beginning of your direct messages with {bot}."
    else:
        title, words = f"Welcome to #{place.name}!", f"This is the start of the #{place.name} channel."
    return el("li", el("h2", title), el("p", words), class_="beginning")
