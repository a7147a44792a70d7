"""Backups: made under load, and refused without side effects if something is wrong."""

import asyncio
import errno
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.ledger.errors import LedgerCorrupt, LedgerUnavailable
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.sqlite.backup import back_up, restore
from bot.ledger.sqlite.integrity import problems_in
from bot.table.accounts import HOUSE, wallet
from tests.ledger.full_disk import files_no_larger_than
from tests.ledger.ledger_files import contents, corrupt, files_in, filled, not_permitted, wallets_in
from tests.ledger.next_version import rows_in
from tests.ledger.sample_changes import opening, pay


@asynccontextmanager
async def load(ledger: Ledger) -> AsyncIterator[list[str]]:
    """Members pay as fast as they can; returns the acknowledged keys, in order."""
    done: list[str] = []

    async def pay_on(member: int) -> None:
        for number in count():
            key = f"{member}:{number}"
            await ledger.commit(pay(wallet(member), HOUSE, 1, key))
            done.append(key)

    members = range(7, 27)
    await asyncio.gather(*(ledger.commit(opening(member, 1_000_000)) for member in members))
    paying = [asyncio.create_task(pay_on(member)) for member in members]
    yield done
    for task in paying:
        task.cancel()
    await asyncio.wait(paying)


async def test_a_backup_under_load_has_all_that_was_acknowledged_before_it_and_is_restored(
    path: Path, address: str, copy: Path, tmp_path: Path
) -> None:
    async with open_ledger(address) as ledger, load(ledger) as done:
        while len(done) < 300:  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.001)
        before = list(done)
        await asyncio.to_thread(back_up, path, copy)
        assert len(done) > len(before), "it stops nobody"
    assert await asyncio.to_thread(problems_in, path) == []
    assert files_in(copy.parent) == {copy.name}
    elsewhere = tmp_path / "elsewhere" / "gnau.db"
    assert await asyncio.to_thread(restore, elsewhere, copy) is None
    async with open_ledger(f"sqlite:///{elsewhere}") as ledger:
        keys = rows_in(elsewhere)["commands"]
        assert {row["key"] for row in keys} >= set(before)
        assert len(keys) < len(rows_in(path)["commands"])
        await ledger.commit(pay(wallet(7), HOUSE, 1))
    assert await asyncio.to_thread(problems_in, elsewhere) == []


def test_a_backup_replaces_another_file_only_if_asked(path: Path, copy: Path) -> None:
    filled(path, 7)
    copy.write_text("something dear")
    with pytest.raises(LedgerUnavailable, match="already exists"):
        back_up(path, copy)
    assert copy.read_text() == "something dear"
    copy.with_name(copy.name + "-wal").write_text("left over by something else")
    back_up(path, copy, overwrite=True)
    assert files_in(copy.parent) == {copy.name}
    assert wallets_in(copy) == {7: 1000}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *((f"data/ledger.db{ending}", "the database itself") for ending in ("", "-wal", "-shm", ".lock")),
        ("nowhere/copy", "there is no folder"),
        ("data", "already exists, and is no file"),
        ("pipe", "already exists, and is no file"),
        ("x" * 300, "name too long"),
    ],
)
def test_where_a_backup_cannot_be_is_refused_and_nothing_changes(tmp_path: Path, name: str, why: str) -> None:
    path = tmp_path / "data" / "ledger.db"
    path.parent.mkdir()
    filled(path, 7)
    os.mkfifo(tmp_path / "pipe")
    before = contents(tmp_path)
    with pytest.raises(LedgerUnavailable, match=why):
        back_up(path, tmp_path / name, overwrite=True)
    assert contents(tmp_path) == before


def test_a_full_disk_is_reported_with_the_folder_that_the_backup_is_made_in(path: Path, copy: Path) -> None:
    filled(path, 7)
    with files_no_larger_than(path.stat().st_size // 2), pytest.raises(LedgerUnavailable) as full:
        back_up(path, copy)
    assert str(full.value).startswith(f"{path.parent}: ")
    assert files_in(copy.parent) == set()


def on_another_disk(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Has the system say that the folder of a database is on another disk than other folders."""
    rename = Path.replace

    def replace(file: Path, target: Path) -> Path:
        if path.parent in file.parents and file.parent.parent != target.parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link", str(file))
        return rename(file, target)

    monkeypatch.setattr(Path, "replace", replace)


def test_a_backup_on_another_disk_is_made_beside_the_database_and_then_moved(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 7)
    path.chmod(0o600)
    on_another_disk(monkeypatch, path)
    opened: list[str] = []
    connect = sqlite3.connect

    def noted(database: object, **options: Any) -> sqlite3.Connection:
        opened.append(str(database))
        return connect(database, **options)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(sqlite3, "connect", noted)
    back_up(path, copy)
    assert not [one for one in opened if str(copy.parent) in one], "SQLite may not work there"
    assert files_in(copy.parent) == {copy.name}
    assert list(path.parent.glob(".*")) == []
    assert copy.stat().st_mode & 0o777 == 0o600
    assert wallets_in(copy) == {7: 1000}


def test_if_the_disk_of_a_backup_fails_that_is_named(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 7)
    copy.write_text("something dear")
    on_another_disk(monkeypatch, path)

    def failing(source: Path, _: Path) -> None:
        raise OSError(errno.EIO, "Input/output error", str(source))

    monkeypatch.setattr(shutil, "copyfile", failing)
    with pytest.raises(LedgerUnavailable) as failed:
        back_up(path, copy, overwrite=True)
    assert str(failed.value) == f"{copy}: Input/output error"
    assert copy.read_text() == "something dear"
    assert files_in(copy.parent) == {copy.name}
    assert list(path.parent.glob(".*")) == []


def test_a_backup_that_cannot_get_its_name_replaces_nothing(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 7)
    copy.write_text("something dear")

    monkeypatch.setattr(Path, "replace", not_permitted)
    with pytest.raises(LedgerUnavailable, match=r"gnau\.backup: Permission denied"):
        back_up(path, copy, overwrite=True)
    assert copy.read_text() == "something dear"
    assert files_in(copy.parent) == {copy.name}


def test_a_corrupt_database_is_not_backed_up(path: Path, copy: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    corrupt(path)
    with pytest.raises(LedgerCorrupt) as refused:
        back_up(path, copy, overwrite=True)
    assert refused.value.problems[0] == "server 1: wallet:7 has 1001 chips, but its entries sum to 1000"
    assert str(refused.value).splitlines() == list(refused.value.problems)
    assert files_in(copy.parent) == {copy.name}
    assert wallets_in(copy) == {7: 1000}
