"""The gateway: takes the bot's connections, keeps its sessions, and makes events of what changes in the world."""

import asyncio
import json
import secrets
from collections.abc import Callable
from enum import IntEnum, IntFlag
from typing import Any, Final

from fastapi import WebSocket, WebSocketDisconnect

from bot.practice.changes import Change
from bot.practice.faults import Faults
from bot.practice.gateway_session import Frame, Session
from bot.practice.interactions import Interaction
from bot.practice.limits import Limits
from bot.practice.payloads import (
    channel_json,
    guild_create_json,
    interaction_json,
    member_json,
    message_event_json,
    own_user_json,
    user_json,
)
from bot.practice.places import Channel, Server
from bot.practice.world import World


class Op(IntEnum):
    """What a frame is, by Discord's numbers."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Intent(IntFlag):
    """What a bot wants to hear of, by Discord's numbers, as far as the stand-in has it."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED: Final = Intent.GUILD_MEMBERS | Intent.PRESENCES | Intent.MESSAGE_CONTENT
"""What a bot is told of only where Discord has granted it."""


class Close(IntEnum):
    """Why the gateway closes a connection, by Discord's numbers."""

    UNKNOWN_OPCODE = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SEQUENCE = 4007
    SESSION_TIMED_OUT = 4009
    INVALID_SHARD = 4010
    DISALLOWED_INTENTS = 4014


