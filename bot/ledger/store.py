"""The writer's SQL: reads what a batch needs, and writes what it computed.

Each statement runs once for the whole batch. Statements are compiled from the schema once, and rows go to the
driver unchanged: for a thousand rows that takes half the time of binding each row by name.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Delete,
    Insert,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects import sqlite

from bot.ledger.batch import Batch
from bot.ledger.fact_rows import Rows
from bot.ledger.schema import (
    accounts,
    chains,
    commands,
    deadlines,
    direct_channels,
    events,
    house_changes,
    house_drafts,
    keys,
    parties,
    seed_words,
    servers,
    spent_openings,
    tables,
    transfers,
)
from bot.ledger.write_cache import CacheMisses, WriteCache


def _insert(table: Table, but: Iterable[Column[Any]] = ()) -> Insert:
    """Takes rows in the order of the table's columns, without those in `but`."""
    columns = [column for column in table.c if column not in set(but)]
    return insert(table).values({column.name: bindparam(column.name) for column in columns})


def _update(table: Table, *columns: Column[Any]) -> Update:
    """Takes rows of the new values, in the order of the table's columns, followed by the primary key."""
    return (
        update(table).where(*_key(table)).values({column.name: bindparam(column.name) for column in columns})
    )


def _upsert(table: Table, column: Column[Any]) -> Insert:
    """Takes rows of a primary key and this column's value; other columns keep theirs."""
    inserted = sqlite.insert(table).values(
        {one.name: bindparam(one.name) for one in (*table.primary_key, column)}
    )
    return inserted.on_conflict_do_update(
        index_elements=list(table.primary_key), set_={column.name: inserted.excluded[column.name]}
    )


def _delete(table: Table) -> Delete:
    """Takes primary keys as rows."""
    return delete(table).where(*_key(table))


def _key(table: Table) -> list[Any]:
    return [column == bindparam(f"key_{column.name}") for column in table.primary_key]


_named: Final = func.json_each(bindparam("names")).table_valued("key", "value")
"""The names to look up, as one JSON list: the statement's text is the same for any number of them."""


def _one_of(column: Column[Any]) -> ColumnElement[bool]:
    return column.in_(select(_named.c.value))


def _part(of_pair: int) -> ColumnElement[Any]:
    return func.json_extract(_named.c.value, literal_column(f"'$[{of_pair}]'"))


_READS: Final[dict[str, Select[Any]]] = {
    "answers": select(commands.c.key, commands.c.answer).where(_one_of(commands.c.key)),
    "sequences": select(tables.c.table_id, tables.c.sequence).where(_one_of(tables.c.table_id)),
    "heads": select(chains).where(_one_of(chains.c.server_id)),
    "houses": (
        select(house_changes.c.server_id, func.max(house_changes.c.number))
        .where(_one_of(house_changes.c.server_id))
        .group_by(house_changes.c.server_id)
    ),
    "balances": (
        # With IN and pairs, SQLite would scan all accounts; with a join, it looks each one up.
        select(accounts.c.balance)
        .select_from(_named)
        .outerjoin(accounts, (accounts.c.server_id == _part(0)) & (accounts.c.account == _part(1)))
        .order_by(_named.c.key)
    ),
}
"""What is read, by the cache's attribute that it fills."""

