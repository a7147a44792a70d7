"""The write-ahead log: emptied before the database lacks room, and kept if the database is overwritten."""

import shutil
import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.ledger.sqlite.copying import copy_file, sync
from bot.ledger.sqlite.location import give_to_owner


def emptied_wal(connection: sqlite3.Connection) -> bool:
    """Moves the WAL's content into the database and empties it; False if a reader is in the way.

    Args:
        connection: one that can write, outside of a transaction.

    Raises:
        sqlite3.Error: the database cannot be written.
    """
    (busy_milliseconds,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout=0")
    try:
        blocked, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout={busy_milliseconds}")
    return not blocked


def empty_wal_on_small_disk(connection: sqlite3.Connection, wal: Path) -> None:
    """Empties the WAL if it is larger than what is free on its disk; does not raise.

    The database can grow by no more than the WAL has. So the WAL alone never fills the disk so
    far that it can no longer be moved into the database, after which nothing could ever be written again.

    Args:
        connection: one that can write, outside of a transaction.
        wal: where its WAL is.
    """
    with suppress(OSError, sqlite3.Error):
        if wal.stat().st_size > shutil.disk_usage(wal.parent).free:
            emptied_wal(connection)


def keep_wal(database: Path, wal: Path) -> Path:
    """Copies a WAL under a name that SQLite does not use. Not for an event loop.

    SQLite deletes the WAL of an empty database as it opens it, and the next start may write over it.

    Args:
        database: the SQLite file, beside which the copy goes.
        wal: its WAL.

    Returns:
        The copy, which is on disk.

    Raises:
        OSError: it cannot be copied.
    """
    kept = database.with_name(f"{database.name}.wal-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
    try:
        copy_file(wal, kept)
        give_to_owner(kept, database)
        sync(kept)
    except OSError:
        kept.unlink(missing_ok=True)
        raise
    return kept
