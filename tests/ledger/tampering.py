"""Changes a database behind the ledger's back, as somebody can who has the file or the server's password."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from bot.ledger.postgres.address import is_postgres
from bot.ledger.sqlite.upgrade import append_only

REFUSALS = (sqlite3.IntegrityError, psycopg.errors.RaiseException)
"""What the databases raise by our triggers."""
_DROP_CHECKS = (
    "SELECT 'ALTER TABLE ' || conrelid::regclass || ' DROP CONSTRAINT ' || conname"
    " FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace"
)


def tamper(address: str, script: str) -> None:
    """Runs statements without triggers, checks and foreign keys. Bytes are written as `x'00'`."""
    if not is_postgres(address):
        triggers = append_only()
        drop = ";".join(f"DROP TRIGGER {trigger.split()[2]}" for trigger in triggers)
        with closing(sqlite3.connect(_path(address))) as file:
            file.executescript(f"PRAGMA ignore_check_constraints = ON; {drop}; {script}")
            for trigger in triggers:
                file.execute(trigger)
        return
    checks = (
        "SELECT conrelid::regclass || ' DROP CONSTRAINT ' || conname FROM pg_constraint WHERE contype = 'c'"
    )
    with closing(psycopg.connect(address)) as connection, connection:
        connection.execute("SET session_replication_role = replica")
        for (check,) in connection.execute(f"{checks} AND connamespace = 'public'::regnamespace").fetchall():
            connection.execute(f"ALTER TABLE {check}".encode())
        connection.execute(_for_postgres(script))


def run(address: str, statement: str) -> None:
    """Runs a statement as anybody does."""
    if is_postgres(address):
        with closing(psycopg.connect(address)) as server, server:
            server.execute(_for_postgres(statement))
    else:
        with closing(sqlite3.connect(_path(address))) as file, file:
            file.execute(statement)


def value(address: str, query: str) -> Any:
    """The first column of the only row that a query returns."""
    if is_postgres(address):
        with closing(psycopg.connect(address)) as server:
            ((found,),) = server.execute(_for_postgres(query))
    else:
        with closing(sqlite3.connect(_path(address))) as file:
            ((found,),) = file.execute(query)
    return found


def _path(address: str) -> Path:
    return Path(address.removeprefix("sqlite:///"))


def _for_postgres(script: str) -> bytes:
    return re.sub(r"\bx'([0-9a-f]*)'", r"'\\x\1'::bytea", script).encode()
