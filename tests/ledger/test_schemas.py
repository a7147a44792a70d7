"""Both engines have the same schema, new or migrated: that of `bot.ledger.schema`."""

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Double,
    Engine,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
    create_engine,
    inspect,
)
from sqlalchemy import types as kinds
from sqlalchemy.pool import NullPool

from bot.ledger.postgres.connections import migrating_engine
from bot.ledger.postgres.upgrade import migrate
from bot.ledger.schema import CHAINED, metadata
from bot.ledger.upgrade import revisions
from tests.databases import create_database, new_postgres_database
from tests.ledger.next_version import NEXT_VERSION, release_next_version
from tests.ledger.tampering import REFUSALS, run

KINDS: Final[dict[type[Any], tuple[type[Any], type[Any]]]] = {
    BigInteger: (kinds.INTEGER, kinds.BIGINT),
    Boolean: (kinds.INTEGER, kinds.BOOLEAN),
    Double: (kinds.REAL, kinds.DOUBLE_PRECISION),
    LargeBinary: (kinds.BLOB, kinds.LargeBinary),
    String: (kinds.TEXT, kinds.VARCHAR),
}
"""What SQLite and PostgreSQL call each type of the schema."""


@dataclass(frozen=True)
class Described:
    """A table: its columns with type, length and whether they may be empty, keys, indices and checks."""

    columns: list[tuple[str, type[Any], bool]]
    primary_key: list[str]
    unique: set[tuple[str, ...]]
    indices: set[tuple[str | None, tuple[str, ...], bool, bool]]
    foreign_keys: set[tuple[tuple[str, ...], str]]
    checks: set[str]


def described(table: Table) -> Described:
    """A table as the schema has it."""
    return Described(
        [(column.name, _kind(column.type), bool(column.nullable)) for column in table.c],
        [column.name for column in table.primary_key.columns],
        {tuple(one.columns.keys()) for one in table.constraints if isinstance(one, UniqueConstraint)},
        {
            (
                index.name,
                tuple(column.name for column in index.columns),
                index.unique,
                index.dialect_options["postgresql"]["where"] is not None,
            )
            for index in table.indexes
        },
        {((column.name,), key.column.table.name) for column in table.c for key in column.foreign_keys},
        {str(one.name) for one in table.constraints if isinstance(one, CheckConstraint)},
    )


def found(engine: Engine) -> dict[str, Described]:
    """The ledger's tables in a database."""
    place = engine.dialect.name == "postgresql"
    names = {of[place]: kind for kind, of in KINDS.items() if kind is not Boolean or place}
    with engine.connect() as connection:
        look = inspect(connection)
        return {
            name: Described(
                [
                    (column["name"], _named(column["type"], names), column["nullable"])
                    for column in look.get_columns(name)
                ],
                look.get_pk_constraint(name)["constrained_columns"],
                {tuple(one["column_names"]) for one in look.get_unique_constraints(name)},
                {
                    (
                        index["name"],
                        tuple(column or "" for column in index["column_names"]),
                        index["unique"],
                        any(option.endswith("_where") for option in index.get("dialect_options", {})),
                    )
                    for index in look.get_indexes(name)
                    if "duplicates_constraint" not in index
                },
                {
                    (tuple(key["constrained_columns"]), key["referred_table"])
                    for key in look.get_foreign_keys(name)
                },
                {str(one["name"]) for one in look.get_check_constraints(name)},
            )
            for name in look.get_table_names()
            if name in metadata.tables
        }


def _kind(of: Any) -> type[Any]:
    (kind,) = [kind for kind in KINDS if isinstance(of, kind)]
    return kind


def _named(of: Any, names: dict[type[Any], type[Any]]) -> type[Any]:
    """The type of the schema that a database calls this; another one is none of the schema's."""
    return next((kind for name, kind in names.items() if isinstance(of, name)), type(of))


def without_booleans(table: Described) -> list[tuple[str, type[Any], bool]]:
    """The columns as SQLite has them, where what is true or false is an integer."""
    return [
        (name, BigInteger if kind is Boolean else kind, nullable) for name, kind, nullable in table.columns
    ]


DUE: Final = {name: described(table) for name, table in metadata.tables.items()}


def test_a_sqlite_file_has_the_schema(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{create_database(tmp_path / 'new.db')}", poolclass=NullPool)
    assert found(engine) == {
        name: replace(table, columns=without_booleans(table)) for name, table in DUE.items()
    }


def in_postgres(address: str) -> dict[str, Described]:
    engine = migrating_engine(address)
    try:
        return found(engine)
    finally:
        engine.dispose()


def test_a_migrated_postgres_database_is_like_a_new_one() -> None:
    address = new_postgres_database()
    added = "standings, uncounted_rounds, plans, tallies, flows, achievements, admin_notes, bans, seasons"
    added += ", tournaments"
    run(address, f"DROP TABLE {added}")
    for name in ("loser_without_round", "gainer_without_round", "server_id_at"):
        run(address, f"DROP INDEX ix_transfers_{name}")
    for column in ("squeezes", "is_hidden", "has_left", "finds_ox"):
        run(address, f"ALTER TABLE parties DROP COLUMN {column}")
    run(address, "ALTER TABLE servers DROP COLUMN week_posted")
    run(address, "ALTER TABLE tables DROP COLUMN game")
    for number, state in enumerate(('{"rules": {"game": "niu-niu"}}', "broken", "[]")):
        run(
            address,
            f"INSERT INTO tables VALUES ({number}, 1, {number}, {number}, true, true, '{state}', 0, 0)",
        )
    run(address, "INSERT INTO parties VALUES (7, 1, 70, 'Alice', 'en-US')")
    run(address, f"UPDATE alembic_version SET version_num = '{revisions()[0]}'")
    assert migrate(address) == (revisions()[0], revisions()[-1])
    assert in_postgres(address) == DUE
    with closing(psycopg.connect(address)) as connection:
        members = connection.execute("SELECT * FROM parties").fetchall()
        games = connection.execute("SELECT game FROM tables ORDER BY table_id").fetchall()
    assert members == [(7, 1, 70, "Alice", "en-US", False, False, False, False)]
    assert games == [("niu-niu",), ("",), ("",)]


@pytest.mark.thorough
def test_a_migration_that_changes_tables_works_on_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    address = new_postgres_database()
    release_next_version(monkeypatch)
    assert migrate(address) == (revisions()[-2], NEXT_VERSION)
    run(address, "INSERT INTO made_up VALUES (1)")
    assert len(in_postgres(address)["house_drafts"].checks) == 1
    assert migrate(address) == (NEXT_VERSION, NEXT_VERSION)


def test_postgres_refuses_to_empty_what_is_never_changed() -> None:
    address = new_postgres_database()
    for table in CHAINED:
        with pytest.raises(REFUSALS, match=f"{table} cannot be changed"):
            run(address, f"TRUNCATE {table}")
