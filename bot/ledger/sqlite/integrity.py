"""Checks a ledger file: SQLite's own check (of the type of each value too), chains' ends, the audit."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Final

from bot.ledger.audit import audit
from bot.ledger.chain import GENESIS, LINK_TABLES, Link, link_problem
from bot.ledger.database import Audit
from bot.ledger.errors import LedgerDamaged, LedgerForeign
from bot.ledger.queries import Queries, queries_of
from bot.ledger.schema import CHAINED, metadata
from bot.ledger.sqlite.connections import SqliteReading, copy_database, reading_connection, writing_connection
from bot.ledger.sqlite.location import resolved
from bot.ledger.sqlite.regular_backups import backups_of
from bot.ledger.sqlite.storage_errors import SIDE_FILES, as_ledger_errors
from bot.ledger.sqlite.upgrade import migrate, revision_of
from bot.ledger.upgrade import revisions
from bot.rules.hashing import short_code

Connect = Callable[[Path, float], sqlite3.Connection]
MAX_PROBLEMS: Final = 1000
"""The most problems listed of one kind."""
_WRONG_VALUE: Final = " value in "
"""What SQLite says of a value with another type than its column's, or of a NULL where none may be."""
_NOT_STRICT: Final = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND NOT strict ORDER BY name"

_MAGIC: Final = b"SQLite format 3\x00"
_VERSIONS: Final = slice(18, 20)
"""Where the header of a database says whether it has a WAL."""
_WITHOUT_WAL: Final = b"\x01\x01"
SMALL_BYTES: Final = 4 * 2**20
"""SQLite checks a file up to this size at each start; with 1,000 open tables that takes 8 ms for each MiB."""


def problems_in(path: Path, *, extra_audits: Sequence[Audit] = ()) -> list[str]:
    """Checks a database file without writing to it; the bot may be running. Not for an event loop.

    An older file is copied beside itself, and the copy is upgraded and checked.

    Returns:
        The problems, one sentence each.
    """
    path = resolved(path)
    try:
        with as_ledger_errors(path):
            revision = revision_of(path)
            problems = damage_in(path)
            with closing(reading_connection(path)) as connection:
                for table, row_id, parent, _ in connection.execute("PRAGMA foreign_key_check"):
                    problems.append(f"row {row_id} of {table} refers to a missing row of {parent}")
                loose = [name for (name,) in connection.execute(_NOT_STRICT) if name in metadata.tables]
            if revision != revisions()[-1]:
                with _upgraded_copy(path) as copy:
                    return problems + problems_in(copy, extra_audits=extra_audits)
        problems += [f"the table {name} is not STRICT: its values can have any type" for name in loose]
        if loose or any(_WRONG_VALUE in problem for problem in problems):
            # The audit could not add up values of wrong types.
            return problems
        return problems + asyncio.run(_audited(path, [audit, *extra_audits]))
    except LedgerDamaged as found:
        return [f"the file is damaged: {found.damage}"]


def refuse_foreign_wal(database: Path) -> None:
    """Raises LedgerDamaged if a copy was put over a database while its WAL stayed: SQLite would mix them.

    The header of a database that has a WAL says so. That of our copies does not.
    """
    wal = database.with_name(f"{database.name}-wal")
    with as_ledger_errors(database), suppress(FileNotFoundError):
        if not wal.stat().st_size:
            return
        with database.open("rb") as file:
            header = file.read(_VERSIONS.stop)
        if header.startswith(_MAGIC) and header[_VERSIONS] == _WITHOUT_WAL:
            raise LedgerDamaged(database, f"a copy was put over it, and {wal} is not of that copy")


def refuse_no_database(database: Path) -> None:
    """Raises LedgerForeign for a file that is no SQLite database, unless something beside it is of one."""
    with as_ledger_errors(database), suppress(FileNotFoundError):
        with database.open("rb") as file:
            header = file.read(len(_MAGIC))
        beside = (database.with_name(database.name + suffix) for suffix in SIDE_FILES)
        if header not in (b"", _MAGIC) and not any(map(Path.exists, beside)) and not backups_of(database):
            raise LedgerForeign(database)


def refuse_damage(path: Path, busy_seconds: float = 5.0, connect: Connect = writing_connection) -> None:
    """Refuses a database of the newest schema with damage that would stop the bot later.

    A large file takes no longer. Not for an event loop.

    Args:
        connect: makes the connection; a killed process may have left something to one that can write.
    """
    with as_ledger_errors(path):
        damage = _damage_at_start(path, busy_seconds, connect)
    if damage is not None:
        raise LedgerDamaged(path, damage)


