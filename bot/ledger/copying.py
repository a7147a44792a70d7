"""Copies a database while it is in use, syncs files to disk, and translates storage errors."""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from bot.ledger.connections import reading_connection
from bot.ledger.errors import LedgerUnavailable

_DAMAGE_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""SQLite's codes for a damaged file: trying again does not help."""
_WRITE_CODES: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
    }
)
"""SQLite's codes for a failed write."""
SIDE_FILES: Final = ("-wal", "-shm")
"""The suffixes of the files that SQLite keeps beside a database."""


def copy_database(source: Path, target: Path) -> None:
    """Copies everything committed so far into one new file, and syncs it to disk.

    Writers may continue meanwhile. The copy has no files beside it.

    Args:
        source: the database; other processes may have it open.
        target: a path where no file exists.

    Raises:
        sqlite3.Error: the source cannot be read, or the target cannot be written.
        OSError: the copy cannot be synced.
    """
    with closing(reading_connection(source)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode=DELETE")
    sync(target)


def sync(path: Path) -> None:
    """Forces a file, or the list of files in a folder, onto the disk.

    Raises:
        OSError: that failed.
    """
    if path.is_dir() and sys.platform == "win32":
        # Windows cannot open a folder, and syncs its entries itself.
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_damage(error: BaseException | None) -> bool:
    """Whether SQLite reports a damaged file, rather than one it cannot access now."""
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE_CODES


def is_full(error: sqlite3.Error) -> bool:
    """Whether a file could not grow: the disk is full, or a quota or limit is reached."""
    return getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)


@contextmanager
def as_ledger_errors(path: Path, *, writing: Path | None = None) -> Iterator[None]:
    """Turns storage errors inside the context into LedgerUnavailable, with the file's name.

    Args:
        path: the file to name.
        writing: another file, to be named if a write failed.

    Raises:
        LedgerUnavailable: the body raised an OSError or a sqlite3.Error.
    """
    try:
        yield
    except OSError as error:
        raise LedgerUnavailable(f"{error.filename or path}: {error.strerror}") from error
    except sqlite3.Error as error:
        named = writing if writing is not None and _is_write_error(error) else path
        raise LedgerUnavailable(f"{named}: {_why(named, error)}") from error


def _is_write_error(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in _WRITE_CODES or code in _WRITE_CODES


def _why(path: Path, error: sqlite3.Error) -> str:
    """SQLite's message, or a clearer one where its own does not help."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return "the disk is full"
        case sqlite3.SQLITE_READONLY:
            return "SQLite needs to create files beside it, but its folder is read-only: copy it elsewhere"
        case sqlite3.SQLITE_CANTOPEN if path.exists() and not os.access(path, os.R_OK):
            return "this user has no permission to read it"
    return str(error)
