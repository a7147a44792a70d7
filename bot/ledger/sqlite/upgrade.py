"""Makes or migrates a database, with Alembic and in one transaction: a kill cannot split it."""

from contextlib import closing
from pathlib import Path
from typing import Final

from alembic.util import CommandError

from bot.ledger.errors import LedgerUnusable
from bot.ledger.schema import CHAINED, FILLED
from bot.ledger.sqlite.connections import migrating_engine, reading_connection, writing_connection
from bot.ledger.sqlite.storage_errors import as_ledger_errors
from bot.ledger.upgrade import make_or_migrate, revisions

_VERSION: Final = "alembic_version"


def append_only() -> list[str]:
    """The triggers by which SQLite refuses to change or delete links of the chain."""
    return [
        f"CREATE TRIGGER {table.name}_no_{verb.lower()} BEFORE {verb} ON {table.name} "
        f"BEGIN SELECT RAISE(ABORT, '{table.name} cannot be changed'); END"
        for table in CHAINED
        for verb in ("UPDATE", "DELETE")
    ]


def migrate(path: Path, busy_seconds: float = 5.0) -> None:
    """Makes a database of the newest schema, or migrates an older one.

    Args:
        path: the SQLite file, which may be empty; the caller made it, so that only its owner can read it.
    """
    engine = migrating_engine(path, busy_seconds)
    try:
        with as_ledger_errors(path, f"cannot open {path}"), engine.begin() as connection:
            make_or_migrate(connection, append_only())
    except CommandError as error:
        raise LedgerUnusable(f"{path} was made by another version of this program: {error}") from error
    finally:
        engine.dispose()


def roll_back(path: Path, busy_seconds: float = 5.0) -> None:
    """Undoes what a process left half done that was killed before the database had a WAL.

    A read-only connection cannot, and fails.
    """
    if path.with_name(f"{path.name}-journal").exists():
        with closing(writing_connection(path, busy_seconds)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def is_empty(path: Path, busy_seconds: float = 5.0) -> bool:
    """Whether a database is missing or has no tables, as after a kill during its creation."""
    return not _names_in(path, busy_seconds)


def is_ledger(path: Path, busy_seconds: float = 5.0) -> bool:
    """Whether any version of this program made a database."""
    return _VERSION in _names_in(path, busy_seconds)


def has_rows(path: Path, busy_seconds: float = 5.0) -> bool:
    """Whether anything was ever written to a ledger."""
    there = _names_in(path, busy_seconds).intersection(FILLED)
    with closing(reading_connection(path, busy_seconds)) as connection:
        return any(
            connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()  # noqa: S608 - our own names
            for table in there
        )


def _names_in(path: Path, busy_seconds: float) -> set[str]:
    """The names of all that is in a database; none if it is missing."""
    if path.is_dir():
        raise LedgerUnusable(f"{path} is a folder, not a database")
    if not path.exists() or path.stat().st_size == 0:
        return set()
    with closing(reading_connection(path, busy_seconds)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}


def revision_of(path: Path, busy_seconds: float = 5.0) -> str:
    """The version of a database's schema; raises LedgerUnusable if there is none that this program reads."""
    names = _names_in(path, busy_seconds)
    if not path.is_file():
        raise LedgerUnusable(f"there is no database {path}: check the path")
    if not names:
        raise LedgerUnusable(f"{path} is empty: there is no ledger in it")
    revision = None
    if _VERSION in names:
        with closing(reading_connection(path, busy_seconds)) as connection:
            found = connection.execute(f"SELECT version_num FROM {_VERSION}").fetchone()  # noqa: S608
            revision = None if found is None else str(found[0])
    if revision is None:
        raise LedgerUnusable(f"{path} is not a ledger of this program")
    if revision not in revisions():
        raise LedgerUnusable(
            f"{path} was made by another version of this program: its schema is {revision!r}"
        )
    return revision
