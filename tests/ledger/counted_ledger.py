"""A ledger whose transactions are counted, and many changes at once."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bot.ledger.changes import Change, Fact
from bot.ledger.ledger import Ledger
from bot.ledger.sqlite.connections import BEGIN, threaded_connection
from bot.ledger.sqlite.engine import SqliteEngine
from bot.ledger.sqlite.file_lock import LedgerFile
from bot.ledger.sqlite.upgrade import migrate


@asynccontextmanager
async def counted(path: Path) -> AsyncIterator[tuple[Ledger, list[str]]]:
    """A ledger, and a list that gets an item for every transaction that it begins."""
    begun: list[str] = []

    def count(statement: str) -> None:
        if statement == BEGIN:
            begun.append("begun")

    class Counting(sqlite3.Connection):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.set_trace_callback(count)

    migrate(path)
    driver = partial(threaded_connection, factory=Counting)
    engine = SqliteEngine(LedgerFile(path), busy_seconds=0.05, driver=driver)
    ledger = Ledger(engine)
    try:
        yield ledger, begun
    finally:
        await ledger.close()
        await engine.close()


async def all_of(ledger: Ledger, *work: Change | Fact) -> list[BaseException | None]:
    """Submits all of these at once; returns each one's exception or None."""
    return await asyncio.gather(
        *(ledger.commit(one) if isinstance(one, Change) else ledger.record(one) for one in work),
        return_exceptions=True,
    )
