"""An older database is copied before it is upgraded; if it cannot be copied, it is not upgraded."""

import asyncio
import gc
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.ledger.errors import LedgerDamaged, LedgerError, LedgerInUse, LedgerUnavailable, LedgerUnusable
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite import backup as backups
from bot.ledger.sqlite.file_lock import exclusive_lock
from bot.ledger.sqlite.integrity import problems_in
from bot.ledger.sqlite.storage_errors import SIDE_FILES
from bot.ledger.sqlite.upgrade import migrate, revision_of
from bot.ledger.upgrade import revisions
from tests.ledger.full_disk import files_no_larger_than
from tests.ledger.ledger_files import (
    OPENS,
    Use,
    killed_while_it_was_made,
    miscount_a_page,
    not_permitted,
    start,
)
from tests.ledger.next_version import (
    THIS_VERSION,
    contains,
    rows_in,
)
from tests.ledger.sample_changes import SERVER, opening
from tests.sizes import sample


@pytest.fixture(params=OPENS, ids=["by starting", "by command"])
def opens(request: pytest.FixtureRequest) -> Use:
    """The ways to upgrade a database."""
    opens: Use = request.param
    return opens


def kept_beside(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.version-*"))


def files_of(path: Path) -> set[str]:
    """The files in the folder, without the lock and SQLite's own files."""
    passing = {path.name + ending for ending in (".lock", *SIDE_FILES)}
    return {file.name for file in path.parent.iterdir()} - passing


def test_an_older_database_is_copied_unchanged(older: Path, opens: Use) -> None:
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


def test_a_new_or_current_database_is_not_copied(path: Path, opens: Use) -> None:
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


@contextmanager
def without_space(path: Path) -> Iterator[None]:
    with files_no_larger_than(path.stat().st_size // 2):
        yield


@contextmanager
def without_a_name(_: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", not_permitted)
        yield


@contextmanager
def with_a_table_in_the_way(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE made_up (in_the_way)")
        yield
        connection.execute("DROP TABLE made_up")


@contextmanager
def with_damage(path: Path) -> Iterator[None]:
    """Its copy would be damaged too, and the migration could not be undone."""
    intact = path.read_bytes()
    miscount_a_page(path, "events")
    yield
    path.write_bytes(intact)


STAYS = f"{{path}} stays at version {THIS_VERSION}, because it cannot be copied: "


@pytest.mark.parametrize(
    ("hindered", "refusal", "why"),
    sample(
        [
            (without_space, LedgerUnavailable, STAYS),
            (without_a_name, LedgerUnusable, f"{STAYS}{{path}}.version-"),
            (with_a_table_in_the_way, LedgerUnusable, "cannot open {path}: table made_up already exists"),
            (with_damage, LedgerDamaged, "{path} is damaged: SQLite says: "),
        ],
        3,
    ),
)
def test_an_upgrade_that_fails_changes_nothing_and_leaves_no_copy(
    older: Path,
    opens: Use,
    hindered: Callable[[Path], AbstractContextManager[None]],
    refusal: type[LedgerUnavailable],
    why: str,
) -> None:
    """A service manager that restarts the bot would otherwise fill the disk with copies."""
    before = rows_in(older)
    with hindered(older):
        hindered_file = older.read_bytes()
        for _ in range(2):
            with pytest.raises(LedgerUnavailable) as failed:
                opens(older)
            assert type(failed.value) is refusal
            assert str(failed.value).startswith(why.format(path=older))
            assert "\n" not in str(failed.value)
        assert older.read_bytes()[100:] == hindered_file[100:], "the header counts who opened it"
        assert files_of(older) == {older.name}
    opens(older)
    assert contains(rows_in(older), before)
    assert len(kept_beside(older)) == 1


def overwrite(path: Path) -> None:
    path.write_bytes(b"rubbish" * 1000)


@pytest.mark.parametrize("spoil", [overwrite, miscount_a_page, migrate])
def test_a_failed_migration_that_changed_the_file_leaves_the_copy(
    older: Path, opens: Use, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None]
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


@pytest.mark.parametrize("script", ["", "PRAGMA page_size=8192; PRAGMA journal_mode=WAL"])
def test_a_database_whose_creation_was_interrupted_is_created(path: Path, opens: Use, script: str) -> None:
    """A kill during the first start leaves a database without tables."""
    path.touch()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    opens(path)
    assert problems_in(path) == []
    assert kept_beside(path) == []


async def test_a_cancelled_opening_keeps_the_lock_until_its_thread_has_finished_and_says_nothing(
    older: Path, address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, may_go_on = threading.Event(), threading.Event()

    def slowly(database: Path, busy_seconds: float) -> None:
        begun.set()
        may_go_on.wait(60)
        raise LedgerUnavailable(database, "it fails after nobody waits for it")

    monkeypatch.setattr(backups, "migrate", slowly)

    async def once() -> None:
        async with open_ledger(address):
            pass

    opening_it = asyncio.create_task(once())
    assert await asyncio.to_thread(begun.wait, 60)
    opening_it.cancel()
    await asyncio.sleep(0.05)
    with pytest.raises(LedgerInUse), exclusive_lock(older):
        pass
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await opening_it
    del opening_it
    # Its thread lets it go.
    await asyncio.sleep(0.05)
    gc.collect()
    assert [line.message for line in caplog.records if line.name == "asyncio"] == []
    monkeypatch.setattr(backups, "migrate", migrate)
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(9))
        assert await ledger.wallets(SERVER, [9]) == {9: 1000}


def test_another_programs_lock_is_awaited_only_for_the_given_time(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    awaited: set[float | None] = set()
    connect = sqlite3.connect

    def connected(*args: Any, **options: Any) -> sqlite3.Connection:
        awaited.add(options.get("timeout"))
        connection: sqlite3.Connection = connect(*args, **options)
        return connection

    with closing(sqlite3.connect(older, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")

        async def once() -> None:
            async with open_ledger(f"sqlite:///{older}", busy_seconds=0.1):
                pass

        monkeypatch.setattr(sqlite3, "connect", connected)
        with pytest.raises(LedgerError, match="locked"):
            asyncio.run(once())
    assert awaited == {0.1}
    assert kept_beside(older) == []


def test_a_database_whose_making_was_killed_is_made_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "gnau.db"
    killed_while_it_was_made(path)
    assert path.stat().st_size
    start(path)
    assert revision_of(path) == THIS_VERSION
    assert problems_in(path) == []
