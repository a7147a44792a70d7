"""Copies a database while it is in use, and syncs files to disk."""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from bot.ledger.connections import reading_connection


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
