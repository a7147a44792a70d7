"""A ledger whose transactions are counted, and many changes at once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.ledger.batch import Batch
from bot.ledger.changes import Change, Fact
from bot.ledger.engine import Connection
from bot.ledger.ledger import Ledger, open_ledger


@asynccontextmanager
async def counted(address: str, **options: Any) -> AsyncIterator[tuple[Ledger, list[str]]]:
    """A ledger, and a list that gets an item for every transaction that it begins."""
    begun: list[str] = []
    async with open_ledger(address, **options) as ledger:
        engine = ledger.writer._engine
        write = engine.write

        async def counting(work: Callable[[Connection], Batch]) -> Batch:
            begun.append("begun")
            return await write(work)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine, "write", counting)
            yield ledger, begun


async def all_of(ledger: Ledger, *work: Change | Fact) -> list[BaseException | None]:
    """Submits all of these at once; returns each one's exception or None."""
    outcomes = await asyncio.gather(
        *(ledger.commit(one) if isinstance(one, Change) else ledger.record(one) for one in work),
        return_exceptions=True,
    )
    return [outcome if isinstance(outcome, BaseException) else None for outcome in outcomes]
