"""A disk that fails on demand: the real SQLite, in one thread and in virtual time.

`Disk.connect` replaces `threaded_connection`: a connection works in the thread of the loop, at random
instants, so that a run depends only on its seed.
"""

import asyncio
import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any, Final, Self
from weakref import WeakSet

from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.sqlite.connections import SqliteReading, ThreadedConnection
from bot.ledger.sqlite.erasure import note_erasures
from tests.simulation.loop import PROCESS

_SLOW: Final = ("execute", "executemany", "_execute_fetchall", "commit")
"""The operations that reach the disk, and so can fail or take time."""

CUT_OFF: Final = "a connection that was cut off"
CALM_SECONDS: Final = 10.0
"""How long after a disturbance the WAL is emptied at the latest."""


class Trouble(Enum):
    """Ways in which storage fails, with SQLite's errors."""

    FULL = (sqlite3.OperationalError, "database or disk is full", sqlite3.SQLITE_FULL)
    LOCKED = (sqlite3.OperationalError, "database is locked", sqlite3.SQLITE_BUSY)
    BROKEN = (sqlite3.OperationalError, "disk I/O error", sqlite3.SQLITE_IOERR)
    CORRUPT = (sqlite3.DatabaseError, "database disk image is malformed", sqlite3.SQLITE_CORRUPT)
    DELETED = (sqlite3.OperationalError, "unable to open database file", sqlite3.SQLITE_CANTOPEN)
    """The file is not at its path; what is open works, and would be written into nothing."""

    def error(self) -> sqlite3.Error:
        """The error that SQLite raises."""
        kind, text, code = self.value
        error: sqlite3.Error = kind(text)
        error.sqlite_errorcode = code
        return error

    def hits(self, statement: str) -> bool:
        """Whether a statement or `commit` fails: a full disk and a locked file can be read.

        With a deleted file none does: the bot itself must notice.
        """
        if self is Trouble.DELETED:
            return False
        reads = statement.startswith(("SELECT", "WITH", "PRAGMA")) and "checkpoint" not in statement
        return not (reads or statement == "BEGIN") or self in (Trouble.BROKEN, Trouble.CORRUPT)


