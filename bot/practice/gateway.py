"""The gateway's protocol: accepts the bot's connections and begins or resumes sessions."""

import asyncio
import json
import secrets
from enum import IntEnum
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from bot.practice.gateway_events import INTENTS, Frame, GatewayEvents, GatewaySession, Outbox
from bot.practice.limits import Limits
from bot.practice.world import World


class Opcode(IntEnum):
    """What a frame is, by Discord's numbers; the bot sends no others."""

    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class CloseCode(IntEnum):
    """Why the gateway closes a connection, by Discord's numbers."""

    GOING_AWAY = 1001
    UNKNOWN_OPCODE = 4001
    AUTHENTICATION_FAILED = 4004
    SESSION_TIMED_OUT = 4009
    DISALLOWED_INTENTS = 4014


class Gateway:
    """Speaks the gateway's protocol over any number of connections."""

    def __init__(self, world: World, limits: Limits, events: GatewayEvents, token: str) -> None:
        self.events = events
        self._world = world
        self._limits = limits
        self._token = token

    def login_limit(self) -> dict[str, Any]:
        """How often the bot may still log in (IDENTIFY) today, as Discord tells it."""
        return {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}

    async def serve(self, socket: WebSocket) -> None:
        """Serves one connection until either side closes it."""
        await socket.accept()
        outbox: Outbox = asyncio.Queue()
        writer = asyncio.create_task(_write(socket, outbox))
        outbox.put_nowait(
            frame_of(Opcode.HELLO, {"heartbeat_interval": int(self._limits.heartbeat_seconds * 1000)})
        )
        session: GatewaySession | None = None
        try:
            while not writer.done():
                session = self._receive(await self.text(socket), session, socket, outbox)
        except WebSocketDisconnect as closed:
            # A client that closes with one of these codes will not resume.
            if session is not None and closed.code in (1000, 1001):
                self.events.sessions.pop(session.id, None)
        except TimeoutError:
            outbox.put_nowait(CloseCode.SESSION_TIMED_OUT)
        finally:
            if session is not None:
                session.disconnect(outbox)
            self._world.wake_waiters()
            outbox.put_nowait(0)
            await asyncio.wait([writer])

    async def text(self, socket: WebSocket) -> str:
        """The next frame.

        Raises:
            TimeoutError: if none comes.
        """
        async with asyncio.timeout(self._limits.silence_seconds):
            return await socket.receive_text()

    def _receive(
        self, text: str, session: GatewaySession | None, socket: WebSocket, outbox: Outbox
    ) -> GatewaySession | None:
        """Handles one frame; returns the connection's session from now on."""
        frame = json.loads(text)
        match frame["op"]:
            case Opcode.HEARTBEAT:
                self.acknowledge(outbox)
            case Opcode.IDENTIFY if session is None:
                return self.identify(frame["d"], socket, outbox)
            case Opcode.RESUME if session is None:
                return self.resume(frame["d"], socket, outbox)
            case _:
                outbox.put_nowait(CloseCode.UNKNOWN_OPCODE)
        return session

    def acknowledge(self, outbox: Outbox) -> None:
        """Acknowledges a heartbeat."""
        outbox.put_nowait(frame_of(Opcode.HEARTBEAT_ACK, None))

    def identify(self, data: dict[str, Any], socket: WebSocket, outbox: Outbox) -> GatewaySession | None:
        """Begins a session for who logs in, or closes the connection."""
        if data.get("token") != self._token:
            outbox.put_nowait(CloseCode.AUTHENTICATION_FAILED)
            return None
        if data["intents"] & ~INTENTS:
            outbox.put_nowait(CloseCode.DISALLOWED_INTENTS)
            return None
        session = GatewaySession(secrets.token_hex(16), data["intents"], tuple(data.get("shard") or (0, 1)))
        self.events.sessions[session.id] = session
        session.connect(outbox, _client(socket))
        self.events.send_ready(session)
        self._world.wake_waiters()
        return session

    def resume(self, data: dict[str, Any], socket: WebSocket, outbox: Outbox) -> GatewaySession | None:
        """Continues a session with the events that the bot has missed, or says that it is over."""
        session = self.events.sessions.get(str(data.get("session_id")))
        sequence = int(data.get("seq") or 0)
        if data.get("token") != self._token:
            outbox.put_nowait(CloseCode.AUTHENTICATION_FAILED)
            return None
        if session is None or not session.can_replay_after(sequence):
            outbox.put_nowait(frame_of(Opcode.INVALID_SESSION, False))
            return None
        session.connect(outbox, _client(socket))
        session.replay_after(sequence)
        session.dispatch("RESUMED", {})
        self._world.wake_waiters()
        return session

    def close(self) -> None:
        """Closes every connection because the gateway shuts down."""
        for session in self.events.sessions.values():
            session.send(CloseCode.GOING_AWAY)


def frame_of(op: Opcode, data: Any) -> Frame:
    """A frame without a number."""
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
