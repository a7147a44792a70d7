"""Ensures that one process has a ledger open, and notices when its file is deleted, replaced or overwritten.

Only one connection may write or checkpoint a SQLite file in WAL mode safely (before SQLite 3.51.3, two at
once can damage it), and the balances that the writer computes are right only while nobody else writes.

On Linux the lock is on the database itself, so it holds under every name of the file. It is of another kind
than SQLite's own locks, and readers do not notice it. Where the two kinds collide (macOS, BSD), and where a
locked file cannot be read (Windows), SQLite locks an empty file beside the database instead. Either lock ends
with the process, whatever signal kills it.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from bot.ledger.errors import LedgerInUse, LedgerUnavailable, LedgerUnusable
from bot.ledger.sqlite.location import create, give_to_owner, prepare_location, resolved
from bot.ledger.sqlite.storage_errors import as_ledger_errors, in_words, unavailable

FileIdentity = tuple[int, int]
"""The device and the inode of a file, which it keeps when it is renamed."""
FileState = tuple[int, int]
"""The size of a file and when it was last written, in nanoseconds."""


class LedgerFile:
    """The database file that this process has open, and where it must stay.

    Args:
        path: the file, without symbolic links; SQLite's other files are beside it.
        name: the name that the settings have for it, if that is another one.
    """

    def __init__(self, path: Path, name: Path | None = None) -> None:
        self.path = path
        self.identity = identity_of(path)
        self._database = dict.fromkeys((path.absolute(), (name or path).absolute()), self.identity)
        self.wal = path.absolute().with_name(f"{path.name}-wal")
        self._open_wal: dict[Path, FileIdentity] = {}
        self._state: FileState | None = None

    def check_path(self) -> None:
        """Returns if a connection that is opened now opens this file.

        A connection to another file would delete the WAL when it closes, because that goes by the name.
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
        self._state = _state_of(self.path)

    def check(self) -> None:
        """Raises LedgerUnavailable if the next start would not find what is written now."""
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
        if _lost(self._database) or self._state is None:
            return False
        return _state_of(self.path) not in (None, self._state)

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Checks the file; what the context writes to it is the bot's own."""
        self.check()
        try:
            yield
        finally:
            self._state = _state_of(self.path)


def identity_of(path: Path) -> FileIdentity:
    """The identity of the file at a path, or behind a link; raises OSError if there is none."""
    found = path.stat()
    return found.st_dev, found.st_ino


def _state_of(path: Path) -> FileState | None:
    """What a file is like now; None if that is not known."""
    if sys.platform == "win32":
        # The time is brought up to date there only when the file is closed.
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _lost(expected: dict[Path, FileIdentity]) -> str:
    """Which of these files is no longer at its path, in one sentence; empty if none is."""
    for path, identity in expected.items():
        try:
            if identity_of(path) == identity:
                continue
        except OSError:
            pass
        return f"{path} was deleted or replaced while it was open"
    return ""


_held: Final[set[FileIdentity]] = set()
"""The files that this process has locked."""
_SHM_OPEN_LOCK: Final = 128
"""The byte of the file `-shm` on which every connection has a lock (SQLite's UNIX_SHM_DMS)."""


def lock_path(database: Path) -> Path:
    """The lock file of a database, on systems that need one."""
    return database.with_name(database.name + ".lock")


@contextmanager
def exclusive_lock(database: Path) -> Iterator[LedgerFile]:
    """Holds the lock until the context ends; creates a missing file, and missing folders above it.

    Inside the context, nothing but SQLite may open and close the file while a connection to it is open, and
    at the end none may be: when a process closes any descriptor of a file, it loses SQLite's locks on it.
    A file that was created and is still empty at the end is deleted.

    Raises:
        LedgerInUse: another process holds it, or still has the file open that was here.
    """
    path = resolved(database)
    prepare_location(path)
    if is_open_though_gone(path):
        raise LedgerInUse(
            f"{database} is missing, but a bot has it open: put it back, or stop that bot first"
        )
    with as_ledger_errors(path, f"cannot open {path}"):
        is_new = create(path)
        # Before the file is opened a second time, which would end with closing it.
        if identity_of(path) in _held:
            raise _in_use(database)
    with (_lock_on if sys.platform == "linux" else _lock_beside)(path, database):
        if path.stat().st_nlink > 1:
            # The WAL goes by the name: under another one, what a killed process left in it would be missing.
            raise LedgerUnusable(f"{database} has several hard links: keep only one")
        file = LedgerFile(path, database)
        _held.add(file.identity)
        try:
            yield file
        finally:
            _held.discard(file.identity)
            with suppress(OSError):
                if is_new and identity_of(path) == file.identity and path.stat().st_size == 0:
                    path.unlink()


def is_open_though_gone(path: Path) -> bool:
    """Whether another process has the database open that is no longer at its path.

    Every connection of SQLite's has a lock on the file `-shm` beside the database. If that was moved away
    too, nothing tells. On Windows an open file cannot be moved.
    """
    if sys.platform == "win32" or path.exists() or _held:
        return False
    import fcntl

    try:
        descriptor = os.open(path.with_name(f"{path.name}-shm"), os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _SHM_OPEN_LOCK)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


@contextmanager
def _lock_on(path: Path, database: Path) -> Iterator[None]:
    """Holds a lock on the file itself."""
    import fcntl  # Windows has none

    with ExitStack() as opened:
        is_there = False
        while not is_there:
            with as_ledger_errors(path, f"cannot open {path}"):
                descriptor = os.open(path, os.O_RDWR)
                opened.callback(os.close, descriptor)
            with as_ledger_errors(path, f"cannot lock {path}"):
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    raise _in_use(database) from error
                # If not, somebody put another file there in between: lock that one.
                is_there = os.path.samestat(os.fstat(descriptor), path.stat())
        yield


@contextmanager
def _lock_beside(path: Path, database: Path) -> Iterator[None]:
    """Holds a lock on an empty file beside the database, which another hard link would have elsewhere."""
    lock_file = lock_path(path)
    with as_ledger_errors(lock_file, f"cannot open {lock_file}"):
        connection = sqlite3.connect(lock_file, timeout=0, isolation_level=None)
    with closing(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise _in_use(database) from error
            why = f"cannot lock {lock_file}: {in_words(lock_file, error)}"
            raise unavailable(why, error, lock_file) from error
        # If root maintains the database, the bot's user must be able to lock it later.
        with suppress(OSError):
            give_to_owner(lock_file, path)
        yield


def _in_use(database: Path) -> LedgerInUse:
    return LedgerInUse(
        f"{database} is in use by another process: stop the bot first, or choose another database"
    )