_WRITES: Final[list[tuple[Insert | Update | Delete, Callable[[Batch], Rows]]]] = [
    (_insert(chains), lambda batch: batch.new_heads),
    (_update(chains, chains.c.last_link, chains.c.head), lambda batch: batch.heads),
    (_insert(accounts), lambda batch: batch.new_accounts),
    (_update(accounts, accounts.c.balance), lambda batch: batch.balances),
    (_insert(transfers), lambda batch: batch.transfers),
    (_insert(tables, but=(tables.c.message_id, tables.c.posted_at)), lambda batch: batch.new_tables),
    (
        _update(
            tables,
            tables.c.channel_id,
            tables.c.is_open,
            tables.c.is_playing,
            tables.c.state,
            tables.c.sequence,
            tables.c.closed_at,
        ),
        lambda batch: batch.tables,
    ),
    (_insert(events), lambda batch: batch.events),
    (_delete(deadlines), lambda batch: batch.touched_tables),
    (_insert(deadlines), lambda batch: batch.deadlines),
    (_insert(commands), lambda batch: batch.commands),
    (_insert(house_changes), lambda batch: batch.house_changes),
    (
        delete(house_drafts).where(house_drafts.c.at < bindparam("before")),
        lambda batch: batch.facts.outdated_drafts,
    ),
    (_delete(house_drafts), lambda batch: batch.facts.replaced_drafts),
    (_insert(house_drafts), lambda batch: batch.facts.drafts),
    (_update(tables, tables.c.message_id, tables.c.posted_at), lambda batch: batch.facts.boards),
    (_delete(direct_channels), lambda batch: batch.facts.direct_users),
    (_insert(direct_channels), lambda batch: batch.facts.direct_channels),
    (_insert(seed_words).prefix_with("OR IGNORE"), lambda batch: batch.seed_words),
    (_delete(parties), lambda batch: batch.erased),
    (delete(seed_words).where(seed_words.c.party == bindparam("party")), lambda batch: batch.erased),
    (_delete(parties), lambda batch: batch.facts.seen_parties),
    (_insert(parties), lambda batch: batch.facts.identities),
    (
        update(parties).values(locale=bindparam("chosen")).where(parties.c.user_id == bindparam("user")),
        lambda batch: batch.facts.locales_chosen,
    ),
    (
        _insert(servers, but=(servers.c.erase_at, servers.c.head_posted_at)).prefix_with("OR IGNORE"),
        lambda batch: batch.facts.greeted_servers,
    ),
    (_upsert(servers, servers.c.erase_at), lambda batch: batch.facts.server_erasures),
    (_upsert(servers, servers.c.head_posted_at), lambda batch: batch.facts.heads_posted),
    (_delete(keys), lambda batch: batch.facts.replaced_keys),
    (_insert(keys), lambda batch: batch.facts.keys),
    (
        # Another server may still know the user.
        delete(direct_channels).where(
            direct_channels.c.user_id == bindparam("user"),
            ~exists().where(parties.c.user_id == bindparam("same_user")),
        ),
        lambda batch: [(user_id, user_id) for user_id in batch.erased_users],
    ),
    (
        delete(spent_openings).where(spent_openings.c.until < bindparam("before")),
        lambda batch: batch.facts.outdated_openings,
    ),
    (
        update(spent_openings)
        .values(until=bindparam("latest"))
        .where(spent_openings.c.until > bindparam("same_latest")),
        lambda batch: batch.facts.latest_openings,
    ),
    (
        insert(spent_openings)
        .prefix_with("OR REPLACE")
        .from_select(
            list(spent_openings.c),
            select(bindparam("server"), bindparam("digest"), bindparam("until")).where(
                exists().where(commands.c.key == bindparam("opening"))
            ),
        ),
        lambda batch: batch.spent_openings,
    ),
]
"""Each statement with its rows, in an order that satisfies every foreign key."""


@cache
def _compiled() -> tuple[dict[str, str], list[tuple[str, Callable[[Batch], Rows]]]]:
    """Reads and writes as SQL; kept, because compiling takes longer than opening a database."""
    dialect = sqlite.dialect()
    reads = {what: str(read.compile(dialect=dialect)) for what, read in _READS.items()}
    return reads, [(str(statement.compile(dialect=dialect)), rows) for statement, rows in _WRITES]


class Store:
    """The compiled statements. Call its methods in the connection's own thread."""

    def __init__(self) -> None:
        self.reads, self.writes = _compiled()

    def fill(self, connection: sqlite3.Connection, misses: CacheMisses, cache: WriteCache) -> None:
        """Reads what is missing in the cache into it.

        Raises:
            sqlite3.Error: it cannot be read.
        """

        def found(what: str, names: Sequence[object]) -> Iterable[Any]:
            return connection.execute(self.reads[what], (json.dumps(names),)) if names else ()

        cache.answers.update(found("answers", misses.keys))
        cache.sequences.update(found("sequences", misses.tables))
        cache.houses.update(found("houses", misses.houses))
        for server_id, link, head in found("heads", misses.servers):
            cache.heads[server_id] = (link, head)
        balances = found("balances", misses.accounts)
        for place, (balance,) in zip(misses.accounts, balances, strict=True):
            if balance is not None:
                cache.balances[place] = balance

    def write(self, connection: sqlite3.Connection, batch: Batch) -> None:
        """Writes the rows of a batch.

        Raises:
            sqlite3.Error: it cannot be written.
        """
        for statement, rows_of in self.writes:
            if rows := rows_of(batch):
                connection.executemany(statement, rows)
