"""The writer's statements, compiled: they read what a batch needs, and write what it computed.

Each statement runs once for the whole batch. Statements are compiled from the schema once, and rows go to the
driver unchanged: for a thousand rows that takes half the time of binding each row by name. Where the engine
takes all rows of a statement at once, they go as columns: a server plans each row of many again.
"""

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import Dialect, Table, bindparam, update

from bot.ledger.batch import Batch, CacheMisses, Rows, WriteCache
from bot.ledger.batch_reads import READS
from bot.ledger.engine import Connection
from bot.ledger.errors import Overtaken
from bot.ledger.fact_writes import writes_of_facts
from bot.ledger.fences import FENCES
from bot.ledger.row_statements import RowsOf, delete_rows, insert_rows, key_of, upserting
from bot.ledger.schema import (
    accounts,
    chains,
    commands,
    deadlines,
    events,
    house_changes,
    tables,
    transfers,
    uncounted_rounds,
)
from bot.ledger.sql import for_all_rows
from bot.table.accounts import Account, AccountKind

_FIXED: Final = (tables.c.server_id, tables.c.number, tables.c.opened_at)
_CHANGING: Final = (
    tables.c.channel_id,
    tables.c.is_open,
    tables.c.is_playing,
    tables.c.state,
    tables.c.sequence,
    tables.c.closed_at,
    tables.c.game,
)
"""What a command sets of a new table, and of each.

A table keeps its game. It is set again because it lies behind the state, in pages of its own if that is long:
so one of them that is lost is noticed by the next write.
"""


def _writes_of_changes(dialects_insert: Callable[[Table], Any]) -> list[tuple[Any, RowsOf]]:
    """Each statement with its rows, in an order that satisfies every foreign key. No key is there twice."""
    upsert = upserting(dialects_insert)
    return [
        (insert_rows(chains), lambda batch: batch.new_heads),
        # Apart: an upsert takes three times as long as an update, and a settled round has a score of
        # accounts.
        (insert_rows(accounts), lambda batch: batch.new_accounts),
        (
            update(accounts).where(*key_of(accounts)).values(balance=bindparam("balance")),
            lambda batch: batch.balances,
        ),
        (insert_rows(transfers), lambda batch: batch.transfers),
        (upsert(tables, *_FIXED, *_CHANGING, changed=_CHANGING), lambda batch: batch.tables),
        (insert_rows(events), lambda batch: batch.events),
        (insert_rows(uncounted_rounds), lambda batch: batch.uncounted),
        (delete_rows(deadlines), lambda batch: batch.touched_tables),
        (insert_rows(deadlines), lambda batch: batch.deadlines),
        (insert_rows(commands), lambda batch: batch.commands),
        (insert_rows(house_changes), lambda batch: batch.house_changes),
    ]


@dataclass(frozen=True, slots=True)
class _Write:
    """A compiled statement; it takes rows, or all of them at once as columns."""

    sql: str
    rows_of: RowsOf
    takes_columns: bool

    def run(self, connection: Connection, rows: Rows) -> int:
        """Writes some rows; returns how many the database has written."""
        cursor = connection.cursor()
        if self.takes_columns:
            cursor.execute(self.sql, [list(column) for column in zip(*rows, strict=True)])
        else:
            cursor.executemany(self.sql, rows)
        return int(cursor.rowcount)


@cache
def _compiled(
    dialect: Dialect, dialects_insert: Callable[[Table], Any]
) -> tuple[dict[str, str], list[_Write], list[_Write]]:
    """Reads, fences and writes as SQL; kept: compiling takes longer than opening a database."""
    reads = {what: str(read.compile(dialect=dialect)) for what, read in READS.items()}
    writes = []
    for statement, rows_of in _writes_of_changes(dialects_insert):
        at_once = for_all_rows(statement, dialect)
        writes.append(_Write(at_once or str(statement.compile(dialect=dialect)), rows_of, bool(at_once)))
    for statement, rows_of in writes_of_facts(dialects_insert):
        writes.append(_Write(str(statement.compile(dialect=dialect)), rows_of, takes_columns=False))
    fences = [
        _Write(str(statement.compile(dialect=dialect)), rows_of, takes_columns=False)
        for statement, rows_of in FENCES
    ]
    return reads, fences, writes


class Store:
    """The compiled statements. Call its methods in the connection's own thread.

    Args:
        dialect: compiles statements whose values come by place.
        dialects_insert: the dialect's insert, as `Engine.insert`.
    """

    def __init__(self, dialect: Dialect, dialects_insert: Callable[[Table], Any]) -> None:
        self.reads, self.fences, self.writes = _compiled(dialect, dialects_insert)

    def fill(self, connection: Connection, misses: CacheMisses, cache: WriteCache) -> None:
        """Reads what is missing in the cache into it."""

        def found(what: str, names: Collection[object]) -> Iterable[Any]:
            if not names:
                return ()
            asked = json.dumps(list(names))
            cursor: Iterable[Any] = connection.cursor().execute(self.reads[what], (asked,))
            return cursor

        for server_id, link, head in found("heads", misses.servers):
            cache.heads[server_id] = (link, head)
        cache.answers.update(found("answers", misses.keys))
        for server_id, table_id, sequence, last_hash in found("last_events", misses.tables):
            cache.last_events[server_id, table_id] = (sequence, last_hash)
        for server_id, number, last_hash in found("houses", misses.houses):
            cache.houses[server_id] = (number, last_hash)
        cache.gifts.update(found("gifts", misses.gifts))
        for server_id, account, balance in found("balances", misses.accounts):
            cache.balances[server_id, account] = balance
        for asked in misses.resets:
            of_server = (("resets", asked, cache.resets), ("holds", asked[0], cache.holds))
            for what, names, cached in of_server:
                for server_id, kind, party, table_id, balance in found(what, [names]):
                    account = Account(AccountKind(kind), party, table_id)
                    cached.setdefault(server_id, []).append(account)
                    cache.balances[server_id, str(account)] = balance

    def check_heads(self, connection: Connection, servers: Collection[int], cache: WriteCache) -> None:
        """Keeps others from writing to these servers until the batch is committed.

        Raises:
            Overtaken: the chain of one does not end where the cache says.
        """
        found = WriteCache()
        self.fill(connection, CacheMisses(servers=set(servers)), found)
        if any(found.heads.get(server_id) != cache.heads.get(server_id) for server_id in servers):
            raise Overtaken

    def write(self, connection: Connection, batch: Batch) -> None:
        """Writes the rows of a batch.

        Raises:
            Overtaken: a chain does not end where the batch goes on, because another process wrote to it, or
                one has counted a round.
        """
        for fence in self.fences:
            if (rows := fence.rows_of(batch)) and fence.run(connection, rows) != len(rows):
                raise Overtaken
        for write in self.writes:
            if rows := write.rows_of(batch):
                write.run(connection, rows)
