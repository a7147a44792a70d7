"""Audits the whole ledger: lists everything that is wrong, entry by entry."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Subquery, func, or_, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.chain_check import LINK_TABLES, chain_problems
from bot.ledger.queries import Queries
from bot.ledger.schema import (
    accounts,
    commands,
    deadlines,
    events,
    house_changes,
    parties,
    seed_words,
    tables,
    transfers,
)
from bot.ledger.sql import total
from bot.rules.shuffle import words_code
from bot.table.accounts import OVERDRAWN, AccountKind, loser_and_gainer, owner_by_name

DEALT: Final = "hands_dealt"
"""The kind of event after which a round must end."""
ENDS: Final = ("round_settled", "round_called_off")
"""The kinds of events that end a round."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem."""

    server_id: int
    what: str

    def __str__(self) -> str:
        return f"server {self.server_id}: {self.what}"


async def audit(ledger: Queries) -> list[Finding]:
    """Checks every server, as docs/STORAGE.md says; returns the problems by server.

    The ledger may be written to meanwhile: the audit reads one snapshot.
    """
    findings: list[Finding] = []
    async with ledger.reading() as connection:
        for check in (
            _balances,
            _orphans,
            _sums,
            _names,
            _chain,
            _indexed_parties,
            _words,
            _unknown_commands,
            _holds,
            _event_counts,
            _rounds,
            _houses,
        ):
            findings.extend([finding async for finding in check(connection)])
    return sorted(findings, key=lambda finding: finding.server_id)


def _sums_of_entries() -> Subquery:
    """The sum of each account's transfers."""
    entries = union_all(
        select(transfers.c.server_id, transfers.c.target.label("account"), transfers.c.chips.label("chips")),
        select(transfers.c.server_id, transfers.c.source, -transfers.c.chips),
    ).subquery()
    return (
        select(entries.c.server_id, entries.c.account, total(entries.c.chips).label("chips"))
        .group_by(entries.c.server_id, entries.c.account)
        .subquery()
    )


async def _balances(connection: AsyncConnection) -> AsyncIterator[Finding]:
    made = _sums_of_entries()
    entries = func.coalesce(made.c.chips, 0)
    same = (made.c.server_id == accounts.c.server_id) & (made.c.account == accounts.c.account)
    query = (
        select(accounts.c.server_id, accounts.c.account, accounts.c.kind, accounts.c.balance, entries)
        .select_from(accounts.outerjoin(made, same))
        .where(or_(accounts.c.balance != entries, accounts.c.balance < 0))
    )
    for server_id, account, kind, balance, chips in await connection.execute(query):
        if balance != chips:
            yield Finding(server_id, f"{account} has {balance} chips, but its entries sum to {chips}")
        if balance < 0 and kind not in OVERDRAWN:
            yield Finding(server_id, f"{account} is below zero, at {balance} chips")


async def _orphans(connection: AsyncConnection) -> AsyncIterator[Finding]:
    made = _sums_of_entries()
    same = (made.c.server_id == accounts.c.server_id) & (made.c.account == accounts.c.account)
    query = (
        select(made.c.server_id, made.c.account, made.c.chips)
        .select_from(made.outerjoin(accounts, same))
        .where(accounts.c.account.is_(None))
    )
    for server_id, account, chips in await connection.execute(query):
        yield Finding(
            server_id, f"{account} has entries that sum to {chips} chips, but no such account exists"
        )


async def _sums(connection: AsyncConnection) -> AsyncIterator[Finding]:
    balances = total(accounts.c.balance)
    every = select(accounts.c.server_id, balances).group_by(accounts.c.server_id).having(balances != 0)
    for server_id, chips in await connection.execute(every):
        yield Finding(server_id, f"all balances sum to {chips} chips, not to zero")
    scores = every.where(accounts.c.kind == AccountKind.SCORE)
    for server_id, points in await connection.execute(scores):
        yield Finding(server_id, f"all scores sum to {points} points, not to zero")


async def _names(connection: AsyncConnection) -> AsyncIterator[Finding]:
    columns = accounts.c
    query = select(columns.server_id, columns.account, columns.kind, columns.party, columns.table_id)
    async with connection.stream(query) as rows:
        async for server_id, account, kind, party, table_id in rows:
            parts = (kind, table_id, party)
            if account != ":".join(str(part) for part in parts if part is not None):
                yield Finding(
                    server_id,
                    f"{account} is stored as the {kind} of party {party} at table {table_id}",
                )


async def _chain(connection: AsyncConnection) -> AsyncIterator[Finding]:
    async for server_id, what in chain_problems(connection):
        yield Finding(server_id, what)


