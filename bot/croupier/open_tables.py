"""The open tables in memory, their locks, timers and tasks, and who is told of their changes."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

from bot.table.accounts import Move, chips_after
from bot.table.events import Event
from bot.table.state import THE_HOUSE, Phase, TableState

log = logging.getLogger(__name__)

CLOSED_KEPT: Final = 200
"""How many closed tables are kept in memory, the last ones."""


class NoSuchTableError(Exception):
    """No table with this id is open."""


class MemberErasedError(Exception):
    """The member was erased after they asked for something. They can ask again, as somebody new."""


class ChannelTakenError(Exception):
    """The channel already has an open table."""

    def __init__(self, table: TableState) -> None:
        super().__init__(f"table {table.number} is open in channel {table.channel_id}")
        self.table = table


class ChannelNotAllowedError(Exception):
    """The house allows tables only in other channels (B06)."""

    def __init__(self, channels: tuple[int, ...]) -> None:
        super().__init__(f"tables are allowed only in the channels {', '.join(map(str, channels))}")
        self.channels = channels


class RoleNeededError(Exception):
    """A member may not open a table in this server without its role for that."""

    def __init__(self, role: int) -> None:
        super().__init__(role)
        self.role = role


class OpenedLatelyError(Exception):
    """The member opened a table here a short while ago; they can open the next one at `again_at`."""

    def __init__(self, again_at: float) -> None:
        super().__init__(f"the next table can be opened at {again_at}")
        self.again_at = again_at


@dataclass(frozen=True, slots=True)
class TableChanged:
    """A change at a table, with the chips that its events moved."""

    before: TableState | None
    events: tuple[Event, ...]
    after: TableState
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class ChipsMoved:
    """Who has more or fewer free chips than before.

    Attributes:
        more: how many more, by payer; below zero for fewer.
        table_id: the table that moved them; None for a gift, a handout or the bankroll.
    """

    server_id: int
    more: Mapping[int, int]
    table_id: int | None = None

    def concerns_bank(self, table: TableState) -> bool:
        """Whether a table's banker has more or fewer; without a banker, whether the house can offer more."""
        if table.bank is not None:
            return table.bank.party in self.more
        house = self.more.get(THE_HOUSE, 0)
        return house > 0 or (house < 0 and self.table_id is None)


Listener = Callable[[TableChanged], None]
ChipsListener = Callable[[ChipsMoved], None]
Told = TypeVar("Told", TableChanged, ChipsMoved)


class Listeners:
    """All listeners. One that fails harms neither the table nor the others."""

    def __init__(self) -> None:
        self._listeners: list[tuple[Listener, tuple[type[Event], ...]]] = []
        self._to_chips: list[ChipsListener] = []

    def add(
        self, listener: Listener, to_chips: ChipsListener | None = None, *, of: tuple[type[Event], ...] = ()
    ) -> None:
        """Notifies these from now on of changes at tables, and then of the chips that moved.

        Args:
            of: only of changes with one of these events; of every change without any.
        """
        self._listeners.append((listener, of))
        if to_chips is not None:
            self._to_chips.append(to_chips)

    def notify(self, change: TableChanged) -> None:
        """Calls every listener; logs those that fail."""
        after = change.after
        concerned = [
            listener
            for listener, of in self._listeners
            if not of or any(isinstance(event, of) for event in change.events)
        ]
        self._call(concerned, change, after.table_id)
        more = {party: chips for party, chips in chips_after({}, change.moves).items() if chips}
        self.notify_of_chips(ChipsMoved(after.server_id, more, after.table_id))

    def notify_of_chips(self, moved: ChipsMoved) -> None:
        """Calls every listener of chips, if any have moved; logs those that fail."""
        if moved.more:
            self._call(self._to_chips, moved, moved.table_id)

    def _call(self, listeners: list[Callable[[Told], None]], told: Told, table_id: int | None) -> None:
        for listener in listeners:
            try:
                listener(told)
            except Exception:
                log.exception("a listener failed at table %s", table_id)


Result = TypeVar("Result")
Key = TypeVar("Key", bound=Hashable)


