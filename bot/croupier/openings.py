"""Openings of tables under way: one at a time in a channel, and a number of its own for each in a server.

Where many open tables at once, none waits until another is on disk: the ledger takes them all in one go.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from weakref import WeakValueDictionary

from bot.ledger.ledger import Ledger


class Openings:
    """Keeps openings from getting in one another's way.

    Args:
        ledger: knows which numbers are taken; nobody else writes to it.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._channels: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._under_way: Counter[int] = Counter()
        self._numbers: dict[int, Iterator[int]] = {}

    @asynccontextmanager
    async def alone_in(self, channel_id: int) -> AsyncIterator[None]:
        """As long as the block lasts, nobody else opens a table in this channel or thread."""
        async with self._channels.setdefault(channel_id, asyncio.Lock()):
            yield

    @asynccontextmanager
    async def number(self, server_id: int) -> AsyncIterator[int]:
        """A number for a server's next table, which must be on disk, or have failed, when the block ends.

        Raises:
            LedgerUnavailable: where the ledger cannot be read.
        """
        self._under_way[server_id] += 1
        try:
            if server_id not in self._numbers:
                first = await self._ledger.next_table_number(server_id)
                # Who asked in the meantime has begun to count from the same number.
                self._numbers.setdefault(server_id, count(first))
            yield next(self._numbers[server_id])
        finally:
            self._under_way[server_id] -= 1
            if not self._under_way[server_id]:
                # Whatever was given is on disk now or never will be: the ledger knows best what comes next.
                del self._under_way[server_id]
                self._numbers.pop(server_id, None)
