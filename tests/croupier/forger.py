"""An attacker with the database file who can recompute its hashes, so that the audit finds nothing."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.croupier.replay import verify_tables
from bot.ledger.chain import GENESIS, LINK_TABLES, LinkTable
from bot.ledger.database import database_at
from bot.ledger.schema import transfers
from bot.ledger.sqlite.integrity import problems_in
from bot.ledger.sqlite.upgrade import append_only
from bot.table.accounts import loser_and_gainer, owner_by_name
from tests.ledger.tampering import copy_to_postgres
from tests.sizes import THOROUGH


class Forger:
    """Changes a database that no process has open.

    Args:
        path: the SQLite file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, script: str, *values: object) -> None:
        """Runs a statement without triggers, checks or foreign keys; then rebuilds chains and balances."""
        with self._opened() as connection:
            connection.execute(script, values)

    def one(self, query: str, *values: object) -> Any:
        """The first row of a result, or its value if it has only one."""
        with closing(sqlite3.connect(self.path)) as connection:
            row = connection.execute(query, values).fetchone()
        assert row is not None, query
        return row[0] if len(row) == 1 else row

    def event(self, table_id: int, kind: str, round_number: int) -> int:
        """The number of the first event of a kind in a round."""
        query = "SELECT min(sequence) FROM events WHERE table_id = ? AND kind = ? AND round_number = ?"
        sequence = self.one(query, table_id, kind, round_number)
        assert isinstance(sequence, int), (kind, round_number)
        return sequence

    def edit(self, table_id: int, sequence: int, change: Callable[[Any], None]) -> None:
        """Edits the body of an event."""
        where = "WHERE table_id = ? AND sequence = ?"
        body = json.loads(self.one(f"SELECT body FROM events {where}", table_id, sequence))
        change(body)
        self.run(f"UPDATE events SET body = ? {where}", json.dumps(body), table_id, sequence)

    def edit_state(self, table_id: int, change: Callable[[Any], None]) -> None:
        """Edits the state of a table."""
        state = json.loads(self.one("SELECT state FROM tables WHERE table_id = ?", table_id))
        change(state)
        self.run("UPDATE tables SET state = ? WHERE table_id = ?", json.dumps(state), table_id)

    def transfer(self, where: str) -> tuple[int, int]:
        """Server and link of the first matching transfer."""
        server_id, link = self.one(f"SELECT server_id, link FROM transfers WHERE {where} LIMIT 1")
        return server_id, link

    def add(self, server_id: int, source: str, target: str, chips: int, reason: str, key: str) -> int:
        """Appends a transfer without a table; returns its link."""
        link = self.one("SELECT last_link + 1 FROM chains WHERE server_id = ?", server_id)
        self.run(
            "INSERT INTO transfers VALUES (?, ?, ?, ?, NULL, NULL, ?, ?, NULL, NULL, ?, 0.5, x'')",
            *(server_id, link, source, target, chips, reason, key),
        )
        return int(link)

    def swap(self, server_id: int, one: int, other: int) -> None:
        """Swaps two transfers."""
        to = "UPDATE transfers SET link = ? WHERE server_id = ? AND link = ?"
        with self._opened() as connection:
            for before, after in ((one, 0), (other, one), (0, other)):
                connection.execute(to, (after, server_id, before))

    def found(self) -> list[str]:
        """Everything that SQLite, the audit and the replay find; in a full run, also in PostgreSQL."""
        found = problems_in(self.path, extra_audits=[verify_tables])
        if THOROUGH:
            there = database_at(copy_to_postgres(self.path)).problems([verify_tables])
            assert sorted(there) == sorted(found)
        return found

    def found_alone(self) -> str:
        """The only problem that is found."""
        found = self.found()
        assert len(found) == 1, found
        return found[0]

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """A connection without checks; afterwards, chains and balances are rebuilt."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            triggers = append_only()
            for trigger in triggers:
                connection.execute(f"DROP TRIGGER {trigger.split()[2]}")
            yield connection
            _rebuild_chains(connection)
            _rebuild_balances(connection)
            for trigger in triggers:
                connection.execute(trigger)
            connection.commit()


def _rebuild_chains(connection: sqlite3.Connection) -> None:
    """Recomputes the link and hash of every transfer, event and house change, and the end of each chain."""
    server_of = dict(connection.execute("SELECT table_id, server_id FROM tables").fetchall())
    links: list[tuple[int, int, LinkTable, dict[str, Any]]] = []
    for link_table in LINK_TABLES:
        found = connection.execute(f"SELECT * FROM {link_table.table}")
        columns = [column for column, *_ in found.description]
        for row in found.fetchall():
            one = dict(zip(columns, row, strict=True))
            server_id = one["server_id"] if "server_id" in one else server_of[one["table_id"]]
            links.append((server_id, one["link"], link_table, one))
        connection.execute(f"DELETE FROM {link_table.table}")
    ends: dict[int, tuple[int, bytes]] = {}
    for server_id, _, link_table, one in sorted(links, key=lambda link: link[:2]):
        last, previous = ends.get(server_id, (0, GENESIS))
        one["link"] = last + 1
        link = link_table.link(SimpleNamespace(**one | {"server_id": server_id}))
        one["hash"] = link.hash_after(previous)
        if link_table.table is transfers:
            sides = owner_by_name(one["source"]), owner_by_name(one["target"])
            one["loser"], one["gainer"] = loser_and_gainer(*sides)
        marks = ", ".join("?" * len(one))
        connection.execute(f"INSERT INTO {link_table.table} VALUES ({marks})", tuple(one.values()))
        ends[server_id] = last + 1, one["hash"]
    connection.execute("DELETE FROM chains")
    rows = [(server_id, *end) for server_id, end in ends.items()]
    connection.executemany("INSERT INTO chains VALUES (?, ?, ?)", rows)


def _rebuild_balances(connection: sqlite3.Connection) -> None:
    """Recomputes every balance from the transfers."""
    balances: defaultdict[tuple[int, str], int] = defaultdict(int)
    for server_id, source, target, chips in connection.execute(
        "SELECT server_id, source, target, chips FROM transfers"
    ):
        balances[server_id, source] -= chips
        balances[server_id, target] += chips
    connection.execute("UPDATE accounts SET balance = 0")
    for (server_id, account), balance in balances.items():
        kind, *ids = account.split(":")
        table_id = ids[0] if len(ids) > 1 else None
        connection.execute(
            "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET balance = excluded.balance",
            (server_id, account, kind, ids[-1] if ids else None, table_id, balance),
        )
