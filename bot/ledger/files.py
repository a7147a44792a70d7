"""Files that either engine writes: their permissions, their folders, and what of them is on disk."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.ledger.errors import LedgerUnavailable, LedgerUnusable

OWNER_ONLY: Final = 0o600
"""The permissions of a new database and of what is made of it: there are dealt hands and secrets in it."""
_TO_MEND: Final = frozenset(
    {
        errno.EACCES,
        errno.EPERM,
        errno.EROFS,
        errno.EEXIST,
        errno.ENOTDIR,
        errno.EISDIR,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.ENOLCK,
        errno.ENOSYS,
        errno.EOPNOTSUPP,
    }
)
"""The system's codes for what stays as it is until somebody changes it: permissions, wrong paths, and file
systems without locks.

Others, such as a full disk, may pass.
"""


def is_to_mend(error: OSError) -> bool:
    """Whether trying again does not help until somebody has changed something."""
    return error.errno in _TO_MEND


@contextmanager
def as_file_errors(what: str) -> Iterator[None]:
    """Turns errors of files inside the context into LedgerUnavailable, which says what failed and why.

    It is LedgerUnusable if somebody must mend that.
    """
    try:
        yield
    except OSError as error:
        text = f"{what}: {error.strerror}"
        raise (LedgerUnusable if is_to_mend(error) else LedgerUnavailable)(text) from error


def refuse_target(to: Path, *, overwrite: bool) -> None:
    """Refuses a path for a backup where its folder is missing, or something is in the way."""
    with as_file_errors(str(to)):
        if not to.absolute().parent.is_dir():
            raise LedgerUnusable(f"there is no folder {to.absolute().parent}")
        if to.exists() and not to.is_file():
            raise LedgerUnusable(f"{to} already exists, and is no file: choose another name")
        if to.exists() and not overwrite:
            raise LedgerUnusable(f"{to} already exists: choose another name, or overwrite it with --force")


def put(file: Path, to: Path) -> None:
    """Gives a finished file its name, on the same disk, once it is on disk."""
    with as_file_errors(str(to)):
        sync(file)
        file.replace(to)
        sync(to.absolute().parent)


@contextmanager
def temporary_folder(path: Path) -> Iterator[Path]:
    """A folder for unfinished files, on the same disk as the path; deleted afterwards."""
    parent = path.absolute().parent
    with as_file_errors(f"cannot write to {parent}"):
        folder = TemporaryDirectory(prefix=f".{path.name}-", dir=parent)
    with folder as name:
        yield Path(name)


def sync(path: Path) -> None:
    """Forces a file, or the list of files in a folder, onto the disk."""
    if path.is_dir() and sys.platform == "win32":
        # Windows cannot open a folder, and syncs its entries itself.
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
