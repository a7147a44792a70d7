"""Everything that is read from the ledger, on read-only connections."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields
from typing import Final

from sqlalchemy import bindparam, func, select, union
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.ledger.changes import HouseDraft
from bot.ledger.chip_queries import ChipQueries
from bot.ledger.member_queries import MemberQueries
from bot.ledger.reader import Statement
from bot.ledger.records import StoredHouse
from bot.ledger.schema import (
    chains,
    commands,
    house_changes,
    house_drafts,
    parties,
    servers,
)
from bot.ledger.table_queries import TableQueries

_HOUSE = [house_changes.c[field.name] for field in fields(StoredHouse)]
_OF_SERVER: Final = house_changes.c.server_id == bindparam("server")
_LAST: Final = (
    select(house_changes.c.server_id, func.max(house_changes.c.number).label("number"))
    .group_by(house_changes.c.server_id)
    .subquery()
)
_ANSWER: Final = Statement(select(commands.c.answer).where(commands.c.key == bindparam("key")))
_HEAD: Final = Statement(
    select(chains.c.last_link, chains.c.head).where(chains.c.server_id == bindparam("server"))
)
_HEADS_POSTED: Final = Statement(
    select(servers.c.server_id, servers.c.head_posted_at).where(servers.c.head_posted_at.is_not(None))
)
_KNOWN_SERVERS: Final = Statement(
    select(
        union(select(servers.c.server_id), select(chains.c.server_id), select(parties.c.server_id)).subquery()
    )
)
_HOUSES: Final = Statement(
    select(*_HOUSE).join(
        _LAST,
        (house_changes.c.server_id == _LAST.c.server_id) & (house_changes.c.number == _LAST.c.number),
    )
)
_HOUSE_HISTORY: Final = Statement(
    select(*_HOUSE).where(_OF_SERVER).order_by(house_changes.c.number.desc()).limit(bindparam("limit"))
)
_HOUSE_CHANGES_BY: Final = Statement(
    select(*_HOUSE)
    .where(_OF_SERVER, house_changes.c.party == bindparam("party"))
    .order_by(house_changes.c.number)
)
_HOUSE_DRAFT: Final = Statement(select(house_drafts).where(house_drafts.c.draft_id == bindparam("draft")))


class Queries(ChipQueries, TableQueries, MemberQueries):
    """Reads the ledger. Each query sees one snapshot with everything committed before it."""

    async def answer(self, key: str) -> str | None:
        """The answer stored with a change, or None; None also if the key is not committed."""
        answer: str | None = await self.value(_ANSWER, key=key)
        return answer

    async def head(self, server_id: int) -> tuple[int, bytes] | None:
        """The number and the hash of the last link of a server's chain; None if it has none."""
        row = await self.row(_HEAD, server=server_id)
        return None if row is None else (row[0], row[1])

    async def heads_posted(self) -> dict[int, float]:
        """When the head of each server's chain was last posted, in seconds since the epoch, UTC."""
        return dict(await self.rows(_HEADS_POSTED))

    async def known_servers(self) -> set[int]:
        """The servers that the bot has greeted, left, or anything is stored of."""
        return {server_id for (server_id,) in await self.rows(_KNOWN_SERVERS)}

    async def houses(self) -> list[StoredHouse]:
        """The last change of every server's house rules, which has the rules in force."""
        return [StoredHouse(*row) for row in await self.rows(_HOUSES)]

    async def house_history(self, server_id: int, limit: int) -> list[StoredHouse]:
        """The last changes of a server's house rules, the newest first."""
        rows = await self.rows(_HOUSE_HISTORY, server=server_id, limit=limit)
        return [StoredHouse(*row) for row in rows]

    async def house_changes_by(self, server_id: int, party: int) -> list[StoredHouse]:
        """The changes of a server's house rules that a member made, the oldest first."""
        rows = await self.rows(_HOUSE_CHANGES_BY, server=server_id, party=party)
        return [StoredHouse(*row) for row in rows]

    async def house_draft(self, draft_id: int) -> HouseDraft | None:
        """The draft with this id; None if there is none, or it was too old."""
        row = await self.row(_HOUSE_DRAFT, draft=draft_id)
        return None if row is None else HouseDraft(*row)


@asynccontextmanager
async def queries_of(engine: AsyncEngine) -> AsyncIterator[Queries]:
    """Queries on this engine of read-only connections, which is disposed of on exit."""
    queries = Queries(engine)
    try:
        yield queries
    finally:
        await queries.close()
        await engine.dispose()
