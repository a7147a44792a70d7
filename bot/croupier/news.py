"""What the croupier tells who listens."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from bot.table.events import Event
from bot.table.state import TableState

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class News:
    """A table changed, and how.

    Attributes:
        before: the table before; None where it was just opened.
        events: what happened, in order.
        after: the table now.
    """

    before: TableState | None
    events: tuple[Event, ...]
    after: TableState


Listener = Callable[[News], None]


class Listeners:
    """Everybody who listens: one that fails harms neither the table nor the others."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def add(self, listener: Listener) -> None:
        """Tells this one whatever happens from now on."""
        self._listeners.append(listener)

    def tell(self, news: News) -> None:
        """Tells everybody."""
        for listener in self._listeners:
            try:
                listener(news)
            except Exception:
                log.exception("a listener failed at table %s", news.after.table_id)
