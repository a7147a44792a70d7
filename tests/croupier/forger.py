"""An attacker with the database file who can recompute its hashes, so that the audit finds nothing."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bot.croupier.replay import verify_tables
from bot.ledger.integrity import problems_in
from bot.ledger.schema import APPEND_ONLY
from bot.ledger.transfers import GENESIS, loser_and_gainer, owner_by_name, transfer_hash


class Forger:
    """Changes a database that no process has open.

    Args:
        path: the SQLite file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, script: str, *values: object) -> None:
        """Runs a statement without triggers, checks or foreign keys, and then rebuilds chain and balances."""
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
        """Server and number of the first matching transfer."""
        server_id, sequence = self.one(f"SELECT server_id, sequence FROM transfers WHERE {where} LIMIT 1")
        return server_id, sequence

    def add(self, server_id: int, source: str, target: str, chips: int, reason: str, key: str) -> int:
        """Appends a transfer without a table; returns its number."""
        sequence = self.one("SELECT max(sequence) + 1 FROM transfers WHERE server_id = ?", server_id)
        self.run(
            "INSERT INTO transfers VALUES (?, ?, ?, ?, NULL, NULL, ?, ?, NULL, NULL, ?, 0.5, '', '')",
            *(server_id, sequence, source, target, chips, reason, key),
        )
        return int(sequence)

    def swap(self, server_id: int, one: int, other: int) -> None:
        """Swaps two transfers."""
        to = "UPDATE transfers SET sequence = ? WHERE server_id = ? AND sequence = ?"
        with self._opened() as connection:
            for before, after in ((one, 0), (other, one), (0, other)):
                connection.execute(to, (after, server_id, before))

    def found(self) -> list[str]:
        """Everything that SQLite, the audit and the replay find."""
        return problems_in(self.path, extra_audits=[verify_tables])

    def found_alone(self) -> str:
        """The only problem that is found."""
        found = self.found()
        assert len(found) == 1, found
        return found[0]

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """A connection without checks; afterwards, chain and balances are rebuilt."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            for trigger in APPEND_ONLY:
                connection.execute(f"DROP TRIGGER {trigger.split()[2]}")
            yield connection
            _rebuild_chain(connection)
            for trigger in APPEND_ONLY:
                connection.execute(trigger)
            connection.commit()


def _rebuild_chain(connection: sqlite3.Connection) -> None:
    """Recomputes the number, owners and hash of every transfer, and all balances."""
    balances: defaultdict[tuple[int, str], int] = defaultdict(int)
    ends: dict[int, tuple[int, str]] = {}
    rows = connection.execute("SELECT * FROM transfers ORDER BY server_id, sequence").fetchall()
    connection.execute("DELETE FROM transfers")
    for server_id, _, source, target, _, _, chips, reason, table_id, number, key, at, _, _ in rows:
        last, previous = ends.get(server_id, (0, GENESIS))
        digest = transfer_hash(
            previous, server_id, last + 1, source, target, chips, reason, table_id, number, at, key
        )
        members = loser_and_gainer(owner_by_name(source), owner_by_name(target))
        row = (*members, chips, reason, table_id, number, key, at, previous, digest)
        marks = ", ".join("?" * 14)
        connection.execute(
            f"INSERT INTO transfers VALUES ({marks})", (server_id, last + 1, source, target, *row)
        )
        ends[server_id] = (last + 1, digest)
        balances[server_id, source] -= chips
        balances[server_id, target] += chips
    for server_id, (last, digest) in ends.items():
        connection.execute(
            "UPDATE servers SET last_sequence = ?, last_hash = ? WHERE server_id = ?",
            (last, digest, server_id),
        )
    connection.execute("UPDATE accounts SET balance = 0")
    for (server_id, account), balance in balances.items():
        kind, *ids = account.split(":")
        table_id = ids[0] if len(ids) > 1 else None
        connection.execute(
            "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET balance = excluded.balance",
            (server_id, account, kind, ids[-1] if ids else None, table_id, balance),
        )
