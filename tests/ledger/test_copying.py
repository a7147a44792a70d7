"""A database moves from one engine to the other and back: with every row, and without who was erased."""

import asyncio
import gzip
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from bot.croupier.replay import verify_tables
from bot.ledger.copying import Copied, copy_database
from bot.ledger.database import database_at
from bot.ledger.errors import LedgerCorrupt, LedgerInUse, LedgerUnusable
from bot.ledger.ledger import open_ledger
from bot.ledger.postgres import upgrade
from bot.ledger.schema import LARGEST
from bot.ledger.sqlite.erasure import note_erasures, noted_erasures
from tests.databases import new_postgres_database
from tests.golden.make import GOLDEN
from tests.ledger.ledger_files import files_in
from tests.ledger.next_version import Rows, fill_every_table, rows_in
from tests.ledger.sample_changes import NOW, SERVER

LARGE = f"""
    INSERT INTO parties VALUES
        (4611686018427387903, {LARGEST}, {LARGEST - 1}, '\U0001f402 "\\n', 'de', 1, 0, 1, 1);
    INSERT INTO servers VALUES ({LARGEST}, 0.1, 1e-7, NULL);
    INSERT INTO keys VALUES ('application', x'00ff5c0a');
"""
"""Numbers of 64 bits, a backslash, a sign beyond 16 bits, times with all their digits, and any bytes."""


@contextmanager
def unseen(rows: int) -> Iterator[Callable[[int], None]]:
    """A progress bar for nobody, which finds that all rows were copied."""
    counted = 0

    def count(more: int) -> None:
        nonlocal counted
        counted += more

    yield count
    assert counted == rows


def copied(source: str, target: str) -> Copied:
    return asyncio.run(copy_database(database_at(source), database_at(target), unseen))


def in_any_order(rows: Rows) -> dict[str, list[str]]:
    return {table: sorted(map(repr, found)) for table, found in rows.items()}


def tables_on(address: str) -> set[str]:
    with closing(psycopg.connect(address)) as connection:
        query = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        return {name for (name,) in connection.execute(query)}


def asked(address: str, query: str) -> list[tuple[object, ...]]:
    with closing(psycopg.connect(address)) as connection:
        return connection.execute(query).fetchall()


