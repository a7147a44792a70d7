"""A closed ledger leaves no thread, no connection and no warning, whatever it was doing."""

import asyncio
import gc
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from bot.ledger.audit import audit
from bot.ledger.errors import LedgerError
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.postgres.address import is_postgres
from bot.ledger.sqlite.connections import threaded_connection
from tests.ledger.counted_ledger import all_of
from tests.ledger.sample_changes import SERVER, opening

Doing = Callable[[Ledger], Awaitable[object]]
SECONDS = 60.0


async def nothing(_: Ledger) -> None:
    pass


async def written_and_read(ledger: Ledger) -> None:
    await ledger.commit(opening(7))
    assert await audit(ledger) == []


async def writing(ledger: Ledger) -> None:
    asked = asyncio.create_task(all_of(ledger, *map(opening, range(300))))
    await asyncio.sleep(0)
    asked.cancel()


async def cancelled_reads(ledger: Ledger) -> None:
    asked = [asyncio.create_task(audit(ledger)) for _ in range(12)]
    await asyncio.sleep(0.01)
    for task in asked:
        task.cancel()


async def reading(ledger: Ledger) -> None:
    """The rest of a read may fail; nobody waits for it."""

    async def read() -> None:
        with suppress(LedgerError):
            await ledger.wallets(SERVER, [7])

    for _ in range(5):
        tasks.add(asyncio.create_task(read()))
    await asyncio.sleep(0)


async def refused(ledger: Ledger) -> None:
    with pytest.raises(LedgerError):
        async with ledger.reading() as connection:
            await connection.exec_driver_sql("no statement")


tasks: set[asyncio.Task[None]] = set()


@pytest.mark.parametrize(
    "doing",
    [nothing, written_and_read, writing, cancelled_reads, reading, refused],
    ids=lambda one: one.__name__,
)
def test_a_closed_ledger_leaves_nothing(either: str, doing: Doing) -> None:
    async def use() -> None:
        async with open_ledger(either) as ledger:
            await doing(ledger)
        if tasks:
            await asyncio.wait(tasks)
            tasks.clear()

    before = set(threading.enumerate())
    asyncio.run(use())
    # Whatever was not closed warns now.
    gc.collect()
    assert eventually(lambda: set(threading.enumerate()) == before)
    if is_postgres(either):
        others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        with closing(psycopg.connect(either, autocommit=True)) as connection:
            assert eventually(lambda: connection.execute(others).fetchone() == (1,))


async def test_a_connection_that_is_stopped_while_it_closes_is_closed(tmp_path: Path) -> None:
    connection = await threaded_connection(str(tmp_path / "ledger.db"))
    closes = asyncio.create_task(connection.close())
    await asyncio.sleep(0)
    connection.stop()
    async with asyncio.timeout(SECONDS):
        await closes


def eventually(is_so: Callable[[], bool]) -> bool:
    end = time.monotonic() + SECONDS
    while not (so := is_so()) and time.monotonic() < end:
        time.sleep(0.01)
    return so
