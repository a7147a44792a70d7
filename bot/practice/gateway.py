"""The gateway's protocol: takes the bot's connections, and has each begin or resume a session."""

import asyncio
import json
import secrets
from collections.abc import Callable
from enum import IntEnum
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from bot.practice.events import KNOWN, PRIVILEGED, Events, Intent
from bot.practice.gateway_session import Frame, Outbox, Session
from bot.practice.limits import Limits
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
        cut: cuts the connection of a client (host, port); set by who runs the server.
    """

    def __init__(self, world: World, limits: Limits, events: Events, token: str) -> None:
        self._world = world
        self._limits = limits
        self._events = events
        self._token = token
        self.cut: Callable[[tuple[str, int]], None] = lambda _: None

    @property
    def connected(self) -> bool:
        """Whether the bot is connected and has a session."""
        return any(session.connected for session in self._events.sessions.values())

    # Connections

    async def serve(self, socket: WebSocket) -> None:
        """Serves one connection until either side ends it."""
        await socket.accept()
        outbox: Outbox = asyncio.Queue()
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
                self._events.sessions.pop(session.id, None)
        except TimeoutError:
            outbox.put_nowait(Close.SESSION_TIMED_OUT)
        finally:
            if session is not None:
                session.disconnect(outbox)
            self._world.stir()
            outbox.put_nowait(0)
            await asyncio.wait([writer])

    def _receive(
        self, text: str, session: Session | None, socket: WebSocket, outbox: Outbox
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
                self._events.send_members(session, data)
            case Op.PRESENCE | Op.VOICE_STATE:
                pass
            case _:
                outbox.put_nowait(Close.UNKNOWN_OPCODE)
        return session

    def _identify(self, data: dict[str, Any], socket: WebSocket, outbox: Outbox) -> Session | None:
        shard, shards = data.get("shard") or (0, 1)
        intents = Intent(int(data.get("intents") or 0) & int(KNOWN))
        if data.get("token") != self._token:
            outbox.put_nowait(Close.AUTHENTICATION_FAILED)
        elif not 0 <= shard < shards:
            outbox.put_nowait(Close.INVALID_SHARD)
        elif intents & PRIVILEGED and not self._limits.privileged_intents:
            outbox.put_nowait(Close.DISALLOWED_INTENTS)
        else:
            session = Session(secrets.token_hex(16), shard, shards, int(intents))
            self._events.sessions[session.id] = session
            session.connect(outbox, _client(socket))
            self._events.greet(session)
            self._world.stir()
            return session
        return None

    def _resume(self, data: dict[str, Any], socket: WebSocket, outbox: Outbox) -> Session | None:
        session = self._events.sessions.get(str(data.get("session_id")))
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

    def drop(self, *, resumable: bool = True) -> None:
        """Cuts every connection without a word."""
        for session in list(self._events.sessions.values()):
            client = session.client
            if not resumable:
                del self._events.sessions[session.id]
            session.disconnect()
            if client is not None:
                self.cut(client)

    def ask_to_reconnect(self) -> None:
        """Asks every connection to come back and resume (op 7)."""
        for session in self._events.sessions.values():
            session.put(_frame(Op.RECONNECT, None))

    def invalidate_sessions(self) -> None:
        """Ends every session (op 9); the bot has to identify anew."""
        for session in list(self._events.sessions.values()):
            session.put(_frame(Op.INVALID_SESSION, False))
            del self._events.sessions[session.id]

    def close(self) -> None:
        """Ends every connection, as Discord does when a gateway is shut down for good."""
        for session in self._events.sessions.values():
            session.put(1001)


def _frame(op: Op, data: Any) -> Frame:
    return json.dumps({"op": op, "d": data, "s": None, "t": None})


def _client(socket: WebSocket) -> tuple[str, int]:
    assert socket.client is not None, "the server tells who connects"
    return socket.client.host, socket.client.port


async def _write(socket: WebSocket, outbox: Outbox) -> None:
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