def rows_of(path: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT party FROM {table}").fetchall()


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A database with rows in every table, large numbers among them."""
    path = tmp_path / "old.db"
    fill_every_table(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(LARGE)
    return path


def test_every_row_goes_to_postgresql_and_comes_back_the_same(filled: Path, tmp_path: Path) -> None:
    address = new_postgres_database()
    assert copied(f"sqlite:///{filled}", address) == copied(address, f"sqlite:///{tmp_path / 'new.db'}")
    assert in_any_order(rows_in(tmp_path / "new.db")) == in_any_order(rows_in(filled))
    assert (tmp_path / "new.db").stat().st_mode & 0o777 == 0o600
    assert asked(address, "SELECT squeezes FROM parties WHERE party = 8") == [(True,)]


@pytest.mark.thorough
def test_between_two_of_one_engine_every_row_is_the_same(filled: Path, tmp_path: Path) -> None:
    one, other = new_postgres_database("template1"), new_postgres_database("template1")
    for source, target in (
        (f"sqlite:///{filled}", f"sqlite:///{tmp_path / 'folder' / 'first.db'}"),
        (f"sqlite:///{tmp_path / 'folder' / 'first.db'}", one),
        (one, other),
        (other, f"sqlite:///{tmp_path / 'last.db'}"),
    ):
        copied(source, target)
    assert in_any_order(rows_in(tmp_path / "last.db")) == in_any_order(rows_in(filled))


@pytest.mark.thorough
def test_an_older_file_is_copied_at_the_newest_version_and_replayed(
    tmp_path: Path,
) -> None:
    golden = tmp_path / "golden.db"
    golden.write_bytes(gzip.decompress(GOLDEN.read_bytes()))
    before = golden.read_bytes()
    address = new_postgres_database("template1")
    copied(f"sqlite:///{golden}", address)
    assert database_at(address).problems([verify_tables]) == []
    assert golden.read_bytes() == before


@pytest.mark.thorough
def test_who_was_erased_is_not_copied_and_stays_noted(filled: Path, tmp_path: Path) -> None:
    """A file that was put back by hand has members who were erased since."""
    note_erasures(filled, [7, 99])
    address = new_postgres_database()
    copied(f"sqlite:///{filled}", address)
    assert asked(address, "SELECT party FROM parties ORDER BY party") == [(8,), (4611686018427387903,)]
    for table in ("seed_words", "standings", "tallies", "achievements", "plans", "admin_notes"):
        assert (7,) in rows_of(filled, table), table
        assert (7,) not in asked(address, f"SELECT party FROM {table}"), table
    assert asked(address, "SELECT party, admin, words FROM bans ORDER BY until") == [
        (8, None, ""),
        (None, None, ""),
    ], "bans stay"
    assert asked(address, "SELECT user_id FROM direct_channels") == [(80,)]
    assert asked(address, "SELECT party FROM erased_parties ORDER BY party") == [(7,), (99,)]
    copied(address, f"sqlite:///{tmp_path / 'new.db'}")
    assert noted_erasures(tmp_path / "new.db") == [7, 99]
    assert [row["party"] for row in rows_in(tmp_path / "new.db")["parties"]] == [8, 4611686018427387903]


class Broken(Exception):
    """What goes wrong in the middle."""


@contextmanager
def breaking(_rows: int) -> Iterator[Callable[[int], None]]:
    def fail(_: int) -> None:
        raise Broken

    yield fail


@pytest.mark.thorough
@pytest.mark.parametrize("template", ["template1", "empty"])
def test_after_a_failure_in_the_middle_the_target_is_as_it_was(
    filled: Path, tmp_path: Path, template: str
) -> None:
    address = new_postgres_database(template)
    tables, files = tables_on(address), files_in(tmp_path)
    source = database_at(f"sqlite:///{filled}")
    for target in (address, f"sqlite:///{tmp_path / 'new.db'}"):
        with pytest.raises(Broken):
            asyncio.run(copy_database(source, database_at(target), breaking))
    assert tables_on(address) == tables
    assert not database_at(address).noted_erasures()
    assert {name for name in files_in(tmp_path) if "-" not in name} == files
    copied(f"sqlite:///{filled}", address)


@pytest.mark.thorough
def test_faults_are_named_and_nothing_is_copied(filled: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(filled)) as connection, connection:
        connection.execute("UPDATE accounts SET balance = 961 WHERE account = 'wallet:7'")
    address = new_postgres_database("template1")
    for target in (address, f"sqlite:///{tmp_path / 'new.db'}"):
        with pytest.raises(LedgerCorrupt) as refused:
            copied(f"sqlite:///{filled}", target)
        assert refused.value.problems == (
            "server 1: wallet:7 has 961 chips, but its entries sum to 960",
            "server 1: all balances sum to 1 chips, not to zero",
        )
    assert tables_on(address) == set()
    assert not (tmp_path / "new.db").exists()


@pytest.mark.thorough
def test_a_target_with_anything_in_it_is_refused(filled: Path, tmp_path: Path) -> None:
    address, foreign = new_postgres_database(), new_postgres_database("template1")
    with closing(psycopg.connect(foreign)) as connection, connection:
        connection.execute("CREATE TABLE accounts (name TEXT)")
    other = tmp_path / "other.db"
    fill_every_table(other)
    copied(f"sqlite:///{filled}", address)
    for target, why in (
        (address, "is not empty: choose a new database"),
        (foreign, "has tables of another program: give gnau a database of its own"),
        (f"sqlite:///{other}", "is not empty: choose a new file"),
    ):
        with pytest.raises(LedgerUnusable, match=why):
            copied(f"sqlite:///{filled}", target)


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_while_a_bot_has_either_database_open_nothing_is_copied(
    engine: str, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrade, "_CLOSING_SECONDS", 0.2)
    used = f"sqlite:///{filled}" if engine == "sqlite" else new_postgres_database()
    if engine == "postgres":
        copied(f"sqlite:///{filled}", used)
    free = new_postgres_database("template1") if engine == "sqlite" else f"sqlite:///{tmp_path / 'new.db'}"

    other = tmp_path / "other.db"
    fill_every_table(other)

    async def meanwhile() -> None:
        async with open_ledger(used) as ledger:
            await ledger.ensure_wallet(SERVER, 9, 1000, NOW)
            for source, target in ((used, free), (f"sqlite:///{other}", used)):
                with pytest.raises(LedgerInUse, match="is in use"):
                    await asyncio.to_thread(copied, source, target)

    asyncio.run(meanwhile())
