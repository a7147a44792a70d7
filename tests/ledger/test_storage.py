"""A failing storage: every caller gets an error quickly, and everything acknowledged is still there."""

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import literal_column, select

from bot.ledger.audit import audit
from bot.ledger.errors import AlreadyDone, LedgerDamaged, LedgerUnavailable
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.postgres.connections import ConnectionThread
from bot.ledger.reader import Statement
from bot.ledger.sqlite.connections import ThreadedConnection, threaded_connection
from bot.ledger.writer import MAX_BATCH
from bot.table.accounts import HOUSE, wallet
from tests.ledger.counted_ledger import all_of, counted
from tests.ledger.sample_changes import (
    SERVER,
    failures,
    opening,
    pay,
)


async def test_nobody_waits_for_a_writer_that_stopped(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    for connection in (ThreadedConnection, ConnectionThread):
        monkeypatch.setattr(connection, "step", gone)
    outcomes = await all_of(ledger, *(opening(member) for member in range(MAX_BATCH + 5)))
    assert [type(failure) for failure in failures(outcomes)] == [LedgerUnavailable] * (MAX_BATCH + 5)
    with pytest.raises(LedgerUnavailable):
        await ledger.commit(opening(7))


async def gone(*_: object) -> None:
    raise asyncio.CancelledError


@pytest.mark.parametrize("kept", [False, True], ids=["before the disk has it", "after the disk has it"])
async def test_after_a_failed_commit_the_disk_decides(address: str, kept: bool) -> None:
    failing = False

    class Failing(sqlite3.Connection):
        def commit(self) -> None:
            if kept or not failing:
                super().commit()
            if failing:
                raise sqlite3.OperationalError("disk I/O error")

    async with open_ledger(address, driver=partial(threaded_connection, factory=Failing)) as ledger:
        await ledger.commit(opening(7, 1000))
        await ledger.commit(opening(8, 30))
        failing = True
        with pytest.raises(LedgerUnavailable, match="disk I/O error"):
            await ledger.commit(pay(wallet(7), wallet(8), 100, key="a click"))
        failing = False
        if kept:
            with pytest.raises(AlreadyDone):
                await ledger.commit(pay(wallet(7), wallet(8), 100, key="a click"))
        await ledger.commit(pay(wallet(8), wallet(7), 130 if kept else 30))
        assert await ledger.wallets(SERVER, [7, 8]) == {7: 1030, 8: 0}


async def test_a_locked_file_fails_quickly_and_works_again_when_unlocked(path: Path, address: str) -> None:
    async with counted(address, busy_seconds=0.05) as (ledger, begun):
        await ledger.commit(opening(7))
        begun.clear()
        with closing(sqlite3.connect(path, isolation_level=None)) as foreign:
            foreign.execute("BEGIN IMMEDIATE")
            outcomes = await all_of(ledger, *(pay(wallet(7), HOUSE, 1) for _ in range(30)))
            foreign.execute("ROLLBACK")
        assert [type(failure) for failure in failures(outcomes)] == [LedgerUnavailable] * 30
        assert all("locked" in str(failure) for failure in failures(outcomes))
        assert len(begun) == 2
        await ledger.commit(pay(wallet(7), HOUSE, 1))
        assert await ledger.wallets(SERVER, [7]) == {7: 999}
        assert await audit(ledger) == []


async def test_a_damaged_file_under_the_bot_is_reported_as_such(path: Path, address: str) -> None:
    async with open_ledger(address) as ledger:
        await all_of(ledger, *(opening(member) for member in range(300)))
    with closing(sqlite3.connect(path)) as connection:
        pages = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'accounts'"
        ).fetchall()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    async with open_ledger(address) as ledger:
        with path.open("r+b") as file:
            for (page,) in pages:
                file.seek((page - 1) * size)
                file.write(b"\xff" * size)
        with pytest.raises(LedgerDamaged, match="is damaged: "):
            await ledger.commit(pay(wallet(7), HOUSE, 1))
        with pytest.raises(LedgerDamaged, match="is damaged: "):
            await ledger.wallets(SERVER, [7])
        with pytest.raises(LedgerDamaged, match="is damaged: "):
            await audit(ledger)


works = Statement(select(literal_column("'b' = 'b'")))
"""What can be read of a worn disk, because its pages are in memory."""


class Worn(sqlite3.Connection):
    """A connection to a disk that fails to read while a test says so."""

    fails = False

    def execute(self, statement: str, *rest: Any) -> sqlite3.Cursor:
        if statement.startswith("SELECT") and "'b' = 'b'" not in statement:
            self._fail()
        return super().execute(statement, *rest)

    def rollback(self) -> None:
        self._fail()
        super().rollback()

    def _fail(self) -> None:
        if self.fails:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
            raise error


async def test_reads_that_fail_leave_those_beside_them_alone(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_ledger(address, driver=partial(threaded_connection, factory=Worn)) as ledger:
        await ledger.commit(opening(7, 1000))
        assert await ledger.value(works) == 1
        monkeypatch.setattr(Worn, "fails", True)
        reads = [ledger.value(works) if number % 2 else ledger.wallets(SERVER, [7]) for number in range(40)]
        outcomes = await asyncio.gather(*reads, return_exceptions=True)
        monkeypatch.setattr(Worn, "fails", False)
        assert outcomes[1::2] == [1] * 20
        assert [type(outcome) for outcome in outcomes[::2]] == [LedgerUnavailable] * 20
        assert await ledger.wallets(SERVER, [7]) == {7: 1000}


async def test_reads_that_fail_are_one_error_and_one_line_when_they_work_again(
    path: Path, address: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def said() -> list[tuple[str, str]]:
        lines = [record for record in caplog.records if record.name == "bot.ledger.errors"]
        return [(line.levelname, line.getMessage()) for line in lines]

    monkeypatch.setattr("bot.ledger.errors.steady_time", lambda: now)
    async with open_ledger(address, driver=partial(threaded_connection, factory=Worn)) as ledger:
        await ledger.commit(opening(7, 1000))
        monkeypatch.setattr(Worn, "fails", True)
        for _ in range(3):
            with pytest.raises(LedgerUnavailable, match="the disk fails") as refused:
                await ledger.wallets(SERVER, [7])
            assert refused.value.is_logged
            assert await ledger.value(works) == 1
            assert said() == [("ERROR", f"nothing can be read: {path}: the disk fails, or has no room")]
            now += 59
        monkeypatch.setattr(Worn, "fails", False)
        now += 1
        assert await ledger.wallets(SERVER, [7]) == {7: 1000}
        assert await ledger.wallets(SERVER, [7]) == {7: 1000}
        assert said()[1:] == [("WARNING", f"{path} works again after 0:02:58; reads that were refused: 3")]