class Gateway:
    """Speaks the gateway's protocol with the bot, over as many connections as it opens.

    Attributes:
        url: what READY says to resume at; set when the port is known.
        cut: cuts the connection of a client (host, port); set by who runs the server.
    """

    def __init__(self, world: World, limits: Limits, faults: Faults, token: str) -> None:
        self._world = world
        self._limits = limits
        self._faults = faults
        self._token = token
        self._sessions: dict[str, Session] = {}
        self.url = ""
        self.cut: Callable[[tuple[str, int]], None] = lambda _: None
        world.on_change(self._announce)

    @property
    def connected(self) -> bool:
        """Whether the bot is connected and has a session."""
        return any(session.connected for session in self._sessions.values())

    # Connections

    async def serve(self, socket: WebSocket) -> None:
        """Serves one connection until either side ends it."""
        await socket.accept()
        outbox: asyncio.Queue[Frame | int] = asyncio.Queue()
        writer = asyncio.create_task(_write(socket, outbox))
        outbox.put_nowait(_frame(Op.HELLO, {"heartbeat_interval": int(self._limits.heartbeat * 1000)}))
        session: Session | None = None
        try:
            while not writer.done():
                async with asyncio.timeout(self._limits.heartbeat * 1.5):
                    text = await socket.receive_text()
                session = self._receive(text, session, socket, outbox)
        except WebSocketDisconnect as closed:
            # Who says goodbye with one of these codes will not resume.
            if session is not None and closed.code in (1000, 1001):
                self._sessions.pop(session.id, None)
        except TimeoutError:
            outbox.put_nowait(Close.SESSION_TIMED_OUT)
        finally:
            if session is not None:
                session.disconnect(outbox)
            self._world.stir()
            outbox.put_nowait(0)
            await asyncio.wait([writer])

    def _receive(
        self, text: str, session: Session | None, socket: WebSocket, outbox: asyncio.Queue[Frame | int]
    ) -> Session | None:
        """Acts on one frame; gives the session the connection belongs to from now on."""
        try:
            frame = json.loads(text)
            op, data = Op(frame["op"]), frame.get("d")
        except (ValueError, KeyError, TypeError):
            outbox.put_nowait(Close.DECODE_ERROR)
            return session
        match op:
            case Op.HEARTBEAT:
                outbox.put_nowait(_frame(Op.HEARTBEAT_ACK, None))
            case Op.IDENTIFY | Op.RESUME if session is not None:
                outbox.put_nowait(Close.ALREADY_AUTHENTICATED)
            case Op.IDENTIFY:
                return self._identify(data, socket, outbox)
            case Op.RESUME:
                return self._resume(data, socket, outbox)
            case _ if session is None:
                outbox.put_nowait(Close.NOT_AUTHENTICATED)
            case Op.REQUEST_MEMBERS:
                self._send_members(session, data)
            case Op.PRESENCE | Op.VOICE_STATE:
                pass
            case _:
                outbox.put_nowait(Close.UNKNOWN_OPCODE)
        return session

    def _identify(
        self, data: dict[str, Any], socket: WebSocket, outbox: asyncio.Queue[Frame | int]
    ) -> Session | None:
        shard, shards = data.get("shard") or (0, 1)
        intents = Intent(int(data.get("intents") or 0) & int(_ALL_INTENTS))
        if data.get("token") != self._token:
            outbox.put_nowait(Close.AUTHENTICATION_FAILED)
        elif not 0 <= shard < shards:
            outbox.put_nowait(Close.INVALID_SHARD)
        elif intents & PRIVILEGED and not self._limits.privileged_intents:
            outbox.put_nowait(Close.DISALLOWED_INTENTS)
        else:
            session = Session(secrets.token_hex(16), shard, shards, int(intents))
            self._sessions[session.id] = session
            session.connect(outbox, _client(socket))
            self._greet(session)
            self._world.stir()
            return session
        return None

    def _greet(self, session: Session) -> None:
        world = self._world
        servers = [s for s in world.servers.values() if s.member(world.bot) and session.hears_of(s.id)]
        ready = {
            "v": 10,
            "user": own_user_json(world.bot),
            "guilds": [{"id": str(server.id), "unavailable": True} for server in servers],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "application": {"id": str(world.application_id), "flags": 0},
            "shard": [session.shard, session.shards],
            "private_channels": [],
        }
        session.dispatch("READY", ready)
        for server in servers:
            self._send_server(session, server)

    def _resume(
        self, data: dict[str, Any], socket: WebSocket, outbox: asyncio.Queue[Frame | int]
    ) -> Session | None:
        session = self._sessions.get(str(data.get("session_id")))
        if data.get("token") != self._token:
            outbox.put_nowait(Close.AUTHENTICATION_FAILED)
            return None
        if session is None or not session.remembers(int(data.get("seq") or 0)):
            outbox.put_nowait(_frame(Op.INVALID_SESSION, False))
            return None
        if int(data.get("seq") or 0) > session.sequence:
            outbox.put_nowait(Close.INVALID_SEQUENCE)
            return None
        session.connect(outbox, _client(socket))
        session.replay(int(data.get("seq") or 0))
        session.dispatch("RESUMED", {})
        self._world.stir()
        return session

    # Faults

    def drop(self, *, resumable: bool) -> None:
        """Cuts every connection without a word."""
        for session in list(self._sessions.values()):
            client = session.client
            if not resumable:
                del self._sessions[session.id]
            session.disconnect()
            if client is not None:
                self.cut(client)

    def ask_to_reconnect(self) -> None:
        """Asks every connection to come back and resume (op 7)."""
        for session in self._sessions.values():
            session.put(_frame(Op.RECONNECT, None))

    def invalidate(self) -> None:
        """Ends every session (op 9); the bot has to identify anew."""
        for session in list(self._sessions.values()):
            session.put(_frame(Op.INVALID_SESSION, False))
            del self._sessions[session.id]

    def close(self) -> None:
        """Ends every connection, as Discord does when a gateway is shut down for good."""
        for session in self._sessions.values():
            session.put(1001)

    # Events

    def send_interaction(self, interaction: Interaction) -> None:
        """Hands an interaction to the bot."""
        described = interaction_json(interaction, self._world, self._limits.attachment_bytes)
        self._dispatch("INTERACTION_CREATE", described, interaction.channel.server)

    def _dispatch(
        self, event: str, data: Any, server: Server | None, intent: Intent | None = None
    ) -> None:
        times = 2 if self._faults.doubles(event) else 1
        for session in self._sessions.values():
            wanted = intent is None or session.intents & intent
            if wanted and session.hears_of(None if server is None else server.id):
                for _ in range(times):
                    session.dispatch(event, data)

    def _announce(self, change: Change) -> None:
        """Makes an event of a change, where Discord has one that the bot may hear of."""
        match change.kind:
            case "message_created" | "message_updated" | "message_deleted":
                self._announce_message(change)
            case "channel_created" | "channel_deleted":
                self._announce_channel(change)
            case "server_joined" if change.server is not None:
                for session in self._sessions.values():
                    if session.hears_of(change.server.id):
                        self._send_server(session, change.server)
            case "server_left" if change.server is not None:
                # The bot is out of it, so that it is told of the id alone.
                self._dispatch("GUILD_DELETE", {"id": str(change.server.id)}, change.server, Intent.GUILDS)
            case "member_joined" | "member_left":
                self._announce_member(change)
            case _:
                pass

    def _announce_message(self, change: Change) -> None:
        message, channel = change.message, change.channel
        assert message is not None, "the change is about a message"
        assert channel is not None, "a message has a channel"
        if not self._bot_sees(channel):
            return
        intent = Intent.DIRECT_MESSAGES if channel.is_dm else Intent.GUILD_MESSAGES
        if change.kind == "message_deleted":
            gone = {"id": str(message.id), "channel_id": str(channel.id)}
            if channel.server is not None:
                gone["guild_id"] = str(channel.server.id)
            self._dispatch("MESSAGE_DELETE", gone, channel.server, intent)
            return
        described = message_event_json(message, self._world)
        own = message.author is self._world.bot
        mentions_bot = self._world.bot.mention in message.content
        if not (own or channel.is_dm or mentions_bot or self._limits.privileged_intents):
            # What others write is hidden from a bot without the message content intent.
            described |= {"content": "", "embeds": [], "attachments": [], "components": []}
        event = "MESSAGE_CREATE" if change.kind == "message_created" else "MESSAGE_UPDATE"
        self._dispatch(event, described, channel.server, intent)

    def _announce_channel(self, change: Change) -> None:
        channel = change.channel
        assert channel is not None, "the change is about a channel"
        if channel.is_dm or not self._bot_sees(channel):
            return
        what = "THREAD" if channel.is_thread else "CHANNEL"
        how = "CREATE" if change.kind == "channel_created" else "DELETE"
        self._dispatch(f"{what}_{how}", channel_json(channel), channel.server, Intent.GUILDS)

    def _announce_member(self, change: Change) -> None:
        server, user = change.server, change.user
        assert server is not None, "the change is about a server"
        assert user is not None, "the change is about a user"
        if change.kind == "member_left":
            event, described = "GUILD_MEMBER_REMOVE", {"user": user_json(user)}
        else:
            event, described = "GUILD_MEMBER_ADD", member_json(server.members[user.id])
        if server.member(self._world.bot) is not None:
            data = described | {"guild_id": str(server.id)}
            self._dispatch(event, data, server, Intent.GUILD_MEMBERS)

    def _send_server(self, session: Session, server: Server) -> None:
        every = bool(session.intents & Intent.GUILD_MEMBERS)
        described = guild_create_json(server, self._world.bot, all_members=every)
        session.dispatch("GUILD_CREATE", described)

    def _send_members(self, session: Session, data: dict[str, Any]) -> None:
        """Answers a request for members: by ids, or by the beginning of their names."""
        server = self._world.servers.get(int(data["guild_id"]))
        if server is None:
            return
        ids = data.get("user_ids")
        wanted = {int(user_id) for user_id in (ids if isinstance(ids, list) else [ids])} if ids else None
        query = str(data.get("query") or "").lower()
        found = [
            member
            for member in server.members.values()
            if (member.user.id in wanted if wanted is not None else member.user.name.startswith(query))
        ]
        chunk = {
            "guild_id": str(server.id),
            "members": [member_json(member) for member in found[: int(data.get("limit") or len(found))]],
            "chunk_index": 0,
            "chunk_count": 1,
            "nonce": data.get("nonce"),
        }
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    def _bot_sees(self, channel: Channel) -> bool:
        return bool(channel.permissions_of(self._world.bot))


_ALL_INTENTS: Final = (
    PRIVILEGED | Intent.GUILDS | Intent.GUILD_MESSAGES | Intent.DIRECT_MESSAGES
)


def _frame(op: Op, data: Any) -> Frame:
    return json.dumps({"op": op, "d": data, "s": None, "t": None})


def _client(socket: WebSocket) -> tuple[str, int]:
    assert socket.client is not None, "the server tells who connects"
    return socket.client.host, socket.client.port


async def _write(socket: WebSocket, outbox: asyncio.Queue[Frame | int]) -> None:
    """Sends what is put into the outbox, in order; a number closes the connection, 0 without a word."""
    while True:
        item = await outbox.get()
        try:
            if isinstance(item, str):
                await socket.send_text(item)
                continue
            if item:
                await socket.close(item)
        except (RuntimeError, WebSocketDisconnect):
            # The other side is gone already; its session keeps what could not be said.
            pass
        return
