"""The lock belongs to the file: no other name of it lets a second process in."""

import asyncio
import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.errors import LedgerInUse, LedgerUnavailable, LedgerUnusable
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.backup import back_up, restore
from bot.ledger.sqlite.file_lock import exclusive_lock, lock_path
from tests.databases import create_database
from tests.ledger.ledger_files import files_in, filled, wallets_in
from tests.ledger.sample_changes import SERVER, opening

TRY = """
import sys
from pathlib import Path
from bot.ledger.errors import LedgerInUse
from bot.ledger.sqlite.file_lock import exclusive_lock

sys.platform = sys.argv[2]
try:
    with exclusive_lock(Path(sys.argv[1])):
        print("locked")
except LedgerInUse:
    print("in use")
"""


def tried(path: Path, system: str = sys.platform) -> str:
    """What another process finds."""
    command = [sys.executable, "-c", TRY, str(path), system]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return ended.stdout.strip()


def by_symlink(path: Path) -> Path:
    link = path.with_name("symlink.db")
    link.symlink_to(path)
    return link


def by_hard_link(path: Path) -> Path:
    link = path.with_name("hard.db")
    link.hardlink_to(path)
    return link


def by_linked_folder(path: Path) -> Path:
    folder = path.parent / "linked"
    folder.symlink_to(path.parent, target_is_directory=True)
    return folder / path.name


def after_all_other_files_are_gone(path: Path) -> Path:
    for file in path.parent.iterdir():
        if file != path and not file.name.endswith(("-wal", "-shm")):
            file.unlink()
    return path


NAMES = [by_symlink, by_linked_folder, after_all_other_files_are_gone]


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the lock is beside one of the names")
@pytest.mark.parametrize("name", NAMES)
async def test_no_other_name_lets_a_second_process_in(
    path: Path, address: str, name: Callable[[Path], Path]
) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        other = name(path)
        assert await asyncio.to_thread(tried, other) == "in use"
        with pytest.raises(LedgerInUse, match="in use by another process"):
            async with open_ledger(f"sqlite:///{other}"):
                pass
        await ledger.commit(opening(8))
    assert tried(other) == "locked"


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the lock is beside one of the names")
async def test_a_hard_link_is_refused_whether_the_bot_runs_or_not(path: Path, address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        other = by_hard_link(path)
        assert await asyncio.to_thread(tried, other) == "in use"
        await ledger.commit(opening(8))
    for name in (path, other):
        # Under the other name, what a kill leaves in the WAL would be missing.
        with pytest.raises(LedgerUnusable, match="several hard links: keep only one"):
            async with open_ledger(f"sqlite:///{name}"):
                pass
    other.unlink()
    assert tried(path) == "locked"


async def test_a_second_try_in_this_process_keeps_sqlites_own_locks(path: Path, address: str) -> None:
    """A process that closes any descriptor of a file loses SQLite's locks on it."""
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        with pytest.raises(LedgerInUse), exclusive_lock(path):
            pass
        # Without the bot's lock, another process would take itself for the last one, and delete the WAL.
        touch = (
            "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM parties').fetchall()"
        )
        await asyncio.to_thread(
            subprocess.run, [sys.executable, "-c", touch, str(path)], timeout=60, check=True
        )
        await ledger.commit(opening(8))
        assert await ledger.wallets(SERVER, [7, 8]) == {7: 1000, 8: 1000}


def test_files_beside_the_database_are_where_a_link_points_to(path: Path, tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "gnau.db"
    link.symlink_to(path)

    async def look() -> set[str]:
        async with open_ledger(f"sqlite:///{link}") as ledger:
            await ledger.commit(opening(7))
            await ledger.note_erasures([7])
            return files_in(path.parent)

    assert asyncio.run(look()) >= {path.name, f"{path.name}-wal", f"{path.name}.erased"}
    assert files_in(link.parent) == {link.name}
    assert link.is_symlink()


def test_a_restore_through_a_link_keeps_the_link(path: Path, copy: Path, tmp_path: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    filled(path, 8)
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "gnau.db"
    link.symlink_to(path)
    kept = restore(link, copy)
    assert link.is_symlink()
    assert files_in(link.parent) == {link.name}
    assert wallets_in(path) == {7: 1000}
    assert kept is not None
    assert kept.parent == path.parent


@pytest.mark.skipif(sys.platform != "linux", reason="only there the database itself is locked")
def test_a_file_that_is_replaced_while_it_is_locked_is_not_taken_for_the_locked_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_database(path)
    locked: list[int] = []
    real = fcntl.flock

    def flock(descriptor: int, how: int) -> None:
        if not locked:
            path.rename(path.with_name("old.db"))
            create_database(path)
        locked.append(os.fstat(descriptor).st_ino)
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    with exclusive_lock(path) as file:
        assert len(locked) == 2
        assert file.identity[1] == locked[1] == path.stat().st_ino != locked[0]


class TestOnOtherSystems:
    """Where flock's locks and SQLite's collide, the lock is on a file beside the database."""

    @pytest.fixture(autouse=True)
    def other_system(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bot.ledger.sqlite.file_lock.sys.platform", "darwin")

    def test_a_second_process_is_refused_also_through_a_link(self, path: Path) -> None:
        with exclusive_lock(path):
            for name in (path, by_symlink(path), by_linked_folder(path)):
                assert tried(name, "darwin") == "in use"
        with exclusive_lock(path):
            pass
        assert lock_path(path).exists()

    def test_a_database_with_hard_links_is_refused(self, path: Path) -> None:
        create_database(path)
        by_hard_link(path)
        with pytest.raises(LedgerUnavailable, match="hard links"), exclusive_lock(path):
            pass

    def test_a_lock_file_that_cannot_be_locked_is_named(self, path: Path) -> None:
        with closing(sqlite3.connect(lock_path(path))) as connection:
            connection.execute("CREATE TABLE t (x)")
        lock_path(path).write_bytes(b"rubbish" * 100)
        with pytest.raises(LedgerUnavailable, match=r"cannot lock .*\.lock"), exclusive_lock(path):
            pass

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root makes other users' files")
    def test_the_lock_file_that_root_makes_belongs_to_the_databases_owner(self, path: Path) -> None:
        create_database(path)
        os.chown(path, 65534, 65534)
        with exclusive_lock(path):
            assert lock_path(path).stat().st_uid == 65534
