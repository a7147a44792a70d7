"""News of the world: what changed, who can see it, and how to wait for it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeVar

from bot.practice.messages import Message
from bot.practice.permissions import Permission
from bot.practice.places import Channel, Server, User

T = TypeVar("T")

ChangeKind = Literal[
    "message_created",
    "message_updated",
    "message_deleted",
    "message_dismissed",
    "channel_created",
    "channel_deleted",
    "server_joined",
    "server_left",
    "member_joined",
    "member_left",
    "commands_changed",
]


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    Attributes:
        kind: what happened; "server_joined" and "server_left" are about the bot, "member_…" about `user`.
        server: the server it happened in; None in a DM.
        channel: the channel it happened in, or which came or went.
        message: the message that came, changed or went.
        user: whose membership changed, or who put a message away.
    """

    kind: ChangeKind
    server: Server | None = None
    channel: Channel | None = None
    message: Message | None = None
    user: User | None = None

    def visible_to(self, user: User) -> bool:
        """Whether this user's client would show the change."""
        if self.message is not None and self.message.ephemeral_for not in (None, user):
            return False
        if self.channel is not None:
            return Permission.VIEW_CHANNEL in self.channel.permissions_of(user)
        return self.server is None or self.user is user or self.server.member(user) is not None


class Watch:
    """The changes from now on, one after another: `async for change in watch`. Close it when done."""

    def __init__(self, news: "News") -> None:
        self._queue: asyncio.Queue[Change | None] = asyncio.Queue()
        self._stop = news.on_change(self._queue.put_nowait)

    def close(self) -> None:
        """Ends the iteration after the changes that have happened."""
        self._stop()
        self._queue.put_nowait(None)

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aiter__(self) -> AsyncIterator[Change]:
        while (change := await self._queue.get()) is not None:
            yield change


class News:
    """Tells whoever asked of each change, in the order they happen."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Change], object]] = []
        self._pulse = asyncio.Event()

    def on_change(self, listener: Callable[[Change], object]) -> Callable[[], None]:
        """Has `listener` called at each change, at once; returns the call that ends it."""
        self._listeners.append(listener)

        def stop() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return stop

    def watch(self) -> Watch:
        """The changes from now on: `with world.watch() as changes: async for change in changes: …`."""
        return Watch(self)

    def tell(self, change: Change) -> None:
        """Announces a change."""
        for listener in tuple(self._listeners):
            listener(change)
        self.stir()

    def stir(self) -> None:
        """Has whoever waits look again, though nothing that a watcher is told of has changed."""
        self._pulse.set()
        self._pulse = asyncio.Event()

    async def wait_for(self, look: Callable[[], T], timeout: float = 5.0) -> T:  # noqa: ASYNC109 - as asyncio names it
        """Waits until `look()` gives something true, looking again at each change, and returns it.

        Args:
            look: what to look for, such as `lambda: alice.sees(channel)`.
            timeout: how long to wait, in seconds.

        Raises:
            TimeoutError: where it was never true in that time.
        """
        async with asyncio.timeout(timeout):
            while True:
                pulse = self._pulse
                if found := look():
                    return found
                await pulse.wait()
