"""Notices that the open database was deleted or replaced, after which SQLite would write into nothing."""

import logging
from pathlib import Path

from bot.ledger.errors import LedgerUnavailable

log = logging.getLogger(__name__)

Identity = tuple[int, int]
"""The device and the inode of a file, which it keeps when it is renamed."""


class LedgerFile:
    """The database file that this process has open, and where it must stay.

    Args:
        path: the file, without symbolic links; SQLite's other files are beside it.
        name: the name that the settings have for it, if that is another one.

    Raises:
        OSError: there is no such file.

    Attributes:
        path: the same.
        wal: where SQLite keeps its write-ahead log.
        identity: its device and inode.
    """

    def __init__(self, path: Path, name: Path | None = None) -> None:
        self.path = path
        self.identity = identity_of(path)
        self._database = dict.fromkeys((path.absolute(), (name or path).absolute()), self.identity)
        self.wal = path.absolute().with_name(f"{path.name}-wal")
        self._open_wal: dict[Path, Identity] = {}
        self._is_lost = False

    def check_path(self) -> None:
        """Returns if a connection that is opened now opens this file.

        A connection to another file would delete the WAL when it closes, because that goes by the name.

        Raises:
            LedgerUnavailable: the file is no longer at its path.
        """
        if lost := _lost(self._database):
            raise LedgerUnavailable(lost)

    def note_wal(self) -> None:
        """Notes which WAL the connection that writes has just opened."""
        try:
            self._open_wal = {self.wal: identity_of(self.wal)}
        except OSError:
            # It was deleted in that moment: no file will do.
            self._open_wal = {self.wal: (-1, -1)}

    def check(self) -> None:
        """Returns if the next start will find what is written now; logs when that changes.

        Raises:
            LedgerUnavailable: the file, or its WAL, is no longer at its path.
        """
        lost = _lost(self._database | self._open_wal)
        if lost and not self._is_lost:
            log.error("%s: nothing is written until it is back, or the bot is restarted", lost)
        elif self._is_lost and not lost:
            log.warning("%s is back: changes are written again", self.path)
        self._is_lost = bool(lost)
        if lost:
            raise LedgerUnavailable(lost)


def identity_of(path: Path) -> Identity:
    """The identity of the file at a path, or behind a link.

    Raises:
        OSError: there is none.
    """
    found = path.stat()
    return found.st_dev, found.st_ino


def _lost(expected: dict[Path, Identity]) -> str:
    """Which of these files is no longer at its path, in one sentence; empty if none is."""
    for path, identity in expected.items():
        try:
            if identity_of(path) == identity:
                continue
        except OSError:
            pass
        return f"{path} was deleted or replaced while it was open"
    return ""
