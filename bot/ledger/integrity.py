"""Says whether a file is a whole ledger: SQLite's own check, the kind of each value, and the audit."""

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
from bot.ledger.copying import copy_database, is_damage, told_of
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.queries import Queries
from bot.ledger.schema import metadata
from bot.ledger.upgrade import revision_of, revisions, upgrade

MOST_FAULTS: Final = 1000
"""How many faults of one kind are told: who has as many does not mend them one by one."""

Audit = Callable[[Queries], Awaitable[Sequence[Finding]]]
"""Says what is wrong with a ledger."""


def faults_of(path: Path, *, and_by: Sequence[Audit] = ()) -> list[str]:
    """Checks a database file without writing to it, also while somebody else does; not in an event loop.

    A file of an older version is copied beside itself, and the copy is brought up to date and checked: what
    the migrations would make of it is what matters.

    Args:
        path: the SQLite file.
        and_by: what audits it besides the ledger's own audit.

    Returns:
        What is wrong, entry by entry; empty where all is well.

    Raises:
        LedgerUnavailable: where there is no such file, it cannot be read, is no ledger, or is newer than this
            program: nothing is known of it then.
    """
    try:
        with told_of(path):
            revision = revision_of(path)
            faults = _faults_of_file(path)
            if revision != revisions()[-1]:
                return faults + _faults_when_upgraded(path, and_by)
            mistyped = _mistyped(path)
        # What adds up the wrong kinds of things would only stumble over them.
        return faults + (mistyped or asyncio.run(_audited(path, [audit, *and_by])))
    except LedgerUnavailable as unavailable:
        cause = unavailable.__cause__
        error = cause.orig if isinstance(cause, DBAPIError) else cause
        if not is_damage(error):
            raise
        return [f"the file is damaged: {error}"]


def damage_of(path: Path) -> list[str]:
    """What SQLite itself finds wrong with a database file, of whatever program; empty where nothing is.

    Raises:
        sqlite3.Error: where the file cannot be read, or is no database.
    """
    with closing(reading_connection(path)) as connection:
        told = [row for (row,) in connection.execute(f"PRAGMA integrity_check({MOST_FAULTS})")]
    return [] if told == ["ok"] else [f"SQLite says: {row}" for row in told]


async def _audited(path: Path, audits: Sequence[Audit]) -> list[str]:
    engine = reading_engine(path)
    try:
        ledger = Queries(engine)
        return [str(finding) for one in audits for finding in await one(ledger)]
    finally:
        await engine.dispose()


def _faults_when_upgraded(path: Path, and_by: Sequence[Audit]) -> list[str]:
    with TemporaryDirectory(prefix=f".{path.name}-", dir=path.absolute().parent) as folder:
        copy = Path(folder) / path.name
        copy_database(path, copy)
        upgrade(copy)
        return faults_of(copy, and_by=and_by)


def _faults_of_file(path: Path) -> list[str]:
    faults = damage_of(path)
    with closing(reading_connection(path)) as connection:
        for table, row_id, parent, _ in connection.execute("PRAGMA foreign_key_check"):
            faults.append(f"row {row_id} of {table} names a row of {parent} that is not there")
    return faults


def _mistyped(path: Path) -> list[str]:
    """Values of another kind than their column's: SQLite itself stores anything anywhere."""
    with closing(reading_connection(path)) as connection:
        return [fault for table in metadata.sorted_tables for fault in _mistyped_in(table, connection)]


def _mistyped_in(table: Table, connection: sqlite3.Connection) -> Iterator[str]:
    keys = [column.name for column in table.primary_key]
    kinds = {column.name: _kinds(column) for column in table.c}
    wrong = " OR ".join(
        f"typeof({name}) NOT IN ({', '.join(repr(kind) for kind in allowed)})"
        for name, allowed in kinds.items()
    )
    shown = ", ".join([*(f"quote({key})" for key in keys), *(f"typeof({name})" for name in kinds)])
    query = f"SELECT {shown} FROM {table.name} WHERE {wrong} LIMIT {MOST_FAULTS}"  # noqa: S608 - our schema's
    for row in connection.execute(query):
        which = ", ".join(f"{key} {value}" for key, value in zip(keys, row, strict=False))
        for (name, allowed), kind in zip(kinds.items(), row[len(keys) :], strict=True):
            if kind not in allowed:
                yield f"{table.name}, {which}: {name} is of the kind {kind}, and not {' or '.join(allowed)}"


def _kinds(column: Column[object]) -> tuple[str, ...]:
    match column.type:
        case BigInteger() | Boolean():
            kind = "integer"
        case Double():
            kind = "real"
        case _:
            kind = "text"
    return (kind, "null") if column.nullable else (kind,)
