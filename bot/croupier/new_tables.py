"""Keeps concurrent openings of tables apart: one at a time per channel, and a distinct number for each.

Openings in different channels do not wait for each other's commit: the ledger writes them as one group.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from weakref import WeakValueDictionary

from bot.ledger.ledger import Ledger


class NewTables:
    """Locks channels and assigns numbers while tables are being opened.

    Args:
        ledger: knows the numbers in use; nobody else writes to it.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._channels: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._pending: Counter[int] = Counter()
        self._numbers: dict[int, Iterator[int]] = {}

    @asynccontextmanager
    async def channel_lock(self, channel_id: int) -> AsyncIterator[None]:
        """Excludes all other openings in this channel or thread until the block ends."""
        async with self._channels.setdefault(channel_id, asyncio.Lock()):
            yield

    @asynccontextmanager
    async def number(self, server_id: int) -> AsyncIterator[int]:
        """The number for a server's next table, which the block must commit or give up.

        Raises:
            LedgerUnavailable: the ledger cannot be read.
        """
        self._pending[server_id] += 1
        try:
            if server_id not in self._numbers:
                first = await self._ledger.next_table_number(server_id)
                # A caller in the meantime started to count from the same number.
                self._numbers.setdefault(server_id, count(first))
            yield next(self._numbers[server_id])
        finally:
            self._pending[server_id] -= 1
            if not self._pending[server_id]:
                # All assigned numbers are on disk or unused: ask the ledger again next time.
                del self._pending[server_id]
                self._numbers.pop(server_id, None)
