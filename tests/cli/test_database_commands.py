"""`gnau db`: its output and exit status."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.ledger import open_ledger
from tests.cli.runner import ask, refusal
from tests.croupier.croupier_house import ALICE, MEI, House
from tests.croupier.forger import Forger
from tests.ledger.next_version import NEXT_VERSION, THIS_VERSION, release_next_version
from tests.ledger.sample_changes import NOW, SERVER

DEVELOPMENT = (
    "gnau.db was made by an earlier development version and cannot be read. "
    "Move it away to start with a new one"
)
EARLIER_FORMAT = (
    "gnau.db is of an earlier format. Move it away, with the files beside it, then take over its chips and "
    "house rules: gnau db carry-over OLD"
)


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///gnau.db")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database without faults, with two wallets."""

    async def fill() -> None:
        async with open_ledger("sqlite:///gnau.db") as ledger:
            await ledger.ensure_wallet(SERVER, 7, 1000, NOW)
            await ledger.ensure_wallet(SERVER, 8, 1000, NOW)

    asyncio.run(fill())
    return tmp_path / "gnau.db"


def spoil(database: Path, script: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(f"PRAGMA ignore_check_constraints = ON; {script}")


async def begin_round(database: Path) -> None:
    """Deals the hands of a round, and stops there."""
    async with House(database) as house:
        table_id = await house.open_with_bank(MEI)
        await house.bet(table_id, ALICE, 5)


def done(*words: str) -> str:
    """The one line of success of `gnau db` with these arguments."""
    result = ask("db", *words)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    line, end, rest = result.stdout.partition("\n")
    assert (end, rest) == ("\n", "")
    return line


def test_a_database_without_faults_is_one_line(database: Path) -> None:
    assert done("check") == f"{database.name}: no faults"


def test_each_fault_is_one_line(database: Path) -> None:
    spoil(
        database,
        "UPDATE accounts SET balance = 1200 WHERE account = 'wallet:7';"
        "UPDATE accounts SET balance = 900 WHERE account = 'wallet:8';"
        "INSERT INTO accounts VALUES (2, 'x' || char(10) || char(27) || '[2J', 'wallet', 9, NULL, 0)",
    )
    result = ask("db", "check")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "server 1: wallet:7 has 1200 chips, but its entries sum to 1000",
        "server 1: wallet:8 has 900 chips, but its entries sum to 1000",
        "server 1: all balances sum to 100 chips, not to zero",
        r"server 2: x\n\x1b[2J is stored as the wallet of party 9 at table None",
    ]


