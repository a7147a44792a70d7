"""Changes a database behind the ledger's back, as somebody can who has the file or the server's password."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Boolean

from bot.ledger.postgres.address import is_postgres
from bot.ledger.schema import metadata
from bot.ledger.sqlite.upgrade import append_only
from tests.databases import new_postgres_database

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
    with closing(psycopg.connect(address)) as server, server:
        _let_anything_in(server)
        server.execute(_for_postgres(script))


def copy_to_postgres(path: Path) -> str:
    """The address of a PostgreSQL database with the rows of a SQLite file, whatever is wrong with them."""
    address = new_postgres_database()
    with closing(sqlite3.connect(path)) as file, closing(psycopg.connect(address)) as server, server:
        _let_anything_in(server)
        server.execute("TRUNCATE keys")
        for table in metadata.sorted_tables:
            columns = ", ".join(table.c.keys())
            flags = [isinstance(column.type, Boolean) for column in table.c]
            with server.cursor().copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
                for row in file.execute(f"SELECT {columns} FROM {table}"):
                    copy.write_row([bool(one) if flag else one for one, flag in zip(row, flags, strict=True)])
    return address


def _let_anything_in(server: psycopg.Connection[Any]) -> None:
    server.execute("SET session_replication_role = replica")
    for (check,) in server.execute(_DROP_CHECKS).fetchall():
        server.execute(check)


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
