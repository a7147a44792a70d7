"""An alarm for each table: when its time is up, or when to try again."""

import asyncio
from collections.abc import Callable


class Alarms:
    """At most one alarm a table; setting it anew replaces it.

    Args:
        ring: what to call, with the table's identity, when its alarm goes off.
    """

    def __init__(self, ring: Callable[[int], object]) -> None:
        self._ring = ring
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._stopped = False

    def set(self, table_id: int, seconds: float | None) -> None:
        """Rings in so many seconds, at once where none are left; None rings no more."""
        if timer := self._timers.pop(table_id, None):
            timer.cancel()
        if seconds is not None and not self._stopped:
            loop = asyncio.get_running_loop()
            self._timers[table_id] = loop.call_later(max(seconds, 0), self._off, table_id)

    def stop(self) -> None:
        """Rings never again."""
        self._stopped = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _off(self, table_id: int) -> None:
        del self._timers[table_id]
        self._ring(table_id)
