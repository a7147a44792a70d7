"""The one door to a database for the bot and its commands, whichever engine it has.

An engine is imported only when a database of its kind is named: psycopg is an extra.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from bot.ledger.errors import LedgerError, LedgerUnusable
from bot.ledger.postgres.address import check_address, is_postgres
from bot.ledger.sqlite.location import database_path

if TYPE_CHECKING:
    # SQLAlchemy is slow to import: reading the settings must not wait for it.
    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bot.ledger.audit import Finding
    from bot.ledger.engine import Engine
    from bot.ledger.queries import Queries
    from bot.ledger.sqlite.database import SqliteDatabase
    from bot.ledger.upgrade import UpgradeResult

Audit = Callable[["Queries"], Awaitable[Sequence["Finding"]]]
"""Lists what is wrong with a ledger."""
_DUMP: Final = b"PGDMP"
"""How a backup begins that pg_dump made."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did.

    Attributes:
        kept: where the old database is; None if there was none.
        doubt: why members may be back who were erased after the backup; empty if they are not.
    """

    kept: str | None
    doubt: str


class Database(Protocol):
    """A database, open or not. Methods that are not async wait for the disk or the server."""

    @property
    def url(self) -> str:
        """Its address, maybe with a password."""

    @property
    def name(self) -> str:
        """What messages call it; without user and password."""

    def claimed(self, **options: Any) -> AbstractAsyncContextManager["Engine"]:
        """Opens it for writing, as `claimed` of its engine does."""

    def reading(self) -> AbstractAsyncContextManager["Queries"]:
        """Queries of it; the bot may have it open."""

    def frozen(self) -> AbstractAsyncContextManager["Queries"]:
        """Queries of it, while no bot has it open."""

    def filled(self, erased: Sequence[int]) -> AbstractAsyncContextManager["AsyncConnection"]:
        """An empty database of the newest schema, to be filled in one transaction by the block.

        It is audited and kept if the block ends well; else all is as it was.

        Args:
            erased: the parties to note as erased.
        """

    async def add_rows(
        self, filled: "AsyncConnection", table: "Table", rows: Sequence[tuple[Any, ...]]
    ) -> None:
        """Adds rows, in the order of the table's columns, to what `filled` gives."""

    def noted_erasures(self) -> list[int]:
        """The parties that were ever erased."""

    def is_there(self) -> bool:
        """Whether it is there and not empty; raises LedgerUnusable if it was lost."""

    def refuse_missing(self) -> None:
        """Raises LedgerUnusable if it is missing or empty; the text says what to do."""

    def look(self) -> list[str]:
        """What is well about it and its place, as far as that is quickly seen. The bot may have it open.

        What the bot would refuse is raised, and what it would warn of is a warning in the log.
        """

    def refuse_running_bot(self) -> None:
        """Raises LedgerInUse if a bot has it open, unless `claimed` does that anyway."""

    def meeting_place(self) -> Path | None:
        """Where commands meet the bot that has it open; None if they work beside it."""

    def upgrade(self) -> "UpgradeResult":
        """Makes it, or brings it to the newest schema, while no bot has it open."""

    def problems(self, extra_audits: Sequence[Audit] = ()) -> list[str]:
        """Audits it, as docs/STORAGE.md says: a sentence for each problem. The bot may have it open."""

    def back_up(self, to: Path, *, overwrite: bool = False) -> None:
        """Makes a checked backup in a file. The bot may have the database open.

        Raises:
            LedgerCorrupt: it has problems, and nothing was written.
        """

    def restore(self, backup: Path) -> Restored:
        """Replaces it by a backup, at the newest schema, while no bot has it open.

        Who was erased since must then be erased again.

        Raises:
            LedgerCorrupt: the backup has problems, and nothing was changed.
        """

    def restore_command(self) -> str:
        """The command that puts the newest good backup back, as far as one is known."""

    def advice(self, failed: LedgerError) -> str:
        """Why the ledger failed, and what to do about it."""

    def backed_up(
        self, every: float, keep: int, tried: Callable[[Path | None], object] = bool
    ) -> AbstractAsyncContextManager[None]:
        """Makes regular backups while the block runs, where the bot does that for this engine.

        Args:
            every: how old the newest one may get, in seconds; 0 for none.
            keep: how many stay.
            tried: called after each try, with the backup; None if none was made.
        """

    def no_backups(self, every: float) -> str:
        """Why the bot makes no backups; empty if it does. Argument as of `backed_up`."""

    def backups(self) -> list[float]:
        """When the regular backups were made that are there, in order."""


def check_url(url: str) -> None:
    """Raises ValueError for what is no address of a database; the text repeats nothing of it.

    It may have a password.
    """
    if is_postgres(url):
        check_address(url)
    else:
        database_path(url)


def can_be_shared(url: str) -> bool:
    """Whether several processes may have the database open that is at an address."""
    return is_postgres(url)


def database_at(url: str) -> Database:
    """The database at an address; raises ValueError as `check_url` does."""
    check_url(url)
    if is_postgres(url):
        from bot.ledger.postgres.database import PostgresDatabase

        return PostgresDatabase(url)
    from bot.ledger.sqlite.database import SqliteDatabase

    return SqliteDatabase(database_path(url))


def database_in(file: Path) -> "SqliteDatabase":
    """The database in a file: a copy, or practice's."""
    from bot.ledger.sqlite.database import SqliteDatabase

    return SqliteDatabase(file)


def refuse_dump(file: Path) -> None:
    """Raises LedgerUnusable for a backup of a PostgreSQL database, where only SQLite's will do."""
    try:
        with file.open("rb") as opened:
            is_dump = opened.read(len(_DUMP)) == _DUMP
    except OSError:
        return
    if is_dump:
        raise LedgerUnusable(f"{file} is a backup of a PostgreSQL database: restore it into one")
