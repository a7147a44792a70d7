"""The file under the bot: deleted, replaced or overwritten, nothing is acknowledged."""

# ruff: noqa: ASYNC240 - a test may wait for the disk

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.ledger.changes import Erasure
from bot.ledger.errors import LedgerDamaged, LedgerUnavailable, LedgerUnusable
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.sqlite.backup import back_up, restore
from bot.ledger.sqlite.connections import writing_engine
from bot.ledger.sqlite.file_lock import identity_of
from bot.ledger.sqlite.integrity import problems_in
from bot.table.accounts import wallet
from tests.databases import create_database
from tests.ledger.counted_ledger import all_of
from tests.ledger.ledger_files import filled, wallets_in
from tests.ledger.sample_changes import NOW, SERVER, change, failures, opening, pay

Lose = Callable[[Path, Path], None]
LOGGER = "bot.ledger.errors"


async def refused(ledger: Ledger, changes: int = 3) -> None:
    """Finds that nothing is acknowledged."""
    outcomes = await all_of(ledger, *(pay(wallet(7), wallet(8), 1) for _ in range(changes)))
    assert [type(failure) for failure in failures(outcomes)] == [LedgerUnavailable] * changes
    with pytest.raises(LedgerUnavailable, match="was deleted or replaced"):
        await ledger.commit(pay(wallet(7), wallet(8), 1))


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The level of each line about the file."""
    return [record.levelname for record in caplog.records if record.name == LOGGER]


def taken_away(path: Path, _: Path) -> None:
    path.rename(path.with_name("away.db"))


def replaced_by_a_copy(path: Path, tmp_path: Path) -> None:
    shutil.copy2(path, tmp_path / "copy.db")
    taken_away(path, tmp_path)
    (tmp_path / "copy.db").rename(path)


def replaced_by_a_folder(path: Path, tmp_path: Path) -> None:
    taken_away(path, tmp_path)
    path.mkdir()


def folder_taken_away(path: Path, _: Path) -> None:
    path.parent.rename(path.parent.with_name("away"))


@pytest.mark.parametrize("lose", [taken_away, replaced_by_a_copy])
async def test_nothing_is_acknowledged_until_the_original_is_back(
    path: Path, address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, lose: Lose
) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        assert await ledger.wallets(SERVER, [7]) == {7: 1000}
        caplog.clear()
        lose(path, tmp_path)
        await refused(ledger)
        await refused(ledger)
        assert said(caplog) == ["ERROR"]
        assert caplog.records[-1].getMessage().startswith(f"nothing can be written: {path} was deleted")
        assert await ledger.wallets(SERVER, [7, 8]) == {7: 1000}
        path.with_name("away.db").replace(path)
        await ledger.commit(pay(wallet(7), wallet(8), 5))
        await ledger.commit(pay(wallet(7), wallet(8), 5))
        assert said(caplog) == ["ERROR", "WARNING"]
        assert " works again after 0:00:" in caplog.records[-1].getMessage()
        assert caplog.records[-1].getMessage().endswith("; changes that were refused: 8")
    assert wallets_in(path) == {7: 990, 8: 10}
    assert await asyncio.to_thread(problems_in, path) == []


def deleted(path: Path, _: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("lose", [deleted, replaced_by_a_folder, folder_taken_away])
async def test_a_lost_path_refuses_too_and_is_not_made_again(tmp_path: Path, lose: Lose) -> None:
    path = tmp_path / "data" / "ledger.db"
    async with open_ledger(f"sqlite:///{path}") as ledger:
        await ledger.commit(opening(7))
        lose(path, tmp_path)
        await refused(ledger)
    assert not path.is_file()


async def test_a_link_to_another_file_refuses_too(path: Path, tmp_path: Path) -> None:
    """The next start would find that one."""
    link = tmp_path / "link.db"
    create_database(path)
    link.symlink_to(path)
    async with open_ledger(f"sqlite:///{link}") as ledger:
        await ledger.commit(opening(7))
        link.unlink()
        link.symlink_to(create_database(tmp_path / "other.db"))
        await refused(ledger)
        link.unlink()
        link.symlink_to(path)
        await ledger.commit(opening(8))


async def test_a_deleted_wal_refuses_and_a_clean_end_saves_what_it_had(
    path: Path, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        assert await ledger.wallets(SERVER, [7]) == {7: 1000}
        caplog.clear()
        path.with_name(f"{path.name}-wal").unlink()
        await refused(ledger)
        assert await ledger.wallets(SERVER, [7, 8]) == {7: 1000}
        assert said(caplog) == ["ERROR"]
    assert wallets_in(path) == {7: 1000}
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(8))


async def test_a_wal_that_is_deleted_before_the_first_write_is_noticed(path: Path, address: str) -> None:
    create_database(path)
    async with open_ledger(address) as ledger:
        path.with_name(f"{path.name}-wal").unlink()
        await refused(ledger)


@pytest.mark.parametrize("lost", [True, False])
async def test_a_connection_that_is_opened_again_accepts_only_the_same_file(
    path: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    engines: list[AsyncEngine] = []
    opened: list[bool] = []
    connect = sqlite3.connect

    def writing(*given: Any) -> AsyncEngine:
        engines.append(writing_engine(*given))
        return engines[-1]

    def connected(*args: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **options)
        opened.append(identity_of(path) == original)
        return connection

    monkeypatch.setattr("bot.ledger.sqlite.engine.writing_engine", writing)
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        assert await ledger.wallets(SERVER, [7]) == {7: 1000}
        original = identity_of(path)
        replaced_by_a_copy(path, tmp_path)
        if lost:
            path.unlink()
        await refused(ledger)
        # As after an error for which SQLAlchemy gives a connection up.
        await engines[0].dispose()
        monkeypatch.setattr("bot.ledger.sqlite.connections.sqlite3.connect", connected)
        with pytest.raises(LedgerUnavailable, match="was deleted or replaced"):
            await ledger.commit(opening(8))
        path.with_name("away.db").replace(path)
        await ledger.commit(opening(8))
        assert await ledger.wallets(SERVER, [7, 8]) == {7: 1000, 8: 1000}
    # To another file, a connection would write into the same WAL, and delete it when it closes.
    assert opened == [True]
    assert wallets_in(path) == {7: 1000, 8: 1000}


async def test_what_another_file_has_is_never_read(
    path: Path, address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        replaced_by_a_copy(path, tmp_path)
        with pytest.raises(LedgerUnavailable, match="was deleted or replaced"):
            async with ledger.reading():
                pass
        assert caplog.records[-1].getMessage().startswith(f"nothing can be read: {path} was deleted")
        path.with_name("away.db").replace(path)
        async with ledger.reading():
            pass


def copied_over(path: Path, copy: Path) -> None:
    """Copies a file over the database, which stays the same file: what `cp` does."""
    with path.open("r+b") as file:
        file.write(copy.read_bytes())
        file.truncate()


@pytest.mark.parametrize("writes", [True, False])
@pytest.mark.parametrize("kind", ["backup", "cold copy"])
async def test_a_copy_over_the_open_file_is_noticed_before_anything_is_acknowledged(
    path: Path, address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str, writes: bool
) -> None:
    copy = tmp_path / "copy.db"
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
    if kind == "backup":
        await asyncio.to_thread(back_up, path, copy)
    else:
        shutil.copy2(path, copy)
    async with open_ledger(address) as ledger:
        if writes:
            await ledger.commit(opening(8))
        caplog.clear()
        copied_over(path, copy)
        for _ in range(2):
            with pytest.raises(LedgerUnavailable, match="was changed by another program"):
                await ledger.commit(pay(wallet(7), wallet(8), 5))
        (line,) = [record for record in caplog.records if record.name == LOGGER]
        assert line.levelname == "ERROR"
        assert str(path) in line.getMessage()
        assert "gnau db check" in line.getMessage()
    assert path.read_bytes() == copy.read_bytes(), "what the copy lacks is not mixed into it"


def emptied(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(0)


def cut_off(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(8192)


def garbled(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)


@pytest.mark.parametrize("overwrite", [emptied, cut_off, garbled])
async def test_a_clean_end_keeps_the_wal_of_a_file_that_was_overwritten(
    path: Path, address: str, caplog: pytest.LogCaptureFixture, overwrite: Callable[[Path], None]
) -> None:
    create_database(path)
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        await ledger.commit(opening(8))
        wal = path.with_name(f"{path.name}-wal")
        written = wal.read_bytes()
        overwrite(path)
        left = path.read_bytes()
        with pytest.raises(LedgerUnavailable, match="was changed by another program"):
            await ledger.commit(opening(9))
        caplog.clear()
    (line,) = [record for record in caplog.records if record.name == "bot.ledger.sqlite.engine"]
    assert line.getMessage() == f"{path} was overwritten: what was written last stays in {wal}"
    with pytest.raises(LedgerUnusable):
        async with open_ledger(address):
            pass
    assert wal.read_bytes() == written
    assert path.read_bytes() == left, "nothing is moved into it"


@pytest.mark.thorough
async def test_the_next_start_does_not_mix_a_backup_with_the_wal_of_another_database(
    path: Path, address: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
    await asyncio.to_thread(back_up, path, copy)
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(8))
        copied_over(path, copy)
    with pytest.raises(LedgerDamaged, match="a copy was put over it"):
        async with open_ledger(address):
            pass
    await asyncio.to_thread(restore, path, copy)
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(8))
    assert wallets_in(path) == {7: 1000, 8: 1000}


def test_an_empty_wal_beside_a_copy_is_of_no_other_database(path: Path, copy: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    copied_over(path, copy)
    path.with_name(f"{path.name}-wal").touch()
    filled(path, 8)
    assert wallets_in(path) == {7: 1000, 8: 1000}


async def test_what_the_bot_itself_moves_into_the_file_is_no_other_program(path: Path, address: str) -> None:
    """Each commit of an erasure empties the WAL, and the disk may do so too."""
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        written = path.stat().st_mtime_ns
        erasure = Erasure(8, 800, b"hash", NOW)
        await ledger.commit(replace(change(), erasures=(erasure,)))
        assert path.stat().st_mtime_ns != written
        assert failures(await all_of(ledger, opening(9))) == []