@pytest.mark.parametrize("is_older", [False, True])
def test_a_transfer_that_no_table_made_is_a_fault_even_if_all_adds_up(
    database: Path, is_older: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(begin_round(database))
    if is_older:
        release_next_version(monkeypatch)
    forger = Forger(database)
    chips = forger.transfer("reason = 'bet_held'")
    forger.run("UPDATE transfers SET chips = chips + 1 WHERE server_id = ? AND link = ?", *chips)
    result = ask("db", "check")
    assert result.exit_code == 1
    (line,) = result.stdout.splitlines()
    assert line.startswith(f"server 8: transfer {chips[1]} is of 36 chips from wallet:2 to hold:")


def test_a_backup_is_made_checked_and_restored(database: Path) -> None:
    assert done("backup", "copy.db") == "copy.db is a good copy of gnau.db"
    assert done("check", "copy.db") == "copy.db: no faults"
    spoil(database, "UPDATE accounts SET balance = 5 WHERE account = 'wallet:7'")
    told = done("restore", "copy.db")
    assert told.startswith("gnau.db is restored from copy.db; the old one: gnau.db.before-restore-")
    assert done("check") == "gnau.db: no faults"
    assert ask("db", "check", told.rpartition(" ")[2]).exit_code == 1
    assert refusal("db", "backup", "copy.db") == "copy.db already exists"
    assert done("backup", "copy.db", "--force")


def test_restoring_a_copy_warns_of_open_tables(database: Path) -> None:
    asyncio.run(begin_round(database))
    done("backup", "copy.db")
    result = ask("db", "restore", "copy.db")
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith("gnau.db has open tables: 1; close them with /table close before anybody bets")


def test_a_copy_with_faults_is_neither_kept_nor_restored(database: Path) -> None:
    done("backup", "copy.db")
    for words, spoilt, first in (
        (("restore", "copy.db"), Path("copy.db"), "nothing was changed: copy.db has faults"),
        (("backup", "other.db"), database, "nothing was written: gnau.db has faults"),
    ):
        spoil(spoilt, "UPDATE accounts SET balance = 5 WHERE account = 'wallet:7'")
        result = ask("db", *words)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.splitlines() == [
            first,
            "server 1: wallet:7 has 5 chips, but its entries sum to 1000",
            "server 1: all balances sum to -995 chips, not to zero",
        ]
    assert not Path("other.db").exists()


def test_an_upgrade_reports_the_versions(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert done("upgrade").startswith("gnau.db is already at version ")
    database.unlink()
    assert done("upgrade").startswith("gnau.db is created, at version ")
    database.unlink()
    asyncio.run(begin_round(database))
    release_next_version(monkeypatch)
    told = done("upgrade")
    assert told.startswith(f"gnau.db is upgraded from version {THIS_VERSION} to {NEXT_VERSION}; ")
    assert done("check", told.rpartition(" ")[2]).endswith("no faults")


@pytest.mark.parametrize(
    ("revision", "why"), [("0001", DEVELOPMENT), ("0002", DEVELOPMENT), ("1", EARLIER_FORMAT)]
)
@pytest.mark.parametrize(
    "words", [("check",), ("check", "gnau.db"), ("backup", "copy.db"), ("restore", "gnau.db"), ("upgrade",)]
)
def test_a_database_of_an_earlier_version_is_refused(
    words: tuple[str, ...], revision: str, why: str, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(database, f"UPDATE alembic_version SET version_num = '{revision}'")
    if words[0] == "restore":
        monkeypatch.setenv("DATABASE_URL", "sqlite:///other.db")
    assert refusal("db", *words) == why


def test_while_the_bot_runs_check_and_backup_work_but_not_restore(database: Path) -> None:
    async def meanwhile() -> None:
        async with open_ledger("sqlite:///gnau.db") as ledger:
            await ledger.ensure_wallet(SERVER, 9, 1000, NOW)
            await asyncio.to_thread(done, "check")
            await asyncio.to_thread(done, "backup", "copy.db")
            for words in (("restore", "copy.db"), ("upgrade",)):
                line = await asyncio.to_thread(refusal, "db", *words)
                assert line.startswith("gnau.db is in use by another process")

    asyncio.run(meanwhile())
    done("check")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("check",), "there is no database gnau.db"),
        (("backup", "copy.db"), "there is no database gnau.db"),
        (("restore", "copy.db"), "there is no database copy.db"),
        (("check", "copy.db"), "there is no database copy.db"),
        (("backup",), "Missing argument 'PATH'."),
        (("restore",), "Missing argument 'PATH'."),
        ((), "Missing command."),
    ],
)
def test_an_impossible_command_is_one_line(words: tuple[str, ...], line: str, tmp_path: Path) -> None:
    assert refusal("db", *words) == line
    assert list(tmp_path.iterdir()) == [], "nothing is made"


@pytest.mark.parametrize("words", [("check",), ("backup", "copy.db"), ("restore", "copy.db"), ("upgrade",)])
def test_a_malformed_address_is_refused_without_its_password(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://gnau:hunter2@localhost/gnau")
    line = refusal("db", *words)
    assert line.startswith("DATABASE_URL")
    assert "hunter2" not in line


def test_a_file_that_is_not_a_database_is_a_fault_and_not_a_traceback(database: Path) -> None:
    database.write_bytes(b"shopping list\n" * 100)
    result = ask("db", "check")
    assert (result.exit_code, result.stdout) == (1, "the file is damaged: file is not a database\n")
    assert refusal("db", "backup", "copy.db") == "gnau.db: file is not a database"
    assert "not a database" in refusal("db", "upgrade")


def test_the_address_can_be_in_the_file_env(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database.rename("other.db")
    Path(".env").write_text("DATABASE_URL=sqlite:///other.db\n")
    monkeypatch.delenv("DATABASE_URL")
    assert done("check") == "other.db: no faults"
