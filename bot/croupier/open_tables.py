"""The tables that are open, as the ledger has them, at hand."""

import asyncio
from weakref import WeakValueDictionary

from bot.table.state import Phase, TableState


class OpenTables:
    """Every open table in memory, and a lock for each.

    A table is *in doubt* when the ledger failed while it was written: what is at hand may be behind the disk,
    and is shown, but nothing is decided from it before it has been read again.
    """

    def __init__(self) -> None:
        self._tables: dict[int, TableState] = {}
        self._in_doubt: set[int] = set()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, table_id: int) -> asyncio.Lock:
        """The table's lock: whoever decides holds it."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    def keep(self, state: TableState) -> None:
        """Takes this for what the ledger has; a closed table is kept no more."""
        self._in_doubt.discard(state.table_id)
        if state.phase is Phase.CLOSED:
            self._tables.pop(state.table_id, None)
        else:
            self._tables[state.table_id] = state

    def doubt(self, table_id: int) -> None:
        """Says that the disk may know more of a table."""
        self._in_doubt.add(table_id)

    def certain(self, table_id: int) -> TableState | None:
        """The table, where it is at hand and not in doubt."""
        return None if table_id in self._in_doubt else self._tables.get(table_id)

    def get(self, table_id: int) -> TableState | None:
        """The table as it was last known to be open."""
        return self._tables.get(table_id)

    def all(self) -> list[TableState]:
        """Every open table."""
        return list(self._tables.values())

    def in_channel(self, channel_id: int) -> TableState | None:
        """The open table of that channel or thread."""
        return next((table for table in self._tables.values() if table.channel_id == channel_id), None)

    def of_server(self, server_id: int) -> list[TableState]:
        """The open tables of a server, by their numbers."""
        tables = (table for table in self._tables.values() if table.server_id == server_id)
        return sorted(tables, key=lambda table: table.number)

    def concerning(self, server_id: int, member_id: int) -> list[TableState]:
        """The open tables of a server where the member sits, or backs a player, by their numbers."""
        tables = self.of_server(server_id)
        return [table for table in tables if table.has(member_id) or table.side_bets_of(member_id)]

    def of_member(self, member_id: int) -> list[TableState]:
        """The open tables where the member sits, the one opened last first."""
        tables = (table for table in self._tables.values() if table.has(member_id))
        return sorted(tables, key=lambda table: table.table_id, reverse=True)
