"""Makes or migrates a database on a server, in one transaction, one process at a time."""

from collections.abc import Callable
from contextlib import closing
from typing import Final

from alembic.util import CommandError

from bot.ledger.errors import LedgerUnusable
from bot.ledger.postgres.address import name_of
from bot.ledger.postgres.connections import Connection, connect, migrating_engine
from bot.ledger.postgres.processes import TABLES
from bot.ledger.postgres.server_errors import failure_of
from bot.ledger.schema import CHAINED
from bot.ledger.upgrade import make_or_migrate, revision_in, revisions

SCHEMA_LOCK: Final = "hashtext('gnau schema')"
_ONE_AT_A_TIME: Final = f"SELECT pg_advisory_xact_lock({SCHEMA_LOCK})"
"""Processes that start at once make a database once."""
NOTES: Final = "CREATE TABLE IF NOT EXISTS erased_parties (party BIGINT PRIMARY KEY)"
"""Who was erased. It is in no backup, so that one that is restored leaves it as it is."""
STAYS: Final = ("erased_parties", "notifications", "logins")
"""The tables that no backup has, and no restore touches: the second and third are between processes."""
_SETTINGS: Final = ("fsync", "synchronous_commit", "full_page_writes")
"""What must be on, or a commit may be lost after it was told to a member."""


def append_only() -> list[str]:
    """The triggers by which the server refuses to change or delete links of the chain."""
    function = (
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$BEGIN RAISE EXCEPTION '%% cannot be changed', TG_TABLE_NAME; END$$"
    )
    triggers = (
        f"CREATE TRIGGER {table.name}_no_{verb.lower()} BEFORE {verb} ON {table.name} "
        f"FOR EACH {'STATEMENT' if verb == 'TRUNCATE' else 'ROW'} EXECUTE FUNCTION refuse_change()"
        for table in CHAINED
        for verb in ("UPDATE", "DELETE", "TRUNCATE")
    )
    return [function, *triggers]


def migrate(address: str, opened: Callable[[Connection], None] | None = None) -> tuple[str | None, str]:
    """Makes a database of the newest schema, or migrates an older one.

    Args:
        opened: is given the connection.

    Returns:
        The version before and after.
    """
    engine = migrating_engine(address, opened)
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(_ONE_AT_A_TIME)
            before = revision_in(connection)
            make_or_migrate(connection, append_only())
            for statement in (NOTES, *TABLES):
                connection.exec_driver_sql(statement)
    except CommandError as error:
        text = f"{name_of(address)} was made by another version of this program: {error}"
        raise LedgerUnusable(text) from error
    except Exception as error:
        if (failure := failure_of(error)) is None:
            raise
        raise type(failure)(f"{name_of(address)}: {failure}") from error
    finally:
        engine.dispose()
    return before, revisions()[-1]


def unsafe_settings(address: str) -> list[str]:
    """The server's settings that are off, so that what a member was told may be lost in a crash."""
    with closing(connect(address)) as connection:
        found = {name: connection.execute(f"SHOW {name}").fetchone() for name in _SETTINGS}
    return [name for name, row in found.items() if row == ("off",)]
