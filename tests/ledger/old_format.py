"""A database of the earlier format, as far as anything of it is carried over."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.games.house import UNCHANGED, house_json
from bot.ledger.upgrade import CARRIED_OVER_FROM

SERVER, OTHER_SERVER = 8, 9
RICH, POOR, HOLDER, SCORER, LOSER, ADMIN = range(800_000_000_000_000_001, 800_000_000_000_000_007)
HOUSE = house_json(UNCHANGED.with_knob("seats", "4"))
ACCOUNTS = [
    (SERVER, "mint", "mint", None, -3500),
    (SERVER, "house", "house", None, 500),
    (SERVER, f"wallet:{RICH}", "wallet", RICH, 2000),
    (SERVER, f"wallet:{POOR}", "wallet", POOR, 0),
    (SERVER, f"wallet:{HOLDER}", "wallet", HOLDER, 930),
    (SERVER, f"hold:77:{HOLDER}", "hold", HOLDER, 70),
    (SERVER, f"score:{RICH}", "score", RICH, 4),
    (SERVER, f"score:{LOSER}", "score", LOSER, -5),
    (SERVER, f"score:{POOR}", "score", POOR, -4),
    (SERVER, f"score:{SCORER}", "score", SCORER, 5),
    (SERVER, f"score:{HOLDER}", "score", HOLDER, 0),
    (OTHER_SERVER, "mint", "mint", None, -1000),
    (OTHER_SERVER, f"wallet:{RICH}", "wallet", RICH, 1000),
]
STATE = json.dumps(
    {"seats": [{"member": {"member_id": RICH, "name": "Rich Rashid"}}], "rules": {"name": "Gnau"}}
)


def old_database(path: Path, *, revision: str = CARRIED_OVER_FROM, mint: int = -3500) -> Path:
    """Makes such a database.

    Args:
        path: where.
        revision: its version.
        mint: the balance of one server's mint; the default makes the sum zero.
    """
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);"
            "CREATE TABLE accounts (server_id BIGINT, account VARCHAR, kind VARCHAR, member_id BIGINT,"
            " balance BIGINT);"
            "CREATE TABLE house_changes (server_id BIGINT, number BIGINT, member_id BIGINT, house TEXT);"
            "CREATE TABLE tables (table_id BIGINT, server_id BIGINT, opened_at DOUBLE, state TEXT);"
        )
        connection.execute("INSERT INTO alembic_version VALUES (?)", (revision,))
        rows = [(*row[:4], mint if row[:2] == (SERVER, "mint") else row[4]) for row in ACCOUNTS]
        connection.executemany("INSERT INTO accounts VALUES (?, ?, ?, ?, ?)", rows)
        changes = [(SERVER, 1, RICH, "{}"), (SERVER, 2, ADMIN, HOUSE)]
        connection.executemany("INSERT INTO house_changes VALUES (?, ?, ?, ?)", changes)
        tables = [(77, SERVER, 1.0, STATE), (78, SERVER, 2.0, "not JSON")]
        connection.executemany("INSERT INTO tables VALUES (?, ?, ?, ?)", tables)
        connection.commit()
    return path
