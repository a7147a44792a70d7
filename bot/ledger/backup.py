"""Whole databases put into safety: a copy taken while the bot runs, put back, or kept before an upgrade.

All of it takes as long as the disk does: who has an event loop calls it in a thread.
"""

import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.ledger.connections import reading_connection
from bot.ledger.copying import BESIDE, copy_database, sync, told_of
from bot.ledger.errors import LedgerUnavailable, LedgerUnsound
from bot.ledger.file_lock import alone, lock_path
from bot.ledger.integrity import damage_of, faults_of
from bot.ledger.places import give_to_owner
from bot.ledger.upgrade import OWNER_ONLY, is_ledger, is_new, revision_of, revisions, upgrade


@dataclass(frozen=True, slots=True)
class Upgraded:
    """What an upgrade did.

    Attributes:
        before: the version of the schema that the database had; None where there was no database.
        after: the version that it has.
        kept: the copy that was kept of it as it was; None where nothing was changed.
    """

    before: str | None
    after: str
    kept: Path | None


def back_up(database: Path, to: Path, *, overwrite: bool = False) -> None:
    """Copies one moment of a database, also while the bot writes to it, and checks the copy.

    The copy appears under its name when it is whole, checked, and on the disk; before that, nothing does.

    Args:
        database: the SQLite file.
        to: the copy, in a folder that exists.
        overwrite: whether it may take the place of another file.

    Raises:
        LedgerUnsound: where the copy is not sound, since the database is not.
        LedgerUnavailable: where there is no database, the copy cannot be written, or a file is in its place.
    """
    if _is_part_of(to, database):
        raise LedgerUnavailable(f"{to} is the database itself, or belongs to it")
    with told_of(to):
        if not to.absolute().parent.is_dir():
            raise LedgerUnavailable(f"there is no folder {to.absolute().parent}")
        if to.exists() and not (overwrite and to.is_file()):
            raise LedgerUnavailable(f"{to} is there already")
    with told_of(database):
        revision_of(database)
    with _folder_beside(to) as folder:
        copy = folder / to.name
        with told_of(database, writing=to):
            copy_database(database, copy)
        if faults := faults_of(copy):
            raise LedgerUnsound(faults)
        with told_of(to):
            # Who may not read the one may not read the other.
            copy.chmod(stat.S_IMODE(copy.stat().st_mode & database.stat().st_mode))
            for beside in _beside(to):
                # SQLite would take what is left of another database there for the end of this one.
                beside.unlink(missing_ok=True)
            copy.replace(to)
            sync(to.absolute().parent)


def restore(database: Path, backup: Path) -> Path | None:
    """Puts a backup in the place of a database that nobody has open, at the newest schema.

    What is put there is checked before anything is touched. The database as it was stays beside it.

    Args:
        database: the SQLite file, whether it is there or not.
        backup: a copy that `back_up` made, by this or an older version.

    Returns:
        Where the old database is kept; None where there was none.

    Raises:
        LedgerUnsound: where the backup is not sound.
        LedgerInUse: where the bot has the database open.
        LedgerUnavailable: where there is no backup, another program's database is in its place, or something
            cannot be written.
    """
    if _is_part_of(backup, database):
        raise LedgerUnavailable(f"{backup} is the database itself, or belongs to it")
    if faults := faults_of(backup):
        raise LedgerUnsound(faults)
    with alone(database), _folder_beside(database) as folder:
        if _is_anothers(database):
            raise LedgerUnavailable(f"{database} is another program's database, and stays where it is")
        copy = folder / database.name
        with told_of(backup, writing=database):
            copy_database(backup, copy)
        upgrade(copy)
        if faults := faults_of(copy):
            raise LedgerUnsound(faults)
        with told_of(database):
            sync(copy)
            kept, rights = None, OWNER_ONLY
            if database.exists():
                _write_back(database)
                kept = _kept(database, folder)
                rights = stat.S_IMODE(database.stat().st_mode)
            copy.chmod(rights)
            give_to_owner(copy, database)
            for beside in _beside(database):
                beside.unlink(missing_ok=True)
            copy.replace(database)
            sync(database.absolute().parent)
    return kept


def open_tables_in(database: Path) -> int:
    """How many tables were open when a sound database of the newest schema was last written.

    Raises:
        LedgerUnavailable: where it cannot be read.
    """
    with told_of(database), closing(reading_connection(database)) as connection:
        (number,) = connection.execute("SELECT count(*) FROM tables WHERE is_open").fetchone()
    return int(number)


