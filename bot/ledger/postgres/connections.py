"""Connections to the server: one that writes and one that reads, each in a thread, and a pool for snapshots.

No statement is prepared on the server and no setting outlives a transaction, so that PgBouncer may stand in
between and give each transaction another connection (`pool_mode = transaction`).
"""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import psycopg
from sqlalchemy import Engine, NullPool, create_engine
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

Given = ParamSpec("Given")
Result = TypeVar("Result")
Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_SECONDS: Final = 5
HANG_SECONDS: Final = 10.0
"""How long a server may be silent before its connection is given up. A member waits three seconds at most."""
_NAME: Final = "gnau"
"""What the server's list of connections calls this program."""
MAX_READERS: Final = 4
"""How many snapshots are read at once; further readers wait."""


class Thread:
    """One connection in a thread of its own: opened when it is first needed, and again once it is given up.

    Args:
        address: the database, as libpq takes it.
        hang_seconds: as `HANG_SECONDS`.
    """

    def __init__(self, address: str, name: str, hang_seconds: float = HANG_SECONDS) -> None:
        self._address = address
        self._hang_seconds = hang_seconds
        self._executor = ThreadPoolExecutor(1, name)
        self._connection: Connection | None = None

    async def step(
        self,
        work: Callable[Concatenate[Connection, Given], Result],
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Result:
        """Calls a function in the connection's thread, and returns its result.

        Cancelling the wait does not cancel the function. It fails if the server is silent for too long.
        """
        loop = asyncio.get_running_loop()
        done = loop.run_in_executor(self._executor, lambda: work(self._open(), *args, **options))
        silent = loop.call_later(self._hang_seconds, self._cut)
        done.add_done_callback(lambda _: silent.cancel())
        return await asyncio.shield(done)

    def _open(self) -> Connection:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._address)
        return self._connection

    def _cut(self) -> None:
        """Ends the connection under the thread that waits for it, which then fails."""
        connection = self._connection
        with suppress(OSError, psycopg.Error):
            if connection is not None:
                with socket.socket(fileno=socket.dup(connection.fileno())) as wire:
                    wire.shutdown(socket.SHUT_RDWR)

    async def release(self) -> None:
        """Closes the connection; what is not committed is rolled back."""

        def close() -> None:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

        await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._executor, close))

    async def close(self) -> None:
        """Closes the connection and ends the thread."""
        await self.release()
        self._executor.shutdown(wait=False)


def connect(address: str, **options: Any) -> Connection:
    """Opens a connection; not for an event loop."""
    return psycopg.connect(
        address, connect_timeout=CONNECT_SECONDS, prepare_threshold=None, application_name=_NAME, **options
    )


def snapshot_engine(address: str) -> AsyncEngine:
    """An engine whose transactions each read one snapshot, and write nothing."""

    async def opened() -> psycopg.AsyncConnection[Any]:
        connection = await psycopg.AsyncConnection.connect(
            address, connect_timeout=CONNECT_SECONDS, prepare_threshold=None, application_name=_NAME
        )
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


def migrating_engine(address: str) -> Engine:
    """The engine for migrations, which all run in one transaction; synchronous, as Alembic is."""
    return create_engine(
        "postgresql+psycopg://",
        creator=lambda: connect(address),
        poolclass=NullPool,
        use_native_hstore=False,
    )
