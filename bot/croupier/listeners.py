"""Listeners: notified of every change at a table, once it is committed."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from bot.table.events import Event
from bot.table.state import TableState

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableChanged:
    """A change at a table.

    Attributes:
        before: the table before; None if it was just opened.
        events: what happened, in order.
        after: the table now.
    """

    before: TableState | None
    events: tuple[Event, ...]
    after: TableState


Listener = Callable[[TableChanged], None]


class Listeners:
    """All listeners. One that fails harms neither the table nor the others."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def add(self, listener: Listener) -> None:
        """Notifies this listener from now on."""
        self._listeners.append(listener)

    def notify(self, change: TableChanged) -> None:
        """Calls every listener; logs those that fail."""
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:
                log.exception("a listener failed at table %s", change.after.table_id)
