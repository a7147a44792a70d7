"""Traces of erased members in the files: when they are overwritten, and who hears if they are not."""

import asyncio
import logging
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.croupier.identities import User
from bot.croupier.privacy import Privacy
from bot.ledger.changes import DirectChannel
from bot.ledger.sqlite import erasure
from bot.ledger.sqlite.connections import reading_connection

from .croupier_house import SERVER, House
from .erasable_members import YAN, ZOE, bytes_beside, enter


async def test_a_reader_in_the_way_only_delays_that_traces_go(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "RETRY_SECONDS", 0.05)
    await enter(house)
    database, wal = tmp_path / "gnau.db", tmp_path / "gnau.db-wal"

    def are_left() -> bool:
        return any(ZOE.name.encode() in content for content in bytes_beside(database).values())

    with closing(reading_connection(database)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM parties").fetchone() == (1,)
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
        assert are_left()
        sizes = {wal.stat().st_size}
        for _ in range(10):
            await asyncio.sleep(0.05)
            sizes.add(wal.stat().st_size)
        assert len(sizes) == 1, "the disk fills up while somebody reads"
    await house.until(lambda: not are_left())


async def test_while_the_database_is_away_one_warning_says_that_traces_are_left(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot.ledger.sqlite.erasure")
    monkeypatch.setattr(erasure, "RETRY_SECONDS", 0.05)
    await enter(house)
    database = tmp_path / "gnau.db"

    def told() -> list[logging.LogRecord]:
        return [line for line in caplog.records if line.name == "bot.ledger.sqlite.erasure"]

    with closing(reading_connection(database)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM parties").fetchone() == (1,)
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
        away, begins = database.rename(tmp_path / "away.db"), time.monotonic()
        await house.until(lambda: len(told()) > 1)
        await asyncio.sleep(0.3)
        lasted = time.monotonic() - begins
        away.rename(database)
    first, *others = told()
    assert first.levelname == "WARNING"
    assert first.getMessage().startswith(
        f"traces of erased members could not be overwritten yet: {database} was deleted"
    )
    assert {line.levelname for line in others} == {"DEBUG"}
    assert len(others) <= 2 + lasted / erasure.RETRY_SECONDS, "it is not tried without a pause"
    await house.until(lambda: ZOE.name.encode() not in b"".join(bytes_beside(database).values()))


async def test_once_traces_are_overwritten_nothing_more_is_written(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "RETRY_SECONDS", 0.05)
    await enter(house)
    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    wal = tmp_path / "gnau.db-wal"
    written = wal.stat().st_mtime_ns
    await asyncio.sleep(0.3)
    assert wal.stat().st_mtime_ns == written


async def test_overwriting_that_takes_long_leaves_other_writes_ten_times_as_long(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    write_again = erasure._write_again

    def slow(connection: sqlite3.Connection) -> None:
        nonlocal now
        now += 2
        write_again(connection)

    def are_left(user: User) -> bool:
        return user.name.encode() in b"".join(bytes_beside(tmp_path / "gnau.db").values())

    monkeypatch.setattr(erasure, "monotonic", lambda: now)
    monkeypatch.setattr(erasure, "_write_again", slow)
    privacy = Privacy(house.croupier)
    for user in (ZOE, YAN):
        await enter(house, user)
    await privacy.erase(SERVER, ZOE.user_id)
    assert not are_left(ZOE)
    now += 10
    await privacy.erase(SERVER, YAN.user_id)
    assert are_left(YAN)
    now += 10
    await house.ledger.record(DirectChannel(7, 70))
    assert not are_left(YAN)


@pytest.mark.parametrize("fails_at_the_stop", [False, True])
async def test_traces_are_overwritten_once_at_the_stop_or_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fails_at_the_stop: bool
) -> None:
    overwritten, fails = 0, True
    write_again = erasure._write_again

    def counts(connection: sqlite3.Connection) -> None:
        nonlocal overwritten
        if fails:
            raise sqlite3.OperationalError("disk I/O error")
        overwritten += 1
        write_again(connection)

    database = tmp_path / "gnau.db"
    monkeypatch.setattr(erasure, "_write_again", counts)
    monkeypatch.setattr(erasure, "RETRY_SECONDS", 3600.0)
    async with House(database) as house:
        await enter(house)
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
        fails = fails_at_the_stop
    assert overwritten == (not fails_at_the_stop)
    lines = [line for line in caplog.records if line.name == "bot.ledger.sqlite.erasure"]
    warnings = [line.getMessage() for line in lines if line.levelname == "WARNING"]
    assert warnings == ["traces of erased members could not be overwritten yet: disk I/O error"]
    with closing(sqlite3.connect(database)) as other_program:
        other_program.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert not (tmp_path / "gnau.db-wal").exists()

    fails = False
    for _ in range(2):
        async with House(database):
            assert overwritten == 1, "at the start, and only once"
