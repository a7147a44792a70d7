"""One transaction in which everything in a database is put in place of what was there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.audit import findings_in
from bot.ledger.errors import LedgerCorrupt, LedgerUnusable
from bot.ledger.postgres.connections import replacing_engine
from bot.ledger.postgres.server_errors import explained
from bot.ledger.postgres.upgrade import NOTES, STAYS, append_only
from bot.ledger.schema import FILLED, metadata
from bot.ledger.upgrade import make_or_migrate, revision_in, revisions

VERSION_TABLE: Final = "alembic_version"
KEPT: Final = "before_restore_"
"""How the schema begins in which a restore keeps the old database."""


@asynccontextmanager
async def replaced(address: str) -> AsyncIterator[AsyncConnection]:
    """A transaction that is committed if the block ends well, and what is there by then has no faults.

    Older tables are migrated first. Nobody else may be connected.
    """
    engine = replacing_engine(address)
    try:
        with explained(address):
            async with engine.begin() as connection:
                yield connection
                await connection.run_sync(make_or_migrate, append_only())
                # The server knows nothing yet about tables that were filled in this transaction.
                await connection.exec_driver_sql("ANALYZE")
                if findings := await findings_in(connection):
                    raise LedgerCorrupt([str(finding) for finding in findings])
    finally:
        await engine.dispose()


async def note_erased(connection: AsyncConnection, parties: list[int]) -> None:
    """Notes parties as erased, in this transaction."""
    await connection.exec_driver_sql(NOTES)
    await connection.exec_driver_sql(
        "INSERT INTO erased_parties SELECT unnest(%s::BIGINT[]) ON CONFLICT DO NOTHING", (parties,)
    )


def ledger_in(connection: Connection, name: str) -> str | None:
    """The version of the ledger in a database; None if there is none.

    Raises:
        LedgerUnusable: another program has tables there, or a later version of this one has.
    """
    revision = revision_in(connection)
    found = set(inspect(connection).get_table_names())
    if revision is None and not found & set(metadata.tables):
        return None
    if revision is None or "transfers" not in found:
        raise LedgerUnusable(f"{name} has tables of another program: give gnau a database of its own")
    if revision not in revisions():
        raise LedgerUnusable(
            f"{name} was made by another version of this program: its schema is {revision!r}"
        )
    return revision


def refuse_rows(connection: Connection, name: str) -> None:
    """Raises LedgerUnusable if anything was ever written to a database; removes a ledger without rows."""
    if ledger_in(connection, name) is not None:
        if _has_rows(connection):
            raise LedgerUnusable(f"{name} is not empty: choose a new database")
        _drop(connection)


def set_aside(connection: Connection, name: str) -> str | None:
    """Moves all tables into a schema of their own; returns its name, or None if there is nothing.

    Who was erased stays noted where it is.
    """
    if ledger_in(connection, name) is None:
        return None
    if not _has_rows(connection):
        _drop(connection)
        return None
    kept = f"{KEPT}{datetime.now(UTC):%Y%m%dt%H%M%S}"
    connection.execute(text(f"CREATE SCHEMA {kept}"))
    for table in inspect(connection).get_table_names():
        if table not in STAYS:
            connection.execute(text(f"ALTER TABLE {table} SET SCHEMA {kept}"))
    connection.execute(text(f"ALTER FUNCTION refuse_change() SET SCHEMA {kept}"))
    return kept


def _tables(connection: Connection) -> list[str]:
    found = inspect(connection).get_table_names()
    return [table for table in found if table in metadata.tables or table == VERSION_TABLE]


def _has_rows(connection: Connection) -> bool:
    found = inspect(connection).get_table_names()
    filled = (metadata.tables[table] for table in FILLED if table in found)
    return any(connection.execute(select(1).select_from(table).limit(1)).first() for table in filled)


def _drop(connection: Connection) -> None:
    connection.execute(text(f"DROP TABLE {', '.join(_tables(connection))}"))
    connection.execute(text("DROP FUNCTION IF EXISTS refuse_change()"))
