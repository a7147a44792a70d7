"""An aiosqlite connection whose thread can run a whole function at once.

aiosqlite hands its thread one statement at a time. Each costs two thread switches, which on a busy machine
take longer than the statement. The ledger's batch of a dozen statements therefore runs as one step.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import aiosqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

Given = ParamSpec("Given")
Result = TypeVar("Result")

_FETCH_SIZE: Final = 64
"""How many rows a cursor fetches at once, as with `aiosqlite.connect`."""


class ThreadedConnection(aiosqlite.Connection):
    """aiosqlite's connection, and `step`."""

    async def step(
        self,
        work: Callable[Concatenate[sqlite3.Connection, Given], Result],
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Result:
        """Calls a function in the connection's thread, and returns its result.

        Cancelling the wait does not cancel the function.

        Args:
            work: the function; its first argument is SQLite's own connection.
            args: its other arguments.
            options: its keyword arguments.

        Raises:
            Whatever the function raises.
        """
        done: Result = await self._execute(work, self._conn, *args, **options)  # type: ignore[no-untyped-call]  # aiosqlite does not type it
        return done


class KeptConnection:
    """One connection of an engine: opened when it is first needed, and kept open.

    Args:
        engine: opens it.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._opening = asyncio.Lock()

    async def step(
        self,
        work: Callable[Concatenate[sqlite3.Connection, Given], Result],
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Result:
        """Calls a function in the connection's thread, as `ThreadedConnection.step` does.

        Raises:
            sqlalchemy.exc.DBAPIError: it cannot be opened.
            Whatever the function raises.
        """
        async with self._opening:
            if self._connection is None:
                self._connection = await self._engine.connect()
            driver = (await self._connection.get_raw_connection()).driver_connection
        assert isinstance(driver, ThreadedConnection)
        return await driver.step(work, *args, **options)

    async def release(self) -> None:
        """Returns it to the engine, which rolls back what is not committed."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def threaded_connection(database: str, **options: Any) -> ThreadedConnection:
    """Opens a file as `aiosqlite.connect` does, in a daemon thread, so that the program can exit."""
    connection = ThreadedConnection(partial(sqlite3.connect, database, **options), _FETCH_SIZE)
    connection._thread.daemon = True
    return connection
