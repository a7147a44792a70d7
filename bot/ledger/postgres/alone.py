"""Keeps bots away from a database while a command replaces it or needs it to stay as it is."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final

import psycopg

from bot.ledger.errors import LedgerInUse
from bot.ledger.postgres.address import name_of
from bot.ledger.postgres.connections import NAME, Connection, connect
from bot.ledger.postgres.server_errors import explained
from bot.ledger.postgres.upgrade import SCHEMA_LOCK

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
