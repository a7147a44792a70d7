"""What tests with a database need again and again: an empty one, and compiled SQL. Each is made once."""

import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import cache, partial
from pathlib import Path

import pytest
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.ext.asyncio import create_async_engine

from bot.ledger.sqlite import connections
from bot.ledger.sqlite.location import OWNER_ONLY
from bot.ledger.sqlite.upgrade import migrate


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
    patch.setattr(SQLiteDialect_aiosqlite, "__eq__", lambda one, other: type(one) is type(other))
    patch.setattr(SQLiteDialect_aiosqlite, "__hash__", lambda dialect: hash(type(dialect)))
    options: dict[str, object] = {"compiled_cache": {}}
    patch.setattr(connections, "create_async_engine", partial(create_async_engine, execution_options=options))