async def _indexed_parties(connection: AsyncConnection) -> AsyncIterator[Finding]:
    columns = transfers.c
    query = select(
        columns.server_id, columns.link, columns.source, columns.target, columns.loser, columns.gainer
    )
    async with connection.stream(query) as rows:
        async for server_id, link, source, target, loser, gainer in rows:
            if (loser, gainer) != loser_and_gainer(owner_by_name(source), owner_by_name(target)):
                what = f"transfer {link} from {source} to {target} is indexed under the wrong parties"
                yield Finding(server_id, what)


async def _words(connection: AsyncConnection) -> AsyncIterator[Finding]:
    """Words whose code, which events have, is of other words."""
    query = select(parties.c.server_id, seed_words).join(
        parties, parties.c.party == seed_words.c.party, isouter=True
    )
    async with connection.stream(query) as rows:
        async for row in rows:
            if row.client_seed != words_code(row.salt, row.words):
                yield Finding(row.server_id or 0, f"the words with the code {row.client_seed} were changed")


async def _unknown_commands(connection: AsyncConnection) -> AsyncIterator[Finding]:
    for link_table in LINK_TABLES:
        known = commands.c.key == link_table.table.c.command_key
        unknown = link_table.query.outerjoin(commands, known).where(commands.c.key.is_(None))
        for row in await connection.execute(unknown):
            what = (
                f"{link_table.link(row).name} was made by {row.command_key}, but no such command is committed"
            )
            yield Finding(row.server_id, what)


async def _holds(connection: AsyncConnection) -> AsyncIterator[Finding]:
    query = (
        select(
            accounts.c.server_id,
            accounts.c.account,
            accounts.c.balance,
            accounts.c.table_id,
            tables.c.is_open,
            tables.c.is_playing,
        )
        .select_from(accounts.outerjoin(tables, tables.c.table_id == accounts.c.table_id))
        .where(accounts.c.kind == AccountKind.HOLD, accounts.c.balance != 0)
    )
    for server_id, account, balance, table_id, is_open, is_playing in await connection.execute(query):
        if is_open is None:
            yield Finding(server_id, f"{account} holds {balance} chips, but there is no table {table_id}")
        elif not is_open:
            yield Finding(server_id, f"{account} holds {balance} chips, but table {table_id} is closed")
        elif not is_playing:
            yield Finding(server_id, f"{account} holds {balance} chips, but table {table_id} is not playing")


async def _event_counts(connection: AsyncConnection) -> AsyncIterator[Finding]:
    last, count = func.coalesce(func.max(events.c.sequence), 0), func.count(events.c.sequence)
    query = (
        select(tables.c.server_id, tables.c.table_id, tables.c.sequence, last, count)
        .select_from(tables.outerjoin(events, events.c.table_id == tables.c.table_id))
        .group_by(tables.c.table_id)
        .having(or_(tables.c.sequence != last, tables.c.sequence != count))
    )
    for server_id, table_id, sequence, highest, number in await connection.execute(query):
        yield Finding(
            server_id,
            f"table {table_id} is at event {sequence}, but {number} are stored, up to number {highest}",
        )


async def _rounds(connection: AsyncConnection) -> AsyncIterator[Finding]:
    """Rounds that were dealt, and that neither ended nor have a deadline that will end them."""
    following = func.lead(events.c.kind).over(partition_by=events.c.table_id, order_by=events.c.sequence)
    turns = (
        select(events.c.table_id, events.c.sequence, events.c.kind, following.label("following"))
        .where(events.c.kind.in_([DEALT, *ENDS]))
        .subquery()
    )
    will_end = tables.c.is_open & deadlines.c.at.is_not(None)
    query = (
        select(tables.c.server_id, turns.c.table_id, turns.c.sequence)
        .select_from(
            turns.join(tables, tables.c.table_id == turns.c.table_id).outerjoin(
                deadlines, deadlines.c.table_id == turns.c.table_id
            )
        )
        .where(
            turns.c.kind == DEALT,
            or_(turns.c.following == DEALT, turns.c.following.is_(None) & ~will_end),
        )
        .order_by(turns.c.table_id, turns.c.sequence)
    )
    for server_id, table_id, sequence in await connection.execute(query):
        yield Finding(server_id, f"the round dealt by event {sequence} of table {table_id} has no end")


async def _houses(connection: AsyncConnection) -> AsyncIterator[Finding]:
    last, count = func.max(house_changes.c.number), func.count()
    query = select(house_changes.c.server_id, last, count).group_by(house_changes.c.server_id)
    for server_id, highest, number in await connection.execute(query.having(last != count)):
        yield Finding(server_id, f"{number} changes of the house rules are stored, up to number {highest}")
