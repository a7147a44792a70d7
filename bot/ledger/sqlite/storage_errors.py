"""Errors of the disk and of SQLite as the ledger's own: is it damage, can it pass?"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bot.ledger.errors import LedgerDamaged, LedgerUnavailable, LedgerUnusable
from bot.ledger.files import is_to_mend

SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""The suffixes of the files that SQLite keeps beside a database."""
_DAMAGE_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""SQLite's codes for a damaged file: trying again does not help."""
_TO_MEND_CODES: Final = frozenset(
    {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH}
)
"""SQLite's codes for what stays as it is until somebody changes it."""
_WRITE_CODES: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
    }
)
"""SQLite's codes for a failed write."""


def damage_of(path: Path, error: BaseException) -> LedgerDamaged | None:
    """The refusal of a file that SQLite reports as damaged, rather than one it cannot access now."""
    is_damage = isinstance(error, sqlite3.Error) and _code(error) & 0xFF in _DAMAGE_CODES
    return LedgerDamaged(path, str(error)) if is_damage else None


def is_full(error: sqlite3.Error) -> bool:
    """Whether a file could not grow: the disk is full, or a quota or limit is reached."""
    return _code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)


@contextmanager
def as_ledger_errors(path: Path, what: str = "", *, writing: Path | None = None) -> Iterator[None]:
    """Turns storage errors inside the context into LedgerUnavailable, with the file's name.

    Args:
        what: what failed, to be said instead of the name.
        writing: another file, to be named if a write failed.
    """
    try:
        yield
    except Exception as error:
        match original := getattr(error, "orig", error):
            case OSError():
                text = f"{what or original.filename or path}: {original.strerror}"
                raise unavailable(text, original, path) from error
            case sqlite3.Error():
                named = writing if writing is not None and _code(original) in _WRITE_CODES else path
                text = f"{what or named}: {_why(named, original)}"
                raise damage_of(path, original) or unavailable(text, original, named) from error
            case _:
                raise


def unavailable(text: str, error: BaseException | None, path: Path) -> LedgerUnavailable:
    """The refusal with this text: LedgerUnusable if somebody must mend what failed."""
    return LedgerUnusable(text) if _is_to_mend(error, path) else LedgerUnavailable(text)


def _is_to_mend(error: BaseException | None, path: Path) -> bool:
    if isinstance(error, OSError):
        return is_to_mend(error)
    if not isinstance(error, sqlite3.Error):
        return False
    # SQLite has one code for all that keeps a file from being opened.
    forbidden = _forbidden(error, path) is not None
    return forbidden or _lacks_shared_memory(error) or _code(error) & 0xFF in _TO_MEND_CODES


def _forbidden(error: sqlite3.Error, path: Path) -> Path | None:
    """Which file of a database this user has no permission to read, if that is why it cannot be opened."""
    if _code(error) & 0xFF != sqlite3.SQLITE_CANTOPEN:
        return None
    for file in (path, *(path.with_name(path.name + suffix) for suffix in SIDE_FILES)):
        is_there = os.path.exists(file)  # noqa: PTH110 - Path.exists raises for a folder that cannot be entered
        if is_there and not os.access(file, os.R_OK):
            return file
    return None


def _lacks_shared_memory(error: sqlite3.Error) -> bool:
    """Whether the file system, often a share, cannot map the file `-shm` into memory."""
    return _code(error) == sqlite3.SQLITE_IOERR_SHMMAP


def _code(error: sqlite3.Error) -> int:
    """SQLite's extended code; 0 for an error of the driver's own."""
    return int(getattr(error, "sqlite_errorcode", 0))


def in_words(path: Path, error: BaseException) -> str:
    """Why a database could not be used: the sentence for its code, or SQLite's message for a rare one."""
    return _why(path, error) if isinstance(error, sqlite3.Error) else str(error)


def _why(path: Path, error: sqlite3.Error) -> str:
    match _code(error) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
            return "another program has it locked"
        case sqlite3.SQLITE_IOERR if _lacks_shared_memory(error):
            return "this file system cannot hold the database: use a local disk"
        case sqlite3.SQLITE_IOERR:
            return "the disk fails, or has no room"
        case sqlite3.SQLITE_FULL:
            return "the disk is full"
        case sqlite3.SQLITE_READONLY:
            return "SQLite needs to create files beside it, but its folder is read-only: copy it elsewhere"
        case sqlite3.SQLITE_CANTOPEN if file := _forbidden(error, path):
            return f"this user has no permission to read {'it' if file == path else file}"
        case sqlite3.SQLITE_CANTOPEN:
            return "it cannot be opened"
        case sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return "this user has no permission to use it"
        case sqlite3.SQLITE_CORRUPT:
            return "it is damaged"
        case sqlite3.SQLITE_NOTADB:
            return "it is damaged, or is not a database"
        case sqlite3.SQLITE_NOMEM:
            return "there is not enough memory"
    return str(error)
