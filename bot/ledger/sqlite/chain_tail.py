"""Checks the ends of the longest chains, which takes no longer in a long ledger than in a short one."""

import sqlite3
from types import SimpleNamespace
from typing import Final

from bot.ledger.chain import GENESIS, LINK_TABLES, Link, link_problem
from bot.rules.hashing import short_code

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
