"""`gnau db`: its output and exit status."""

import asyncio
import shlex
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.changes import Identity
from bot.ledger.ledger import open_ledger
from tests.cli.runner import ask, refusal
from tests.croupier.croupier_house import ALICE, MEI, House
from tests.croupier.croupier_house import SERVER as HOME
from tests.croupier.forger import Forger
from tests.croupier.long_evening import LongEvening
from tests.ledger.ledger_files import contents, left_by_a_kill
from tests.ledger.next_version import NEXT_VERSION, THIS_VERSION, release_next_version
from tests.ledger.sample_changes import NOW, SERVER
from tests.sizes import sample

NO_DATABASE = "there is no database gnau.db: go to the bot's folder, or set DATABASE_URL"
READERS = [
    ("db", "check"),
    ("db", "backup", "copy.db", "--force"),
    ("privacy", "export", "7"),
    ("rounds", "export", "rounds"),
    ("site", "site", "--server", str(SERVER)),
]
"""The commands that read the database, and change nothing in it."""
UPGRADE, RESTORE, ERASE = ("db", "upgrade"), ("db", "restore", "good.db"), ("privacy", "erase", "7")
CIRCLE = "gnau.db is a symbolic link that leads in a circle"
NEWER = "gnau.db was made by another version of this program: its schema is '9'"
BACKUP = Path("backups/gnau.db.backup-20261123T060000Z")
LOST = (
    f"gnau.db is missing or empty, but it has backups: put the newest back with gnau db restore {BACKUP}, "
    "or to start over, move backups away"
)
WAL_LEFT = (
    "gnau.db is missing or empty, but gnau.db-wal has what was written last: put the database back, "
    "or to start over, move that file away"
)
WRONG_SETTING = (
    "DATABASE_URL names gnau.db, which is no SQLite database. Correct the setting; only if this was "
    "gnau's database, move it away and restore a backup"
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


@pytest.fixture
def played_database(tmp_path: Path) -> Path:
    """A database of a long evening with members."""

    async def play() -> None:
        async with House(tmp_path / "gnau.db") as house:
            await house.ledger.record(Identity(ALICE, HOME, ALICE, "Alice", "en-US"))
            await LongEvening(house).play()

    asyncio.run(play())
    return tmp_path / "gnau.db"


def spoil(database: Path, script: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(f"PRAGMA ignore_check_constraints = ON; {script}")


def no_database(database: Path) -> None:
    database.write_bytes(b"shopping list\n" * 100)


def truncated(database: Path) -> None:
    database.write_bytes(database.read_bytes()[: database.stat().st_size // 4])


def wiped(database: Path) -> None:
    """Wipes the first pages of two tables that the exports read, and of their indices."""
    with closing(sqlite3.connect(database)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        rows = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE rootpage AND tbl_name IN ('parties', 'tables')"
        ).fetchall()
    with database.open("r+b") as file:
        for (page,) in rows:
            file.seek((page - 1) * size)
            file.write(bytes(size))


def keep_backup() -> Path:
    """Makes a backup where the bot makes its own."""
    BACKUP.parent.mkdir()
    done("backup", str(BACKUP))
    return BACKUP


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


def test_standings_are_checked_and_counted_again(played_database: Path) -> None:
    told = done("rebuild")
    assert told.startswith("gnau.db has counted ")
    assert done("rebuild") == told
    assert done("check") == "gnau.db: no faults"
    spoil(played_database, "UPDATE standings SET rounds = rounds + 1")
    assert ask("db", "check").exit_code == 1
    assert done("rebuild") == told
    assert done("check") == "gnau.db: no faults"


def test_a_backup_is_made_checked_and_restored(database: Path) -> None:
    assert done("backup", "copy.db") == "copy.db is a good copy of gnau.db"
    assert done("check", "copy.db") == "copy.db: no faults"
    spoil(database, "UPDATE accounts SET balance = 5 WHERE account = 'wallet:7'")
    told = done("restore", "copy.db")
    assert told.startswith("gnau.db is restored from copy.db; the old one: gnau.db.before-restore-")
    assert done("check") == "gnau.db: no faults"
    assert ask("db", "check", told.rpartition(" ")[2]).exit_code == 1
    assert refusal("db", "backup", "copy.db") == (
        "copy.db already exists: choose another name, or overwrite it with --force"
    )
    assert done("backup", "copy.db", "--force")


def test_notes_of_erased_members_that_cannot_be_read_stop_a_restore_before_it_changes_anything(
    database: Path,
) -> None:
    done("backup", "copy.db")
    spoil(database, "UPDATE accounts SET balance = 5 WHERE account = 'wallet:7'")
    notes = Path("gnau.db.erased")
    notes.mkdir()
    before, files = database.read_bytes(), sorted(Path().iterdir())
    assert refusal("db", "restore", "copy.db").endswith("gnau.db.erased cannot be read: Is a directory")
    assert (database.read_bytes(), sorted(Path().iterdir())) == (before, files)


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


def test_while_the_bot_runs_check_and_backup_work_but_not_restore(database: Path) -> None:
    async def meanwhile() -> None:
        async with open_ledger("sqlite:///gnau.db") as ledger:
            await ledger.ensure_wallet(SERVER, 9, 1000, NOW)
            await asyncio.to_thread(done, "check")
            await asyncio.to_thread(done, "backup", "copy.db")
            for words in (("restore", "copy.db"), ("upgrade",)):
                line = await asyncio.to_thread(refusal, "db", *words)
                assert line == (
                    "gnau.db is in use by another process: stop the bot first, or choose another database"
                )

    asyncio.run(meanwhile())
    done("check")


def in_a_circle(database: Path) -> None:
    database.unlink()
    database.symlink_to(database)


def named_by_mistake(database: Path) -> None:
    """Leaves nothing beside the file that says that it ever was a database."""
    for file in database.parent.glob("gnau.db*"):
        file.unlink()
    no_database(database)


def emptied(database: Path) -> None:
    database.write_bytes(b"")


def of_a_newer_version(database: Path) -> None:
    spoil(database, "UPDATE alembic_version SET version_num = '9'")


def with_backup(lose: Callable[[Path], object]) -> Callable[[Path], None]:
    def lost(database: Path) -> None:
        keep_backup()
        lose(database)

    return lost


def with_wal(lose: Callable[[Path], object]) -> Callable[[Path], None]:
    def lost(database: Path) -> None:
        left_by_a_kill(database)
        lose(database)

    return lost


@pytest.mark.parametrize(
    ("lose", "commands", "line"),
    sample(
        [
            (Path.unlink, [*READERS, ("db", "new-application"), ERASE], NO_DATABASE),
            (emptied, READERS, "gnau.db is empty: go to the bot's folder, or set DATABASE_URL"),
            (with_backup(Path.unlink), [*READERS, UPGRADE], LOST),
            (with_backup(emptied), [*READERS, UPGRADE], LOST),
            (with_wal(Path.unlink), [*READERS, UPGRADE], WAL_LEFT),
            (with_wal(emptied), [*READERS, UPGRADE], WAL_LEFT),
            (in_a_circle, [*READERS, RESTORE, UPGRADE, ERASE], CIRCLE),
            (named_by_mistake, [*READERS, RESTORE, UPGRADE], WRONG_SETTING),
            (of_a_newer_version, [*READERS[:2], UPGRADE], NEWER),
        ],
        3,
    ),
)
def test_what_cannot_be_used_is_named_in_the_same_words_by_every_command(
    database: Path,
    lose: Callable[[Path], object],
    commands: list[tuple[str, ...]],
    line: str,
) -> None:
    done("backup", "good.db")
    lose(database)
    before = contents(database.parent)
    assert {refusal(*words) for words in commands} == {line}
    assert contents(database.parent) == before, "nothing is made or lost"


def test_a_missing_database_is_restored_from_its_backup(database: Path) -> None:
    copy = keep_backup()
    database.unlink()
    assert ask("db", "restore", str(copy)).exit_code == 0
    assert done("check") == "gnau.db: no faults"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("restore", "copy.db"), "there is no database copy.db: check the path"),
        (("check", "copy.db"), "there is no database copy.db: check the path"),
        (("check", "empty.db"), "empty.db is empty: there is no ledger in it"),
        (("backup",), "Missing argument 'PATH'."),
        (("restore",), "Missing argument 'PATH'."),
        ((), "Missing command."),
    ],
)
def test_an_impossible_command_is_one_line(words: tuple[str, ...], line: str, tmp_path: Path) -> None:
    Path("empty.db").touch()
    assert refusal("db", *words) == line
    assert [file.name for file in tmp_path.iterdir()] == ["empty.db"], "nothing is made"


@pytest.mark.parametrize("command", ["export", "erase"])
@pytest.mark.parametrize("user_id", [2**63, 99999999999999999999])
def test_an_id_that_no_user_can_have_is_refused(database: Path, command: str, user_id: int) -> None:
    assert "USER_ID" in refusal("privacy", command, str(user_id))


def test_a_command_that_is_named_can_be_copied_whatever_the_path_and_the_clock(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = keep_backup()
    later = copy.with_name("gnau.db.backup-20990101T000000Z")
    later.write_bytes(copy.read_bytes())
    spaced = tmp_path / "my bot"
    spaced.mkdir()
    database.rename(spaced / "gnau.db")
    copy.parent.rename(spaced / "backups")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///my bot/gnau.db")
    spoil(spaced / "gnau.db", "UPDATE accounts SET balance = 5 WHERE account = 'wallet:7'")
    result = ask("db", "check")
    advice, _, rest = result.stderr.strip().partition("then: ")
    assert advice == "to put a backup back, stop the bot, "
    command, _, other = rest.partition(" (or ")
    assert other == f"'my bot/backups/{later.name}', if the clock is or was wrong)", "it may be newer"
    program, *words = shlex.split(command)
    assert program == "gnau"
    assert words[-1] == f"my bot/backups/{copy.name}"
    assert ask(*words).exit_code == 0
    assert done("check") == "my bot/gnau.db: no faults"


def test_a_backup_that_was_damaged_since_it_was_made_is_not_named(database: Path) -> None:
    copy = keep_backup()
    newer = copy.with_name("gnau.db.backup-20261123T120000Z")
    newer.write_bytes(copy.read_bytes())
    truncated(newer)
    spoil(database, "UPDATE accounts SET balance = 5 WHERE account = 'wallet:7'")
    assert ask("db", "check").stderr.endswith(f"then: gnau db restore {copy}\n")
    truncated(copy)
    assert ask("db", "check").stderr.endswith("then: gnau db restore PATH\n")


def test_backups_that_cannot_be_looked_at_are_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "iterdir", refused)
    for words in (*READERS, UPGRADE):
        assert refusal(*words) == "backups: Permission denied"


@pytest.mark.parametrize("address", ["mysql://gnau:hunter2@localhost/gnau", "sqlite:///circle.db"])
def test_a_copy_is_checked_whatever_the_settings_name(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its faults are no reason to put a backup of the database back."""
    Path("circle.db").symlink_to("circle.db")
    monkeypatch.setenv("DATABASE_URL", address)
    assert refusal("db", "check", "copy.db") == "there is no database copy.db: check the path"
    no_database(Path("old.db"))
    result = ask("db", "check", "old.db")
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == "the file is damaged: file is not a database\n"
    for words in (*READERS, UPGRADE):
        line = refusal(*words)
        assert line.startswith(("DATABASE_URL", "circle.db is"))
        assert "hunter2" not in line


def test_behind_a_link_the_newest_backup_is_named_too(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / keep_backup()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "gnau.db").symlink_to(database)
    spoil(database, "UPDATE accounts SET balance = 5 WHERE account = 'wallet:7'")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(elsewhere)
        result = ask("db", "check")
    assert result.exit_code == 1
    assert result.stderr == f"to put a backup back, stop the bot, then: gnau db restore {copy}\n"


@pytest.mark.thorough
@pytest.mark.parametrize("damage", [no_database, truncated, wiped])
def test_damage_is_a_fault_for_every_command_and_the_backup_is_named(
    database: Path, damage: Callable[[Path], None]
) -> None:
    copy = keep_backup()
    damage(database)
    before = database.read_bytes()
    for words in (*READERS, UPGRADE):
        result = ask(*words)
        assert result.exit_code == 1, result.output
        assert "Traceback" not in result.output
        if words == ("db", "check"):
            assert result.stdout
            last = f"to put a backup back, stop the bot, then: gnau db restore {copy}"
        elif result.stderr.startswith("nothing was written: gnau.db has faults\n"):
            continue
        else:
            assert result.stdout == ""
            assert result.stderr.startswith("gnau.db is damaged: ")
            last = f" See more with gnau db check; put a backup back with gnau db restore {copy}"
        assert result.stderr.endswith(f"{last}\n")
        assert result.stderr.count("\n") == 1, result.stderr
    assert database.read_bytes() == before
    assert not Path("copy.db").exists()
    done("restore", str(copy))
    assert done("check") == "gnau.db: no faults"


def test_a_check_names_a_backup_that_was_copied_beside_the_wal_of_another_database(database: Path) -> None:
    copy = keep_backup()
    Path("gnau.db-wal").write_bytes(b"pages of another database")
    database.write_bytes(copy.read_bytes())
    result = ask("db", "check")
    assert result.exit_code == 1
    wrong = "gnau.db is damaged: a copy was put over it, and gnau.db-wal is not of that copy"
    assert result.stdout == f"{wrong}\n"
    assert result.stderr == f"to put a backup back, stop the bot, then: gnau db restore {copy}\n"
