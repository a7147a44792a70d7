"""Checks a ledger file: SQLite's own check, the type of each value, and the audit."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Double, Table
from sqlalchemy.exc import DBAPIError

from bot.ledger.audit import Finding, audit
from bot.ledger.connections import reading_connection, reading_engine
from bot.ledger.copying import as_ledger_errors, copy_database, is_damage
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.queries import Queries
from bot.ledger.schema import metadata
from bot.ledger.upgrade import migrate, revision_of, revisions

MAX_PROBLEMS: Final = 1000
"""The most problems listed of one kind."""

Audit = Callable[[Queries], Awaitable[Sequence[Finding]]]
"""Lists what is wrong with a ledger."""


def problems_in(path: Path, *, extra_audits: Sequence[Audit] = ()) -> list[str]:
    """Checks a database file without writing to it; the bot may be running. Not for an event loop.

    An older file is copied beside itself, and the copy is upgraded and checked.

    Args:
        path: the SQLite file.
        extra_audits: audits to run after the ledger's own.

    Returns:
        The problems, one sentence each; empty if there are none.

    Raises:
        LedgerUnavailable: the file does not exist, cannot be read, is not a ledger, or is of a version that
            this program does not know.
    """
    try:
        with as_ledger_errors(path):
            revision = revision_of(path)
            problems = _file_problems(path)
            if revision != revisions()[-1]:
                return problems + _problems_when_upgraded(path, extra_audits)
            wrong_types = _type_problems(path)
        # The audit could not add up values of wrong types.
        return problems + (wrong_types or asyncio.run(_audited(path, [audit, *extra_audits])))
    except LedgerUnavailable as unavailable:
        cause = unavailable.__cause__
        error = cause.orig if isinstance(cause, DBAPIError) else cause
        if not is_damage(error):
            raise
        return [f"the file is damaged: {error}"]


def damage_in(path: Path) -> list[str]:
    """What SQLite's own check finds wrong with a file; empty if nothing.

    Raises:
        sqlite3.Error: the file cannot be read, or is not a database.
    """
    with closing(reading_connection(path)) as connection:
        rows = [row for (row,) in connection.execute(f"PRAGMA integrity_check({MAX_PROBLEMS})")]
    return [] if rows == ["ok"] else [f"SQLite says: {row}" for row in rows]


async def _audited(path: Path, audits: Sequence[Audit]) -> list[str]:
    engine = reading_engine(path)
    try:
        ledger = Queries(engine)
        return [str(finding) for run in audits for finding in await run(ledger)]
    finally:
        await engine.dispose()


def _problems_when_upgraded(path: Path, extra_audits: Sequence[Audit]) -> list[str]:
    with TemporaryDirectory(prefix=f".{path.name}-", dir=path.absolute().parent) as folder:
        copy = Path(folder) / path.name
        copy_database(path, copy)
        migrate(copy)
        return problems_in(copy, extra_audits=extra_audits)


def _file_problems(path: Path) -> list[str]:
    problems = damage_in(path)
    with closing(reading_connection(path)) as connection:
        for table, row_id, parent, _ in connection.execute("PRAGMA foreign_key_check"):
            problems.append(f"row {row_id} of {table} refers to a missing row of {parent}")
    return problems


def _type_problems(path: Path) -> list[str]:
    """Values of another type than their column's, which SQLite stores without complaint."""
    with closing(reading_connection(path)) as connection:
        return [
            problem for table in metadata.sorted_tables for problem in _type_problems_in(table, connection)
        ]


def _type_problems_in(table: Table, connection: sqlite3.Connection) -> Iterator[str]:
    keys = [column.name for column in table.primary_key]
    types = {column.name: _sqlite_types(column) for column in table.c}
    wrong = " OR ".join(
        f"typeof({name}) NOT IN ({', '.join(repr(one) for one in allowed)})"
        for name, allowed in types.items()
    )
    shown = ", ".join([*(f"quote({key})" for key in keys), *(f"typeof({name})" for name in types)])
    query = f"SELECT {shown} FROM {table.name} WHERE {wrong} LIMIT {MAX_PROBLEMS}"  # noqa: S608 - names from our schema
    for row in connection.execute(query):
        which = ", ".join(f"{key} {value}" for key, value in zip(keys, row, strict=False))
        for (name, allowed), stored in zip(types.items(), row[len(keys) :], strict=True):
            if stored not in allowed:
                yield f"{table.name}, {which}: {name} is {stored}, not {' or '.join(allowed)}"


def _sqlite_types(column: Column[object]) -> tuple[str, ...]:
    match column.type:
        case BigInteger() | Boolean():
            name = "integer"
        case Double():
            name = "real"
        case _:
            name = "text"
    return (name, "null") if column.nullable else (name,)
