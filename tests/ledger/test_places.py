"""Where a database can be, and who owns its files: refusals are one sentence."""

import ctypes
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.ledger.errors import LedgerUnusable
from bot.ledger.sqlite.backup import back_up, restore, upgrade_exclusively
from bot.ledger.sqlite.erasure import note_erasures, noted_erasures, notes_path
from bot.ledger.sqlite.integrity import problems_in
from tests.ledger.ledger_files import OPENS, Use, read, refused
from tests.ledger.next_version import release_next_version

ANYBODY = 65534
LIBC = ctypes.CDLL(None, use_errno=True)
PR_GET_SECUREBITS, PR_SET_SECUREBITS, NO_SETUID_FIXUP = 27, 28, 4
CAPABILITY_VERSION = 0x20080522
PASSES_PERMISSIONS = 0b110
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that every user can access, unlike those of pytest."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@contextmanager
def without_privileges() -> Iterator[None]:
    """Holds root to the permissions of files for a while, in this thread and those that it starts.

    Another user could not read the program, if that is in a folder of root's own.
    """
    if os.geteuid() != 0:
        yield
        return
    assert sys.platform == "linux", "only there root's rights can be taken away one by one"
    # Without this bit, access(2) goes by all rights that root may have.
    keep = LIBC.prctl(PR_GET_SECUREBITS)
    assert LIBC.prctl(PR_SET_SECUREBITS, keep | NO_SETUID_FIXUP) == 0, os.strerror(ctypes.get_errno())
    header, rights = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    LIBC.capget(header, rights)
    effective = rights[0]
    try:
        rights[0] = effective & ~PASSES_PERMISSIONS
        LIBC.capset(header, rights)
        yield
    finally:
        rights[0] = effective
        LIBC.capset(header, rights)
        LIBC.prctl(PR_SET_SECUREBITS, keep)


def test_a_read_only_folder_is_refused(shared: Path) -> None:
    database = shared / "gnau.db"
    upgrade_exclusively(database)
    for file in shared.iterdir():
        file.chmod(0o666)
    shared.chmod(0o555)
    with without_privileges():
        sentence = f"cannot write to {shared}: run chmod u+rwx {shared}"
        assert refused(database) == refused(shared / "new.db") == sentence
        assert refused(shared / "new" / "new.db").endswith("Permission denied")
        with pytest.raises(LedgerUnusable, match="read-only"):
            back_up(database, shared / "copy.db")
    shared.chmod(0o755)
    assert {file.name for file in shared.iterdir()} <= {"gnau.db", "gnau.db.lock"}


def test_whose_a_folder_without_permission_is_and_what_to_run_is_said(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = shared.stat().st_uid
    shared.chmod(0o555)
    with without_privileges():
        monkeypatch.setattr(os, "geteuid", lambda: 999)
        run = f"chown 999 {shared}" if owner == 0 else f"gnau as uid {owner}, or chown 999 {shared}"
        why = f"it belongs to uid {owner}, and gnau runs as uid 999. Run {run}"
        assert refused(shared / "gnau.db") == f"cannot write to {shared}: {why}"
    shared.chmod(0o755)


def test_a_folder_of_the_system_is_not_to_be_given_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 999)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert refused(Path("/etc/gnau.db")).endswith("gnau runs as uid 999. Choose another folder")


def test_a_backup_into_a_read_only_folder_is_refused(shared: Path) -> None:
    database, copies = shared / "data" / "gnau.db", shared / "copies"
    upgrade_exclusively(database)
    database.chmod(0o666)
    database.parent.chmod(0o777)
    copies.mkdir(mode=0o555)
    with (
        without_privileges(),
        pytest.raises(LedgerUnusable, match=f"cannot write to {copies}: Permission denied"),
    ):
        back_up(database, copies / "copy.db")


def test_a_read_only_file_is_refused(shared: Path) -> None:
    """SQLite would open it, and fail only at the first write."""
    database, copy = shared / "gnau.db", shared / "copy.db"
    upgrade_exclusively(database)
    back_up(database, copy)
    before = database.read_bytes()
    database.chmod(0o444)
    copy.chmod(0o444)
    shared.chmod(0o777)
    with without_privileges():
        assert refused(database).startswith(f"{database} cannot be read and written")
        with pytest.raises(LedgerUnusable, match="cannot be read and written"):
            restore(database, copy)
    assert database.read_bytes() == before


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_file_beside_the_database_without_permission_is_named(shared: Path, suffix: str) -> None:
    """As after a root shell: trying again would never help."""
    database, copy = shared / "gnau.db", shared / "copy.db"
    upgrade_exclusively(database)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("INSERT INTO direct_channels VALUES (7, 70, NULL)")
        for file in shared.iterdir():
            shutil.copy2(file, shared / f"left-{file.name}")
    left = shared / "left-gnau.db"
    for file in shared.iterdir():
        file.chmod(0o666)
    forbidden = shared / f"left-gnau.db{suffix}"
    forbidden.chmod(0)
    shared.chmod(0o777)
    with without_privileges():
        assert refused(left).startswith(f"{forbidden} cannot be read and written by this user")
        for use in (lambda: problems_in(left), lambda: back_up(left, copy)):
            with pytest.raises(LedgerUnusable, match=f"no permission to read {forbidden}"):
                use()


def test_a_folder_that_cannot_be_entered_is_refused_everywhere(shared: Path) -> None:
    folder = shared / "data"
    folder.mkdir()
    database, copy = folder / "gnau.db", shared / "copy.db"
    upgrade_exclusively(database)
    back_up(database, copy)
    copy.chmod(0o644)
    folder.chmod(0)
    shared.chmod(0o777)
    uses: tuple[Use, ...] = (
        *(*OPENS, problems_in, read, noted_erasures),
        lambda path: restore(path, copy),
        lambda path: back_up(path, copy, overwrite=True),
        lambda path: back_up(copy, path, overwrite=True),
    )
    with without_privileges():
        sentence = f"cannot write to {folder}: run chmod u+rwx {folder}"
        assert refused(database, uses) == sentence
        with pytest.raises(LedgerUnusable, match="cannot write to"):
            note_erasures(database, [7])
    folder.chmod(0o700)


def test_an_old_sqlite_is_refused_before_a_file_is_made(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade_exclusively(path)
    back_up(path, copy)
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.34.1")
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    sentence = "gnau needs SQLite 3.37 or newer, and this Python has 3.34.1"
    new = path.with_name("data") / "gnau.db"
    for use in (
        lambda: problems_in(path),
        lambda: restore(path, copy),
        lambda: back_up(path, copy, overwrite=True),
    ):
        with pytest.raises(LedgerUnusable, match=sentence):
            use()
    assert refused(new) == sentence
    assert not new.parent.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes other users' files")
def test_files_that_root_creates_belong_to_the_databases_owner(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, copy = shared / "gnau.db", shared / "copy.db"
    os.chown(shared, ANYBODY, ANYBODY)
    upgrade_exclusively(database)
    back_up(database, copy)
    kept = restore(database, copy)
    assert kept is not None
    new = shared / "new.db"
    upgrade_exclusively(new)
    note_erasures(database, [7])
    release_next_version(monkeypatch)
    older = upgrade_exclusively(database).copy
    assert older is not None
    made = {database, new, kept, older, notes_path(database)}
    assert made <= set(shared.iterdir())
    for file in made | set(shared.glob("gnau.db*")):
        assert file.stat().st_uid == ANYBODY, file
