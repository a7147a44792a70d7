"""A disk that fails when it is told to: the real SQLite behind it, in one thread and in virtual time.

`Disk.connect` is what `threaded_connection` is, but for its thread: what a connection is to do it does in the
thread of the loop, at an instant that chance picks. So a run depends on nothing but its seed.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from enum import Enum
from random import Random
from typing import Any, Final

from bot.ledger.connection_thread import ThreadedConnection
from tests.simulation.loop import PROCESS

_SLOW: Final = ("execute", "executemany", "_execute_fetchall", "commit")
"""The operations that go to the disk, and so can fail, or take their time."""

CUT_OFF: Final = "a connection that was cut off"


class Trouble(Enum):
    """Ways in which storage fails, each with what SQLite says then."""

    FULL = (sqlite3.OperationalError, "database or disk is full", sqlite3.SQLITE_FULL)
    LOCKED = (sqlite3.OperationalError, "database is locked", sqlite3.SQLITE_BUSY)
    BROKEN = (sqlite3.OperationalError, "disk I/O error", sqlite3.SQLITE_IOERR)
    CORRUPT = (sqlite3.DatabaseError, "database disk image is malformed", sqlite3.SQLITE_CORRUPT)

    def error(self) -> sqlite3.Error:
        """What SQLite raises then."""
        kind, text, code = self.value
        error: sqlite3.Error = kind(text)
        error.sqlite_errorcode = code
        return error

    def hits(self, statement: str) -> bool:
        """Whether a statement, or `commit`, runs into it: a full disk can be read, and a locked file."""
        reads = statement.startswith(("SELECT", "WITH", "PRAGMA"))
        return not (reads or statement == "BEGIN") or self in (Trouble.BROKEN, Trouble.CORRUPT)


class Disk:
    """Where the database is.

    Args:
        random: draws how long operations take.

    Attributes:
        trouble: what is wrong with the storage now; None where all is well.
        forgets: whether the next commit is carried out, and yet reported as failed.
        watch: is called at the instants before and after each operation that goes to the disk.
        operations: how many operations went to the disk.
    """

    def __init__(self, random: Random) -> None:
        self.trouble: Trouble | None = None
        self.forgets = False
        self.watch: Callable[[str], None] | None = None
        self.operations = 0
        self._random = random
        self._connections: list[_Connection] = []
        self._cut_off: set[int] = set()

    def connect(self, database: str, **options: Any) -> ThreadedConnection:
        """Opens a connection, as `threaded_connection` does."""
        connection = _Connection(self, lambda: sqlite3.connect(database, **options))
        self._connections.append(connection)
        return connection

    def cut(self, process: int) -> None:
        """Takes the disk away from a process, as a kill does: nothing that it does reaches it any more."""
        self._cut_off.add(process)
        for connection in self._connections:
            connection.cut()
        self._connections.clear()

    def check(self) -> None:
        """Raises where the disk was taken away from the process that is running."""
        if PROCESS.get() in self._cut_off:
            raise Trouble.BROKEN.error()

    async def takes_its_time(self) -> None:
        """Waits as long as an operation takes: mostly next to nothing, seldom long."""
        drawn = self._random.random()
        if drawn < 0.5:
            return
        await asyncio.sleep(0 if drawn < 0.8 else 0.002 if drawn < 0.999 else 2.0)

    def does(self, connection: "_Connection", name: str, work: Callable[..., Any], *args: Any) -> Any:
        """Carries an operation out, or fails as it is told to."""
        self.operations += 1
        statement = args[0] if args else name
        self._look(connection, statement)
        if self.trouble is not None and self.trouble.hits(statement):
            raise self.trouble.error()
        result = work(*args)
        if self.forgets and name == "commit":
            self.forgets = False
            raise Trouble.BROKEN.error()
        self._look(connection, statement)
        return result

    def _look(self, connection: "_Connection", statement: str) -> None:
        if self.watch is not None:
            self.watch(statement)
        if connection.is_cut:
            raise Trouble.BROKEN.error()


class _Connection(ThreadedConnection):
    """A connection that does its work in the thread of the loop."""

    def __init__(self, disk: Disk, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._disk = disk
        self.is_cut = False

    def __repr__(self) -> str:
        """What it is called in a warning, by which those that a kill leaves behind are told from leaks."""
        return CUT_OFF if self.is_cut else "a connection"

    def __await__(self) -> Any:
        return self._connect().__await__()

    async def _connect(self) -> ThreadedConnection:
        self._disk.check()
        self._connection = self._connector()
        return self

    def cut(self) -> None:
        """Lets go of the file, and of a transaction that is on; everything fails from now on."""
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
        result = self._disk.does(self, name, fn, *args)
        await self._disk.takes_its_time()
        return result

    async def step(self, work: Callable[..., Any], *args: Any, **options: Any) -> Any:
        if self._connection is None:
            raise ValueError("Connection closed")
        if self.is_cut:
            raise Trouble.BROKEN.error()
        await self._disk.takes_its_time()
        done = work(_Watched(self._disk, self, self._connection), *args, **options)
        await self._disk.takes_its_time()
        return done

    def stop(self) -> None:
        """Closes at once: no thread has to be stopped."""
        if not self.is_cut:
            self._let_go()
        self._connection = None

    def _let_go(self) -> None:
        if self._connection is not None:
            # Closed with a statement under way, SQLite would keep the transaction for as long as that lives.
            self._connection.rollback()
            self._connection.close()


class _Watched:
    """SQLite's own connection, as a step of work uses it: each operation is one of the disk's.

    Args:
        disk: the disk.
        connection: whose it is.
        driver: SQLite's own.
    """

    def __init__(self, disk: Disk, connection: _Connection, driver: sqlite3.Connection) -> None:
        self._disk = disk
        self._connection = connection
        self._driver = driver

    def execute(self, statement: str, *rest: Any) -> Any:
        return self._disk.does(self._connection, "execute", self._driver.execute, statement, *rest)

    def executemany(self, statement: str, rows: Any) -> Any:
        return self._disk.does(self._connection, "executemany", self._driver.executemany, statement, rows)

    def commit(self) -> None:
        self._disk.does(self._connection, "commit", self._driver.commit)