def bring_up(database: Path) -> Upgraded:
    """Brings a database that nobody has open up to the newest schema, and keeps it as it was, if it is older.

    Raises:
        LedgerInUse: where the bot has it open.
        LedgerUnavailable: as `keep_and_upgrade` does.
    """
    with alone(database):
        return keep_and_upgrade(database)


def keep_and_upgrade(database: Path, busy_seconds: float = 5.0) -> Upgraded:
    """Brings a database up to the newest schema; one that is older is kept as it was, before that.

    Args:
        database: the SQLite file, in a folder that exists, which the caller has `alone`.
        busy_seconds: how long to wait for a lock that a foreign program has on the file.

    Raises:
        LedgerUnavailable: where it cannot be opened, is no ledger, or is newer than this program; and where
            no sound copy of it can be kept: it is left as it is then.
    """
    newest = revisions()[-1]
    with told_of(database):
        before = None if is_new(database, busy_seconds) else revision_of(database, busy_seconds)
    kept = None
    if before not in (None, newest):
        try:
            kept = _kept_at(database, f"version-{before}")
        except LedgerUnavailable as failed:
            raise LedgerUnavailable(
                f"{database} stays at version {before}, since no copy of it can be kept: {failed}"
            ) from failed
    try:
        upgrade(database, busy_seconds)
    except LedgerUnavailable:
        # Who is started again and again by something that watches over it must not fill the disk with copies.
        if kept is not None and _is_still(database, before):
            kept.unlink(missing_ok=True)
        raise
    return Upgraded(before, newest, kept)


def _is_still(database: Path, revision: str | None) -> bool:
    """Whether a database is sound as far as SQLite knows, and of this version."""
    with suppress(sqlite3.Error, LedgerUnavailable):
        return revision_of(database) == revision and not damage_of(database)
    return False


def _kept_at(database: Path, why: str) -> Path:
    """A copy beside a database, which appears there whole, checked by SQLite, and on the disk."""
    kept = _free_name(database, why)
    with _folder_beside(kept) as folder:
        copy = folder / kept.name
        with told_of(database, writing=kept):
            copy_database(database, copy)
        with told_of(kept):
            if damage := damage_of(copy):
                raise LedgerUnavailable(f"{database} is damaged: {damage[0]}")
            copy.chmod(stat.S_IMODE(database.stat().st_mode))
            give_to_owner(copy, database)
            copy.replace(kept)
            sync(kept.absolute().parent)
    return kept


def _write_back(database: Path) -> None:
    """Moves what is beside a database into it, so that it stays whole whatever becomes of what is beside."""
    # A broken one that cannot be written to any more is kept as it is, file by file.
    with suppress(sqlite3.Error), closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _kept(database: Path, folder: Path) -> Path:
    """Copies a database that may be broken as it is, by way of a folder; where the copy is then."""
    kept = _free_name(database, "before-restore")
    names = zip((database, *_beside(database)), (kept, *_beside(kept)), strict=True)
    files = [(file, folder / name.name, name) for file, name in names if file.exists()]
    try:
        for file, copy, _ in files:
            shutil.copy2(file, copy)
            give_to_owner(copy, database)
            sync(copy)
        for _, copy, name in files:
            copy.rename(name)
        sync(kept.absolute().parent)
    except OSError as failed:
        raise LedgerUnavailable(f"{database} cannot be kept as it is: {failed.strerror}") from failed
    return kept


def _is_anothers(database: Path) -> bool:
    """Whether another program keeps something there; what is broken says nothing of itself, and is not."""
    with suppress(sqlite3.Error):
        return not is_new(database) and not is_ledger(database)
    return False


def _free_name(database: Path, why: str) -> Path:
    name = f"{database.name}.{why}-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}"
    return database.with_name(name)


def _beside(database: Path) -> list[Path]:
    return [database.with_name(database.name + ending) for ending in BESIDE]


def _is_part_of(path: Path, database: Path) -> bool:
    whole = database.resolve()
    return path.resolve() in {whole, lock_path(whole), *_beside(whole)}


@contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    """A folder for what is not finished, on the same disk as what it will be; gone afterwards."""
    within = path.absolute().parent
    try:
        folder = TemporaryDirectory(prefix=f".{path.name}-", dir=within)
    except OSError as error:
        raise LedgerUnavailable(f"{within} cannot be written to: {error.strerror}") from error
    with folder as name:
        yield Path(name)
