"""Opening and closing a ledger: by one process only, at any path, with everything committed before."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.ledger.errors import (
    LedgerDamaged,
    LedgerInUse,
    LedgerUnavailable,
    LedgerUnusable,
)
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.connections import threaded_connection, writing_engine
from tests.databases import create_database
from tests.ledger.ledger_files import start
from tests.ledger.sample_changes import opening

HOLD = """
import asyncio, sys
from bot.ledger.ledger import open_ledger

async def main():
    async with open_ledger(sys.argv[1]):
        print("open", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def test_a_program_ends_although_it_left_a_connection_open(path: Path) -> None:
    script = (
        "import asyncio, sys\n"
        "from bot.ledger.sqlite.connections import threaded_connection\n"
        "async def main():\n"
        "    kept.append(await threaded_connection(sys.argv[1]))\n"
        "kept = []\n"
        "asyncio.run(main())"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], timeout=60, check=True)


@pytest.mark.parametrize("name", ["a/b/c/ledger.db", "50% off!/ledger #1.db", "牛牛 spaced/ledger.db"])
def test_missing_folders_are_created_whatever_their_name(tmp_path: Path, name: str) -> None:
    start(tmp_path / name)
    assert (tmp_path / name).is_file()


def test_a_relative_address_is_below_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    start(Path("data/gnau.db"))
    assert (tmp_path / "data" / "gnau.db").is_file()


async def test_another_process_is_refused_until_the_first_one_ends_or_is_killed(address: str) -> None:
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLD, address, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert other.stdout is not None
        assert await other.stdout.readline() == b"open\n"
        with pytest.raises(LedgerInUse, match="in use by another process"):
            async with open_ledger(address):
                pass
    finally:
        other.send_signal(signal.SIGKILL)
        await other.communicate()
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))


@pytest.mark.parametrize(
    ("code", "refusal", "why"),
    [
        (sqlite3.SQLITE_IOERR_READ, LedgerUnavailable, ": the disk fails, or has no room"),
        (
            sqlite3.SQLITE_IOERR_SHMMAP,
            LedgerUnusable,
            ": this file system cannot hold the database: use a local disk",
        ),
        (sqlite3.SQLITE_CORRUPT, LedgerDamaged, " is damaged: "),
    ],
)
async def test_a_database_that_cannot_be_opened_is_refused_at_the_start(
    path: Path, address: str, code: int, refusal: type[LedgerUnavailable], why: str
) -> None:
    class Failing(sqlite3.Connection):
        def cursor(self, *_: Any) -> Any:
            error = sqlite3.OperationalError("SQLite's own words")
            error.sqlite_errorcode = code
            raise error

    with pytest.raises(LedgerUnavailable) as refused:
        async with open_ledger(address, driver=partial(threaded_connection, factory=Failing)):
            pass
    assert type(refused.value) is refusal
    assert str(refused.value).startswith(f"{path}{why}")


async def test_each_commit_is_synced_to_the_disk(path: Path) -> None:
    engine = writing_engine(create_database(path), busy_seconds=1)
    async with engine.begin() as connection:
        found = [
            (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    await engine.dispose()
    assert found == ["wal", 2, 1]
