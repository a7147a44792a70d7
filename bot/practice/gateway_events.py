"""Turns changes of the world into gateway events, and keeps them for each session that may get them."""

import asyncio
import json
from collections import deque
from typing import Any, Final, TypeAlias

from bot.practice.changes import Change
from bot.practice.interactions import Interaction
from bot.practice.limits import Limits
from bot.practice.payloads import (
    channel_json,
    guild_create_json,
    interaction_json,
    message_event_json,
    own_user_json,
)
from bot.practice.servers import Channel, Server
from bot.practice.world import World

Frame: TypeAlias = str
"""One gateway message, as JSON text."""

Outbox: TypeAlias = asyncio.Queue[Frame | int]
"""What is still to be sent on a connection: frames, or a close code."""

MOST_EVENTS: Final = 1000
"""How many events are kept for a bot that resumes."""
GUILDS: Final = 1 << 0
GUILD_MESSAGES: Final = 1 << 9
SHARD_SHIFT: Final = 22
"""The bits of a server's id that say nothing about its shard."""
INTENTS: Final = GUILDS | GUILD_MESSAGES
"""What a bot may ask for here: events of servers, and of the messages in them."""


class GatewaySession:
    """The events of one session, and its connection if it has one.

    `sequence` is the number of the last event, `client` host and port of the other side, and `shard` which of
    how many shards the session is for.
    """

    def __init__(self, session_id: str, intents: int, shard: tuple[int, int] = (0, 1)) -> None:
        self.id = session_id
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.client: tuple[str, int] | None = None
        self._outbox: Outbox | None = None
        self._events: deque[tuple[int, Frame]] = deque(maxlen=MOST_EVENTS)

    def connect(self, outbox: Outbox, client: tuple[str, int]) -> None:
        """Sends events to this connection from now on."""
        self._outbox, self.client = outbox, client

    def disconnect(self, outbox: Outbox | None = None) -> None:
        """Drops the connection, or only if it still uses `outbox`; events are kept meanwhile."""
        if outbox is None or outbox is self._outbox:
            self._outbox = self.client = None

    def is_of(self, server_id: int | None) -> bool:
        """Whether the session gets the events of a server; None for what is in no server."""
        number, count = self.shard
        return ((server_id or 0) >> SHARD_SHIFT) % count == number

    def dispatch(self, event: str, data: Any) -> None:
        """Numbers an event, keeps it, and sends it if connected."""
        self.sequence += 1
        frame = json.dumps({"op": 0, "s": self.sequence, "t": event, "d": data}, ensure_ascii=False)
        self._events.append((self.sequence, frame))
        self.send(frame)

    def send(self, item: Frame | int) -> None:
        """Sends a frame without a number, or a close code; does nothing without a connection."""
        if self._outbox is not None:
            self._outbox.put_nowait(item)

    def can_replay_after(self, sequence: int) -> bool:
        """Whether every event after this number is still kept."""
        return not self._events or self._events[0][0] <= sequence + 1

    def replay_after(self, sequence: int) -> None:
        """Sends every event after this number again."""
        for number, frame in self._events:
            if number > sequence:
                self.send(frame)


class GatewayEvents:
    """Turns changes into events and sends them to the sessions, also to those without a connection."""

    def __init__(self, world: World, limits: Limits) -> None:
        self._world = world
        self._limits = limits
        self.sessions: dict[str, GatewaySession] = {}
        self.resume_url = ""
        world.on_change(self._announce)

    def send_ready(self, session: GatewaySession) -> None:
        """Sends READY and one GUILD_CREATE for each server to a new session."""
        world = self._world
        servers = [
            server for server in world.servers.values() if self.is_listed(server) and session.is_of(server.id)
        ]
        ready = {
            "v": 10,
            "user": own_user_json(world.bot),
            "guilds": [{"id": str(server.id), "unavailable": True} for server in servers],
            "session_id": session.id,
            "resume_gateway_url": self.resume_url,
            "application": {"id": str(world.application_id), "flags": 0},
            "shard": list(session.shard),
            "private_channels": [],
        }
        session.dispatch("READY", ready)
        for server in servers:
            # This tells a server that READY named from a server that the bot has just joined.
            told = guild_create_json(server, world.bot) | {"unavailable": False}
            session.dispatch("GUILD_CREATE", told)

    def send_interaction(self, interaction: Interaction) -> None:
        """Sends an interaction to the bot."""
        described = interaction_json(interaction, self._world, self._limits.attachment_bytes)
        server = interaction.channel.server
        self.dispatch("INTERACTION_CREATE", described, None if server is None else server.id)

    def is_listed(self, server: Server) -> bool:
        """Whether READY names a server: the bot is in it."""
        return server.member(self._world.bot) is not None

    def dispatch(self, event: str, data: Any, server_id: int | None) -> None:
        """Sends an event of a server, or of none, to every session that wants it."""
        for session in filter(lambda one: one.is_of(server_id), self.sessions.values()):
            if session.intents & GUILD_MESSAGES or not event.startswith("MESSAGE"):
                session.dispatch(event, data)

    def _announce(self, change: Change) -> None:
        """Sends the event of a change, if Discord has one."""
        match change.kind:
            case "message_created" | "message_updated" | "message_deleted":
                self._announce_message(change)
            case "thread_updated" if change.channel is not None:
                self._dispatch_in(change.channel, "THREAD_UPDATE", channel_json(change.channel))
            case "channel_created" | "channel_deleted":
                self._announce_channel(change)
            case "server_joined" if change.server is not None:
                joined = guild_create_json(change.server, self._world.bot)
                self.dispatch("GUILD_CREATE", joined, change.server.id)
            case "server_left" if change.server is not None:
                # The bot has left, so it gets only the id.
                self.dispatch("GUILD_DELETE", {"id": str(change.server.id)}, change.server.id)
            case _:
                pass

    def _announce_message(self, change: Change) -> None:
        message, channel = change.message, change.channel
        assert message is not None, "the change is about a message"
        assert channel is not None, "a message has a channel"
        # Discord counts ephemeral messages as direct messages, for which the bot does not ask.
        if channel.server is None or message.ephemeral or not self._bot_sees(channel):
            return
        if change.kind == "message_deleted":
            gone = {"id": message.id, "channel_id": channel.id, "guild_id": channel.server.id}
            ids = {name: str(number) for name, number in gone.items()}
            self._dispatch_in(channel, "MESSAGE_DELETE", ids)
            return
        described = message_event_json(message, self._world)
        own = message.author is self._world.bot
        if not own and self._world.bot.mention not in message.content:
            # Without the message content intent, a bot doesn't see what others write.
            described |= {"content": "", "embeds": [], "attachments": [], "components": []}
        event = "MESSAGE_CREATE" if change.kind == "message_created" else "MESSAGE_UPDATE"
        self._dispatch_in(channel, event, described)

    def _announce_channel(self, change: Change) -> None:
        channel = change.channel
        assert channel is not None, "the change is about a channel"
        if channel.is_dm or not self._bot_sees(channel):
            return
        what = "THREAD" if channel.is_thread else "CHANNEL"
        how = "CREATE" if change.kind == "channel_created" else "DELETE"
        described = channel_json(channel)
        if channel.is_thread and how == "CREATE":
            described["newly_created"] = True
        self._dispatch_in(channel, f"{what}_{how}", described)

    def _dispatch_in(self, channel: Channel, event: str, data: Any) -> None:
        self.dispatch(event, data, None if channel.server is None else channel.server.id)

    def _bot_sees(self, channel: Channel) -> bool:
        return bool(channel.permissions_of(self._world.bot))
