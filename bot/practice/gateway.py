"""The gateway's protocol: accepts the bot's connections and begins or resumes sessions."""

import asyncio
import json
import secrets
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, Literal

from fastapi import WebSocket, WebSocketDisconnect

from bot.practice.gateway_events import PRIVILEGED_INTENTS, SUPPORTED_INTENTS, GatewayEvents, Intent
from bot.practice.gateway_session import Frame, GatewaySession, Outbox
from bot.practice.limits import Limits
from bot.practice.world import World

LOGINS_A_DAY: Final = 1000
"""How often Discord lets a bot log in (IDENTIFY)."""


class Opcode(IntEnum):
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


class CloseCode(IntEnum):
    """Why the gateway closes a connection, by Discord's numbers."""

    UNKNOWN_ERROR = 4000
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
    """Speaks the gateway's protocol over any number of connections.

    Attributes:
        acknowledges: whether it acknowledges heartbeats.
        welcome: what it does with who logs in: begin a session, refuse it (op 9), or begin and close it.
        refusal: the code with which it closes the connection of who logs in; None for none.
        logins: what is left of the day's logins; a login takes one.
        logins_in: the seconds until all are there again, as it says them.
        cut: cuts the connection of a client (host, port); the server sets it.
        stop_reading: reads nothing more from a client; the server sets it.
    """

    def __init__(self, world: World, limits: Limits, events: GatewayEvents, token: str) -> None:
        self._world = world
        self._limits = limits
        self._events = events
        self._token = token
        self.acknowledges = True
        self.welcome: Literal["session", "invalid", "closed"] = "session"
        self.refusal: int | None = None
        self.logins = LOGINS_A_DAY
        self.logins_in = 0.0
        self.cut: Callable[[tuple[str, int]], None] = lambda _: None
        self.stop_reading: Callable[[tuple[str, int]], None] = lambda _: None
        self._deaf_to: set[tuple[str, int]] = set()

    @property
    def connected(self) -> bool:
        """Whether the bot has a connection with a session."""
        return any(session.connected for session in self._events.sessions.values())

    @property
    def clients(self) -> set[tuple[str, int]]:
        """The other ends (host, port) of all connections with a session."""
        return {session.client for session in self._events.sessions.values() if session.client is not None}

    # Connections

    async def serve(self, socket: WebSocket) -> None:
        """Serves one connection until either side closes it."""
        await socket.accept()
        outbox: Outbox = asyncio.Queue()
        writer = asyncio.create_task(_write(socket, outbox))
        outbox.put_nowait(
            _frame(Opcode.HELLO, {"heartbeat_interval": int(self._limits.heartbeat_seconds * 1000)})
        )
        session: GatewaySession | None = None
        try:
            while not writer.done():
                session = self._receive(await self._text(socket), session, socket, outbox)
        except WebSocketDisconnect as closed:
            # A client that closes with one of these codes will not resume.
            if session is not None and closed.code in (1000, 1001):
                self._events.sessions.pop(session.id, None)
        except TimeoutError:
            outbox.put_nowait(CloseCode.SESSION_TIMED_OUT)
        finally:
            if session is not None:
                session.disconnect(outbox)
            self._world.wake_waiters()
            outbox.put_nowait(0)
            await asyncio.wait([writer])

    async def _text(self, socket: WebSocket) -> str:
        """The next frame.

        Raises:
            TimeoutError: if none comes, though the gateway listens.
        """
        while True:
            try:
                async with asyncio.timeout(self._limits.silence_seconds):
                    return await socket.receive_text()
            except TimeoutError:
                if _client(socket) not in self._deaf_to:
                    raise

    def _receive(
        self, text: str, session: GatewaySession | None, socket: WebSocket, outbox: Outbox
    ) -> GatewaySession | None:
        """Handles one frame; returns the connection's session from now on."""
        try:
            frame = json.loads(text)
            op, data = Opcode(frame["op"]), frame.get("d")
        except (ValueError, KeyError, TypeError):
            outbox.put_nowait(CloseCode.DECODE_ERROR)
            return session
        match op:
            case Opcode.HEARTBEAT if not self.acknowledges:
                pass
            case Opcode.HEARTBEAT:
                outbox.put_nowait(_frame(Opcode.HEARTBEAT_ACK, None))
            case Opcode.IDENTIFY | Opcode.RESUME if session is not None:
                outbox.put_nowait(CloseCode.ALREADY_AUTHENTICATED)
            case Opcode.IDENTIFY:
                return self._identify(data, socket, outbox)
            case Opcode.RESUME:
                return self._resume(data, socket, outbox)
            case _ if session is None:
                outbox.put_nowait(CloseCode.NOT_AUTHENTICATED)
            case Opcode.REQUEST_MEMBERS:
                self._events.send_members(session, data)
            case Opcode.PRESENCE | Opcode.VOICE_STATE:
                pass
            case _:
                outbox.put_nowait(CloseCode.UNKNOWN_OPCODE)
        return session

    def _identify(self, data: dict[str, Any], socket: WebSocket, outbox: Outbox) -> GatewaySession | None:
        shard, shards = data.get("shard") or (0, 1)
        intents = Intent(int(data.get("intents") or 0) & int(SUPPORTED_INTENTS))
        if data.get("token") != self._token:
            outbox.put_nowait(CloseCode.AUTHENTICATION_FAILED)
        elif not 0 <= shard < shards:
            outbox.put_nowait(CloseCode.INVALID_SHARD)
        elif intents & PRIVILEGED_INTENTS and not self._limits.privileged_intents:
            outbox.put_nowait(CloseCode.DISALLOWED_INTENTS)
        elif self.refusal is not None:
            outbox.put_nowait(self.refusal)
        elif self._take_login() == "invalid":
            outbox.put_nowait(_frame(Opcode.INVALID_SESSION, False))
        else:
            session = GatewaySession(secrets.token_hex(16), shard, shards, int(intents))
            self._events.sessions[session.id] = session
            session.connect(outbox, _client(socket))
            self._events.send_ready(session)
            self._world.wake_waiters()
            if self.welcome == "closed":
                outbox.put_nowait(CloseCode.UNKNOWN_ERROR)
            return session
        return None

    def _take_login(self) -> str:
        """Counts a login; returns what to do with it."""
        self.logins -= 1
        return self.welcome

    def _resume(self, data: dict[str, Any], socket: WebSocket, outbox: Outbox) -> GatewaySession | None:
        session = self._events.sessions.get(str(data.get("session_id")))
        if data.get("token") != self._token:
            outbox.put_nowait(CloseCode.AUTHENTICATION_FAILED)
            return None
        if session is None or not session.can_replay_after(int(data.get("seq") or 0)):
            outbox.put_nowait(_frame(Opcode.INVALID_SESSION, False))
            return None
        if int(data.get("seq") or 0) > session.sequence:
            outbox.put_nowait(CloseCode.INVALID_SEQUENCE)
            return None
        session.connect(outbox, _client(socket))
        session.replay_after(int(data.get("seq") or 0))
        session.dispatch("RESUMED", {})
        self._world.wake_waiters()
        if self.welcome == "closed":
            outbox.put_nowait(CloseCode.UNKNOWN_ERROR)
        return session

    # Faults

    def drop(self, *, resumable: bool = True) -> None:
        """Cuts every connection without a close frame.

        Args:
            resumable: keep the sessions, so that events are sent after RESUME.
        """
        for session in list(self._events.sessions.values()):
            client = session.client
            if not resumable:
                del self._events.sessions[session.id]
            session.disconnect()
            if client is not None:
                self.cut(client)

    def turn_deaf(self) -> None:
        """Still sends events on every connection, but reads nothing more, not even that it is closed."""
        for session in self._events.sessions.values():
            if session.client is not None:
                self._deaf_to.add(session.client)
                self.stop_reading(session.client)

    def send_raw(self, event: str, data: Any) -> None:
        """Sends the bot an event with any contents, such as one that cannot be parsed."""
        self._events.send_raw(event, data)

    def ask_to_reconnect(self) -> None:
        """Asks every connection to reconnect and resume (op 7)."""
        for session in self._events.sessions.values():
            session.send(_frame(Opcode.RECONNECT, None))

    def invalidate_sessions(self) -> None:
        """Ends every session (op 9): the bot must identify again and loses the events between."""
        for session in list(self._events.sessions.values()):
            session.send(_frame(Opcode.INVALID_SESSION, False))
            del self._events.sessions[session.id]

    def close(self) -> None:
        """Closes every connection because the gateway shuts down."""
        for client in self._deaf_to:
            self.cut(client)
        for session in self._events.sessions.values():
            session.send(1001)


def _frame(op: Opcode, data: Any) -> Frame:
    return json.dumps({"op": op, "d": data, "s": None, "t": None})


def _client(socket: WebSocket) -> tuple[str, int]:
    assert socket.client is not None, "the server tells who connects"
    return socket.client.host, socket.client.port


async def _write(socket: WebSocket, outbox: Outbox) -> None:
    """Sends the outbox in order. A number closes the connection with that code, 0 without one."""
    while True:
        item = await outbox.get()
        try:
            if isinstance(item, str):
                await socket.send_text(item)
                continue
            if item:
                await socket.close(item)
        except (RuntimeError, WebSocketDisconnect):
            # The other side is already gone; the session keeps the event.
            pass
        return
