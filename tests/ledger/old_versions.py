"""Databases as earlier versions of the program made them, each with something in every table it has."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.ledger.chain import GENESIS, transfer_hash
from bot.ledger.upgrade import revisions, upgrade
from bot.table.money import Reason
from tests.ledger.trial import NOW, SERVER

_FIRST: Final = transfer_hash(
    GENESIS, SERVER, 1, "mint", "wallet:7", 1000, Reason.OPENING_CHIPS, None, None, NOW, "opening:1:7"
)
_HELD: Final = transfer_hash(_FIRST, SERVER, 2, "wallet:7", "hold:77:7", 40, Reason.BET_HELD, 77, 1, NOW, "6")
_SCORED: Final = transfer_hash(_HELD, SERVER, 3, "score:8", "score:7", 5, Reason.POINTS_WON, 77, 1, NOW, "6")

KEPT: Final[dict[str, str]] = {
    "0001": f"""
        INSERT INTO accounts VALUES ({SERVER}, 'mint', 'mint', NULL, NULL, -1000),
            ({SERVER}, 'wallet:7', 'wallet', 7, NULL, 960), ({SERVER}, 'hold:77:7', 'hold', 7, 77, 40);
        INSERT INTO transfers VALUES
            ({SERVER}, 1, 'mint', 'wallet:7', NULL, 7, 1000, 'opening_chips', NULL, NULL, 'opening:1:7',
                {NOW!r}, '{GENESIS}', '{_FIRST}'),
            ({SERVER}, 2, 'wallet:7', 'hold:77:7', NULL, NULL, 40, 'bet_held', 77, 1, '6',
                {NOW!r}, '{_FIRST}', '{_HELD}');
        INSERT INTO servers VALUES ({SERVER}, 2, '{_HELD}');
        INSERT INTO commands VALUES ('opening:1:7', {SERVER}, NULL, {NOW!r}, NULL),
            ('5', {SERVER}, 77, {NOW!r}, NULL), ('6', {SERVER}, 77, {NOW!r}, 'an answer');
        INSERT INTO tables VALUES (77, {SERVER}, 1, 6, 1, 1, 'a state', 2, {NOW!r}, NULL, 9, 2.5);
        INSERT INTO events VALUES (77, 1, NULL, 'table_opened', 'an event', '5', {NOW!r}),
            (77, 2, 1, 'bet_placed', 'another', '6', {NOW!r});
        INSERT INTO deadlines VALUES (77, {NOW!r});
        INSERT INTO members VALUES (7, 70, NULL), (8, NULL, 3.5);
        """,
    "0002": f"""
        INSERT INTO accounts VALUES ({SERVER}, 'score:7', 'score', 7, NULL, 5),
            ({SERVER}, 'score:8', 'score', 8, NULL, -5);
        INSERT INTO transfers VALUES ({SERVER}, 3, 'score:8', 'score:7', NULL, NULL, 5, 'points_won', 77, 1,
            '6', {NOW!r}, '{_HELD}', '{_SCORED}');
        UPDATE servers SET last_sequence = 3, last_hash = '{_SCORED}';
        INSERT INTO house_changes VALUES ({SERVER}, 1, 7, {NOW!r}, '6', 'what', 'the house');
        INSERT INTO house_drafts VALUES (900, {SERVER}, 7, {NOW!r}, 1, 'a draft');
        """,
}
"""By each version what it could keep and the one before it could not, as statements."""


def make_as_of(revision: str, path: Path) -> None:
    """Makes a database of that version, with all in it that was kept up to then."""
    upgrade(path, to=revision)
    with closing(sqlite3.connect(path)) as connection:
        for earlier in revisions()[: revisions().index(revision) + 1]:
            connection.executescript(KEPT[earlier])


Rows = dict[str, list[dict[str, object]]]


def rows_in(path: Path) -> Rows:
    """The rows of each of our tables, by the names of their columns."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'alembic%'"
        tables = [name for (name,) in connection.execute(names)]
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in tables}


def contains(after: Rows, before: Rows) -> bool:
    """Whether every row is still there with every value it had, whatever columns have come to it."""
    return all(
        row.items() >= old.items()
        for table, rows in before.items()
        for row, old in zip(after[table], rows, strict=True)
    )
