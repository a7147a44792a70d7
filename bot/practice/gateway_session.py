"""A session of the gateway: the numbered events of one shard, kept so that none is lost with a line."""

import asyncio
import json
from collections import deque
from typing import Any, Final, TypeAlias

Frame: TypeAlias = str
"""One message of the gateway, as JSON text."""

Outbox: TypeAlias = asyncio.Queue[Frame | int]
"""What is still to be sent on a connection: frames, or the number to close it with."""

MOST_EVENTS: Final = 1000
"""How many events are kept for a bot that comes back."""


class Session:
    """The events of one session, and the connection that they go to, if there is one.

    Attributes:
        id: what RESUME names it by.
        shard: which part of the servers it is about.
        shards: how many parts there are.
        intents: what it wants to hear of.
        sequence: the number of the last event.
        client: host and port of the other side; None while there is no connection.
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
        """Whether what happens is sent at once."""
        return self._outbox is not None

    def hears_of(self, server_id: int | None) -> bool:
        """Whether this shard is told of that server; of direct messages (None) the first one is."""
        if server_id is None:
            return self.shard == 0
        return (server_id >> 22) % self.shards == self.shard

    def connect(self, outbox: Outbox, client: tuple[str, int]) -> None:
        """Has events sent to this connection from now on."""
        self._outbox, self.client = outbox, client

    def disconnect(self, outbox: Outbox | None = None) -> None:
        """Has events kept; where an outbox is named, only if that is still the one in use."""
        if outbox is None or outbox is self._outbox:
            self._outbox = self.client = None

    def dispatch(self, event: str, data: Any) -> None:
        """Numbers an event, keeps it, and sends it if there is a connection."""
        self.sequence += 1
        frame = json.dumps({"op": 0, "s": self.sequence, "t": event, "d": data}, ensure_ascii=False)
        self._events.append((self.sequence, frame))
        self.put(frame)

    def put(self, item: Frame | int) -> None:
        """Sends a frame that is no event, or closes the connection; nothing where there is none."""
        if self._outbox is not None:
            self._outbox.put_nowait(item)

    def remembers(self, sequence: int) -> bool:
        """Whether every event after this one is still kept."""
        return not self._events or self._events[0][0] <= sequence + 1

    def replay(self, sequence: int) -> None:
        """Sends every event after this one once more."""
        for number, frame in self._events:
            if number > sequence:
                self.put(frame)
