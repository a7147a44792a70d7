"""Changes of the world: who sees them, and how to listen or wait for them."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeVar

from bot.practice.messages import Message
from bot.practice.servers import Channel, Permission, Server, User

T = TypeVar("T")

ChangeKind = Literal[
    "message_created",
    "message_updated",
    "message_deleted",
    "message_dismissed",
    "channel_created",
    "channel_deleted",
    "thread_updated",
    "server_joined",
    "server_left",
    "member_joined",
    "member_left",
    "commands_changed",
]


@dataclass(frozen=True, slots=True)
class Change:
    """One change. "server_joined" and "server_left" are about the bot, "member_…" about `user`."""

    kind: ChangeKind
    server: Server | None = None
    channel: Channel | None = None
    message: Message | None = None
    user: User | None = None

    def visible_to(self, user: User) -> bool:
        """Whether this user's Discord client shows the change."""
        if self.message is not None and self.message.ephemeral_for not in (None, user):
            return False
        if self.channel is not None:
            return Permission.VIEW_CHANNEL in self.channel.permissions_of(user)
        return self.server is None or self.user is user or self.server.member(user) is not None


class ChangeFeed:
    """Publishes changes to listeners, in the order they happen."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Change], object]] = []
        self._pulse = asyncio.Event()

    def on_change(self, listener: Callable[[Change], object]) -> Callable[[], None]:
        """Calls `listener` at each change; returns a function that unsubscribes it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def publish(self, change: Change) -> None:
        """Passes a change to all listeners and wakes everything in `wait_for`."""
        for listener in tuple(self._listeners):
            listener(change)
        self.wake_waiters()

    def wake_waiters(self) -> None:
        """Makes every `wait_for` check its condition again, without publishing a change."""
        self._pulse.set()
        self._pulse = asyncio.Event()

    async def wait_for(self, condition: Callable[[], T], timeout: float = 5.0) -> T:  # noqa: ASYNC109 - as asyncio names it
        """Waits until `condition()` is true and returns its value; checks at each change.

        Raises:
            TimeoutError: if it does not become true within `timeout` seconds.
        """
        async with asyncio.timeout(timeout):
            while True:
                pulse = self._pulse
                if found := condition():
                    return found
                await pulse.wait()
