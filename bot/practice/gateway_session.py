"""A gateway session: the numbered events of one shard, kept until the bot resumes."""

import asyncio
import json
from collections import deque
from typing import Any, Final, TypeAlias

Frame: TypeAlias = str
"""One gateway message, as JSON text."""

Outbox: TypeAlias = asyncio.Queue[Frame | int]
"""What is still to be sent on a connection: frames, or a close code."""

MOST_EVENTS: Final = 1000
"""How many events are kept for a bot that resumes."""


class GatewaySession:
    """The events of one session, and its connection if it has one.

    Attributes:
        id: the id that RESUME names.
        shard: which shard of the bot it is.
        shards: how many shards there are.
        intents: the intents it asked for.
        sequence: the number of the last event.
        client: host and port of the other side; None without a connection.
    """

    def __init__(self, session_id: str, shard: int, shards: int, intents: int) -> None:
        self.id = session_id
        self.shard = shard
        self.shards = shards
        self.intents = intents
        self.sequence = 0
        self.client: tuple[str, int] | None = None
        self._outbox: Outbox | None = None
        self._events: deque[tuple[int, Frame]] = deque(maxlen=MOST_EVENTS)

    @property
    def connected(self) -> bool:
        """Whether it has a connection."""
        return self._outbox is not None

    def covers_server(self, server_id: int | None) -> bool:
        """Whether this shard gets the server's events; the first shard gets direct messages (None)."""
        if server_id is None:
            return self.shard == 0
        return (server_id >> 22) % self.shards == self.shard

    def connect(self, outbox: Outbox, client: tuple[str, int]) -> None:
        """Sends events to this connection from now on."""
        self._outbox, self.client = outbox, client

    def disconnect(self, outbox: Outbox | None = None) -> None:
        """Drops the connection, or only if it still uses `outbox`; events are kept meanwhile."""
        if outbox is None or outbox is self._outbox:
            self._outbox = self.client = None

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