class Disk:
    """The disk of the database.

    Args:
        random: decides how long operations take.
        path: the file of the database; None if it is never deleted.

    Attributes:
        trouble: what is wrong with the storage now; None if nothing is.
        forgets: whether the next commit is carried out but reported as failed.
        watch: called before and after each operation that reaches the disk.
        batches: the number of batches on their way: written perhaps, and not yet reported to the writer.
    """

    def __init__(self, random: Random, path: Path | None = None) -> None:
        self.trouble: Trouble | None = None
        self.forgets = False
        self.watch: Callable[[str], None] | None = None
        self.batches = 0
        self._written = False
        self._commits = 0
        self._disturbed_at = -math.inf
        self._random = random
        self._path = path
        self._is_away = False
        self._connections: list[_Connection] = []
        self._cut_off: set[int] = set()

    def connect(self, database: str, **options: Any) -> ThreadedConnection:
        """Opens a connection, as `threaded_connection` does."""
        connection = _Connection(
            self, lambda: sqlite3.connect(database, **options), reads="mode=ro" in database
        )
        self._connections.append(connection)
        return connection

    def opened(self) -> AbstractAsyncContextManager[Ledger]:
        """Opens the ledger in the current process."""
        # In one thread, a lock that is waited for would never be freed.
        return open_ledger(f"sqlite:///{self._path}", busy_seconds=0, driver=self.connect)

    def reading(self) -> SqliteReading:
        """The database on a disk without any fault."""
        assert self._path is not None
        return SqliteReading(self._path, Disk(Random(0)).connect)

    def cut(self, process: int) -> None:
        """Detaches a process from the disk, as a kill does: nothing that it does is stored."""
        self._cut_off.add(process)
        self._written = False
        for connection in self._connections:
            connection.cut()
        self._connections.clear()

    def check(self) -> None:
        """Raises if the running process is detached."""
        if PROCESS.get() in self._cut_off:
            raise Trouble.BROKEN.error()

    async def takes_its_time(self) -> None:
        """Waits for an operation: mostly almost no time, seldom long."""
        drawn = self._random.random()
        if drawn < 0.5:
            return
        await asyncio.sleep(0 if drawn < 0.8 else 0.002 if drawn < 0.999 else 2.0)

    def note_erasures(self, database: Path, parties: list[int]) -> None:
        """Writes erased parties beside the database, as the bot does, or fails on demand."""
        try:
            self._look("notes")
            self.check()
            if self.trouble in (Trouble.FULL, Trouble.BROKEN):
                raise self.trouble.error()
            note_erasures(database, parties)
            self._look("notes")
            self.check()
        except sqlite3.Error as failed:
            raise LedgerUnavailable(str(failed)) from failed

    def writes(self, work: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Does something with the writing connection, at one instant."""
        written, commits, self._written = self._written, self._commits, False
        with self.at_its_path():
            done = work(*args, **options)
        # Opening the connection writes nothing.
        self._written = written or self._commits > commits
        return done

    @contextmanager
    def at_its_path(self) -> Iterator[None]:
        """Has the file of the database at its path during the block, or away while it is deleted.

        The block takes no virtual time, so that checks always find the file.
        """
        if self.trouble is not Trouble.DELETED or self._path is None:
            yield
            return
        away = self._path.with_suffix(".away")
        self._path.rename(away)
        self._is_away = True
        self.disturbed()
        try:
            yield
        finally:
            away.rename(self._path)
            self._is_away = False

    def disturbed(self) -> None:
        """Hears of an error, or of a reader who kept the WAL from being emptied."""
        self._disturbed_at = asyncio.get_running_loop().time()

    @property
    def settled(self) -> bool:
        """Whether the writer knows what is on disk: no batch is on its way, and no error was just now."""
        return not self.batches and asyncio.get_running_loop().time() > self._disturbed_at + CALM_SECONDS

    @property
    def calm(self) -> bool:
        """Whether there was time enough to empty the WAL, with neither an error nor a reader in the way."""
        return self._written and asyncio.get_running_loop().time() > self._disturbed_at + CALM_SECONDS

    def does(self, connection: "_Connection", name: str, work: Callable[..., Any], *args: Any) -> Any:
        """Carries an operation out, or fails on demand."""
        statement = args[0] if args else name
        self._look(statement, connection)
        if self.trouble is not None and self.trouble.hits(statement):
            self.disturbed()
            raise self.trouble.error()
        assert name != "commit" or not self._is_away, "this would be acknowledged, and lost with the file"
        result = work(*args)
        self._commits += name == "commit"
        if self.forgets and name == "commit":
            self.forgets = False
            self.disturbed()
            raise Trouble.BROKEN.error()
        try:
            self._look(statement, connection)
        except sqlite3.Error:
            # The error keeps this frame, and so the cursor, which would go on reading.
            del result
            raise
        return result

    def _look(self, statement: str, connection: "_Connection | None" = None) -> None:
        if self.watch is not None:
            try:
                self.watch(statement)
            except sqlite3.Error:
                self.disturbed()
                raise
        if connection is not None and connection.is_cut:
            self.disturbed()
            raise Trouble.BROKEN.error()


class _Connection(ThreadedConnection):
    """A connection that works in the thread of the loop."""

    def __init__(self, disk: Disk, connector: Callable[[], sqlite3.Connection], *, reads: bool) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._disk = disk
        self._reads = reads
        self._cursors = WeakSet[sqlite3.Cursor]()
        self.is_cut = False

    def __repr__(self) -> str:
        """The name in warnings, which tells connections of a killed process from leaks."""
        return CUT_OFF if self.is_cut else "a connection"

    def __await__(self) -> Any:
        return self._connect().__await__()

    async def _connect(self) -> ThreadedConnection:
        self._disk.check()
        with self._disk.at_its_path():
            self._connection = self._connector()
        return self

    def cut(self) -> None:
        """Releases the file and any open transaction; everything fails from now on."""
        self.is_cut = True
        self._let_go()

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if self._connection is None:
            raise ValueError("Connection closed")
        name = fn.__name__
        if self.is_cut and name in ("close", "rollback"):
            return None
        if self.is_cut:
            raise Trouble.BROKEN.error()
        if fn == self._connection.close:
            return self._let_go()
        if name not in _SLOW:
            return fn(*args, **kwargs)
        await self._disk.takes_its_time()
        if isinstance(cursor := getattr(fn, "__self__", None), sqlite3.Cursor):
            self._cursors.add(cursor)
        result = self._disk.does(self, name, fn, *args)
        await self._disk.takes_its_time()
        return result

    async def step(self, work: Callable[..., Any], *args: Any, **options: Any) -> Any:
        if self._connection is None:
            raise ValueError("Connection closed")
        if self.is_cut:
            raise Trouble.BROKEN.error()
        watched = _Watched(self._disk, self, self._connection)
        if self._reads:
            await self._disk.takes_its_time()
            done = work(watched, *args, **options)
            await self._disk.takes_its_time()
            return done
        self._disk.batches += 1
        try:
            await self._disk.takes_its_time()
            done = self._disk.writes(work, watched, *args, **options)
            await self._disk.takes_its_time()
        finally:
            self._disk.batches -= 1
        return done

    def stop(self) -> None:
        """Closes at once: there is no thread to stop."""
        if not self.is_cut:
            self._let_go()
        self._connection = None

    def _let_go(self) -> None:
        if self._connection is not None:
            # Closed during a statement, SQLite would keep the transaction as long as that lives: in a process
            # that has gone away, it would read for ever.
            for cursor in self._cursors:
                cursor.close()
            self._connection.rollback()
            self._connection.close()


class _Watched:
    """SQLite's connection, with each operation sent through the disk.

    Args:
        disk: the disk.
        connection: its owner.
        driver: SQLite's own.
    """

    def __init__(self, disk: Disk, connection: _Connection, driver: sqlite3.Connection) -> None:
        self._disk = disk
        self._connection = connection
        self._driver = driver
        self.rowcount = -1

    def cursor(self) -> Self:
        return self

    def execute(self, statement: str, *rest: Any) -> Any:
        done = self._disk.does(self._connection, "execute", self._driver.execute, statement, *rest)
        if "wal_checkpoint" not in statement:
            return done
        answer = _Answer(done.fetchone())
        if answer.row[0]:
            self._disk.disturbed()
        return answer

    def executemany(self, statement: str, rows: Any) -> Any:
        done = self._disk.does(self._connection, "executemany", self._driver.executemany, statement, rows)
        self.rowcount = done.rowcount
        return done

    @property
    def in_transaction(self) -> bool:
        # Cut off, it is closed, and what was open is rolled back.
        return not self._connection.is_cut and self._driver.in_transaction

    def rollback(self) -> None:
        self._driver.rollback()

    def commit(self) -> None:
        self._disk.does(self._connection, "commit", self._driver.commit)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The one row that a statement returned."""

    row: tuple[int, ...]

    def fetchone(self) -> tuple[int, ...]:
        return self.row
