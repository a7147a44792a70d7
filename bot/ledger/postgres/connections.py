"""Connections to the server: one that writes and one that reads, each in a thread, and a pool for snapshots.

No statement is prepared on the server and no setting outlives a transaction, so that PgBouncer may stand in
between and give each transaction another connection (`pool_mode = transaction`).
"""

import asyncio
import selectors
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import psycopg
from sqlalchemy import Engine, NullPool, create_engine
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.ledger.errors import LedgerUnreachable
from bot.ledger.postgres.server_errors import failure_of

Given = ParamSpec("Given")
Result = TypeVar("Result")
Connection = psycopg.Connection[tuple[Any, ...]]
AnyConnection = Connection | psycopg.AsyncConnection[Any]

CONNECT_SECONDS: Final = 3
HANG_SECONDS: Final = 5.0
"""How long a server may be silent before its connection is given up. A member waits three seconds at most."""
LATE_SECONDS: Final = 0.5
"""How late the look at a silent server may be. One that is later says that this process was stopped."""
NAME: Final = "gnau"
"""What the server's list of connections calls this program."""
_OPTIONS: Final[dict[str, Any]] = {
    "connect_timeout": CONNECT_SECONDS,
    "prepare_threshold": None,
    "application_name": NAME,
    # A connection whose other end is gone is noticed within 25 seconds, instead of a quarter of an hour if
    # something was sent, and hours if not. An answer may take as long as it needs. Known to this end alone.
    "tcp_user_timeout": 15_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
MAX_READERS: Final = 4
"""How many snapshots are read at once; further readers wait."""


async def unhurried(work: asyncio.Future[Result]) -> Result:
    """The result of work that goes on if the wait is cancelled; nobody hears of its failure then."""
    work.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(work)


class ConnectionThread:
    """One connection in a thread of its own: opened when it is first needed, and again once it is broken.

    It is in no transaction until one is begun by a statement.
    """

    def __init__(self, address: str, name: str, hang_seconds: float = HANG_SECONDS) -> None:
        self._address = address
        self._hang_seconds = hang_seconds
        self._executor = ThreadPoolExecutor(1, name)
        self._connection: Connection | None = None
        self._began_at = 0.0
        self._failed_at = 0.0

    async def step(
        self,
        work: Callable[Concatenate[Connection, Given], Result],
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Result:
        """Calls a function in the connection's thread, and returns its result.

        Cancelling the wait does not cancel the function. It fails if the server is silent for too long; what
        has waited for its turn meanwhile fails then too, since it would only wait as long.
        """
        loop, asked_at = asyncio.get_running_loop(), monotonic()

        def take_turn() -> Result:
            if self._failed_at > asked_at:
                raise psycopg.OperationalError("the connection was given up")
            self._began_at = monotonic()
            connection = self._open()
            try:
                return work(connection, *args, **options)
            except psycopg.Error:
                self._close()
                raise

        watching = loop.call_later(self._hang_seconds, lambda: watch())
        watches_at = asked_at + self._hang_seconds

        def watch() -> None:
            nonlocal watching, watches_at
            if monotonic() > watches_at + LATE_SECONDS:
                # It was this process that stood still, and the answer may have come meanwhile. Believed once:
                # a process that is always busy must not wait for ever.
                self._began_at, watches_at = monotonic(), inf
            if (left := self._began_at + self._hang_seconds - monotonic()) <= 0:
                self.cut()
                left = self._hang_seconds
            watches_at = max(watches_at, monotonic() + left)
            watching = loop.call_later(left, watch)

        done = loop.run_in_executor(self._executor, take_turn)
        done.add_done_callback(lambda _: watching.cancel())
        return await unhurried(done)

    async def execute(self, sql: Any, values: Any = ()) -> list[tuple[Any, ...]]:
        """Runs a statement in the connection's thread, and returns its rows, if it has any."""
        return await self.step(_rows_of, sql, values)

    def _open(self) -> Connection:
        if self._connection is not None and _is_broken(self._connection):
            self._close()
        if self._connection is None:
            try:
                self._connection = connect(self._address, autocommit=True)
            except psycopg.Error:
                self._failed_at = monotonic()
                raise
        return self._connection

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def cut(self) -> None:
        """Ends the connection under the thread that waits for it, which then fails."""
        self._failed_at = monotonic()
        if self._connection is not None:
            _cut(self._connection)

    async def release(self) -> None:
        """Closes the connection; what is not committed is rolled back."""
        await unhurried(asyncio.get_running_loop().run_in_executor(self._executor, self._close))

    async def close(self) -> None:
        """Closes the connection and ends the thread."""
        await self.release()
        self._executor.shutdown(wait=False)


def _rows_of(connection: Connection, sql: Any, values: Any) -> list[tuple[Any, ...]]:
    cursor = connection.execute(sql, values)
    return cursor.fetchall() if cursor.description else []


def _cut(connection: AnyConnection) -> None:
    with suppress(OSError, psycopg.Error), socket.socket(fileno=socket.dup(connection.fileno())) as wire:
        wire.shutdown(socket.SHUT_RDWR)


async def cut_if_silent(address: str, seconds: float, connection: Callable[[], AnyConnection | None]) -> None:
    """Cuts a connection, whatever it waits for, once the server has no answer to another one either.

    Args:
        seconds: how often another one is tried.
    """
    while True:
        await asyncio.sleep(seconds)
        if not await asyncio.to_thread(_answers, address) and (waiting := connection()) is not None:
            _cut(waiting)


def _answers(address: str) -> bool:
    """Whether the server takes a connection, or says why it does not."""
    try:
        connect(address).close()
    except psycopg.Error as error:
        return not isinstance(failure_of(error), LedgerUnreachable)
    return True


def _is_broken(connection: Connection) -> bool:
    """Whether an idle connection was closed, or has anything to say, as the other end does when it goes."""
    if connection.closed:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        return bool(selector.select(0))


def connect(address: str, **options: Any) -> Connection:
    """Opens a connection; not for an event loop."""
    return psycopg.connect(address, **_OPTIONS, **options)


class _Cursor(psycopg.AsyncServerCursor[Any]):
    """A cursor that may be left open: after a cancelled read, SQLAlchemy closes its connection alone."""

    def __del__(self, *_: Any) -> None:
        """Does not warn."""


def snapshot_engine(address: str) -> AsyncEngine:
    """An engine whose transactions each read one snapshot, and write nothing."""

    async def opened() -> psycopg.AsyncConnection[Any]:
        connection = await _connect_async(address)
        await connection.set_read_only(True)
        return connection

    return create_async_engine(
        "postgresql+psycopg://",
        async_creator=opened,
        isolation_level="REPEATABLE READ",
        pool_size=MAX_READERS,
        max_overflow=0,
        pool_pre_ping=True,
        use_native_hstore=False,
    )


def replacing_engine(address: str) -> AsyncEngine:
    """An engine for one long transaction that fills or replaces a database."""
    return create_async_engine(
        "postgresql+psycopg://",
        async_creator=lambda: _connect_async(address),
        poolclass=NullPool,
        use_native_hstore=False,
    )


async def _connect_async(address: str) -> psycopg.AsyncConnection[Any]:
    connection = await psycopg.AsyncConnection.connect(address, **_OPTIONS)
    connection.server_cursor_factory = _Cursor
    return connection


def migrating_engine(address: str, opened: Callable[[Connection], None] | None = None) -> Engine:
    """The engine for migrations, which all run in one transaction; synchronous, as Alembic is.

    Args:
        opened: is given each connection that it opens.
    """

    def open_one() -> Connection:
        connection = connect(address)
        if opened is not None:
            opened(connection)
        return connection

    return create_engine(
        "postgresql+psycopg://",
        creator=open_one,
        poolclass=NullPool,
        use_native_hstore=False,
    )
