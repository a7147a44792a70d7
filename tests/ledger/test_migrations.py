"""A database is made and migrated completely or not at all."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import NullPool, create_engine

from bot.ledger import schema
from bot.ledger.audit import audit
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import open_ledger
from bot.ledger.records import Held, Purse
from bot.ledger.sqlite.upgrade import migrate
from bot.ledger.upgrade import revisions
from tests.ledger.next_version import THIS_VERSION, contains, rows_in
from tests.ledger.sample_changes import SERVER, opening


def made_of(path: Path) -> dict[str, str]:
    """The SQL of each table, index and trigger, without spaces and quotes."""
    query = (
        "SELECT type || ' ' || name, sql FROM sqlite_schema"
        " WHERE tbl_name != 'alembic_version' AND sql IS NOT NULL"
    )
    with closing(sqlite3.connect(path)) as connection:
        return {name: re.sub(r"[\s\"]+", "", sql) for name, sql in connection.execute(query)}


def test_a_new_database_has_the_triggers_and_indices_of_the_schema(tmp_path: Path) -> None:
    migrate(tmp_path / "new.db")
    names = {"table transfers", "trigger transfers_no_update", "index ix_tables_open_channel"}
    assert names <= made_of(tmp_path / "new.db").keys()


def test_alembic_finds_no_difference_from_the_schema(tmp_path: Path) -> None:
    migrate(tmp_path / "migrated.db")
    engine = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}", poolclass=NullPool)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    engine.dispose()


def test_the_sample_is_of_the_newest_version() -> None:
    """The golden database is a sample of the first."""
    assert revisions()[-1] == THIS_VERSION


def test_the_sample_has_something_in_every_table(older: Path) -> None:
    assert [name for name, rows in rows_in(older).items() if not rows] == []


async def test_everything_is_still_there_after_an_upgrade(older: Path, address: str) -> None:
    before = rows_in(older)
    async with open_ledger(address) as ledger:
        assert contains(rows_in(older), before)
        assert "made_up" in rows_in(older)
        assert await audit(ledger) == []
        assert await ledger.purse(SERVER, 7) == Purse(960, (Held(77, 1, 6, 40),), score=5)
        assert [table.table_id for table in await ledger.open_tables()] == [77]
        assert len(await ledger.houses()) == 1
        await ledger.commit(opening(8))
        assert await audit(ledger) == []


async def test_migrating_the_newest_schema_changes_nothing(path: Path, address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
    before = made_of(path)
    migrate(path)
    assert made_of(path) == before
    async with open_ledger(address) as ledger:
        assert await ledger.wallets(SERVER, [7]) == {7: 1000}


@pytest.mark.parametrize("table", sorted(schema.metadata.tables))
def test_a_failed_migration_leaves_nothing_behind(path: Path, table: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE {table} (in_the_way)")
    with pytest.raises(LedgerUnavailable, match=table):
        migrate(path)
    assert made_of(path) == {f"table {table}": f"CREATETABLE{table}(in_the_way)"}
