"""Copies of whole databases: makes a backup, restores one, and makes one before an upgrade.

All of it waits for the disk: in an event loop, call it in a thread.
"""

import sqlite3
import stat
from contextlib import closing, suppress
from datetime import UTC, datetime
from errno import EXDEV
from pathlib import Path

from bot.ledger.errors import LedgerCorrupt, LedgerDamaged, LedgerLost, LedgerUnavailable, LedgerUnusable
from bot.ledger.files import refuse_target, sync, temporary_folder
from bot.ledger.sqlite.connections import copy_database
from bot.ledger.sqlite.erasure import has_notes, notes_path
from bot.ledger.sqlite.file_lock import exclusive_lock, lock_path
from bot.ledger.sqlite.integrity import (
    damage_in,
    problems_in,
    refuse_damage,
    refuse_foreign_wal,
    refuse_no_database,
)
from bot.ledger.sqlite.location import (
    copy_file,
    give_to_owner,
    real_path,
    resolved,
    set_mode,
)
from bot.ledger.sqlite.regular_backups import backups_of
from bot.ledger.sqlite.storage_errors import SIDE_FILES, as_ledger_errors
from bot.ledger.sqlite.upgrade import is_empty, is_ledger, migrate, revision_of, roll_back
from bot.ledger.upgrade import UpgradeResult, revisions


def back_up(database: Path, to: Path, *, overwrite: bool = False) -> None:
    """Copies a database, also while the bot writes to it, and checks the copy.

    The copy is made and checked beside the database: the disk that it goes to may be a share, on which SQLite
    cannot work. It gets its name only when it is complete, checked and on disk.

    Args:
        to: the path of the copy, in an existing folder.

    Raises:
        LedgerCorrupt: the copy has problems, so the database has them too.
    """
    database = resolved(database)
    if _is_part_of(to, database):
        raise LedgerUnusable(f"{to} is the database itself, or belongs to it")
    refuse_target(to, overwrite=overwrite)
    with as_ledger_errors(database):
        revision_of(database)
    with temporary_folder(to) as there, temporary_folder(database.with_name(to.name)) as here:
        copy = here / to.name
        with as_ledger_errors(database, writing=database.absolute().parent):
            copy_database(database, copy)
            # Nobody may read the copy who may not read the database.
            set_mode(copy, stat.S_IMODE(copy.stat().st_mode & database.stat().st_mode))
        if problems := problems_in(copy):
            raise LedgerCorrupt(problems)
        with as_ledger_errors(to, str(to)):
            for file in side_files(to):
                # SQLite would treat another database's WAL as part of this one.
                file.unlink(missing_ok=True)
            _move(copy, to, there)
            sync(to.absolute().parent)


def _move(file: Path, to: Path, folder: Path) -> None:
    """Gives a finished file another name, also on another disk: by way of a folder there, synced first."""
    try:
        file.replace(to)
    except OSError as failed:
        if failed.errno != EXDEV:
            raise
        moved = folder / to.name
        copy_file(file, moved)
        sync(moved)
        moved.replace(to)


def restore(database: Path, backup: Path) -> Path | None:
    """Replaces a database that nobody has open by a backup, upgraded to the newest schema.

    The backup is checked before anything changes. The database may be missing. A symbolic link to it stays.

    Returns:
        The copy of the old database, or None if there was none.

    Raises:
        LedgerCorrupt: the backup has problems.
    """
    database = resolved(database)
    if _is_part_of(backup, database):
        raise LedgerUnusable(f"{backup} is the database itself, or belongs to it")
    if problems := problems_in(backup):
        raise LedgerCorrupt(problems)
    # Whom they name is erased again later: if they cannot be read then, the erased would be back.
    has_notes(database)
    # The lock creates a missing file. What was written last may be left of that.
    is_there = any(map(_size_of, side_files(database))) or database.exists()
    with exclusive_lock(database) as file, temporary_folder(file.path) as folder:
        database = file.path
        refuse_no_database(database)
        if _is_foreign(database):
            raise LedgerUnusable(f"{database} is another program's database, and was not replaced")
        copy = folder / database.name
        with as_ledger_errors(backup, writing=database):
            copy_database(backup, copy)
        migrate(copy)
        if problems := problems_in(copy):
            raise LedgerCorrupt(problems)
        with as_ledger_errors(database):
            old = None
            if is_there:
                _checkpoint(database)
                old = _copy_files_aside(database, folder)
            put_in_place(copy, database)
    return old


def put_in_place(copy: Path, database: Path) -> None:
    """Replaces a locked database by a finished copy, which gets its permissions and its owner."""
    sync(copy)
    set_mode(copy, stat.S_IMODE(database.stat().st_mode))
    give_to_owner(copy, database)
    for beside in side_files(database):
        beside.unlink(missing_ok=True)
    copy.replace(database)
    sync(database.absolute().parent)


