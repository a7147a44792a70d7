"""Which errors of the disk and of SQLite somebody must mend, and which may pass."""

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from bot.ledger.errors import LedgerDamaged, LedgerInUse, LedgerUnavailable, LedgerUnusable
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.storage_errors import as_ledger_errors, in_words


def system(code: int) -> OSError:
    return OSError(code, os.strerror(code))


def of_sqlite(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("SQLite's own words")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "refusal"),
    [
        (system(errno.EACCES), LedgerUnusable),
        (system(errno.EROFS), LedgerUnusable),
        (system(errno.ENOTDIR), LedgerUnusable),
        (system(errno.ENAMETOOLONG), LedgerUnusable),
        (system(errno.ENOLCK), LedgerUnusable),
        (of_sqlite(sqlite3.SQLITE_READONLY_DIRECTORY), LedgerUnusable),
        (of_sqlite(sqlite3.SQLITE_IOERR_SHMMAP), LedgerUnusable),
        (of_sqlite(sqlite3.SQLITE_NOTADB), LedgerDamaged),
        (of_sqlite(sqlite3.SQLITE_CORRUPT_INDEX), LedgerDamaged),
        (system(errno.ENOSPC), LedgerUnavailable),
        (system(errno.EIO), LedgerUnavailable),
        (system(errno.ENOENT), LedgerUnavailable),
        (system(errno.EMFILE), LedgerUnavailable),
        (of_sqlite(sqlite3.SQLITE_FULL), LedgerUnavailable),
        (of_sqlite(sqlite3.SQLITE_BUSY), LedgerUnavailable),
        (of_sqlite(sqlite3.SQLITE_IOERR_READ), LedgerUnavailable),
        (of_sqlite(sqlite3.SQLITE_CANTOPEN), LedgerUnavailable),
        (sqlite3.ProgrammingError("of the driver"), LedgerUnavailable),
    ],
)
def test_what_somebody_must_mend_is_told_from_what_may_pass(
    path: Path, error: Exception, refusal: type[LedgerUnavailable]
) -> None:
    with pytest.raises(LedgerUnavailable) as refused, as_ledger_errors(path):
        raise error
    assert type(refused.value) is refusal
    assert str(path) in str(refused.value)


@pytest.mark.parametrize(
    "code",
    [
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_IOERR_READ),
        *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM),
        *(sqlite3.SQLITE_AUTH, sqlite3.SQLITE_CORRUPT_INDEX, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_NOMEM),
    ],
)
def test_what_happens_to_a_database_is_said_in_our_words(path: Path, code: int) -> None:
    assert "SQLite's own words" not in in_words(path, of_sqlite(code))


async def test_a_database_in_use_may_be_free_later(address: str) -> None:
    async with open_ledger(address):
        with pytest.raises(LedgerInUse) as refused:
            async with open_ledger(address):
                pass
    assert not isinstance(refused.value, LedgerUnusable)
    async with open_ledger(address):
        pass
