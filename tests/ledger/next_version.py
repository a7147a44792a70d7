"""A database of this version with rows in every table, and a made-up next version to upgrade it to."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from alembic.config import Config

from bot.ledger import upgrade as upgrading
from bot.ledger.transfers import GENESIS, transfer_hash
from bot.ledger.upgrade import migrate
from bot.table.accounts import Reason
from tests.ledger.sample_changes import NOW, SERVER

THIS_VERSION: Final = "1"
NEXT_VERSION: Final = "2"

_MIGRATIONS: Final = Path(__file__).parent / "next_migration"
_FIRST: Final = transfer_hash(
    GENESIS, SERVER, 1, "mint", "wallet:7", 1000, Reason.OPENING_CHIPS, None, None, NOW, "opening:1:7"
)
_HELD: Final = transfer_hash(_FIRST, SERVER, 2, "wallet:7", "hold:77:7", 40, Reason.BET_HELD, 77, 1, NOW, "6")
_SCORED: Final = transfer_hash(_HELD, SERVER, 3, "score:8", "score:7", 5, Reason.POINTS_WON, 77, 1, NOW, "6")

_ROWS: Final = f"""
    INSERT INTO accounts VALUES ({SERVER}, 'mint', 'mint', NULL, NULL, -1000),
        ({SERVER}, 'wallet:7', 'wallet', 7, NULL, 960), ({SERVER}, 'hold:77:7', 'hold', 7, 77, 40),
        ({SERVER}, 'score:7', 'score', 7, NULL, 5), ({SERVER}, 'score:8', 'score', 8, NULL, -5);
    INSERT INTO transfers VALUES
        ({SERVER}, 1, 'mint', 'wallet:7', NULL, 7, 1000, 'opening_chips', NULL, NULL, 'opening:1:7',
            {NOW!r}, '{GENESIS}', '{_FIRST}'),
        ({SERVER}, 2, 'wallet:7', 'hold:77:7', NULL, NULL, 40, 'bet_held', 77, 1, '6',
            {NOW!r}, '{_FIRST}', '{_HELD}'),
        ({SERVER}, 3, 'score:8', 'score:7', NULL, NULL, 5, 'points_won', 77, 1, '6',
            {NOW!r}, '{_HELD}', '{_SCORED}');
    INSERT INTO servers VALUES ({SERVER}, 3, '{_SCORED}');
    INSERT INTO commands VALUES ('opening:1:7', {SERVER}, NULL, {NOW!r}, NULL),
        ('5', {SERVER}, 77, {NOW!r}, NULL), ('6', {SERVER}, 77, {NOW!r}, 'an answer');
    INSERT INTO tables VALUES (77, {SERVER}, 1, 6, 1, 1, 'a state', 2, {NOW!r}, NULL, 9, 2.5);
    INSERT INTO events VALUES (77, 1, NULL, 'table_opened', 'an event', '5', {NOW!r}),
        (77, 2, 1, 'bet_placed', 'another', '6', {NOW!r});
    INSERT INTO deadlines VALUES (77, {NOW!r});
    INSERT INTO members VALUES (7, 70, NULL), (8, NULL, 3.5);
    INSERT INTO house_changes VALUES ({SERVER}, 1, 7, {NOW!r}, '6', 'what', 'the house');
    INSERT INTO house_drafts VALUES (900, {SERVER}, 7, {NOW!r}, 1, 'a draft');
    """


def fill_every_table(path: Path) -> None:
    """Creates an intact database of this version with something in every table."""
    migrate(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_ROWS)


def release_next_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the program know one more migration, until the test ends."""
    config_now: Callable[[], Config] = upgrading.migrations_config

    def config_then() -> Config:
        config = config_now()
        shipped = Path(upgrading.__file__).parent / "migrations" / "versions"
        config.set_main_option("version_locations", os.pathsep.join(map(str, (shipped, _MIGRATIONS))))
        return config

    monkeypatch.setattr(upgrading, "migrations_config", config_then)


Rows = dict[str, list[dict[str, object]]]


def rows_in(path: Path) -> Rows:
    """The rows of each of our tables, by the names of their columns."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'alembic%'"
        tables = [name for (name,) in connection.execute(names)]
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in tables}


def contains(after: Rows, before: Rows) -> bool:
    """Whether every row is still there with its values; it may have new columns."""
    return all(
        row.items() >= old.items()
        for table, rows in before.items()
        for row, old in zip(after[table], rows, strict=True)
    )
