"""What the queries return."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from bot.ledger.audit import audit
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger
from bot.ledger.records import Held, OwnRank, Purse, Rank
from bot.shards import Shards
from bot.table.accounts import HOUSE, Move, Reason, wallet
from tests.ledger.sample_changes import (
    BY_CHIPS,
    NOW,
    SERVER,
    TABLE,
    at_table,
    bet,
    change,
    counted,
    identity,
    lost,
    opening,
    pay,
    returned,
    row,
)

HeldUp = Callable[[], AbstractContextManager[Callable[[], object]]]
"""Yields what waits until the reading has begun."""


async def test_only_the_requested_wallets_are_returned(ledger: Ledger) -> None:
    for member in (7, 8, 9):
        await ledger.commit(opening(member))
    assert await ledger.wallets(SERVER, [7, 9, 10]) == {7: 1000, 9: 1000}
    assert await ledger.wallets(SERVER, []) == {}
    assert await ledger.purse(SERVER, 10) == Purse()


async def test_free_and_held_chips_are_found_down_to_a_single_one(ledger: Ledger) -> None:
    await ledger.commit(opening(7, 1))
    await ledger.commit(opening(8))
    await ledger.commit(opening(9, server_id=2))
    await ledger.commit(pay(wallet(8), HOUSE, 1000))
    assert await ledger.chips_of([7, 8, 9, 10]) == {(SERVER, 7): 1, (2, 9): 1000}
    await ledger.commit(at_table(row(1), bet(7, 1)))
    assert await ledger.chips_of([7]) == {}
    assert await ledger.holds(TABLE) == {7: 1}
    await ledger.commit(at_table(row(2), returned(7, 1)))
    assert await ledger.holds(TABLE) == {}


async def test_a_purse_says_where_chips_are_held(ledger: Ledger) -> None:
    await ledger.commit(opening(7))
    await ledger.commit(at_table(row(1, 31, number=2, channel_id=200), bet(7, 100, 31)))
    await ledger.commit(at_table(row(1, 32, number=1, channel_id=100), bet(7, 50, 32)))
    await ledger.commit(at_table(row(1, 33, number=3, channel_id=300), bet(7, 10, 33)))
    await ledger.commit(at_table(row(2, 33, number=3, channel_id=300), returned(7, 10, 33)))
    purse = await ledger.purse(SERVER, 7)
    assert purse.held == (Held(32, 1, 100, 50), Held(31, 2, 200, 100))
    assert (purse.wallet, purse.total) == (850, 1000)


async def test_entries_are_gains_and_losses_newest_first(ledger: Ledger) -> None:
    await ledger.commit(opening(7))
    await ledger.commit(opening(8))
    await ledger.commit(at_table(row(1, number=4), bet(7, 350), bet(8, 350)))
    await ledger.commit(at_table(row(2, number=4), lost(7, 8, 50), returned(7, 300), returned(8, 350)))
    newest, oldest = await ledger.entries(SERVER, 7, 10)
    assert (newest.chips, newest.reason, newest.table_id, newest.table_number, newest.round_number) == (
        -50,
        Reason.BANKER_WON,
        TABLE,
        4,
        1,
    )
    assert newest.at == NOW
    assert (oldest.chips, oldest.reason, oldest.table_id, oldest.table_number) == (
        1000,
        Reason.OPENING_CHIPS,
        None,
        None,
    )
    assert [entry.chips for entry in await ledger.entries(SERVER, 8, 10)] == [50, 1000]


async def test_gifts_since_a_time_are_those_made_then_and_later(ledger: Ledger) -> None:
    for member in (7, 8):
        await ledger.commit(opening(member))
    for at, chips in ((NOW - 1, 1), (NOW, 2), (NOW + 1, 4)):
        gift = change(Move(wallet(7), wallet(8), chips, Reason.GIFT), key=f"gift of {chips}")
        await ledger.commit(replace(gift, at=at))
    await ledger.commit(replace(pay(wallet(7), wallet(8), 8), at=NOW + 2))

    async def gifts(party: int, since: float, *, gained: bool, besides: str = "") -> int:
        return await ledger.gifts_since(SERVER, party, since, NOW + 2, gained=gained, besides=besides)

    assert await gifts(8, NOW, gained=True) == await gifts(7, NOW, gained=False) == 6
    assert await gifts(8, NOW, gained=True, besides="gift of 4") == 2
    assert await gifts(8, NOW, gained=False) == await gifts(7, NOW, gained=True) == 0
    assert await ledger.gifts_of(SERVER, 7, NOW, NOW + 2) == [(NOW, 2), (NOW + 1, 4)]
    assert await ledger.gifts_of(SERVER, 8, NOW, NOW + 2) == []


async def test_the_richest_come_first_and_equals_share_a_place(ledger: Ledger) -> None:
    for member, chips in ((1, 500), (2, 900), (3, 500), (4, 100), (5, 500)):
        await ledger.record(identity(member))
        await ledger.record(counted(member))
        await ledger.commit(opening(member, chips))
    await ledger.record(identity(6, SERVER + 1))
    await ledger.record(counted(6, SERVER + 1))
    await ledger.record(counted(9))
    await ledger.commit(opening(6, 9999, server_id=SERVER + 1))
    await ledger.commit(opening(9, 9999))
    await ledger.commit(at_table(row(1), bet(3, 400)))
    expected = [Rank(1, 2, 900), Rank(2, 5, 500), Rank(2, 3, 500), Rank(2, 1, 500), Rank(5, 4, 100)]
    assert await ledger.leaders(BY_CHIPS, 0, 10) == expected
    assert await ledger.leaders(BY_CHIPS, 3, 3) == expected[3:]
    assert await ledger.rank(BY_CHIPS, 4) == OwnRank(5, 4, 100, 4)
    await ledger.commit(opening(11, 9999))
    for nobody in (6, 10, 11):
        assert await ledger.rank(BY_CHIPS, nobody) is None, "elsewhere, without a wallet, or never played"


async def test_tables_are_found_by_id_and_by_number(ledger: Ledger) -> None:
    await ledger.commit(at_table(row(1, 2, number=2)))
    await ledger.commit(at_table(row(1, 1, number=1)))
    await ledger.commit(at_table(row(1, 3, number=1, server_id=SERVER + 1)))
    await ledger.commit(at_table(row(1, 4, number=3, is_open=False, is_playing=False)))
    await ledger.commit(replace(at_table(row(1, 9, number=9)), at=NOW - 1))
    tables = await ledger.open_tables()
    assert tables[0].table_id == 9, "the oldest comes first"
    assert {table.table_id for table in tables} == {1, 2, 3, 9}
    for server_id, table_id in ((SERVER, 1), (SERVER + 1, 3)):
        table = await ledger.table_numbered(server_id, 1)
        assert table is not None
        assert table.table_id == table_id
    found = await ledger.table_numbered(SERVER, 2)
    assert found is not None
    assert (found.table_id, found.server_id, found.is_open, found.is_playing) == (2, SERVER, True, True)
    closed = await ledger.table_numbered(SERVER, 3)
    assert closed is not None
    assert (closed.table_id, closed.is_open) == (4, False)
    assert await ledger.table_numbered(SERVER, 4) is None
    assert (await ledger.table(4)) is not None
    assert await ledger.table(5) is None


async def test_the_newest_table_of_a_channel_is_found_open_or_closed(ledger: Ledger) -> None:
    closed = {"is_open": False, "is_playing": False}
    await ledger.commit(at_table(row(1, 33, number=1, channel_id=100, **closed)))
    await ledger.commit(at_table(row(1, 32, number=2, channel_id=100, **closed)))
    await ledger.commit(at_table(row(1, 31, number=3, channel_id=200)))
    assert await ledger.table_open_in(100) is None
    assert await ledger.table_open_in(200) == await ledger.table(31)
    for channel_id, table_id in ((100, 32), (200, 31)):
        found = await ledger.newest_table_in(SERVER, channel_id)
        assert found is not None
        assert found.table_id == table_id
    assert await ledger.newest_table_in(SERVER, 300) is None
    assert await ledger.newest_table_in(SERVER + 1, 100) is None


async def test_the_events_of_a_round_and_the_last_ones_can_be_read(ledger: Ledger) -> None:
    await ledger.commit(at_table(row(3), events=3))
    assert [event.sequence for event in await ledger.events(TABLE, 1)] == [1, 2, 3]
    assert await ledger.events(TABLE, 2) == []
    assert [event.sequence for event in await ledger.events_after(TABLE, 1)] == [2, 3]
    assert await ledger.events_after(TABLE, 3) == []


async def test_one_connection_reads_one_snapshot(ledger: Ledger) -> None:
    await ledger.commit(opening(7, 100))
    balance = text("SELECT balance FROM accounts WHERE account = 'wallet:7'")
    async with ledger.reading() as connection:
        assert (await connection.execute(balance)).scalar_one() == 100
        await ledger.commit(pay(wallet(7), HOUSE, 1))
        assert (await connection.execute(balance)).scalar_one() == 100
    assert await ledger.wallets(SERVER, [7]) == {7: 99}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts SET balance = 1000000",
        "INSERT INTO direct_channels (user_id) VALUES (1)",
        "DROP TABLE deadlines",
        "CREATE TABLE mine (number BIGINT)",
    ],
)
async def test_a_reader_cannot_write(ledger: Ledger, statement: str) -> None:
    with pytest.raises(LedgerUnavailable, match=r"read-only|only reads"):
        async with ledger.reading() as connection:
            await connection.execute(text(statement))


async def test_a_cancelled_query_leaves_the_ledger_usable(ledger: Ledger) -> None:
    await ledger.commit(opening(7))
    for pause in range(30):
        questions: list[Coroutine[object, object, object]] = [audit(ledger)]
        questions += [ledger.leaders(BY_CHIPS, 0, 10) for _ in range(8)]
        asked = [asyncio.create_task(question) for question in questions]
        await asyncio.sleep(pause * 0.0003)
        for task in asked:
            task.cancel()
        await asyncio.wait(asked)
    assert await asyncio.gather(*(ledger.wallets(SERVER, [7]) for _ in range(20))) == [{7: 1000}] * 20


@pytest.fixture
def held_up(ledger: Ledger, address: str, monkeypatch: pytest.MonkeyPatch) -> HeldUp:
    """Holds up a reading of events, until it is left: in SQLite a function, in PostgreSQL a lock."""
    begun, may_end = threading.Event(), threading.Event()

    def takes_long(*_: object) -> int:
        begun.set()
        may_end.wait(30)
        return 1

    connect = sqlite3.connect

    def connected(*args: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **options)
        connection.create_function("like", 2, takes_long)
        return connection

    @contextmanager
    def file() -> Iterator[Callable[[], object]]:
        try:
            yield partial(begun.wait, 20)
        finally:
            may_end.set()

    @contextmanager
    def server() -> Iterator[Callable[[], object]]:
        waiting = (
            "SELECT count(*) FROM pg_locks JOIN pg_database ON database = pg_database.oid "
            "WHERE NOT granted AND relation = 'events'::regclass AND datname = current_database()"
        )
        with psycopg.connect(address) as connection:
            connection.execute("LOCK TABLE events")
            yield partial(_eventually, lambda: connection.execute(waiting).fetchone() == (1,))

    if address.startswith("postgresql"):
        return server
    monkeypatch.setattr("bot.ledger.sqlite.connections.sqlite3.connect", connected)
    return file


def _eventually(is_so: Callable[[], bool]) -> bool:
    end = time.monotonic() + 60
    while not (so := is_so()) and time.monotonic() < end:
        time.sleep(0.01)
    return so


async def test_a_long_read_holds_up_nobody(ledger: Ledger, held_up: HeldUp) -> None:
    await ledger.commit(opening(7))
    await ledger.commit(at_table(row(1, 31), bet(7, 50, 31)))
    with held_up() as has_begun:
        export = asyncio.create_task(ledger.events_naming(SERVER, 7))
        assert await asyncio.to_thread(has_begun)
        async with asyncio.timeout(60):
            assert await ledger.wallets(SERVER, [7]) == {7: 950}
        assert not export.done()
    await export


async def test_a_process_reads_the_tables_of_its_own_shards(ledger: Ledger) -> None:
    servers = [(1 << 62) + (number << 22) + 4_000_000 for number in range(8)]
    for number, server_id in enumerate(servers):
        await ledger.commit(at_table(row(1, number + 1, server_id=server_id)))
    for shards in (Shards(4, frozenset({1, 3})), Shards(3, frozenset({0})), Shards(1, frozenset({0}))):
        due = set(filter(shards, servers))
        assert {table.server_id for table in await ledger.open_tables(shards)} == due
        assert {table.server_id for table in await ledger.table_heads(shards)} == due
        recent = await ledger.recent_events(1, shards)
        assert {servers[table_id - 1] for table_id, *_ in recent} == due
