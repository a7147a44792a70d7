"""Where a database can be, and whose the files beside it are: what the system must allow who uses it."""

import os
import sys
from pathlib import Path

from bot.ledger.errors import LedgerUnavailable


def make_room_for(database: Path) -> None:
    """Makes missing folders above a database, and sees to it that it can be written where it is.

    SQLite itself opens a file that is read-only without a word, and refuses only what is written later.

    Args:
        database: the SQLite file, whether it is there or not.

    Raises:
        LedgerUnavailable: with a sentence, where it cannot be there, or not be written.
    """
    folder = database.absolute().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if database.is_dir():
            raise LedgerUnavailable(f"{database} is a folder, and no database")
        is_there = database.exists()
        if is_there and not database.is_file():
            raise LedgerUnavailable(f"{database} is no file that could be a database")
    except OSError as error:
        raise LedgerUnavailable(
            f"there can be no database {database}: {error.filename}: {error.strerror}"
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise LedgerUnavailable(
            f"{folder} cannot be written to: a database needs a folder for the files beside it"
        )
    if is_there and not os.access(database, os.R_OK | os.W_OK):
        raise LedgerUnavailable(
            f"{database} may not be read and written: give this user the right to, or choose another database"
        )


def give_to_owner(file: Path, database: Path) -> None:
    """Lets whoever may use a database, or its folder, use a file of it too, where it was root who made that.

    Args:
        file: what was made.
        database: the SQLite file, whether it is there or not.

    Raises:
        OSError: where the system does not let root do so, either.
    """
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = (database if database.exists() else database.absolute().parent).stat()
        os.chown(file, owner.st_uid, owner.st_gid)
