"""The check of a file: nothing for an intact one, and a sentence for every problem."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.integrity import problems_in
from bot.ledger.sqlite.upgrade import migrate
from bot.table.accounts import HOUSE, wallet
from tests.ledger.ledger_files import miscount_a_page
from tests.ledger.sample_changes import NOW, at_table, bet, opening, pay, row
from tests.sizes import sample

Tamper = Callable[[str], None]


@pytest.fixture
def filled(path: Path, address: str) -> Path:
    """An intact ledger with members, a table and a bet."""

    async def fill() -> None:
        async with open_ledger(address) as ledger:
            for member in range(7, 60):
                await ledger.commit(opening(member))
            await ledger.commit(at_table(row(1), bet(7, 70), deadline=NOW))
            await ledger.commit(pay(wallet(8), HOUSE, 9))

    asyncio.run(fill())
    return path


@pytest.fixture
def tamper(filled: Path) -> Tamper:
    """Runs statements on the file without triggers, checks or foreign keys."""

    def run(script: str) -> None:
        with closing(sqlite3.connect(filled)) as connection:
            connection.executescript(f"PRAGMA ignore_check_constraints = ON; {script}")

    return run


def test_an_intact_file_has_no_problems_and_is_not_written(filled: Path) -> None:
    before = filled.read_bytes()
    assert problems_in(filled) == []
    assert filled.read_bytes() == before


async def test_a_file_in_use_is_checked_with_everything_committed(path: Path, address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        assert await asyncio.to_thread(problems_in, path) == []
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE accounts SET balance = 7 WHERE account = 'wallet:7'")
            connection.commit()
        assert await asyncio.to_thread(problems_in, path) == [
            "server 1: wallet:7 has 7 chips, but its entries sum to 1000",
            "server 1: all balances sum to -993 chips, not to zero",
        ]


def test_the_check_includes_the_audit(filled: Path, tamper: Tamper) -> None:
    tamper(
        "UPDATE accounts SET balance = 9000 WHERE account = 'wallet:20';"
        "UPDATE accounts SET balance = -8 WHERE account = 'wallet:21';"
        "UPDATE tables SET is_playing = 0;"
    )
    # Newer versions of SQLite also report the negative balance.
    found = [problem for problem in problems_in(filled) if not problem.startswith("SQLite")]
    assert found == [
        "server 1: wallet:20 has 9000 chips, but its entries sum to 1000",
        "server 1: wallet:21 has -8 chips, but its entries sum to 1000",
        "server 1: wallet:21 is below zero, at -8 chips",
        "server 1: all balances sum to 6992 chips, not to zero",
        "server 1: hold:77:7 holds 70 chips, but table 77 is not playing",
    ]


def test_a_reference_to_a_missing_row_is_found(filled: Path, tamper: Tamper) -> None:
    tamper("DELETE FROM tables")
    problems = problems_in(filled)
    assert "row 77 of deadlines refers to a missing row of tables" in problems
    assert "server 1: hold:77:7 holds 70 chips, but there is no table 77" in problems


@pytest.mark.parametrize(
    "statement",
    sample(
        [
            "UPDATE accounts SET balance = 'much' WHERE account = 'wallet:9'",
            "UPDATE accounts SET balance = 10.5 WHERE account = 'wallet:9'",
            "UPDATE tables SET state = x'00ff'",
            "UPDATE deadlines SET at = 'soon'",
            "UPDATE tables SET closed_at = 'never'",
            "UPDATE chains SET head = 'text'",
            "INSERT INTO seed_words VALUES ('code', 'seven', 'salt', 'words')",
        ],
        2,
    ),
)
def test_sqlite_itself_refuses_a_value_of_a_wrong_type(filled: Path, tamper: Tamper, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="cannot store"):
        tamper(statement)
    assert problems_in(filled) == []


def test_a_value_of_a_wrong_type_in_a_forged_table_is_found(filled: Path, tamper: Tamper) -> None:
    strict, loose = "ROWID,\n STRICT", "ROWID -- STRICT"
    made_with = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '{}', '{}')"
    tamper(f"{made_with.format(strict, loose)} WHERE name = 'accounts'")
    assert problems_in(filled) == ["the table accounts is not STRICT: its values can have any type"]
    tamper("UPDATE accounts SET balance = 'much' WHERE account = 'wallet:9'")
    tamper(made_with.format(loose, strict))
    assert problems_in(filled) == ["SQLite says: non-INTEGER value in accounts.balance"]


def test_each_fault_that_sqlite_finds_in_pages_is_a_line_of_its_own(filled: Path) -> None:
    for table in ("accounts", "transfers"):
        miscount_a_page(filled, table)
    problems = problems_in(filled)
    assert len(problems) == 2
    for problem in problems:
        assert problem.startswith("SQLite says: ")
        assert "page" in problem
        assert "\n" not in problem


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_or_wiped_file_is_damaged(filled: Path, share: float) -> None:
    whole = filled.read_bytes()
    kept = int(len(whole) * share)
    filled.write_bytes(whole[:kept])
    assert problems_in(filled)
    filled.write_bytes(whole[:kept] + b"\xff" * (len(whole) - kept))
    assert problems_in(filled)


def test_a_file_of_an_older_version_is_checked_as_if_upgraded(older: Path) -> None:
    before = older.read_bytes()
    assert problems_in(older) == []
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("UPDATE accounts SET balance = 961 WHERE account = 'wallet:7'")
        connection.commit()
    assert problems_in(older) == [
        "server 1: wallet:7 has 961 chips, but its entries sum to 960",
        "server 1: all balances sum to 1 chips, not to zero",
    ]
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("UPDATE accounts SET balance = 960 WHERE account = 'wallet:7'")
        connection.commit()
    assert older.read_bytes()[100:] == before[100:]
    assert [file.name for file in older.parent.iterdir() if file.is_dir()] == []
    migrate(older)
    assert problems_in(older) == []
