"""Audits the whole ledger: lists everything that is wrong, entry by entry."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, func, or_, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.chain import LINK_TABLES, chain_problems
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
    tournaments,
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
    async with ledger.reading() as connection:
        return await findings_in(connection)


async def findings_in(connection: AsyncConnection) -> list[Finding]:
    """The problems of what a connection sees."""
    findings: list[Finding] = []
    for query, what in _WRONG:
        findings += [Finding(row[0], what.format(*row)) for row in await connection.execute(query)]
    findings += [Finding(*found) async for found in chain_problems(connection)]
    for check in (_names, _indexed_parties, _words, _unknown_commands):
        findings.extend([finding async for finding in check(connection)])
    return sorted(findings, key=lambda finding: finding.server_id)


def _balances() -> tuple[Select[Any], Select[Any]]:
    """The accounts whose balance is not the sum of their transfers; then the sums that are no account's."""
    entries = union_all(
        select(transfers.c.server_id, transfers.c.target.label("account"), transfers.c.chips.label("chips")),
        select(transfers.c.server_id, transfers.c.source, -transfers.c.chips),
    ).subquery()
    made = (
        select(entries.c.server_id, entries.c.account, total(entries.c.chips).label("chips"))
        .group_by(entries.c.server_id, entries.c.account)
        .subquery()
    )
    same = (made.c.server_id == accounts.c.server_id) & (made.c.account == accounts.c.account)
    due = func.coalesce(made.c.chips, 0)
    wrong = (
        select(accounts.c.server_id, accounts.c.account, accounts.c.balance, due)
        .select_from(accounts.outerjoin(made, same))
        .where(accounts.c.balance != due)
    )
    orphans = (
        select(made.c.server_id, made.c.account, made.c.chips)
        .select_from(made.outerjoin(accounts, same))
        .where(accounts.c.account.is_(None))
    )
    return wrong, orphans


def _event_counts() -> Select[Any]:
    """The tables whose last event has another number than is stored, or that lack some."""
    last, count = func.coalesce(func.max(events.c.sequence), 0), func.count(events.c.sequence)
    return (
        select(tables.c.server_id, tables.c.table_id, tables.c.sequence, last, count)
        .select_from(tables.outerjoin(events, events.c.table_id == tables.c.table_id))
        .group_by(tables.c.table_id)
        .having(or_(tables.c.sequence != last, tables.c.sequence != count))
    )


def _endless_rounds() -> Select[Any]:
    """Rounds that were dealt, and that neither ended nor have a deadline that will end them."""
    following = func.lead(events.c.kind).over(partition_by=events.c.table_id, order_by=events.c.sequence)
    turns = (
        select(events.c.table_id, events.c.sequence, events.c.kind, following.label("following"))
        .where(events.c.kind.in_([DEALT, *ENDS]))
        .subquery()
    )
    will_end = tables.c.is_open & deadlines.c.at.is_not(None)
    return (
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


_MISCOUNTED, _WITHOUT_ACCOUNT = _balances()
_BELOW_ZERO: Final = select(accounts.c.server_id, accounts.c.account, accounts.c.balance).where(
    accounts.c.balance < 0, accounts.c.kind.not_in(OVERDRAWN)
)
_sum: Final = total(accounts.c.balance)
_NOT_ZERO: Final = select(accounts.c.server_id, _sum).group_by(accounts.c.server_id).having(_sum != 0)
_HELD: Final = (
    select(accounts.c.server_id, accounts.c.account, accounts.c.balance, accounts.c.table_id)
    .select_from(accounts.outerjoin(tables, tables.c.table_id == accounts.c.table_id))
    .where(accounts.c.kind == AccountKind.HOLD, accounts.c.balance != 0)
)
_POTS: Final = (
    select(accounts.c.server_id, accounts.c.account, accounts.c.balance)
    .select_from(accounts.outerjoin(tournaments, tournaments.c.tournament_id == accounts.c.table_id))
    .where(accounts.c.kind == AccountKind.POT, accounts.c.balance != 0)
)
_last, _count = func.max(house_changes.c.number), func.count()
_HOUSE_GAPS: Final = (
    select(house_changes.c.server_id, _last, _count)
    .group_by(house_changes.c.server_id)
    .having(_last != _count)
)
_WRONG: Final = (
    (_MISCOUNTED, "{1} has {2} chips, but its entries sum to {3}"),
    (_BELOW_ZERO, "{1} is below zero, at {2} chips"),
    (_WITHOUT_ACCOUNT, "{1} has entries that sum to {2} chips, but no such account exists"),
    (_NOT_ZERO, "all balances sum to {1} chips, not to zero"),
    (_NOT_ZERO.where(accounts.c.kind == AccountKind.SCORE), "all scores sum to {1} points, not to zero"),
    (_HELD.where(tables.c.is_open.is_(None)), "{1} holds {2} chips, but there is no table {3}"),
    (_HELD.where(~tables.c.is_open), "{1} holds {2} chips, but table {3} is closed"),
    (
        _HELD.where(tables.c.is_open, ~tables.c.is_playing),
        "{1} holds {2} chips, but table {3} is not playing",
    ),
    (
        _POTS.where(tournaments.c.is_over.is_(None) | tournaments.c.is_over),
        "{1} has {2} chips, but no tournament is played for them",
    ),
    (_event_counts(), "table {1} is at event {2}, but {4} are stored, up to number {3}"),
    (_endless_rounds(), "the round dealt by event {2} of table {1} has no end"),
    (_HOUSE_GAPS, "{2} changes of the house rules are stored, up to number {1}"),
)
"""Queries whose rows each are something wrong in the server that they begin with, and what it is."""


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
