"""Makes sure that one process alone has a ledger: a lock beside the file, which ends with the process.

Of a SQLite file in WAL mode only one connection may write or checkpoint safely (before SQLite 3.51.3 two at
once can damage it), and the balances that the writer computes are right only as long as nobody else writes. A
lock on the database itself would shut out the readers too, so the lock is on a second, empty file; and it is
SQLite's own lock, since that works on every system that Python runs on and ends with the process, by whatever
signal it dies.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from bot.ledger.errors import LedgerInUse, LedgerUnavailable
from bot.ledger.places import give_to_owner, make_room_for


def lock_path(database: Path) -> Path:
    """The file whose lock stands for the database."""
    return database.with_name(database.name + ".lock")


@contextmanager
def alone(database: Path) -> Iterator[None]:
    """Holds the lock for as long as the context lasts; makes missing folders above the file.

    Raises:
        LedgerInUse: where somebody else holds it.
        LedgerUnavailable: where the file cannot be made or locked, or the database not be written.
    """
    make_room_for(database)
    beside = lock_path(database)
    try:
        connection = sqlite3.connect(beside, timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise LedgerUnavailable(f"cannot open {beside}: {error}") from error
    with closing(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise LedgerInUse(
                    f"{database} is in use by another process: stop that one, or choose another database"
                ) from error
            raise LedgerUnavailable(f"cannot lock {beside}: {error}") from error
        except sqlite3.Error as error:
            raise LedgerUnavailable(f"cannot lock {beside}: {error}") from error
        # It may be root who looks after a database that somebody else has to lock later.
        with suppress(OSError):
            give_to_owner(beside, database)
        yield
