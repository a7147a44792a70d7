"""The messages of one channel on the page. Each is its own element, so a change leaves the others alone."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, Final

from bot.practice.messages import Message
from bot.practice.page.message import render_failed_command, render_message, summary
from bot.practice.page.nicegui_elements import RenderedNode, Scroller
from bot.practice.page.safe_html import Node, el
from bot.practice.page.viewer import ComponentState, Viewer

SHOWN: Final = 100
"""How many messages stay on the page; the oldest are removed first."""


class MessageList:
    """The list of messages of one channel, in its `scroller`; built in the current NiceGUI element.

    Args:
        opened: a snowflake from when the tab was opened. Like Discord's client, a tab has no older private
            replies: they are gone after a reload.
    """

    def __init__(
        self,
        viewer: Viewer,
        state_of: Callable[[Message], ComponentState],
        act: Callable[[Message, dict[str, Any], Any], Awaitable[None]],
        opened: int,
    ) -> None:
        self._viewer = viewer
        self._opened = opened
        self._state_of = state_of
        self._act = act
        self._nodes: dict[Message, RenderedNode] = {}
        self._note_numbers = count(1)
        self.scroller = Scroller()
        seen = viewer.person.sees(viewer.channel)
        with self.scroller:
            if len(seen) <= SHOWN:
                RenderedNode(_channel_start(viewer), self._ignore)
        for message in seen[-SHOWN:]:
            self.update(message)

    def update(self, message: Message) -> None:
        """Renders a message that is new or has changed; removes it if it was deleted or dismissed."""
        node = self._nodes.get(message)
        if message.deleted or message.dismissed or (message.ephemeral and message.id < self._opened):
            if node is not None:
                self._remove(message)
        elif node is not None:
            node.render(self._render(message, self._before(message)))
        else:
            self._append(message)

    def add_failed_command(self, command: str, error: str) -> None:
        """Adds a note that a command failed."""
        serial = next(self._note_numbers)

        async def dismiss(*_: object) -> None:
            node.delete()

        with self.scroller:
            node = RenderedNode(
                render_failed_command(self._viewer, command, error, f"note-{serial}"), dismiss
            )

    def announcement(self, message: Message) -> str:
        """The text a screen reader reads for a message."""
        return f"{self._viewer.name_of(message.author)}: {summary(message, self._viewer)}"

    def _append(self, message: Message) -> None:
        async def act(action: dict[str, Any], value: Any) -> None:
            await self._act(message, action, value)

        before = next(reversed(self._nodes), None)
        with self.scroller:
            self._nodes[message] = RenderedNode(self._render(message, before), act)
        if len(self._nodes) > SHOWN:
            self._remove(next(iter(self._nodes)))

    def _remove(self, message: Message) -> None:
        shown = list(self._nodes)
        at = shown.index(message)
        self._nodes.pop(message).delete()
        # The next message may now need an avatar and name.
        for after in shown[at + 1 : at + 2]:
            self._nodes[after].render(self._render(after, self._before(after)))

    def _before(self, message: Message) -> Message | None:
        shown = list(self._nodes)
        at = shown.index(message)
        return shown[at - 1] if at else None

    def _render(self, message: Message, before: Message | None) -> Node:
        return render_message(message, self._viewer, self._state_of(message), before)

    async def _ignore(self, *_: object) -> None:
        """The start of the channel has no actions."""


def _channel_start(viewer: Viewer) -> Node:
    channel, bot = viewer.channel, viewer.person.world.bot.display_name
    if channel.is_dm:
        title, words = bot, f"This is the beginning of your direct messages with {bot}."
    else:
        title, words = f"Welcome to #{channel.name}!", f"This is the start of the #{channel.name} channel."
    return el("li", el("h2", title), el("p", words), class_="beginning")
