"""A ledger whose transactions are counted, and many changes at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event

from bot.ledger.changes import Change, Fact
from bot.ledger.ledger import Ledger
from bot.ledger.sqlite.connections import BEGIN, reading_engine, writing_engine
from bot.ledger.sqlite.file_lock import LedgerFile
from bot.ledger.sqlite.upgrade import migrate


@asynccontextmanager
async def counted(path: Path) -> AsyncIterator[tuple[Ledger, list[str]]]:
    """A ledger, and a list that gets an item for every transaction that it begins."""
    migrate(path)
    writing, reading = writing_engine(path, busy_seconds=0.05), reading_engine(path)
    begun: list[str] = []

    def count(statement: str) -> None:
        if statement == BEGIN:
            begun.append("begun")

    @event.listens_for(writing.sync_engine, "connect")
    def prepare(connection: Any, _entry: object) -> None:
        connection.run_async(lambda driver: driver.set_trace_callback(count))

    ledger = Ledger(writing, reading, LedgerFile(path))
    try:
        yield ledger, begun
    finally:
        await ledger.close()
        await reading.dispose()
        await writing.dispose()


async def all_of(ledger: Ledger, *work: Change | Fact) -> list[BaseException | None]:
    """Submits all of these at once; returns each one's exception or None."""
    return await asyncio.gather(
        *(ledger.commit(one) if isinstance(one, Change) else ledger.record(one) for one in work),
        return_exceptions=True,
    )
