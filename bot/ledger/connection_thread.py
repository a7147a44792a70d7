"""A connection of aiosqlite whose thread is given whole pieces of work.

aiosqlite gives its thread a statement at a time. Each is two changes of thread, and where many want the
processor they take longer than the statement: a batch of the ledger, a dozen of them, is done in one step.
"""

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import aiosqlite

Given = ParamSpec("Given")
Result = TypeVar("Result")

_ROWS_AT_ONCE: Final = 64
"""So many rows a cursor fetches in one go, as with `aiosqlite.connect`."""


class ThreadedConnection(aiosqlite.Connection):
    """aiosqlite's connection, and `step`."""

    async def step(
        self,
        work: Callable[Concatenate[sqlite3.Connection, Given], Result],
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Result:
        """Does a piece of work with SQLite's own connection, in the thread that this lives in.

        To cancel the wait does not cancel the work.

        Args:
            work: what is to be done; it is called with the connection, and what else is given here.
            args: what else it is given.
            options: likewise, by name.

        Raises:
            Whatever the work raises.
        """
        done: Result = await self._execute(work, self._conn, *args, **options)  # type: ignore[no-untyped-call]  # so it is in aiosqlite
        return done


def threaded_connection(database: str, **options: Any) -> ThreadedConnection:
    """Opens a connection to a file, as `aiosqlite.connect` does; it does not keep a program from ending."""
    connection = ThreadedConnection(partial(sqlite3.connect, database, **options), _ROWS_AT_ONCE)
    connection._thread.daemon = True
    return connection
