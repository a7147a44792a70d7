"""Restoring: the old database is kept, and nothing changes if the backup has problems."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.ledger.errors import LedgerCorrupt, LedgerUnavailable, LedgerUnusable
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite import backup
from bot.ledger.sqlite.backup import back_up, restore, upgrade_exclusively
from bot.ledger.sqlite.integrity import problems_in
from tests.ledger.full_disk import files_no_larger_than
from tests.ledger.ledger_files import (
    Use,
    contents,
    corrupt,
    files_in,
    filled,
    killed_while_it_was_made,
    left_by_a_kill,
    not_permitted,
    wallets_in,
)
from tests.ledger.next_version import contains, fill_every_table, release_next_version, rows_in
from tests.ledger.sample_changes import opening
from tests.sizes import sample


def test_a_restored_database_is_the_copy_and_the_old_one_stays_beside_it(path: Path, copy: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    filled(path, 8)
    path.chmod(0o640)
    kept = restore(path, copy)
    assert wallets_in(path) == {7: 1000}
    assert path.stat().st_mode & 0o777 == 0o640
    assert kept is not None
    assert wallets_in(kept) == {7: 1000, 8: 1000}
    assert problems_in(path) == problems_in(kept) == []
    filled(path, 9)


def test_a_database_is_not_restored_from_itself(path: Path) -> None:
    filled(path, 7)
    with pytest.raises(LedgerUnusable, match="the database itself"):
        restore(path, path)
    assert wallets_in(path) == {7: 1000}


def test_a_restore_keeps_the_wal_of_the_old_database(path: Path, copy: Path) -> None:
    """A killed process leaves its last commits in the WAL, which must not become part of the new database."""
    filled(path, 7)
    back_up(path, copy)
    left_by_a_kill(path)
    kept = restore(path, copy)
    assert kept is not None
    assert rows_in(path)["direct_channels"] == []
    assert len(rows_in(kept)["direct_channels"]) == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    "left", [None, lambda _: b"", Path.read_bytes], ids=["no file", "an empty file", "a backup"]
)
def test_a_restore_keeps_a_wal_apart_from_what_was_put_over_its_database(
    path: Path, copy: Path, left: Callable[[Path], bytes] | None
) -> None:
    """SQLite would delete it, or mix it into the other file."""
    filled(path, 7)
    back_up(path, copy)
    filled(path, 8)
    left_by_a_kill(path)
    wal = path.with_name(f"{path.name}-wal").read_bytes()
    path.unlink()
    if left is not None:
        path.write_bytes(left(copy))
    kept = restore(path, copy)
    assert kept is not None
    assert kept.read_bytes() == (b"" if left is None else left(copy))
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == wal
    assert wallets_in(path) == {7: 1000}


@pytest.mark.parametrize("is_there", [False, True])
def test_a_restore_does_not_mix_the_journal_of_a_killed_creation_with_the_backup(
    path: Path, copy: Path, is_there: bool
) -> None:
    """It is of a database of no pages: SQLite would roll the restored one back to that."""
    filled(path, 7)
    back_up(path, copy)
    path.unlink()
    killed_while_it_was_made(path)
    assert path.with_name(f"{path.name}-journal").stat().st_size
    path.unlink()
    if is_there:
        path.touch()
    restore(path, copy)
    assert wallets_in(path) == {7: 1000}
    assert wallets_in(path) == {7: 1000}, "also when it is opened again"


def test_a_restore_that_fails_at_the_end_leaves_the_database_intact(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 7)
    back_up(path, copy)
    left_by_a_kill(path)
    missing = path.with_name("missing.db")
    monkeypatch.setattr(Path, "replace", not_permitted)
    for database in (path, missing):
        with pytest.raises(LedgerUnavailable, match=f"{database.name}: Permission denied"):
            restore(database, copy)
    assert len(rows_in(path)["direct_channels"]) == 1
    assert problems_in(path) == []
    assert not missing.exists()


def test_an_interrupted_restore_leaves_nothing_that_looks_like_a_database(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 7)
    back_up(path, copy)
    before, files = path.read_bytes(), files_in(path.parent)

    def broken_off(_: Path, target: Path) -> None:
        target.write_bytes(before[:1000])
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "copyfile", broken_off)
    with pytest.raises(KeyboardInterrupt):
        restore(path, copy)
    assert path.read_bytes() == before
    assert files_in(path.parent) <= files


def test_a_restore_that_has_no_room_for_the_old_database_leaves_it_in_its_place(
    path: Path, copy: Path
) -> None:
    filled(path, 7)
    back_up(path, copy)
    filled(path, 8)
    with path.open("ab") as file:
        file.truncate(4 * path.stat().st_size)
    before, files = path.read_bytes(), files_in(path.parent)
    with (
        files_no_larger_than(2 * copy.stat().st_size),
        pytest.raises(LedgerUnavailable, match="cannot be copied"),
    ):
        restore(path, copy)
    assert path.read_bytes() == before
    assert files_in(path.parent) == files


def test_a_restore_that_has_no_room_for_the_backup_names_the_database(path: Path, copy: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    filled(path, 8)
    before = path.read_bytes()
    with files_no_larger_than(copy.stat().st_size // 2), pytest.raises(LedgerUnavailable) as full:
        restore(path, copy)
    assert str(full.value).startswith(f"{path}: ")
    assert path.read_bytes() == before
    assert list(path.parent.glob(".*")) == [], "no unfinished copy"


async def test_a_bot_whose_database_was_deleted_writes_nothing_into_a_restored_one(
    path: Path, address: str, copy: Path
) -> None:
    """Its lock is on the deleted file, so that the restore cannot see it."""
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        await asyncio.to_thread(back_up, path, copy)
        await ledger.commit(opening(8))
        await asyncio.to_thread(path.unlink)
        kept = await asyncio.to_thread(restore, path, copy)
        assert kept is not None
        assert kept.with_name(f"{kept.name}-wal").stat().st_size, "what the bot wrote last"
        with pytest.raises(LedgerUnavailable, match="was deleted or replaced"):
            await ledger.commit(opening(9))
    assert await asyncio.to_thread(problems_in, path) == []
    assert wallets_in(path) == {7: 1000}


def truncated(share: float) -> Use:
    return lambda copy: copy.write_bytes(copy.read_bytes()[: int(copy.stat().st_size * share)])


@pytest.mark.parametrize(
    "spoil", sample([truncated(0.02), truncated(0.5), truncated(0.95), corrupt, None], 2)
)
def test_a_backup_with_faults_is_refused_and_nothing_changes(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, spoil: Use | None
) -> None:
    """Also one that only the upgrade spoils."""
    filled(path, *range(7, 60))
    back_up(path, copy)
    if spoil is None:
        monkeypatch.setattr(backup, "migrate", corrupt)
    else:
        spoil(copy)
    before = contents(path.parent)
    with pytest.raises(LedgerCorrupt):
        restore(path, copy)
    assert contents(path.parent) == before


def test_a_backup_of_an_older_version_is_restored_at_the_newest(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_every_table(copy)
    release_next_version(monkeypatch)
    before = rows_in(copy)
    restore(path, copy)
    assert contains(rows_in(path), before)
    assert problems_in(path) == []
    assert upgrade_exclusively(path).copy is None