class Locks(Generic[Key]):
    """A lock for each key, kept as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()

    def __getitem__(self, key: Key) -> asyncio.Lock:
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock


class Timers:
    """At most one timer per table."""

    def __init__(self, expired: Callable[[int], object]) -> None:
        self._expired = expired
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._stopped = False

    def set(self, table_id: int, seconds: float | None) -> None:
        """Replaces the table's timer; None cancels it, and a negative time counts as zero."""
        if timer := self._timers.pop(table_id, None):
            timer.cancel()
        if seconds is not None and not self._stopped:
            loop = asyncio.get_running_loop()
            self._timers[table_id] = loop.call_later(max(seconds, 0), self._expire, table_id)

    def stop(self) -> None:
        """Cancels all timers, and ignores new ones."""
        self._stopped = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _expire(self, table_id: int) -> None:
        del self._timers[table_id]
        self._expired(table_id)


class Tasks:
    """Background tasks that have not finished yet."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Runs a coroutine in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    async def run_to_end(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine, which finishes even if the caller is cancelled; returns its result."""
        return await asyncio.shield(self.start(work))

    async def finish(self) -> None:
        """Returns when all tasks have finished."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # If the caller was cancelled, nobody else retrieves the exception.
            task.exception()


class OpenTables:
    """Every open table, and a lock for each.

    A table is *in doubt* after the ledger failed to write it: the disk may be ahead of memory. It can still
    be displayed, but must be read again before anything is decided.
    """

    def __init__(self) -> None:
        self._tables: dict[int, TableState] = {}
        self._closed_lately: LRUCache[int, TableState] = LRUCache(CLOSED_KEPT)
        self._in_doubt: set[int] = set()
        self._locks: Locks[int] = Locks()

    def lock(self, table_id: int) -> asyncio.Lock:
        """The table's lock, which callers hold while they decide."""
        return self._locks[table_id]

    def keep(self, state: TableState) -> None:
        """Stores a table that matches the ledger; removes it if it is closed."""
        self._in_doubt.discard(state.table_id)
        if state.phase is Phase.CLOSED:
            if self._tables.pop(state.table_id, None) is not None:
                self._closed_lately[state.table_id] = state
        else:
            self._tables[state.table_id] = state

    def remove(self, table_id: int) -> None:
        """Removes a table that the ledger does not have."""
        self._in_doubt.discard(table_id)
        self._tables.pop(table_id, None)

    def doubt(self, table_id: int) -> None:
        """Marks a table as in doubt."""
        self._in_doubt.add(table_id)

    def certain(self, table_id: int) -> TableState | None:
        """The table, or None if it is unknown or in doubt."""
        return None if table_id in self._in_doubt else self._tables.get(table_id)

    def get(self, table_id: int) -> TableState | None:
        """The table, even if in doubt; None if it is not open."""
        return self._tables.get(table_id)

    def closed_lately(self, table_id: int) -> TableState | None:
        """The table as it was closed, for who presses something there just then; None if long ago."""
        return self._closed_lately.get(table_id)

    def __getitem__(self, table_id: int) -> TableState:
        """The table, even if in doubt.

        Raises:
            NoSuchTableError: if it is not open.
        """
        try:
            return self._tables[table_id]
        except KeyError:
            raise NoSuchTableError(f"table {table_id} is not open") from None

    def all(self) -> list[TableState]:
        """Every open table."""
        return list(self._tables.values())

    def in_channel(self, channel_id: int | None) -> TableState | None:
        """The open table of a channel or thread; None also for an interaction without one."""
        return next((table for table in self._tables.values() if table.channel_id == channel_id), None)

    def of_server(self, server_id: int) -> list[TableState]:
        """The open tables of a server, sorted by number."""
        tables = (table for table in self._tables.values() if table.server_id == server_id)
        return sorted(tables, key=lambda table: table.number)

    def concerning(self, server_id: int, party: int) -> list[TableState]:
        """The open tables of a server where the member sits or backs a player, sorted by number."""
        tables = self.of_server(server_id)
        return [table for table in tables if table.concerns(party)]
