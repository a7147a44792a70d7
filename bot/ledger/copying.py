"""Copies a whole database into a file of its own, while it is written to, and gets files onto the disk."""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from bot.ledger.connections import reading_connection
from bot.ledger.errors import LedgerUnavailable

DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""SQLite's codes for a file that is not what it should be, however often one tries."""
_OF_WRITING: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
    }
)
"""SQLite's codes for what cannot be written, where one file is read and another one written."""
BESIDE: Final = ("-wal", "-shm")
"""What SQLite keeps beside a file, by the endings of the names."""


def copy_database(source: Path, target: Path) -> None:
    """Copies one moment of a database, with all that was committed before, into one new file.

    The copy is made in one step, which others' writes neither break nor wait for. It has no files beside it,
    and is on the disk when this returns.

    Args:
        source: a database, which somebody else may have open.
        target: where no file is.

    Raises:
        sqlite3.Error: where the one cannot be read or the other not be written.
        OSError: where the copy cannot be got onto the disk.
    """
    with closing(reading_connection(source)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode=DELETE")
    sync(target)


def sync(path: Path) -> None:
    """Gets a file, or which files a folder has, onto the disk.

    Raises:
        OSError: where that fails.
    """
    if path.is_dir() and sys.platform == "win32":
        # Windows opens no folder, and keeps their order itself.
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_damage(error: BaseException | None) -> bool:
    """Whether SQLite says that the file itself is broken, and not that it cannot be had just now."""
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED


@contextmanager
def told_of(path: Path, *, writing: Path | None = None) -> Iterator[None]:
    """Has whatever the storage refuses told as the ledger tells it, with the name of the file.

    Args:
        path: the file.
        writing: another one that is written meanwhile, to be named where that fails.

    Raises:
        LedgerUnavailable: where what is done inside raises an OSError or a sqlite3.Error.
    """
    try:
        yield
    except OSError as error:
        raise LedgerUnavailable(f"{error.filename or path}: {error.strerror}") from error
    except sqlite3.Error as error:
        named = writing if writing is not None and _is_of_writing(error) else path
        raise LedgerUnavailable(f"{named}: {_why(named, error)}") from error


def _is_of_writing(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in _OF_WRITING or code in _OF_WRITING


def _why(path: Path, error: sqlite3.Error) -> str:
    """What SQLite says, in plainer words where it leaves the reader guessing."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return "no room is left on the disk"
        case sqlite3.SQLITE_READONLY:
            return "SQLite keeps files beside it, but its folder cannot be written to: copy it elsewhere"
        case sqlite3.SQLITE_CANTOPEN if path.exists() and not os.access(path, os.R_OK):
            return "it may not be read"
    return str(error)
