"""Backups: taken under load, put back, and refused where something is wrong, without touching anything."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from itertools import count
from pathlib import Path

import pytest

from bot.ledger.errors import LedgerInUse, LedgerUnavailable, LedgerUnsound
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.safekeeping import back_up, bring_up, restore
from bot.ledger.soundness import faults_of
from bot.table.money import HOUSE, wallet
from tests.ledger.full_disk import files_no_larger_than
from tests.ledger.old_versions import KEPT, contains, make_as_of, rows_in
from tests.ledger.trial import SERVER, opening, pay


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups" / "gnau.backup"


def filled(path: Path, *members: int) -> None:
    """Makes a ledger with the wallets of these members."""

    async def fill() -> None:
        async with open_ledger(f"sqlite:///{path}") as ledger:
            for member in members:
                await ledger.commit(opening(member))

    asyncio.run(fill())


def wallets_in(path: Path) -> dict[int, int]:
    query = "SELECT member_id, balance FROM accounts WHERE kind = 'wallet'"
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute(query).fetchall())


def spoil(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE accounts SET balance = balance + 1 WHERE account = 'wallet:7'")
        connection.commit()


def left_by_a_kill(path: Path) -> None:
    """Has a process die after a commit that is only beside the file."""
    script = (
        "import os, signal, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('INSERT INTO members VALUES (7, 70, NULL)')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], timeout=20, check=False)
    assert path.with_name(path.name + "-wal").stat().st_size > 0


def files_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


@asynccontextmanager
async def load(ledger: Ledger) -> AsyncIterator[list[str]]:
    """Members pay as fast as they can; the keys of what was acknowledged, in order."""
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
    assert await asyncio.to_thread(faults_of, path) == []
    assert files_in(copy.parent) == {copy.name}
    elsewhere = tmp_path / "elsewhere" / "gnau.db"
    assert await asyncio.to_thread(restore, elsewhere, copy) is None
    async with open_ledger(f"sqlite:///{elsewhere}") as ledger:
        keys = rows_in(elsewhere)["commands"]
        assert {row["key"] for row in keys} >= set(before)
        assert len(keys) < len(rows_in(path)["commands"])
        await ledger.commit(pay(wallet(7), HOUSE, 1))
    assert await asyncio.to_thread(faults_of, elsewhere) == []


def test_a_backup_takes_no_other_files_place_unless_it_is_told_to(path: Path, copy: Path) -> None:
    filled(path, 7)
    copy.write_text("something dear")
    with pytest.raises(LedgerUnavailable, match="is there already"):
        back_up(path, copy)
    assert copy.read_text() == "something dear"
    copy.with_name(copy.name + "-wal").write_text("left over by something else")
    back_up(path, copy, overwrite=True)
    assert files_in(copy.parent) == {copy.name}
    assert wallets_in(copy) == {7: 1000}


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", ".lock"])
def test_a_backup_is_never_written_over_the_database(path: Path, ending: str) -> None:
    filled(path, 7)
    with pytest.raises(LedgerUnavailable, match="the database itself"):
        back_up(path, path.with_name(path.name + ending), overwrite=True)
    assert wallets_in(path) == {7: 1000}


def test_a_backup_that_cannot_be_written_says_why(path: Path, copy: Path, tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="there is no database"):
        back_up(path, copy)
    assert not path.exists()
    filled(path, 7)
    with pytest.raises(LedgerUnavailable, match="there is no folder"):
        back_up(path, tmp_path / "nowhere" / "copy")
    with pytest.raises(LedgerUnavailable, match="is there already"):
        back_up(path, copy.parent, overwrite=True)


def test_a_backup_takes_the_place_of_files_alone(path: Path, copy: Path) -> None:
    filled(path, 7)
    os.mkfifo(copy)
    with pytest.raises(LedgerUnavailable, match="is there already"):
        back_up(path, copy, overwrite=True)
    assert copy.is_fifo()


def test_a_backup_whose_name_no_disk_takes_is_refused(path: Path, copy: Path) -> None:
    filled(path, 7)
    with pytest.raises(LedgerUnavailable, match="name too long"):
        back_up(path, copy.with_name("x" * 300))


def test_a_backup_that_the_disk_has_no_room_for_is_what_is_named(path: Path, copy: Path) -> None:
    filled(path, 7)
    with files_no_larger_than(path.stat().st_size // 2), pytest.raises(LedgerUnavailable) as full:
        back_up(path, copy)
    assert str(full.value).startswith(f"{copy}: ")
    assert files_in(copy.parent) == set()


def test_who_may_not_read_the_database_may_not_read_its_backup(path: Path, copy: Path) -> None:
    filled(path, 7)
    path.chmod(0o600)
    back_up(path, copy)
    assert copy.stat().st_mode & 0o777 == 0o600


def test_of_a_database_that_is_not_sound_no_backup_is_written(path: Path, copy: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    spoil(path)
    with pytest.raises(LedgerUnsound) as unsound:
        back_up(path, copy, overwrite=True)
    assert unsound.value.faults[0] == "server 1: wallet:7 has 1001 chips, but its entries come to 1000"
    assert files_in(copy.parent) == {copy.name}
    assert wallets_in(copy) == {7: 1000}


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
    assert faults_of(path) == faults_of(kept) == []
    filled(path, 9)


def test_what_was_not_yet_written_back_is_kept_with_the_old_database(path: Path, copy: Path) -> None:
    """A process that was killed leaves its last commits in a file beside, which belong to no other."""
    filled(path, 7)
    back_up(path, copy)
    left_by_a_kill(path)
    kept = restore(path, copy)
    assert kept is not None
    assert rows_in(path)["members"] == []
    assert len(rows_in(kept)["members"]) == 1


def test_a_restore_that_fails_at_the_last_moment_leaves_the_database_whole(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 7)
    back_up(path, copy)
    left_by_a_kill(path)

    def refused(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(target))

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(LedgerUnavailable, match=r"ledger\.db: Permission denied"):
        restore(path, copy)
    assert len(rows_in(path)["members"]) == 1
    assert faults_of(path) == []


def test_a_restore_that_is_broken_off_leaves_nothing_that_looks_like_a_database(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 7)
    back_up(path, copy)
    before, files = path.read_bytes(), files_in(path.parent)

    def broken_off(_: Path, target: Path) -> None:
        target.write_bytes(before[:1000])
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "copy2", broken_off)
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
    with files_no_larger_than(2 * copy.stat().st_size), pytest.raises(LedgerUnavailable, match="kept as it"):
        restore(path, copy)
    assert path.read_bytes() == before
    assert files_in(path.parent) == files


def test_another_programs_database_is_not_replaced(path: Path, copy: Path, tmp_path: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    other = tmp_path / "recipes.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    before = other.read_bytes()
    with pytest.raises(LedgerUnavailable, match="another program's database"):
        restore(other, copy)
    assert other.read_bytes() == before


async def test_nothing_is_restored_while_the_bot_has_the_database(
    path: Path, address: str, copy: Path
) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        await asyncio.to_thread(back_up, path, copy)
        with pytest.raises(LedgerInUse):
            await asyncio.to_thread(restore, path, copy)
        with pytest.raises(LedgerInUse):
            await asyncio.to_thread(bring_up, path)
        await ledger.commit(opening(8))
        assert await ledger.wallets(SERVER, [7, 8]) == {7: 1000, 8: 1000}


@pytest.mark.parametrize("share", [0.02, 0.5, 0.99])
def test_a_truncated_backup_is_refused_and_nothing_touched(path: Path, copy: Path, share: float) -> None:
    filled(path, *range(7, 60))
    back_up(path, copy)
    whole = copy.read_bytes()
    copy.write_bytes(whole[: int(len(whole) * share)])
    before, files = path.read_bytes(), files_in(path.parent)
    with pytest.raises(LedgerUnsound):
        restore(path, copy)
    assert path.read_bytes() == before
    assert files_in(path.parent) == files


def test_a_tampered_backup_is_refused_and_nothing_touched(path: Path, copy: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    spoil(copy)
    with pytest.raises(LedgerUnsound) as unsound:
        restore(path, copy)
    assert len(unsound.value.faults) == 2
    assert wallets_in(path) == {7: 1000}


def test_only_a_ledger_is_restored(path: Path, copy: Path) -> None:
    filled(path, 7)
    for wrong, why in ((copy, "there is no database"), (path, "the database itself")):
        with pytest.raises(LedgerUnavailable, match=why):
            restore(path, wrong)
    copy.touch()
    with pytest.raises(LedgerUnavailable, match="no ledger"):
        restore(path, copy)
    assert wallets_in(path) == {7: 1000}


def test_a_database_that_is_broken_is_replaced_too_and_kept_as_it_is(path: Path, copy: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    path.write_bytes(b"rubbish" * 1000)
    kept = restore(path, copy)
    assert kept is not None
    assert kept.read_bytes() == b"rubbish" * 1000
    assert wallets_in(path) == {7: 1000}


@pytest.mark.parametrize("revision", KEPT)
def test_a_backup_of_any_earlier_version_is_restored_at_the_newest(
    path: Path, copy: Path, revision: str
) -> None:
    make_as_of(revision, copy)
    before = rows_in(copy)
    restore(path, copy)
    assert contains(rows_in(path), before)
    assert faults_of(path) == []
    assert bring_up(path).kept is None


def test_an_upgrade_keeps_what_is_older_as_it_was(path: Path) -> None:
    newest = list(KEPT)[-1]
    made = bring_up(path)
    assert (made.before, made.after, made.kept) == (None, newest, None)
    path.unlink()
    make_as_of("0001", path)
    before = rows_in(path)
    done = bring_up(path)
    assert (done.before, done.after) == ("0001", newest)
    assert done.kept is not None
    assert rows_in(done.kept) == before
    assert contains(rows_in(path), before)
    assert bring_up(path).before == newest
