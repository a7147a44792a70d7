"""An older database is copied before it is upgraded; if it cannot be copied, it is not upgraded."""

import asyncio
import logging
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.errors import LedgerDamaged, LedgerError, LedgerInUse, LedgerUnavailable, LedgerUnusable
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite import backup as backups
from bot.ledger.sqlite.backup import upgrade_exclusively, upgrade_with_copy
from bot.ledger.sqlite.file_lock import exclusive_lock
from bot.ledger.sqlite.integrity import damage_in, problems_in
from bot.ledger.sqlite.storage_errors import SIDE_FILES
from bot.ledger.sqlite.upgrade import migrate, revision_of, revisions
from tests.ledger.full_disk import files_no_larger_than
from tests.ledger.ledger_files import miscount_a_page, not_permitted
from tests.ledger.next_version import (
    NEXT_VERSION,
    THIS_VERSION,
    contains,
    fill_every_table,
    release_next_version,
    rows_in,
)
from tests.ledger.sample_changes import SERVER, opening

Opens = Callable[[Path], None]


def start(path: Path) -> None:
    """Opens the database as a start of the bot does."""

    async def once() -> None:
        async with open_ledger(f"sqlite:///{path}"):
            pass

    asyncio.run(once())


def upgrade_by_command(path: Path) -> None:
    upgrade_exclusively(path)


@pytest.fixture(params=[start, upgrade_by_command], ids=["by starting", "by command"])
def opens(request: pytest.FixtureRequest) -> Opens:
    """The ways to upgrade a database."""
    opens: Opens = request.param
    return opens


