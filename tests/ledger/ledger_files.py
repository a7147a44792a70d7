"""Ledger files: filled, corrupted, left by a killed process, and read with plain SQL."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from bot.ledger.ledger import open_ledger
from tests.ledger.sample_changes import opening


def filled(path: Path, *members: int) -> None:
    """Creates a ledger with the wallets of these members."""

    async def fill() -> None:
        async with open_ledger(f"sqlite:///{path}") as ledger:
            for member in members:
                await ledger.commit(opening(member))

    asyncio.run(fill())


def wallets_in(path: Path) -> dict[int, int]:
    query = "SELECT party, balance FROM accounts WHERE kind = 'wallet'"
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute(query).fetchall())


def corrupt(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE accounts SET balance = balance + 1 WHERE account = 'wallet:7'")
        connection.commit()


def miscount_a_page(path: Path, table: str = "accounts") -> None:
    """Has a table's first page say that one more byte of it is unused: only SQLite finds that."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size + 7)
        file.write(b"\x01")


def not_permitted(_: Path, target: Path) -> Path:
    """Stands in for `Path.replace` and `Path.rename` where the system refuses."""
    raise PermissionError(13, "Permission denied", str(target))


def left_by_a_kill(path: Path) -> None:
    """Kills a process after a commit that is only in the WAL."""
    script = (
        "import os, signal, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('INSERT INTO direct_channels VALUES (7, 70, NULL)')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], timeout=20, check=False)
    assert path.with_name(path.name + "-wal").stat().st_size > 0


def files_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}
