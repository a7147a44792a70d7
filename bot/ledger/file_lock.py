"""Ensures that only one process has a ledger open: a lock beside the file, which ends with the process.

Only one connection may write or checkpoint a SQLite file in WAL mode safely (before SQLite 3.51.3, two at
once can damage it), and the balances that the writer computes are right only while nobody else writes. A lock
on the database itself would also shut out readers, so the lock is on a second, empty file. It is SQLite's own
lock, which works on every system that Python runs on and ends with the process, whatever signal kills it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from bot.ledger.errors import LedgerInUse, LedgerUnavailable
from bot.ledger.location import give_to_owner, prepare_location


def lock_path(database: Path) -> Path:
    """The lock file of a database."""
    return database.with_name(database.name + ".lock")


@contextmanager
def exclusive_lock(database: Path) -> Iterator[None]:
    """Holds the lock until the context ends; creates missing folders above the file.

    Raises:
        LedgerInUse: another process holds it.
        LedgerUnavailable: the lock file cannot be created or locked, or the database cannot be written.
    """
    prepare_location(database)
    lock_file = lock_path(database)
    try:
        connection = sqlite3.connect(lock_file, timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise LedgerUnavailable(f"cannot open {lock_file}: {error}") from error
    with closing(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise LedgerInUse(
                    f"{database} is in use by another process: stop that one, or choose another database"
                ) from error
            raise LedgerUnavailable(f"cannot lock {lock_file}: {error}") from error
        except sqlite3.Error as error:
            raise LedgerUnavailable(f"cannot lock {lock_file}: {error}") from error
        # If root maintains the database, the bot's user must be able to lock it later.
        with suppress(OSError):
            give_to_owner(lock_file, database)
        yield
