"""Notices that the open database was deleted, replaced or overwritten: what is written then would be lost."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.ledger.errors import LedgerUnavailable

Identity = tuple[int, int]
"""The device and the inode of a file, which it keeps when it is renamed."""
Content = tuple[int, int]
"""The size of a file and when it was last written, in nanoseconds."""


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
        self._content: Content | None = None

    def check_path(self) -> None:
        """Returns if a connection that is opened now opens this file.

        A connection to another file would delete the WAL when it closes, because that goes by the name.

        Raises:
            LedgerUnavailable: the file is no longer at its path.
        """
        if lost := _lost(self._database):
            raise LedgerUnavailable(lost)

    def note_open(self) -> None:
        """Notes which WAL the connection that writes has just opened, and what the database is like."""
        try:
            self._open_wal = {self.wal: identity_of(self.wal)}
        except OSError:
            # It was deleted in that moment: no file will do.
            self._open_wal = {self.wal: (-1, -1)}
        self._content = _content_of(self.path)

    def check(self) -> None:
        """Returns if the next start will find what is written now.

        Raises:
            LedgerUnavailable: the file, or its WAL, is no longer at its path, or another program wrote to it.
        """
        if lost := _lost(self._database | self._open_wal):
            raise LedgerUnavailable(f"{lost}. Put it back, or restart the bot")
        if self.is_overwritten:
            raise LedgerUnavailable(
                f"{self.path} was changed by another program while it was open. Stop the bot, then "
                "gnau db check says what to do"
            )

    @property
    def is_overwritten(self) -> bool:
        """Whether another program wrote to the database, as somebody does who copies a backup over it.

        The bot alone writes to it, and does so only when it moves the WAL into it.
        """
        if _lost(self._database) or self._content is None:
            return False
        return _content_of(self.path) not in (None, self._content)

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Checks the file; what the context writes to it is the bot's own.

        Raises:
            LedgerUnavailable: as `check` raises it.
        """
        self.check()
        try:
            yield
        finally:
            self._content = _content_of(self.path)


def identity_of(path: Path) -> Identity:
    """The identity of the file at a path, or behind a link.

    Raises:
        OSError: there is none.
    """
    found = path.stat()
    return found.st_dev, found.st_ino


def _content_of(path: Path) -> Content | None:
    """What a file is like now; None if that is not known."""
    if sys.platform == "win32":
        # The time is brought up to date there only when the file is closed.
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


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
