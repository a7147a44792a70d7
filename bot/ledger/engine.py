"""What the ledger needs of the database behind it. Each engine is a folder here, and only it knows its own.

Errors of the storage stay the driver's until `failure` says what they mean.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from sqlalchemy import Dialect, Table
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.batch import Batch
from bot.ledger.errors import LedgerError

Connection = Any
"""A connection of the engine's driver, which has `cursor` as DB-API 2.0 says (PEP 249)."""


ServerHead = tuple[int, bytes | None]
"""A server and the hash of the last link of its chain, None without one, when something was decided there."""


@dataclass(frozen=True, slots=True)
class Storage:
    """What a database takes and has, in bytes; None for what is not known.

    Attributes:
        wal: its write-ahead log, if that is a file beside it.
        free: what is free on its disk.
    """

    database: int
    wal: int | None = None
    free: int | None = None


class Reading(Protocol):
    """A database that is open for reading."""

    @property
    def name(self) -> str:
        """What log lines and errors call it; without a password."""

    @property
    def dialect(self) -> Dialect:
        """Compiles statements whose values come by name."""

    async def rows(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """The rows of a compiled statement; others wait for it, so it takes milliseconds at most."""

    async def storage(self) -> Storage:
        """How large the database is."""

    def snapshot(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection that reads one snapshot."""

    def failure(self, error: BaseException, key: str = "") -> LedgerError | None:
        """What an error means, with the reason in words; None if it is no error of the storage but a bug.

        Args:
            key: what was to be written, if that may be what is wrong.
        """

    async def close(self) -> None:
        """Closes all connections."""


@dataclass(frozen=True, slots=True)
class Notification:
    """What a process lets the others know: about which server, of which kind, and a text."""

    server_id: int
    kind: str
    body: str


SOME_LOST: Final = Notification(0, "some lost", "{}")
"""Stands for notifications that could not be read in time: what they are about must be read again."""


class Processes(Protocol):
    """The way between processes that share a database. Each method can raise LedgerUnavailable."""

    async def notify(self, notification: Notification) -> None:
        """Sends every process a notification, this one too."""

    async def notifications(self) -> list[Notification]:
        """The notifications of the last seconds that were not read yet, the oldest first.

        The first one is `SOME_LOST`, if there may be others.
        """

    async def take_turn(self, turn: int, seconds: float) -> bool:
        """Takes a turn for this many seconds, unless another process has it; returns whether it did."""

    async def end_turn(self, turn: int, seconds: float) -> None:
        """Ends a turn that this process has, after these seconds."""


class Engine(Reading, Protocol):
    """A database that this process writes to, by one connection in a thread of its own."""

    @property
    def processes(self) -> Processes | None:
        """The way to other processes that write to it too; None if there can be none."""

    @property
    def row_dialect(self) -> Dialect:
        """Compiles statements whose values come by place."""

    def insert(self, table: Table) -> Any:
        """SQLAlchemy's insert of this dialect, with `on_conflict_do_update` and `on_conflict_do_nothing`."""

    async def write(self, work: Callable[[Connection], Batch]) -> Batch:
        """Calls a function in a transaction, in the connection's thread, and returns once it is on disk.

        The function may be called again. Cancelling the wait does not cancel it. After an error it is not
        certain what is on disk, and `release` must follow.

        Raises:
            Overtaken: another process wrote meanwhile: nothing is on disk, and there is nothing to release.
            Reconnected: the connection is a new one, and nothing is on disk.
        """

    def erased_of(self, connection: Connection, parties: Collection[int]) -> set[int]:
        """Those of these parties that another process may have erased; in the connection's thread."""

    async def release(self) -> None:
        """Lets the connection that writes go; what is not committed is rolled back."""

    @property
    def upkeep_seconds(self) -> float | None:
        """How long until `keep_up` should be called while nothing is written; None if there is no need."""

    async def keep_up(self) -> None:
        """Removes what is left of erased members, where the commit could not; does not raise."""

    async def version(self) -> str:
        """What the database is, with its version, such as `SQLite 3.45.1`."""

    async def note_erasures(self, parties: list[int], seen: ServerHead | None = None) -> None:
        """Notes that these parties are erased, where a restored backup does not undo it.

        Raises:
            Overtaken: the server's chain has another end than was seen; nothing is noted.
        """

    async def noted_erasures(self) -> list[int]:
        """The parties that were ever erased."""
