"""The migrations lead to the schema, once, whole, and never backwards."""

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
from bot.ledger.chain import GENESIS, transfer_hash
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import open_ledger
from bot.ledger.upgrade import upgrade
from bot.table.money import Reason
from tests.ledger.trial import NOW, SERVER, opening

FIRST_HASH = transfer_hash(
    GENESIS, SERVER, 1, "mint", "wallet:7", 1000, Reason.OPENING_CHIPS, None, None, NOW, "opening:1:7"
)


def made_of(path: Path) -> dict[str, str]:
    """Each table, index and trigger of a file, as it was made; SQLite quotes the name of one made anew."""
    query = (
        "SELECT type || ' ' || name, sql FROM sqlite_schema"
        " WHERE tbl_name != 'alembic_version' AND sql IS NOT NULL"
    )
    with closing(sqlite3.connect(path)) as connection:
        return {name: re.sub(r"[\s\"]+", "", sql) for name, sql in connection.execute(query)}


def test_the_migrations_make_what_the_schema_says(tmp_path: Path) -> None:
    upgrade(tmp_path / "migrated.db")
    engine = create_engine(f"sqlite:///{tmp_path / 'made.db'}", poolclass=NullPool)
    schema.metadata.create_all(engine)
    engine.dispose()
    migrated = made_of(tmp_path / "migrated.db")
    assert migrated == made_of(tmp_path / "made.db")
    assert {
        "table transfers",
        "trigger transfers_no_update",
        "index ix_tables_open_channel",
    } <= migrated.keys()


def test_alembic_sees_no_difference_either(tmp_path: Path) -> None:
    upgrade(tmp_path / "migrated.db")
    engine = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}", poolclass=NullPool)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    engine.dispose()


def as_first_made(path: Path) -> None:
    """Makes a database by the first migration alone, with a member and a table in it."""
    upgrade(path, to="0001")
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            f"""
            INSERT INTO accounts VALUES ({SERVER}, 'mint', 'mint', NULL, NULL, -1000),
                ({SERVER}, 'wallet:7', 'wallet', 7, NULL, 1000);
            INSERT INTO transfers VALUES ({SERVER}, 1, 'mint', 'wallet:7', NULL, 7, 1000, 'opening_chips',
                NULL, NULL, 'opening:1:7', 1790000000.25, '{GENESIS}', '{FIRST_HASH}');
            INSERT INTO servers VALUES ({SERVER}, 1, '{FIRST_HASH}');
            INSERT INTO commands VALUES ('opening:1:7', {SERVER}, NULL, 1790000000.25, NULL),
                ('5', {SERVER}, 77, 1790000001.5, NULL);
            INSERT INTO tables VALUES (77, {SERVER}, 1, 6, 1, 0, 'a state', 1, 1790000001.5, NULL, 9, 2.5);
            INSERT INTO events VALUES (77, 1, NULL, 'table_opened', 'an event', '5', 1790000001.5);
            INSERT INTO members VALUES (7, 70, NULL);
            """
        )


async def test_what_the_first_migration_kept_is_all_there_after_the_others(path: Path, address: str) -> None:
    as_first_made(path)
    before = kept_in(path)
    async with open_ledger(address) as ledger:
        assert await audit(ledger) == []
        assert await ledger.wallets(SERVER, [7]) == {7: 1000}
        assert [table.table_id for table in await ledger.open_tables()] == [77]
        assert await ledger.houses() == []
        assert {name: kept_in(path)[name] for name in before} == before
        await ledger.commit(opening(8))
        assert await audit(ledger) == []


def kept_in(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """The rows of each of our tables."""
    with closing(sqlite3.connect(path)) as connection:
        names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'alembic%'"
        tables = [name for (name,) in connection.execute(names)]
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables}


async def test_an_upgrade_of_what_is_new_changes_nothing(path: Path, address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
    before = made_of(path)
    upgrade(path)
    assert made_of(path) == before
    async with open_ledger(address) as ledger:
        assert await ledger.wallets(SERVER, [7]) == {7: 1000}


def test_a_database_of_a_newer_version_is_left_alone(path: Path) -> None:
    upgrade(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(LedgerUnavailable, match="newer version"):
        upgrade(path)


def test_a_migration_that_fails_half_way_leaves_nothing_behind(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE members (in_the_way)")
    with pytest.raises(LedgerUnavailable, match="members"):
        upgrade(path)
    assert made_of(path) == {"table members": "CREATETABLEmembers(in_the_way)"}
