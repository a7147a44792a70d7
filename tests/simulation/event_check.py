"""A listener that checks that every event is notified, in order and in time."""

from collections.abc import Callable, Iterable

from bot.croupier import TableChanged
from bot.table.evolve import fold
from bot.table.state import Phase, TableState
from tests.simulation.trace import Trace

GRACE = 60.0
"""Seconds that a table may be late: failures are tried again after five, and disks can be slow."""


class EventCheck:
    """Listens to the croupier of one process.

    Args:
        trace: records the events.
        time: the virtual time, in seconds.
        clock: the bot's clock, in seconds since the epoch, UTC.
        known: the tables that the croupier loaded.
    """

    def __init__(
        self,
        trace: Trace,
        time: Callable[[], float],
        clock: Callable[[], float],
        known: Iterable[TableState],
    ) -> None:
        self.broken: list[str] = []
        self._trace = trace
        self._time = time
        self._clock = clock
        self._known: dict[int, TableState] = {}
        self._due: dict[int, float] = {}
        self._past: dict[int, list[TableState]] = {}
        for table in known:
            self._remember(table)

    def __call__(self, news: TableChanged) -> None:
        """Hears what happened at a table."""
        after = news.after
        known = self._known.get(after.table_id)
        self._trace.note("news", after.table_id, after.sequence, *(event.kind for event in news.events))
        if known != news.before:
            self.broken.append(f"table {after.table_id} was told from {news.before}, after {known}")
        if fold(news.before, news.events) != after:
            self.broken.append(f"what was told of table {after.table_id} does not lead to {after}")
        for event in news.events:
            self._trace.counts[event.kind] += 1
        self._remember(after)

    def past(self, table_id: int) -> list[TableState]:
        """The states of a table, in order; later ones are added to the list."""
        return self._past.setdefault(table_id, [])

    def overdue(self) -> list[str]:
        """Every table that is overdue."""
        now = self._time()
        return [
            f"table {table_id} should have gone on {now - due:.0f} seconds ago: {self._known[table_id]}"
            for table_id, due in self._due.items()
            if now > due + GRACE
        ]

    def _remember(self, table: TableState) -> None:
        self.past(table.table_id).append(table)
        if table.phase is Phase.CLOSED:
            self._known.pop(table.table_id, None)
            self._due.pop(table.table_id, None)
            return
        earlier = self._known.get(table.table_id)
        self._known[table.table_id] = table
        if table.deadline is None:
            self._due.pop(table.table_id, None)
        elif earlier is None or earlier.deadline != table.deadline:
            self._due[table.table_id] = self._time() + max(table.deadline - self._clock(), 0)
