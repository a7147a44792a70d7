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
from bot.ledger.chain import GENESIS, event_hasher, house_hasher, transfer_hasher
from bot.ledger.files import OWNER_ONLY
from bot.ledger.sqlite.upgrade import migrate
from bot.rules.shuffle import words_code
from bot.table.accounts import Reason
from tests.ledger.sample_changes import NOW, SERVER

THIS_VERSION: Final = "6"
NEXT_VERSION: Final = "7"

_MIGRATIONS: Final = Path(__file__).parent / "next_migration"
_WORDS: Final = words_code("5a17", "lucky")
_1: Final = transfer_hasher(SERVER, None, NOW, "opening:1:7")(
    GENESIS, 1, "mint", "wallet:7", 1000, Reason.OPENING_CHIPS, None
)
_2: Final = event_hasher(SERVER, 77, NOW, "5")(_1, 2, 1, None, "table_opened", "an event")
_OF_BET: Final = transfer_hasher(SERVER, 77, NOW, "6")
_3: Final = _OF_BET(_2, 3, "wallet:7", "hold:77:7", 40, Reason.BET_HELD, 1)
_4: Final = _OF_BET(_3, 4, "score:8", "score:7", 5, Reason.POINTS_WON, 1)
_5: Final = event_hasher(SERVER, 77, NOW, "6")(_4, 5, 2, 1, "bet_placed", "another")
_6: Final = house_hasher(SERVER, NOW, "house:900")(_5, 6, 1, 7, "what", "the house")

_ROWS: Final = f"""
    INSERT INTO parties VALUES (7, {SERVER}, 70, 'Alice', 'en-US', 0, 0, 1, 0),
        (8, {SERVER}, 80, '牛牛', 'zh-TW', 1, 1, 0, 1);
    INSERT INTO accounts VALUES ({SERVER}, 'mint', 'mint', NULL, NULL, -1000),
        ({SERVER}, 'wallet:7', 'wallet', 7, NULL, 960), ({SERVER}, 'hold:77:7', 'hold', 7, 77, 40),
        ({SERVER}, 'score:7', 'score', 7, NULL, 5), ({SERVER}, 'score:8', 'score', 8, NULL, -5);
    INSERT INTO transfers VALUES
        ({SERVER}, 1, 'mint', 'wallet:7', NULL, 7, 1000, 'opening_chips', NULL, NULL, 'opening:1:7',
            {NOW!r}, x'{_1.hex()}'),
        ({SERVER}, 3, 'wallet:7', 'hold:77:7', NULL, NULL, 40, 'bet_held', 77, 1, '6',
            {NOW!r}, x'{_3.hex()}'),
        ({SERVER}, 4, 'score:8', 'score:7', NULL, NULL, 5, 'points_won', 77, 1, '6',
            {NOW!r}, x'{_4.hex()}');
    INSERT INTO tables VALUES (77, {SERVER}, 1, 6, 1, 1, 'a state', 2, {NOW!r}, NULL, 9, 2.5, 'gnau');
    INSERT INTO events VALUES (77, 1, 2, NULL, 'table_opened', 'an event', '5', {NOW!r}, x'{_2.hex()}'),
        (77, 2, 5, 1, 'bet_placed', 'another', '6', {NOW!r}, x'{_5.hex()}');
    INSERT INTO house_changes VALUES
        ({SERVER}, 1, 6, 7, {NOW!r}, 'house:900', 'what', 'the house', x'{_6.hex()}');
    INSERT INTO chains VALUES ({SERVER}, 6, x'{_6.hex()}');
    INSERT INTO servers VALUES ({SERVER}, NULL, {NOW!r}, '2026-W38'), (2, {NOW!r}, NULL, NULL);
    INSERT INTO commands VALUES ('opening:1:7', {SERVER}, NULL, {NOW!r}, NULL),
        ('5', {SERVER}, 77, {NOW!r}, NULL), ('6', {SERVER}, 77, {NOW!r}, 'an answer'),
        ('house:900', {SERVER}, NULL, {NOW!r}, 'what');
    INSERT INTO uncounted_rounds VALUES ({SERVER}, 5, 77, 2);
    INSERT INTO achievements VALUES ({SERVER}, 7, '[1,0,20700,1,[],[]]');
    INSERT INTO standings
        VALUES ({SERVER}, '2026-W39', 'gnau', 7, 3, NULL, NULL, 96, 5, {NOW!r}, 0, 0, 0, 0, NULL);
    INSERT INTO tallies VALUES ({SERVER}, 7, 'gnau', 2, 3, 1, -40);
    INSERT INTO seasons
        VALUES ({SERVER}, 1, 'Winter', 1, 700, 90, {NOW!r}, {NOW!r}, 31, 1, 1, 1, '[7]', 0, 9);
    INSERT INTO tournaments VALUES (900, {SERVER}, 700, 1, 'a tournament');
    INSERT INTO flows
        VALUES ({SERVER}, 2949, 7, 8, 3, -40, 5, -10, 2, 1, 1, 0, 3, -35000000, 0, 900000000, 120);
    INSERT INTO plans VALUES ('daily:7', {SERVER}, 7, 'daily', NULL, {NOW!r}, '');
    INSERT INTO deadlines VALUES (77, {NOW!r});
    INSERT INTO direct_channels VALUES (70, 700, NULL), (80, NULL, 3.5);
    INSERT INTO house_drafts VALUES (900, {SERVER}, {NOW!r}, 0, 'a draft');
    INSERT INTO seed_words VALUES ('{_WORDS}', 7, '5a17', 'lucky');
    INSERT INTO admin_notes VALUES ('6', 7, 8, 'a prize');
    INSERT INTO bans VALUES (1, x'ba11', 2.5, NULL, 7, 8, 'dumping'), (1, x'ba12', 2.5, 9.5, 8, 7, 'so');
    INSERT INTO spent_openings VALUES ({SERVER}, x'0123', {NOW!r});
    """


def fill_every_table(path: Path) -> None:
    """Creates an intact database of this version with something in every table."""
    path.touch(OWNER_ONLY)
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
