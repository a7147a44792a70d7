"""Moves a database to another place, and to another engine: all rows, but for members who were erased."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, Table, case, delete, exists, func, null, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.database import Database
from bot.ledger.errors import LedgerCorrupt
from bot.ledger.schema import (
    achievements,
    admin_notes,
    bans,
    chains,
    direct_channels,
    keys,
    metadata,
    parties,
    plans,
    seed_words,
    standings,
    tallies,
)
from bot.ledger.sql import listed

BATCH: Final = 5_000
"""How many rows are in memory at once."""
Progress = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""Given how many rows there are, what is told how many more are copied."""
_STAYS: Final = parties.c.party.not_in(listed("erased"))
_ONLY: Final[dict[Table, Any]] = {
    **{
        table: table.c.party.not_in(listed("erased"))
        for table in (parties, seed_words, standings, tallies, achievements, plans)
    },
    admin_notes: admin_notes.c.party.not_in(listed("erased")) & admin_notes.c.admin.not_in(listed("erased")),
    direct_channels: exists().where(parties.c.user_id == direct_channels.c.user_id, _STAYS),
}
"""Which rows are copied, where that is not all. A backup that was put back by hand has erased members."""
_IS_ADMIN: Final = bans.c.admin.in_(listed("erased"))
_IS_BANNED: Final = bans.c.party.in_(listed("erased"))
_WITHOUT_ERASED: Final = {
    bans.c.party: case((_IS_BANNED, null()), else_=bans.c.party),
    bans.c.admin: case((_IS_BANNED | _IS_ADMIN, null()), else_=bans.c.admin),
    bans.c.words: case((_IS_BANNED | _IS_ADMIN, ""), else_=bans.c.words),
}
"""What is copied of columns of which a part stays when a member is erased."""


@dataclass(frozen=True, slots=True)
class Copied:
    """How much was copied."""

    rows: int
    servers: int


async def copy_database(source: Database, target: Database, progress: Progress) -> Copied:
    """Copies a database that no bot has open into an empty one, and compares the two.

    Raises:
        LedgerCorrupt: the copy has problems, so that nothing is kept of it.
    """
    async with source.frozen() as queries:
        erased = source.noted_erasures()
        async with target.filled(erased) as filled, queries.reading() as snapshot:
            named = {"erased": json.dumps(erased)}
            counts = {table: await _count(snapshot, table, named) for table in metadata.sorted_tables}
            # A new database has a key of its own.
            await filled.execute(delete(keys))
            with progress(sum(counts.values())) as copied:
                for table in counts:
                    columns = [_WITHOUT_ERASED.get(column, column) for column in table.c]
                    query = _chosen(table, select(*columns)).execution_options(yield_per=BATCH)
                    has_names = table in _ONLY or table is bans
                    async with snapshot.stream(query, named if has_names else {}) as rows:
                        async for part in rows.partitions(BATCH):
                            await target.add_rows(filled, table, [tuple(row) for row in part])
                            copied(len(part))
            await _compare(snapshot, filled, counts)
            return Copied(sum(counts.values()), counts[chains])


def _chosen(table: Table, query: Select[Any]) -> Select[Any]:
    return query.where(_ONLY[table]) if table in _ONLY else query


async def _count(snapshot: AsyncConnection, table: Table, named: dict[str, str]) -> int:
    query = _chosen(table, select(func.count()).select_from(table))
    return int((await snapshot.execute(query, named if table in _ONLY else {})).scalar_one())


async def _compare(snapshot: AsyncConnection, filled: AsyncConnection, counts: dict[Table, int]) -> None:
    """Raises LedgerCorrupt if rows are missing, or a chain has another end."""
    for table, count in counts.items():
        found = (await filled.execute(select(func.count()).select_from(table))).scalar_one()
        if found != count:
            raise LedgerCorrupt([f"{table.name} should have {count} rows, and has {found}"])
    ends = select(chains.c.server_id, chains.c.last_link, chains.c.head).order_by(chains.c.server_id)
    async with snapshot.stream(ends) as ours, filled.stream(ends) as theirs:
        async for one in ours:
            if one != await theirs.fetchone():
                raise LedgerCorrupt([f"server {one.server_id}: the chain has another end"])