def _damage_at_start(path: Path, busy_seconds: float, connect: Connect) -> str | None:
    """The first damage: all that SQLite finds in a small file; else in schema and chains' ends."""
    with closing(connect(path, busy_seconds)) as connection:
        # The bot may write meanwhile.
        connection.execute("BEGIN")
        if path.stat().st_size <= SMALL_BYTES:
            # A wrong balance is no damage of the file: the audit names it, and the other tables are served.
            connection.execute("PRAGMA ignore_check_constraints=ON")
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                # Its first line only names the database.
                return str(found).splitlines()[-1]
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        indices = (str(index.name) for table in metadata.tables.values() for index in table.indexes)
        triggers = (f"{table.name}_no_{verb}" for table in CHAINED for verb in ("update", "delete"))
        if missing := sorted({*metadata.tables, *indices, *triggers} - names):
            return f"{missing[0]} is missing"
        return tail_problem(connection)


def damage_in(path: Path) -> list[str]:
    """What SQLite's own check finds wrong with a file, each in one line; empty if nothing."""
    with closing(reading_connection(path)) as connection:
        rows = [row for (row,) in connection.execute(f"PRAGMA integrity_check({MAX_PROBLEMS})")]
    if rows == ["ok"]:
        return []
    # Faults of pages are one row, whose first line only names the database.
    lines = [line for row in rows for line in row.splitlines() if not line.startswith("*** in database ")]
    return [f"SQLite says: {line}" for line in lines or rows]


@asynccontextmanager
async def reading(path: Path) -> AsyncIterator[Queries]:
    """Queries of a database file, which the bot may have open; of an upgraded copy if it is an older one."""
    path = resolved(path)
    with as_ledger_errors(path):
        is_newest = revision_of(path) == revisions()[-1]
    with nullcontext(path) if is_newest else _upgraded_copy(path) as readable:
        async with queries_of(SqliteReading(readable)) as queries:
            yield queries


async def _audited(path: Path, audits: Sequence[Audit]) -> list[str]:
    async with queries_of(SqliteReading(path)) as queries:
        return [str(finding) for run in audits for finding in await run(queries)]


@contextmanager
def _upgraded_copy(path: Path) -> Iterator[Path]:
    """A copy of a database at the newest version, for a while."""
    with TemporaryDirectory(prefix=f".{path.name}-", dir=path.absolute().parent) as folder:
        copy = Path(folder) / path.name
        copy_database(path, copy)
        migrate(copy)
        yield copy


TAIL_SERVERS: Final = 100
TAIL_LINKS: Final = 8
TAIL_EVENTS: Final = 500
"""How much is looked at: the longest chains, the last links of each, the last events of all."""
_IN_TAIL: Final = f"""
    WITH ends AS MATERIALIZED (SELECT * FROM chains ORDER BY last_link DESC LIMIT {TAIL_SERVERS}),
        last_events AS MATERIALIZED (SELECT * FROM events ORDER BY rowid DESC LIMIT {TAIL_EVENTS})
    SELECT {{}} USING (server_id) WHERE link > last_link - {TAIL_LINKS}
"""  # noqa: S608 - our own numbers
# A CROSS JOIN keeps its order in SQLite, which could otherwise read a whole table.
_TAILS: Final = {
    "transfers": _IN_TAIL.format("* FROM ends CROSS JOIN transfers"),
    "events": _IN_TAIL.format(
        "last_events.*, server_id FROM last_events CROSS JOIN tables USING (table_id) CROSS JOIN ends"
    ),
    "house_changes": _IN_TAIL.format("* FROM ends CROSS JOIN house_changes"),
}
"""The last links of each table of `LINK_TABLES`."""


def tail_problem(connection: sqlite3.Connection) -> str | None:
    """The first problem at the ends of the chains, in one sentence; None if there is none.

    It reads no more rows of a long ledger than of a short one.
    """
    tails: dict[int, dict[int, Link]] = {}
    for link_table in LINK_TABLES:
        rows = connection.execute(_TAILS[link_table.table.name])
        names = [name for name, *_ in rows.description]
        for row in rows:
            link = link_table.link(SimpleNamespace(**dict(zip(names, row, strict=True))))
            tails.setdefault(link.server_id, {})[link.link] = link
    for server_id, last_link, head in connection.execute("SELECT server_id, last_link, head FROM chains"):
        links = tails.get(server_id, {})
        for number in sorted(links):
            before = links.get(number - 1)
            # The links before that are not in the tail.
            if before is None and number > 1:
                continue
            previous = GENESIS if before is None else before.hash
            if (what := link_problem(links[number], number - 1, previous)) is not None:
                return f"server {server_id}: {what}"
        if last_link + 1 in links or (last_link in links and links[last_link].hash != head):
            return (
                f"server {server_id}: the chain does not end with link {last_link}, head {short_code(head)}"
            )
    return None
