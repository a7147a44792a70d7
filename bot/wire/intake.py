"""Takes presses in as fast as Discord sends them, and starts only as many as the bot can bear.

Discord gives up on a press after three seconds. So the oldest is next. But once that has waited a second,
there are more than the bot can bear, and in their order all would be late: then the newest is next. What has
waited too long is dropped before it costs anything. A member's own presses keep their order: a bet and its
withdrawal must not change places.

discord.py makes objects of a whole message with all its components, and of a member with all their roles, for
each press. Here they are three small records, with only what the bot asks for.

Discord sends events again to a connection that is resumed. Of an interaction, only the first is taken. An
event that cannot be parsed is skipped.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import discord
from cachetools import LRUCache
from discord.enums import try_enum

log = logging.getLogger(__name__)

IN_A_TURN: Final = 2
"""How many presses are started in one turn of the event loop."""
MOST_WAITING: Final = 1_000
"""The most presses that wait; of more, the oldest are dropped."""
OVERLOAD_SECONDS: Final = 1.0
"""Once the oldest press has waited this long, the newest is next."""
HOPELESS_SECONDS: Final = 2.5
"""A press that has waited this long is dropped: its reply would be late."""
PATIENCE_SECONDS: Final = 2.0
"""How long other work waits at most until no press waits."""
LOOK_SECONDS: Final = 0.05
"""How often it looks."""
CLOSING_SECONDS: Final = 2.0
"""How long closing waits for replies that are being made."""
REMEMBERED: Final = 10_000
"""How many interactions are known again, about 1 MB."""
StandBack = Callable[[], Coroutine[Any, Any, None]]
"""Waits a little while presses wait: everything else may be late."""
_EVENT: Final = "INTERACTION_CREATE"
_KINDS: Final = frozenset(
    {discord.InteractionType.component.value, discord.InteractionType.modal_submit.value}
)
_PRIVATE: Final = discord.MessageFlags(ephemeral=True).value
_THREADS: Final = frozenset(
    kind.value
    for kind in (
        discord.ChannelType.news_thread,
        discord.ChannelType.public_thread,
        discord.ChannelType.private_thread,
    )
)


@dataclass(frozen=True, slots=True)
class Presser:
    """Who pressed; `roles` is None by direct message."""

    id: int
    display_name: str
    roles: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class PressedMessage:
    """The message that was pressed.

    Attributes:
        is_private: whether only who pressed sees it, in a server.
        interaction_id: what it answered when it was new; None if it answered nothing.
        components: its components, as Discord's API has them.
    """

    id: int
    is_private: bool
    files: frozenset[str]
    components: Sequence[dict[str, Any]] = field(default=(), compare=False)
    interaction_id: int | None = None


@dataclass(frozen=True, slots=True)
class PressedChannel:
    """The channel or thread of a press.

    Attributes:
        thread_of: the channel that a thread belongs to; None if it is no thread, or Discord does not say.
    """

    id: int
    thread_of: int | None


class PressInteraction(discord.Interaction[Any]):
    """A press on a button, a menu or a modal.

    `user`, `channel` and `message` are a `Presser`, a `PressedChannel` and a `PressedMessage`; the message is
    None for a modal of a command.
    """

    __slots__ = ()

    def _from_data(self, data: Any) -> None:
        member, user = data.get("member"), data.get("user")
        if member is not None:
            user = member["user"]
        self.id = int(data["id"])
        self.type = try_enum(discord.InteractionType, data["type"])
        self.data = data.get("data")
        self.token = data["token"]
        self.application_id = int(data["application_id"])
        self.guild_id = int(data["guild_id"]) if data.get("guild_id") else None
        self.channel = _channel(data)  # type: ignore[assignment]  # see above
        self.locale = try_enum(discord.Locale, data.get("locale") or "en-US")
        name = (member or {}).get("nick") or user.get("global_name") or user["username"]
        roles = None if member is None else frozenset(map(int, member.get("roles", ())))
        self.user = Presser(int(user["id"]), str(name), roles)  # type: ignore[assignment]  # see above
        self.message = message_of(data["message"]) if data.get("message") else None  # type: ignore[assignment]
        self._permissions = int((member or {}).get("permissions", 0))
        self._app_permissions = int(data.get("app_permissions", 0))


def pressed(interaction: discord.Interaction[Any]) -> PressedMessage | None:
    """The message that was pressed; None for a command."""
    message: Any = interaction.message
    return message if isinstance(message, PressedMessage) else None


def roles_of(interaction: discord.Interaction[Any]) -> frozenset[int] | None:
    """The roles of who pressed or typed; None by direct message.

    They are those that came with it: without the members intent, Discord tells of no later change.
    """
    user: Any = interaction.user
    if isinstance(user, Presser):
        return user.roles
    return frozenset(user._roles) if isinstance(user, discord.Member) else None


def thread_parent(interaction: discord.Interaction[Any]) -> int | None:
    """The channel that the thread of a press or a command belongs to; None if it is no thread."""
    channel: Any = interaction.channel
    if isinstance(channel, PressedChannel):
        return channel.thread_of
    return channel.parent_id if isinstance(channel, discord.Thread) else None


def _channel(data: Any) -> PressedChannel | None:
    """Where an interaction comes from; it may have the channel, or only its id, or neither."""
    channel = data.get("channel") or {"id": data.get("channel_id")}
    if channel["id"] is None:
        return None
    parent = channel.get("parent_id") if channel.get("type") in _THREADS else None
    return PressedChannel(int(channel["id"]), None if parent is None else int(parent))


def message_of(message: Any) -> PressedMessage:
    """A message of the bot's, as Discord's API has it."""
    return PressedMessage(
        int(message["id"]),
        bool(message.get("flags", 0) & _PRIVATE),
        frozenset(file["filename"] for file in message.get("attachments", ())),
        message.get("components", ()),
        int(answered["id"]) if (answered := message.get("interaction_metadata")) else None,
    )


class Intake:
    """The presses that wait, and the presses and commands that are being carried out.

    Args:
        carry_out: carries out a press and replies to it; must not raise.
        hand_on: hands what a member did in a direct message on to another process; returns whether it did.
            None if there is no other; must not raise.

    Attributes:
        presses: how many presses have come.
        dropped: how many of them were dropped.
        repeated: how many interactions came again.
    """

    def __init__(
        self,
        client: discord.Client,
        carry_out: Callable[[PressInteraction], Coroutine[Any, Any, None]],
        hand_on: Callable[[Any], Coroutine[Any, Any, bool]] | None = None,
    ) -> None:
        self._state = client._connection
        self._carry_out = carry_out
        self._hand_on = hand_on
        self._others: Callable[[Any], None]
        self.presses = self.dropped = self.repeated = 0
        self._waiting: deque[_Waiting] = deque()
        self._running: set[asyncio.Task[Any]] = set()
        self._turn_is_due = False
        self._closed = False
        self._taken: LRUCache[str, bool] = LRUCache(REMEMBERED)

    def join(self) -> bool:
        """Lets `close` wait for this task too, which runs a command; returns False once it is called."""
        if self._closed:
            return False
        task = asyncio.current_task()
        assert task is not None
        self._keep(task)
        return True

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def install(self) -> None:
        """Takes presses out of what discord.py handles; it still handles commands."""
        self._others = self._state.parsers[_EVENT]

        def parse(data: Any) -> None:
            if not self._is_first(data):
                return
            if self._hand_on is not None and data.get("guild_id") is None:
                self._keep(asyncio.create_task(self._handed_on_or_taken(data), name="hand on"))
            else:
                self._take_any(data)

        self._state.parsers[_EVENT] = guarded(_EVENT, parse)

    def take_handed_on(self, data: Any) -> None:
        """Takes in what another process has handed on; once, though two do it in a deploy that overlaps."""
        if self._is_first(data):
            self._take_any(data)

    def _take_any(self, data: Any) -> None:
        guarded(_EVENT, self.take if data.get("type") in _KINDS else self._others)(data)

    async def _handed_on_or_taken(self, data: Any) -> None:
        assert self._hand_on is not None
        if not await self._hand_on(data):
            self._take_any(data)

    def _is_first(self, data: Any) -> bool:
        """Whether an interaction has not come before."""
        interaction_id = data.get("id")
        if interaction_id is None:
            return True
        if str(interaction_id) in self._taken:
            self.repeated += 1
            log.info("interaction %s came again", interaction_id)
            return False
        self._taken[str(interaction_id)] = True
        return True

    def take(self, data: Any) -> None:
        """Takes a press in, as Discord sent it."""
        if self._closed:
            return
        self.presses += 1
        user = (data.get("member") or data).get("user") or {}
        self._waiting.append(_Waiting(asyncio.get_running_loop().time(), user.get("id"), data))
        self._go_on_soon()

    @property
    def waiting(self) -> int:
        """How many presses wait."""
        return len(self._waiting)

    async def until_nobody_waits(self) -> None:
        """Returns when no press waits, or after some seconds: work that may be late stands back so long."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_SECONDS
        while self._waiting and loop.time() < until:  # noqa: ASYNC110 - an event would wake all at once
            await asyncio.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """Takes nothing more in, and waits a little for the replies that are being made."""
        self._closed = True
        if self._waiting:
            log.info("%d presses were dropped: the bot is stopping", len(self._waiting))
            self.dropped += len(self._waiting)
            self._waiting.clear()
        if self._running:
            _, unfinished = await asyncio.wait(self._running, timeout=CLOSING_SECONDS)
            for task in unfinished:
                task.cancel()

    def _go_on_soon(self) -> None:
        if not self._turn_is_due:
            self._turn_is_due = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        """Drops what is hopeless, and starts some presses.

        A few in each turn of the event loop: its turns take longer the more it has to do, so no more presses
        are started than it can finish.
        """
        self._turn_is_due = False
        now, dropped = asyncio.get_running_loop().time(), 0
        while self._waiting and (
            now - self._waiting[0].since > HOPELESS_SECONDS or len(self._waiting) > MOST_WAITING
        ):
            self._waiting.popleft()
            dropped += 1
        if dropped:
            self.dropped += dropped
            log.warning("%d presses were dropped: they came faster than they could be carried out", dropped)
        started = 0
        while self._waiting and started < IN_A_TURN:
            started += self._start(self._next(now))
        if self._waiting:
            self._go_on_soon()

    def _next(self, now: float) -> Any:
        """Takes the press that is next; see above."""
        if now - self._waiting[0].since < OVERLOAD_SECONDS:
            return self._waiting.popleft().data
        newest = self._waiting[-1].user
        first = next(one for one in self._waiting if one.user == newest)
        self._waiting.remove(first)
        return first.data

    def _start(self, data: Any) -> bool:
        """Starts a press; returns whether it could be parsed."""
        try:
            press = PressInteraction(data=data, state=self._state)
        except Exception:
            # Raised, it would end the connection.
            log.exception("skipped a press that cannot be parsed")
            return False
        task = asyncio.create_task(self._carry_out(press), name="press")
        self._keep(task)

        def ended(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and (failed := task.exception()) is not None:
                log.error("a press was not carried out", exc_info=failed)

        task.add_done_callback(ended)
        return True


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A press that waits: since when by the clock of the event loop, of whom if known, and as it was sent."""

    since: float
    user: object
    data: Any


def guard_parsers(client: discord.Client) -> None:
    """Has events skipped that cannot be parsed, and those that the bot has no use for.

    An event that cannot be parsed would end the connection, and the process with it. Of a message that was
    edited, such as the bot's own boards, discord.py makes an object each time. And with several shards in
    mind, it never forgets a server that left the bot while there was no connection.
    """
    parsers = client._connection.parsers
    parse_ready = parsers["READY"]

    def ready(data: Any) -> None:
        _forget_unnamed(client, data)
        parse_ready(data)

    parsers["READY"] = ready
    parsers["MESSAGE_UPDATE"] = lambda _: None
    for name, parse in parsers.items():
        parsers[name] = guarded(name, parse)


def _forget_unnamed(client: discord.Client, data: Any) -> None:
    """Drops the servers of a shard that Discord leaves out of a new session."""
    shard_id, _ = data["shard"]
    named = {int(server["id"]) for server in data["guilds"]}
    for server in client.guilds:
        if server.shard_id == shard_id and server.id not in named:
            client._connection._remove_guild(server)


def guarded(name: str, parse: Callable[[Any], None]) -> Callable[[Any], None]:
    """Takes events of this name as `parse` does, but logs and skips one at which that raises."""

    def guard(data: Any) -> None:
        try:
            parse(data)
        except Exception:
            log.exception("skipped an event %s of Discord's that cannot be parsed", name)

    return guard
