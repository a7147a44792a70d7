"""Where the database file is: its address, its folder, and who owns the files beside it."""

import os
import sys
from pathlib import Path
from typing import Final

from bot.ledger.errors import LedgerUnavailable

OWNER_ONLY: Final = 0o600
"""The permissions of a new database, which contains dealt hands and secrets."""
_PREFIX: Final = "sqlite:///"
_EXAMPLES: Final = "sqlite:///data/gnau.db (relative) or sqlite:////srv/gnau/gnau.db (absolute)"


def database_path(url: str) -> Path:
    """The SQLite file of a DATABASE_URL.

    Args:
        url: `sqlite:///relative/path` or `sqlite:////absolute/path`.

    Raises:
        ValueError: the address has another form. The text is one line that shows a correct address and
            repeats nothing of the given one, which may contain a password.
    """
    scheme = url.partition(":")[0]
    if scheme.startswith(("postgres", "postgresql")):
        raise ValueError(f"PostgreSQL is not supported yet; use {_EXAMPLES}")
    name = url.removeprefix(_PREFIX)
    if name == url or name in ("", ":memory:") or "?" in name or name.endswith("/"):
        raise ValueError(f"a database address looks like {_EXAMPLES}")
    if name.startswith("~"):
        raise ValueError(f"a database address cannot start with ~ for the home folder; use {_EXAMPLES}")
    return Path(name)


def resolved(database: Path) -> Path:
    """Where a database really is: SQLite puts its other files beside that, not beside a symbolic link.

    A path without symbolic links is returned as it is, so that messages name it as the settings do.

    Raises:
        LedgerUnavailable: the link leads in a circle.
    """
    try:
        real = database.resolve()
    except (OSError, RuntimeError) as error:
        raise LedgerUnavailable(f"{database} is a symbolic link that leads nowhere") from error
    return database if real == database.absolute() else real


def create(database: Path) -> bool:
    """Creates an empty file that only its owner can read; returns False if there is a file.

    Raises:
        OSError: it cannot be created.
    """
    try:
        os.close(os.open(database, os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    except FileExistsError:
        return False
    # If root creates it, the bot's user must be able to open it later.
    give_to_owner(database, database.absolute().parent)
    return True


def prepare_location(database: Path) -> None:
    """Creates missing folders above a database, and checks that it can be written there.

    SQLite opens a read-only file without complaint, and fails only at the first write.

    Args:
        database: the SQLite file; it may not exist yet.

    Raises:
        LedgerUnavailable: the database cannot be there, or cannot be written; the text says why.
    """
    folder = database.absolute().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if database.is_dir():
            raise LedgerUnavailable(f"{database} is a folder, not a database")
        exists = database.exists()
        if exists and not database.is_file():
            raise LedgerUnavailable(f"{database} is not a regular file")
    except OSError as error:
        raise LedgerUnavailable(
            f"the database {database} cannot be created: {error.filename}: {error.strerror}"
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise LedgerUnavailable(f"cannot write to {folder}: SQLite needs to create files beside the database")
    if exists and not os.access(database, os.R_OK | os.W_OK):
        raise LedgerUnavailable(
            f"{database} cannot be read and written by this user: change its permissions, or "
            "choose another database"
        )


def give_to_owner(file: Path, database: Path) -> None:
    """Gives a new file the owner of the database or its folder, if root created it.

    Args:
        file: the new file.
        database: the SQLite file, which may not exist yet, or its folder.

    Raises:
        OSError: the system does not allow it even to root.
    """
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = (database if database.exists() else database.absolute().parent).stat()
        os.chown(file, owner.st_uid, owner.st_gid)
