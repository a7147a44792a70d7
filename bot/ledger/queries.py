"""Everything that is read from the ledger, on read-only connections."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import fields

from sqlalchemy import Select, Subquery, func, select, union_all
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.ledger.changes import DirectChannel, HouseDraft
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.records import Entry, Held, Purse, Rank, Standing, StoredEvent, StoredHouse, StoredTable
from bot.ledger.schema import (
    accounts,
    commands,
    deadlines,
    events,
    house_changes,
    house_drafts,
    members,
    tables,
    transfers,
)
from bot.table.accounts import OF_CHIPS, AccountKind

_TABLE = [tables.c[field.name] for field in fields(StoredTable)]
_HOUSE = [house_changes.c[field.name] for field in fields(StoredHouse)]


class Queries:
    """Reads the ledger. Each query sees one snapshot with everything committed before it.

    Every method raises LedgerUnavailable if the storage cannot be read.

    Args:
        engine: the engine for queries.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._reading_engine = engine

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that reads one snapshot.

        Raises:
            LedgerUnavailable: the storage cannot be read.
        """
        try:
            async with self._reading_engine.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise LedgerUnavailable(str(error.orig)) from error

    async def was_done(self, key: str) -> bool:
        """Whether a change with this key is committed."""
        async with self.reading() as connection:
            return (
                await connection.execute(select(commands.c.key).where(commands.c.key == key))
            ).first() is not None

    async def answer(self, key: str) -> str | None:
        """The answer stored with a change, or None; None also if the key is not committed."""
        async with self.reading() as connection:
            query = select(commands.c.answer).where(commands.c.key == key)
            return (await connection.execute(query)).scalar_one_or_none()

    async def purse(self, server_id: int, member_id: int) -> Purse | None:
        """What a member has in a server; None without a wallet."""
        query = (
            select(
                accounts.c.kind, accounts.c.balance, tables.c.table_id, tables.c.number, tables.c.channel_id
            )
            .select_from(accounts.outerjoin(tables, accounts.c.table_id == tables.c.table_id))
            .where(accounts.c.server_id == server_id, accounts.c.member_id == member_id)
            .order_by(tables.c.number)
        )
        wallet: int | None = None
        score = 0
        held: list[Held] = []
        async with self.reading() as connection:
            for kind, balance, table_id, number, channel_id in await connection.execute(query):
                if kind == AccountKind.WALLET:
                    wallet = balance
                elif kind == AccountKind.SCORE:
                    score = balance
                elif balance:
                    held.append(Held(table_id, number, channel_id, balance))
        return None if wallet is None else Purse(wallet, tuple(held), score)

    async def wallets(self, server_id: int, member_ids: Iterable[int]) -> dict[int, int]:
        """The free chips of several members; members without a wallet are omitted."""
        return await self._balances(server_id, member_ids, AccountKind.WALLET)

    async def scores(self, server_id: int, member_ids: Iterable[int]) -> dict[int, int]:
        """The running scores of several members (G22); members who never scored are omitted."""
        return await self._balances(server_id, member_ids, AccountKind.SCORE)

    async def _balances(self, server_id: int, member_ids: Iterable[int], kind: AccountKind) -> dict[int, int]:
        query = select(accounts.c.member_id, accounts.c.balance).where(
            accounts.c.server_id == server_id,
            accounts.c.member_id.in_(list(member_ids)),
            accounts.c.kind == kind,
        )
        async with self.reading() as connection:
            return dict((await connection.execute(query)).all())

    async def holds(self, table_id: int) -> dict[int, int]:
        """The chips held at a table, by member; members without a hold are omitted."""
        query = select(accounts.c.member_id, accounts.c.balance).where(
            accounts.c.table_id == table_id, accounts.c.kind == AccountKind.HOLD, accounts.c.balance != 0
        )
        async with self.reading() as connection:
            return dict((await connection.execute(query)).all())

    async def entries(self, server_id: int, member_id: int, limit: int) -> list[Entry]:
        """The last transfers by which a member gained or lost chips, the newest first.

        Transfers between a member's own wallet and holds are omitted.

        Args:
            server_id: in which server.
            member_id: whose.
            limit: the most entries.
        """

        def side(gained: bool) -> Select[tuple[int, int, int | None]]:
            party = transfers.c.gainer_id if gained else transfers.c.loser_id
            other = transfers.c.loser_id if gained else transfers.c.gainer_id
            chips = transfers.c.chips if gained else -transfers.c.chips
            last = (
                select(transfers.c.sequence, chips.label("chips"), other.label("other_id"))
                .where(transfers.c.server_id == server_id, party == member_id)
                .order_by(transfers.c.sequence.desc())
                .limit(limit)
                .subquery()
            )
            return select(last.c.sequence, last.c.chips, last.c.other_id)

        both = union_all(side(gained=True), side(gained=False)).subquery()
        query = (
            select(
                transfers.c.sequence,
                transfers.c.at,
                both.c.chips,
                transfers.c.reason,
                transfers.c.table_id,
                tables.c.number,
                transfers.c.round_number,
                both.c.other_id,
            )
            .select_from(
                both.join(
                    transfers,
                    (transfers.c.server_id == server_id) & (transfers.c.sequence == both.c.sequence),
                ).outerjoin(tables, tables.c.table_id == transfers.c.table_id)
            )
            .order_by(both.c.sequence.desc())
            .limit(limit)
        )
        async with self.reading() as connection:
            return [Entry(*row) for row in await connection.execute(query)]

    async def leaderboard(self, server_id: int, limit: int) -> list[Rank]:
        """The members with the most chips, holds included; equals by the age of their Discord account."""
        ranks = _ranks(server_id, OF_CHIPS)
        query = select(ranks).order_by(ranks.c.place, ranks.c.member_id).limit(limit)
        async with self.reading() as connection:
            return [Rank(*row) for row in await connection.execute(query)]

    async def rank(self, server_id: int, member_id: int) -> Rank | None:
        """A member's place on the leaderboard; None without a wallet."""
        ranks = _ranks(server_id, OF_CHIPS)
        async with self.reading() as connection:
            row = (
                await connection.execute(select(ranks).where(ranks.c.member_id == member_id))
            ).one_or_none()
        return None if row is None else Rank(*row)

    async def scoreboard(self, server_id: int, limit: int) -> list[Standing]:
        """The members with the most points (G22); equals by the age of their Discord account."""
        standings = _ranks(server_id, [AccountKind.SCORE])
        query = select(standings).order_by(standings.c.place, standings.c.member_id).limit(limit)
        async with self.reading() as connection:
            return [Standing(*row) for row in await connection.execute(query)]

    async def standing(self, server_id: int, member_id: int) -> Standing | None:
        """A member's place on the scoreboard; None if they never won or lost a point."""
        standings = _ranks(server_id, [AccountKind.SCORE])
        query = select(standings).where(standings.c.member_id == member_id)
        async with self.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else Standing(*row)

    async def open_tables(self) -> list[StoredTable]:
        """Every open table of every server, the oldest first."""
        return await self._tables(select(*_TABLE).where(tables.c.is_open).order_by(tables.c.opened_at))

    async def table(self, table_id: int) -> StoredTable | None:
        """The table with this id, open or closed."""
        return next(iter(await self._tables(select(*_TABLE).where(tables.c.table_id == table_id))), None)

    async def table_open_in(self, channel_id: int) -> StoredTable | None:
        """The open table of a channel or thread."""
        query = select(*_TABLE).where(tables.c.channel_id == channel_id, tables.c.is_open)
        return next(iter(await self._tables(query)), None)

    async def table_numbered(self, server_id: int, number: int) -> StoredTable | None:
        """The table with this number in a server, open or closed."""
        query = select(*_TABLE).where(tables.c.server_id == server_id, tables.c.number == number)
        return next(iter(await self._tables(query)), None)

    async def _tables(self, query: Select[*tuple[object, ...]]) -> list[StoredTable]:
        async with self.reading() as connection:
            return [StoredTable(**row) for row in (await connection.execute(query)).mappings()]

    async def next_table_number(self, server_id: int) -> int:
        """The number for the server's next table.

        Two callers at once get the same number; the second to commit it gets Unstorable.
        """
        query = select(func.coalesce(func.max(tables.c.number), 0) + 1).where(tables.c.server_id == server_id)
        async with self.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def events(self, table_id: int, round_number: int | None = None) -> list[StoredEvent]:
        """A table's events in order; all of them, or those of one round."""
        query = select(
            events.c.sequence,
            events.c.round_number,
            events.c.kind,
            events.c.body,
            events.c.command_key,
            events.c.at,
        ).where(events.c.table_id == table_id)
        if round_number is not None:
            query = query.where(events.c.round_number == round_number)
        async with self.reading() as connection:
            return [StoredEvent(*row) for row in await connection.execute(query.order_by(events.c.sequence))]

    async def deadlines(self) -> dict[int, float]:
        """When each table continues automatically, in seconds since the epoch, UTC; the soonest first."""
        query = select(deadlines.c.table_id, deadlines.c.at).order_by(deadlines.c.at)
        async with self.reading() as connection:
            return dict((await connection.execute(query)).all())

    async def direct_channels(self, member_ids: Iterable[int]) -> dict[int, DirectChannel]:
        """How to reach these members by direct message; unknown members are omitted."""
        query = select(members).where(members.c.member_id.in_(list(member_ids)))
        async with self.reading() as connection:
            return {row.member_id: DirectChannel(*row) for row in await connection.execute(query)}

    async def houses(self) -> list[StoredHouse]:
        """The last change of every server's house rules, which has the rules in force."""
        number = func.max(house_changes.c.number).label("number")
        last = select(house_changes.c.server_id, number).group_by(house_changes.c.server_id).subquery()
        is_last = (house_changes.c.server_id == last.c.server_id) & (house_changes.c.number == last.c.number)
        query = select(*_HOUSE).select_from(house_changes.join(last, is_last))
        async with self.reading() as connection:
            return [StoredHouse(*row) for row in await connection.execute(query)]

    async def house_history(self, server_id: int, limit: int) -> list[StoredHouse]:
        """The last changes of a server's house rules, the newest first."""
        query = (
            select(*_HOUSE)
            .where(house_changes.c.server_id == server_id)
            .order_by(house_changes.c.number.desc())
            .limit(limit)
        )
        async with self.reading() as connection:
            return [StoredHouse(*row) for row in await connection.execute(query)]

    async def house_draft(self, draft_id: int) -> HouseDraft | None:
        """The draft with this id; None if there is none, or it was too old."""
        query = select(house_drafts).where(house_drafts.c.draft_id == draft_id)
        async with self.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else HouseDraft(*row)


def _ranks(server_id: int, kinds: Iterable[AccountKind]) -> Subquery:
    """Place, member, and the sum of their accounts of these kinds, for every member who has any."""
    chips = func.sum(accounts.c.balance)
    place = func.rank().over(order_by=chips.desc())
    return (
        select(place.label("place"), accounts.c.member_id, chips.label("chips"))
        .where(
            accounts.c.server_id == server_id,
            accounts.c.member_id.is_not(None),
            accounts.c.kind.in_(list(kinds)),
        )
        .group_by(accounts.c.member_id)
        .subquery()
    )
