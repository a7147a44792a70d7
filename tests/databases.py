"""What tests with a database need again and again: an empty one, and compiled SQL. Each is made once."""

import itertools
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.dialects.postgresql.psycopg import PGDialectAsync_psycopg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.ext.asyncio import create_async_engine

from bot.ledger.files import OWNER_ONLY
from bot.ledger.postgres import connections as postgres
from bot.ledger.postgres.upgrade import migrate as migrate_postgres
from bot.ledger.schema import metadata
from bot.ledger.sqlite import connections as sqlite
from bot.ledger.sqlite.upgrade import migrate
from tests.postgres_server import joined, programs


def create_database(path: Path) -> Path:
    """Puts an empty database of the current version at this path, unless a file is there.

    Returns:
        The path.
    """
    _share_compiled_statements()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(OWNER_ONLY)
        path.write_bytes(_empty())
    return path


def greeted(database: Path, server_id: int) -> None:
    """Notes in a database that the bot has greeted a server, so that no welcome comes between."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO servers (server_id) VALUES (?)", (server_id,))


def new_postgres_database(template: str = "empty") -> str:
    """The address of a new and empty database of the current version, on a server that all tests share.

    The test is skipped where no server can be had.

    Args:
        template: `template1` for one without tables.
    """
    return copy_of_postgres(_server().format(template))


def copy_of_postgres(address: str) -> str:
    """The address of a copy of a database that nobody is connected to."""
    server, _, original = address.rpartition("/")
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with closing(psycopg.connect(f"{server}/postgres", autocommit=True)) as connection:
        # Files are copied in half the time that they take to be written as changes to them.
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {original} STRATEGY FILE_COPY")
    return f"{server}/{name}"


@contextmanager
def lost_commits(address: str) -> Iterator[None]:
    """Loses what is written in the block, as a failover does to a server that lacks it."""
    tables = [table.name for table in metadata.sorted_tables]
    with closing(psycopg.connect(address, autocommit=True)) as connection:
        connection.execute("CREATE SCHEMA earlier")
        for table in tables:
            connection.execute(f"CREATE TABLE earlier.{table} AS TABLE public.{table}")
        yield
        with connection.transaction():
            connection.execute("SET LOCAL session_replication_role = replica")
            for table in tables:
                connection.execute(f"DELETE FROM public.{table}")
                connection.execute(f"INSERT INTO public.{table} TABLE earlier.{table}")
            connection.execute("DROP SCHEMA earlier CASCADE")


_numbers = itertools.count()


@cache
def _server() -> str:
    """Starts a server that stops with this test run, or joins it; returns the address of a database on it."""
    if programs() is None:
        pytest.skip("there is no PostgreSQL server for this system on PyPI")
    _share_compiled_statements()
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    return joined(Path(tempfile.gettempdir(), f"gnau-postgres-{run}"), _create_empty)


def _create_empty(address: str) -> None:
    with closing(psycopg.connect(address.format("postgres"), autocommit=True)) as connection:
        connection.execute("CREATE DATABASE empty")
    migrate_postgres(address.format("empty"))


@cache
def _empty() -> bytes:
    folder = Path(tempfile.mkdtemp())
    try:
        migrate(folder / "empty.db")
        return (folder / "empty.db").read_bytes()
    finally:
        shutil.rmtree(folder)


@cache
def _share_compiled_statements() -> None:
    """Lets all databases of this process share compiled SQL, which each would otherwise compile again.

    SQLAlchemy finds a compiled statement by the dialect object, of which every database has its own.
    """
    patch = pytest.MonkeyPatch()
    for dialect, module in ((SQLiteDialect_aiosqlite, sqlite), (PGDialectAsync_psycopg, postgres)):
        patch.setattr(dialect, "__eq__", lambda one, other: type(one) is type(other))
        patch.setattr(dialect, "__hash__", lambda one: hash(type(one)))
        options: dict[str, object] = {"compiled_cache": {}}
        patch.setattr(module, "create_async_engine", partial(create_async_engine, execution_options=options))
