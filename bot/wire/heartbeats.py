"""Breaks a connection without acknowledged heartbeats, so that discord.py connects again and resumes.

discord.py takes every event as a sign of life. And before it reconnects, it waits for the gateway to confirm
that the connection is closed, and each event makes it wait longer. So a gateway that still sends events but
hears nothing would keep the bot waiting without end.
"""

import logging
import threading
from typing import Any, Final

from discord import gateway

log = logging.getLogger(__name__)

MOST_MISSED: Final = 2
"""How many heartbeats in a row may stay without acknowledgement."""
CLOSING_SECONDS: Final = 5.0
"""How long the gateway has to confirm that a connection is closed."""


def watch_heartbeats() -> None:
    """Has every connection broken on which Discord acknowledges none of the last heartbeats."""
    gateway.KeepAliveHandler = Heartbeats  # type: ignore[misc]  # discord.py looks it up for each connection


class Heartbeats(gateway.KeepAliveHandler):
    """The thread that sends the heartbeats of one connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unacknowledged = 0

    def get_payload(self) -> dict[str, Any]:
        """The next heartbeat. Breaks the connection if too many had no acknowledgement."""
        # It counts heartbeats, not seconds: a process that was stopped has not read its answers yet. The
        # first heartbeat, and those that Discord asks for, are extra and come from another thread.
        if threading.current_thread() is self:
            self._unacknowledged += 1
            if self._unacknowledged > MOST_MISSED:
                self.ws.loop.call_soon_threadsafe(self._give_up)
        return super().get_payload()

    def ack(self) -> None:
        """Notes that Discord has acknowledged a heartbeat."""
        self._unacknowledged = 0
        super().ack()

    def stop(self) -> None:
        """Ends the thread, as the connection is about to be closed; breaks it if that takes long."""
        super().stop()
        loop = self.ws.loop
        if not loop.is_closed():
            loop.call_soon_threadsafe(loop.call_later, CLOSING_SECONDS, self._break)

    def _give_up(self) -> None:
        if self._break():
            log.warning(
                "Discord acknowledged none of the last %d heartbeats of shard %s: connecting again",
                MOST_MISSED,
                self.shard_id,
            )

    def _break(self) -> bool:
        """Breaks the connection without a closing frame, for the gateway may hear nothing.

        Returns:
            False if it has no connection any more.
        """
        connection = self.ws.socket._response.connection
        if connection is None or connection.transport is None:
            return False
        connection.transport.abort()
        return True