def upgrade_exclusively(database: Path) -> UpgradeResult:
    """Upgrades a database as `upgrade_with_copy` does, if nobody has it open."""
    with exclusive_lock(database) as file:
        return upgrade_with_copy(file.path)


def upgrade_with_copy(database: Path, busy_seconds: float = 5.0) -> UpgradeResult:
    """Upgrades a database to the newest schema; copies an older one first, and refuses a damaged one.

    Args:
        database: the SQLite file, in an existing folder; the caller holds its `exclusive_lock`.
    """
    refuse_no_database(database)
    refuse_foreign_wal(database)
    newest = revisions()[-1]
    with as_ledger_errors(database):
        roll_back(database, busy_seconds)
        before = None if is_empty(database, busy_seconds) else revision_of(database, busy_seconds)
    if before is None:
        refuse_to_start_over(database)
    copy = None
    if before not in (None, newest):
        try:
            copy = _back_up_beside(database, f"version-{before}")
        except LedgerDamaged:
            raise
        except LedgerUnavailable as failed:
            raise type(failed)(
                f"{database} stays at version {before}, because it cannot be copied: {failed}"
            ) from failed
    try:
        migrate(database, busy_seconds)
    except LedgerUnavailable:
        # A service manager that restarts the bot again and again must not fill the disk with copies.
        if copy is not None and _is_intact(database, before):
            copy.unlink(missing_ok=True)
        raise
    refuse_damage(database, busy_seconds)
    return UpgradeResult(before, newest, copy)


def refuse_to_start_over(database: Path) -> None:
    """Returns if a new database may be made here, and nothing is left of one that was lost.

    The backups of a new one would replace those of the lost one, and SQLite would delete its WAL.

    Args:
        database: where the SQLite file is to be, not a link to it; nothing is in it.
    """
    wal = database.with_name(f"{database.name}-wal")
    with as_ledger_errors(database):
        if backups := backups_of(database):
            raise LedgerLost(database, backups[-1].parent)
        if not _size_of(database) and _size_of(wal):
            raise LedgerUnusable(
                f"{database} is missing or empty, but {wal} has what was written last: "
                "put the database back, or to start over, move that file away"
            )


def _size_of(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _is_intact(database: Path, revision: str | None) -> bool:
    """Whether a database has this version, and SQLite finds no damage in it."""
    with suppress(sqlite3.Error, LedgerUnavailable):
        return revision_of(database) == revision and not damage_in(database)
    return False


def _back_up_beside(database: Path, label: str) -> Path:
    """Copies a database beside itself; the copy appears complete, checked by SQLite and on disk."""
    target = _timestamped_path(database, label)
    with temporary_folder(target) as folder:
        copy = folder / target.name
        with as_ledger_errors(database, writing=target):
            copy_database(database, copy)
        with as_ledger_errors(target):
            if damage := damage_in(copy):
                raise LedgerDamaged(database, damage[0])
            set_mode(copy, stat.S_IMODE(database.stat().st_mode))
            give_to_owner(copy, database)
            copy.replace(target)
            sync(target.absolute().parent)
    return target


def _checkpoint(database: Path) -> None:
    """Moves the content of the WAL into the database file, unless another file was put in its place."""
    # A damaged database is copied file by file instead.
    with suppress(sqlite3.Error, LedgerDamaged):
        refuse_foreign_wal(database)
        # SQLite deletes the WAL of an empty database as it opens it.
        if database.stat().st_size:
            with closing(sqlite3.connect(database)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _copy_files_aside(database: Path, folder: Path) -> Path:
    """Copies a possibly damaged database file by file, by way of a temporary folder."""
    target = _timestamped_path(database, "before-restore")
    names = zip((database, *side_files(database)), (target, *side_files(target)), strict=True)
    files = [(file, folder / name.name, name) for file, name in names if file.exists()]
    with as_ledger_errors(database, f"{database} cannot be copied"):
        for file, copy, _ in files:
            copy_file(file, copy)
            give_to_owner(copy, database)
            sync(copy)
        for _, copy, name in files:
            copy.rename(name)
        sync(target.absolute().parent)
    return target


def _is_foreign(database: Path) -> bool:
    """Whether it is another program's database; False if the file is unreadable."""
    with suppress(sqlite3.Error):
        return not is_empty(database) and not is_ledger(database)
    return False


def _timestamped_path(database: Path, label: str) -> Path:
    return database.with_name(f"{database.name}.{label}-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")


def side_files(database: Path) -> list[Path]:
    """The files that SQLite keeps beside a database."""
    return [database.with_name(database.name + suffix) for suffix in SIDE_FILES]


def _is_part_of(path: Path, database: Path) -> bool:
    real = real_path(database)
    return real_path(path) in {real, lock_path(real), notes_path(real), *side_files(real)}
