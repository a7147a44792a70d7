"""The open tables in memory, as the ledger has them."""

import asyncio
from weakref import WeakValueDictionary

from bot.table.state import Phase, TableState


class OpenTables:
    """Every open table, and a lock for each.

    A table is *in doubt* after the ledger failed to write it: the disk may be ahead of memory. It can still
    be displayed, but must be read again before anything is decided.
    """

    def __init__(self) -> None:
        self._tables: dict[int, TableState] = {}
        self._in_doubt: set[int] = set()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, table_id: int) -> asyncio.Lock:
        """The table's lock, which callers hold while they decide."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    def keep(self, state: TableState) -> None:
        """Stores a table that matches the ledger; removes it if it is closed."""
        self._in_doubt.discard(state.table_id)
        if state.phase is Phase.CLOSED:
            self._tables.pop(state.table_id, None)
        else:
            self._tables[state.table_id] = state

    def doubt(self, table_id: int) -> None:
        """Marks a table as in doubt."""
        self._in_doubt.add(table_id)

    def certain(self, table_id: int) -> TableState | None:
        """The table, or None if it is unknown or in doubt."""
        return None if table_id in self._in_doubt else self._tables.get(table_id)

    def get(self, table_id: int) -> TableState | None:
        """The table, even if in doubt; None if it is not open."""
        return self._tables.get(table_id)

    def all(self) -> list[TableState]:
        """Every open table."""
        return list(self._tables.values())

    def in_channel(self, channel_id: int) -> TableState | None:
        """The open table of a channel or thread."""
        return next((table for table in self._tables.values() if table.channel_id == channel_id), None)

    def of_server(self, server_id: int) -> list[TableState]:
        """The open tables of a server, sorted by number."""
        tables = (table for table in self._tables.values() if table.server_id == server_id)
        return sorted(tables, key=lambda table: table.number)

    def concerning(self, server_id: int, party: int) -> list[TableState]:
        """The open tables of a server where the member sits or backs a player, sorted by number."""
        tables = self.of_server(server_id)
        return [table for table in tables if table.has(party) or table.side_bets_of(party)]
