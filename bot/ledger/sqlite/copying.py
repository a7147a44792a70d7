"""Copies a database while it is in use, and single files; syncs them to disk."""

import os
import shutil
import sqlite3
import stat
import sys
from contextlib import closing, suppress
from pathlib import Path

from bot.ledger.sqlite.connections import reading_connection


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


def set_mode(file: Path, mode: int) -> None:
    """Sets the permissions of a file of this user's, if its file system has any.

    Raises:
        OSError: the disk fails.
    """
    with suppress(PermissionError):
        file.chmod(mode)


def copy_file(source: Path, target: Path) -> None:
    """Copies a file with its permissions, if the target's file system has any.

    Raises:
        OSError: it cannot be read or written.
    """
    shutil.copyfile(source, target)
    set_mode(target, stat.S_IMODE(source.stat().st_mode))


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
