"""Makes or migrates a database on a server, one process at a time, and keeps bots away from one."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final

import psycopg
from alembic.util import CommandError

from bot.ledger.errors import LedgerInUse, LedgerUnusable
from bot.ledger.postgres.address import name_of
from bot.ledger.postgres.connections import NAME, Connection, connect, migrating_engine
from bot.ledger.postgres.processes import TABLES
from bot.ledger.postgres.server_errors import explained, failure_of
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


_IS_ALONE: Final = f"""
    SELECT pg_try_advisory_xact_lock({SCHEMA_LOCK}) AND NOT EXISTS (
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = %(name)s AND pid <> pg_backend_pid()
    )
"""  # noqa: S608 - our own number
_CLOSING_SECONDS: Final = 5.0
"""How long the server may list a connection that this program has just closed."""


@contextmanager
def alone(address: str) -> Iterator[None]:
    """Holds the lock that a starting bot waits for; refuses if one is connected.

    Call it while this process has no connection to the database. It does not wait for the lock of another.
    """
    with closing(_locked(address)) as connection:
        yield
        # The server may have ended it meanwhile, because nothing was asked.
        with suppress(psycopg.Error):
            connection.rollback()


def _locked(address: str) -> Connection:
    with explained(address):
        connection = connect(address)
        try:
            end = time.monotonic() + _CLOSING_SECONDS
            while connection.execute(_IS_ALONE, {"name": NAME}).fetchone() != (True,):
                if time.monotonic() > end:
                    raise LedgerInUse(
                        f"{name_of(address)} is in use: stop every bot and command that uses it first"
                    )
                time.sleep(0.05)
        except BaseException:
            connection.close()
            raise
    return connection