def kept_beside(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.version-*"))


def files_of(path: Path) -> set[str]:
    """The files in the folder, without the lock and SQLite's own files."""
    passing = {path.name + ending for ending in (".lock", *SIDE_FILES)}
    return {file.name for file in path.parent.iterdir()} - passing


def test_an_older_database_is_copied_unchanged(older: Path, opens: Opens) -> None:
    older.chmod(0o640)
    before = rows_in(older)
    opens(older)
    (kept,) = kept_beside(older)
    assert files_of(older) == {older.name, kept.name}
    assert (revision_of(kept), revision_of(older)) == (THIS_VERSION, revisions()[-1])
    assert rows_in(kept) == before
    assert contains(rows_in(older), before)
    assert problems_in(kept) == problems_in(older) == []
    assert kept.stat().st_mode & 0o777 == 0o640, "who may not read the one may not read the other"


def test_a_new_or_current_database_is_not_copied(path: Path, opens: Opens) -> None:
    opens(path)
    opens(path)
    assert files_of(path) == {path.name}


def test_the_log_says_once_where_the_copy_is(older: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bot.ledger")
    start(older)
    start(older)
    (kept,) = kept_beside(older)
    newest = revisions()[-1]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert caplog.messages == [
        f"{older} upgraded from version {THIS_VERSION} to {newest}; the old one is {kept}"
    ]


def test_without_space_for_a_copy_nothing_changes(older: Path, opens: Opens) -> None:
    before = older.read_bytes()
    with files_no_larger_than(len(before) // 2), pytest.raises(LedgerUnavailable) as full:
        opens(older)
    assert str(full.value).startswith(
        f"{older} stays at version {THIS_VERSION}, because it cannot be copied: "
    )
    assert "\n" not in str(full.value)
    assert older.read_bytes() == before
    assert files_of(older) == {older.name}
    opens(older)
    assert len(kept_beside(older)) == 1


def test_without_a_name_for_the_copy_nothing_changes(
    older: Path, opens: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = older.read_bytes()

    monkeypatch.setattr(Path, "replace", not_permitted)
    with pytest.raises(LedgerUnusable, match=r"because it cannot be copied: .*: Permission denied"):
        opens(older)
    assert older.read_bytes() == before
    assert files_of(older) == {older.name}


def test_a_failed_migration_that_changed_nothing_leaves_no_copy(older: Path, opens: Opens) -> None:
    """A service manager that restarts the bot would otherwise fill the disk with copies."""
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("CREATE TABLE seasons (in_the_way)")
    before = rows_in(older)
    for _ in range(2):
        with pytest.raises(LedgerUnavailable, match="seasons"):
            opens(older)
    assert rows_in(older) == before
    assert files_of(older) == {older.name}


def overwrite(path: Path) -> None:
    path.write_bytes(b"rubbish" * 1000)


@pytest.mark.parametrize("spoil", [overwrite, miscount_a_page, migrate])
def test_a_failed_migration_that_changed_the_file_leaves_the_copy(
    older: Path, opens: Opens, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None]
) -> None:
    before = rows_in(older)

    def breaking(database: Path, busy_seconds: float) -> None:
        spoil(database)
        raise LedgerUnavailable("disk I/O error")

    monkeypatch.setattr(backups, "migrate", breaking)
    with pytest.raises(LedgerUnavailable, match="disk I/O error"):
        opens(older)
    (kept,) = kept_beside(older)
    assert rows_in(kept) == before


def test_a_damaged_database_is_not_upgraded(older: Path, opens: Opens) -> None:
    """Its copy would be damaged too, and the migration could not be undone."""
    with closing(sqlite3.connect(older)) as connection:
        page_size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = "SELECT rootpage FROM sqlite_schema WHERE name = 'events'"
        page = connection.execute(root).fetchone()[0]
    with older.open("r+b") as file:
        file.seek((page - 1) * page_size + page_size // 2)
        file.write(b"\xff" * (page_size // 2))
    before = older.read_bytes()
    with pytest.raises(LedgerDamaged) as refused:
        opens(older)
    assert str(refused.value) == f"{older} is damaged: {damage_in(older)[0]}"
    assert "\n" not in str(refused.value)
    assert older.read_bytes() == before
    assert files_of(older) == {older.name}


def test_another_programs_database_is_not_changed(path: Path, opens: Opens) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    before = path.read_bytes()
    with pytest.raises(LedgerUnusable, match="not a ledger of this program"):
        opens(path)
    assert path.read_bytes() == before


def test_a_database_of_a_newer_version_is_not_changed(path: Path, opens: Opens) -> None:
    start(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(LedgerUnusable, match="another version of this program: its schema is '9999'"):
        opens(path)
    assert files_of(path) == {path.name}


@pytest.mark.parametrize("script", ["", "PRAGMA page_size=8192; PRAGMA journal_mode=WAL"])
def test_a_database_whose_creation_was_interrupted_is_created(path: Path, opens: Opens, script: str) -> None:
    """A kill during the first start leaves a database without tables."""
    path.touch()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    opens(path)
    assert problems_in(path) == []
    assert kept_beside(path) == []


def test_a_folder_in_place_of_the_database_is_named(path: Path, opens: Opens) -> None:
    path.mkdir()
    with pytest.raises(LedgerUnusable, match="is a folder"):
        opens(path)


async def test_a_cancelled_opening_keeps_the_lock_until_its_thread_has_finished(
    older: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_go_on = threading.Event(), threading.Event()

    def slowly(database: Path, busy_seconds: float) -> object:
        begun.set()
        may_go_on.wait(5)
        return upgrade_with_copy(database, busy_seconds)

    monkeypatch.setattr(backups, "upgrade_with_copy", slowly)

    async def once() -> None:
        async with open_ledger(address):
            pass

    opening_it = asyncio.create_task(once())
    await asyncio.to_thread(begun.wait, 20)
    opening_it.cancel()
    await asyncio.sleep(0.05)
    with pytest.raises(LedgerInUse), exclusive_lock(older):
        pass
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await opening_it
    monkeypatch.setattr(backups, "upgrade_with_copy", upgrade_with_copy)
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(9))
        assert await ledger.wallets(SERVER, [9]) == {9: 1000}


def test_another_programs_lock_is_awaited_only_for_the_given_time(older: Path) -> None:
    with closing(sqlite3.connect(older, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")

        async def once() -> None:
            async with asyncio.timeout(4), open_ledger(f"sqlite:///{older}", busy_seconds=0.1):
                pass

        with pytest.raises(LedgerError, match="locked"):
            asyncio.run(once())
    assert kept_beside(older) == []


def test_an_upgrade_says_which_versions_and_where_the_copy_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_every_table(path)
    before = rows_in(path)
    assert upgrade_exclusively(path).copy is None
    release_next_version(monkeypatch)
    done = upgrade_exclusively(path)
    assert (done.before, done.after) == (THIS_VERSION, NEXT_VERSION)
    assert done.copy is not None
    assert rows_in(done.copy) == before
    assert contains(rows_in(path), before)
    again = upgrade_exclusively(path)
    assert (again.before, again.copy) == (NEXT_VERSION, None)
    path.unlink()
    made = upgrade_exclusively(path)
    assert (made.before, made.after, made.copy) == (None, NEXT_VERSION, None)


def killed_while_it_was_made(path: Path) -> None:
    """Begins a database as a bot does that is killed before it has a WAL."""
    program = """
import os, signal, sqlite3, sys
making = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in ("PRAGMA cache_size=1", "BEGIN", "CREATE TABLE begun (text)"):
    making.execute(statement)
making.executemany("INSERT INTO begun VALUES (?)", [("x" * 1000,)] * 100)
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert path.stat().st_size


def test_a_database_whose_making_was_killed_is_made_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "gnau.db"
    killed_while_it_was_made(path)
    start(path)
    assert revision_of(path) == THIS_VERSION
    assert problems_in(path) == []
