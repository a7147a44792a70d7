"""Ledger files: opened, filled, corrupted, left by a killed process, and read with plain SQL."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from bot.ledger.errors import LedgerUnusable
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.backup import upgrade_exclusively
from bot.ledger.sqlite.integrity import reading
from tests.databases import create_database
from tests.ledger.sample_changes import opening

Use = Callable[[Path], object]
"""Something that a database is needed for."""


def start(path: Path) -> None:
    """Opens a database as a start of the bot does, and closes it."""

    async def once() -> None:
        async with open_ledger(f"sqlite:///{path}"):
            pass

    asyncio.run(once())


def read(path: Path) -> None:
    """Opens a database as commands do that only read."""

    async def once() -> None:
        async with reading(path):
            pass

    asyncio.run(once())


OPENS: Final[tuple[Use, ...]] = (start, upgrade_exclusively)
"""What makes or upgrades a database: a start of the bot, and `gnau db upgrade`."""


def refused(path: Path, uses: Iterable[Use] = OPENS, refusal: type[LedgerUnusable] = LedgerUnusable) -> str:
    """The sentence, the same for all of these uses, that says what somebody must mend."""
    sentences = set()
    for use in uses:
        with pytest.raises(LedgerUnusable) as no:
            use(path)
        assert type(no.value) is refusal
        sentences.add(str(no.value))
    (sentence,) = sentences
    assert "\n" not in sentence
    return sentence


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


def make_newer(path: Path) -> None:
    """Makes a database of a version that this program does not know."""
    with closing(sqlite3.connect(create_database(path))) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
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
    subprocess.run([sys.executable, "-c", script, str(path)], timeout=60, check=False)
    assert path.with_name(path.name + "-wal").stat().st_size > 0


def killed_while_it_was_made(path: Path) -> None:
    """Begins a database as a bot does that is killed before it has a WAL, which leaves a journal."""
    script = (
        "import os, signal, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for one in ('PRAGMA cache_size = 1', 'BEGIN', 'CREATE TABLE begun (one BLOB)'):\n"
        "    connection.execute(one)\n"
        "connection.executemany('INSERT INTO begun VALUES (?)', [(bytes(5000),)] * 50)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], timeout=60, check=False)


def files_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def contents(folder: Path) -> dict[Path, bytes | None]:
    """All files in a folder, but for those that SQLite makes to read; and the folders in it."""
    found = {file: file.read_bytes() if file.is_file() else None for file in folder.rglob("*")}
    return {
        file: content
        for file, content in found.items()
        if not (file.name.endswith("-shm") or (file.name.endswith("-wal") and not content))
    }
