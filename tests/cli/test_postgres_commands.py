"""The commands that use a database, on a PostgreSQL server."""

import asyncio
import json
import os
import shlex
import shutil
import socket
import stat
import subprocess
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bot.ledger.ledger import open_ledger
from bot.ledger.postgres import upgrade
from tests.cli.runner import ask, refusal
from tests.cli.test_books_commands import ZOE, play
from tests.croupier.croupier_house import SERVER
from tests.databases import new_postgres_database
from tests.ledger.next_version import NEXT_VERSION, THIS_VERSION, release_next_version
from tests.ledger.sample_changes import NOW
from tests.postgres_server import programs

PASSWORD = "hunter2"


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = programs()
    monkeypatch.setenv("PATH", f"{found}{os.pathsep}{os.environ['PATH']}" if found else os.environ["PATH"])


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a database without tables, in the settings; with a password, which nothing may show."""
    address = new_postgres_database("template1").replace("gnau@", f"gnau:{PASSWORD}@")
    monkeypatch.setenv("DATABASE_URL", address)
    return address


@pytest.fixture
def name(address: str) -> str:
    """What messages call it."""
    return address.replace(f"gnau:{PASSWORD}@", "")


@pytest.fixture
def code(address: str, tmp_path: Path) -> str:
    """Fills it with two rounds of Zoe's, and returns the code of the books after the first."""
    code = asyncio.run(play(tmp_path / "gnau.db", 2))
    done("copy", "sqlite:///gnau.db", address)
    return code


def done(*words: str) -> str:
    """The output of `gnau db` with these arguments, which succeeds."""
    result = ask("db", *words)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    assert PASSWORD not in result.output
    return result.stdout


def changed(address: str, *statements: str) -> None:
    with closing(psycopg.connect(address)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def rows_on(address: str) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables, and their schemas."""
    with closing(psycopg.connect(address)) as connection:
        query = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname !~ '^(pg_|information)'"
        return {
            f"{schema}.{table}": sorted(connection.execute(f"SELECT * FROM {schema}.{table}"), key=repr)
            for schema, table in connection.execute(query).fetchall()
        }


def stand_in(folder: Path, program: str, script: str) -> None:
    """Puts a program of this name before the real one on the path."""
    folder.mkdir(exist_ok=True)
    (folder / program).write_text(f"#!/bin/sh\n{script}\n")
    (folder / program).chmod(0o755)


def test_a_database_is_copied_checked_backed_up_and_restored(address: str, name: str, code: str) -> None:
    faultless, found = done("check", "--head", code).splitlines()
    assert faultless == f"{name}: no faults"
    assert found.startswith(f"{code} is link ")
    assert done("backup", "gnau.dump") == f"gnau.dump is a good copy of {name}\n"
    assert stat.S_IMODE(Path("gnau.dump").stat().st_mode) == 0o600
    before = rows_on(address)
    assert json.loads(ask("privacy", "export", str(ZOE.user_id)).stdout)["user_id"] == str(ZOE.user_id)
    erased = ask("privacy", "erase", str(ZOE.user_id))
    assert erased.stdout.startswith(f"the user is erased in server {SERVER}; "), erased.output
    restored = ask("db", "restore", "gnau.dump")
    assert restored.exit_code == 0, restored.output
    told, _, kept = restored.stdout.strip().rpartition(" ")
    assert told == f"{name} is restored from gnau.dump; the old one: the schema"
    assert restored.stderr.startswith(f"{name} has open tables: 1; close them")
    after = rows_on(address)
    assert len(after[f"{kept}.transfers"]) == len(before["public.transfers"]) + 1, "the old one is kept"
    assert after["public.events"] == before["public.events"]
    assert refusal("privacy", "export", str(ZOE.user_id)) == f"nothing is stored about the user {ZOE.user_id}"
    assert done("check") == f"{name}: no faults\n"


@pytest.mark.thorough
def test_a_new_server_gets_all_that_a_backup_has(
    address: str, name: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("backup", "gnau.dump")
    before = rows_on(address)
    before["public.erased_parties"] = []
    other = new_postgres_database("template1")
    monkeypatch.setenv("DATABASE_URL", other)
    result = ask("db", "restore", "gnau.dump")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{other.replace('gnau@', '')} is restored from gnau.dump\n"
    assert result.stderr.splitlines()[0].endswith(
        "was empty: if members were erased after that backup, they are back"
    )
    assert rows_on(other) == before


@pytest.mark.thorough
def test_an_older_backup_is_upgraded_as_it_is_restored(
    address: str, name: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("backup", "older.dump")
    release_next_version(monkeypatch)
    assert refusal("db", "check") == (
        f"{name} is at version {THIS_VERSION}, and this program needs {NEXT_VERSION}: run gnau db upgrade"
    )
    assert done("backup", "before.dump") == f"before.dump is a good copy of {name}\n"
    assert done("upgrade") == f"{name} is upgraded from version {THIS_VERSION} to {NEXT_VERSION}\n"
    assert done("upgrade") == f"{name} is already at version {NEXT_VERSION}\n"
    done("check")
    assert ask("db", "restore", "older.dump").exit_code == 0
    assert done("check", "--head", code).startswith(f"{name}: no faults\n")
    assert rows_on(address)["public.alembic_version"] == [(NEXT_VERSION,)]


@pytest.mark.thorough
def test_records_are_written_and_the_application_can_change(address: str, name: str, code: str) -> None:
    result = ask("rounds", "export", "rounds")
    assert result.stdout == "rounds has the records of 2 rounds\n"
    assert len(list(Path("rounds").iterdir())) == 2
    changed(address, "INSERT INTO keys VALUES ('application', '5')")
    assert done("new-application").startswith(f"{name} may move to another application: ")
    assert [key for key, _ in rows_on(address)["public.keys"]] == ["spent openings"]


@pytest.mark.thorough
def test_each_fault_is_one_line(address: str, name: str, code: str) -> None:
    changed(
        address,
        "UPDATE accounts SET balance = balance + 1 WHERE account = 'wallet:1'",
        "ALTER TABLE transfers DISABLE TRIGGER transfers_no_update",
    )
    result = ask("db", "check")
    assert result.exit_code == 1
    assert result.stdout == "the trigger transfers_no_update is missing or off\n"
    assert result.stderr == "to put a backup back, stop the bot, then: gnau db restore PATH\n"
    changed(address, "ALTER TABLE transfers ENABLE TRIGGER transfers_no_update")
    result = ask("db", "check")
    assert result.stdout.splitlines()[0].startswith(f"server {SERVER}: wallet:1 has ")
    result = ask("db", "backup", "gnau.dump")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"nothing was written: {name} has faults\nserver {SERVER}: wallet:1 has ")
    assert not Path("gnau.dump").exists()


@pytest.mark.thorough
def test_a_backup_that_cannot_be_used_is_refused_and_nothing_changes(
    address: str, name: str, code: str
) -> None:
    done("backup", "good.dump")
    good = Path("good.dump").read_bytes()
    Path("half.dump").write_bytes(good[: len(good) * 2 // 3])
    Path("text.dump").write_text("shopping list")
    foreign = new_postgres_database("template1")
    changed(foreign, "CREATE TABLE accounts (name TEXT)")
    subprocess.run(["pg_dump", "--format=custom", "--file=foreign.dump", foreign], check=True)
    changed(address, "UPDATE accounts SET balance = balance + 1 WHERE account = 'wallet:1'")
    subprocess.run(["pg_dump", "--format=custom", "--file=faulty.dump", address], check=True)
    before = rows_on(address)
    for file, said in (
        ("half.dump", "could not read from input file: end of file"),
        ("text.dump", "input file does not appear to be a valid"),
        ("gnau.db", "input file does not appear to be a valid"),
        ("foreign.dump", "foreign.dump is no backup of a ledger: it has no table alembic_version"),
        ("nothing.dump", "there is no backup nothing.dump: check the path"),
        ("faulty.dump", f"nothing was changed: faulty.dump has faults\nserver {SERVER}: wallet:1 has "),
    ):
        result = ask("db", "restore", file)
        assert result.exit_code in (1, 2)
        assert said in result.stderr, result.output
        assert rows_on(address) == before
    assert refusal("db", "check", "good.dump").startswith("good.dump is a backup of a PostgreSQL database")


@pytest.mark.thorough
def test_while_the_bot_runs_what_reads_works_and_a_user_is_erased(
    address: str, name: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("backup", "good.dump")
    monkeypatch.setattr(upgrade, "_CLOSING_SECONDS", 0.2)

    async def meanwhile() -> None:
        async with open_ledger(address) as ledger:
            await ledger.ensure_wallet(SERVER, 9, 1000, NOW)
            await asyncio.to_thread(done, "check")
            await asyncio.to_thread(done, "backup", "other.dump")
            for words in (
                ("db", "restore", "good.dump"),
                ("db", "upgrade"),
                ("db", "new-application"),
            ):
                assert await asyncio.to_thread(refusal, *words) == (
                    f"{name} is in use: stop every bot and command that uses it first"
                )
            party = (await ledger.identities_of(ZOE.user_id))[0].party
            assert ledger.processes is not None
            await ledger.processes.notifications()
            erased = await asyncio.to_thread(ask, "privacy", "erase", str(ZOE.user_id))
            assert erased.stdout.startswith(f"the user is erased in server {SERVER}; "), erased.output
            assert json.loads((await ledger.processes.notifications())[0].body)["party"] == party
            assert await ledger.identities_of(ZOE.user_id) == []

    asyncio.run(meanwhile())


@pytest.mark.thorough
async def test_a_bot_that_starts_waits_until_its_database_is_in_place(address: str) -> None:
    async def start() -> None:
        async with open_ledger(address):
            pass

    waiting = (
        "SELECT count(*) FROM pg_locks JOIN pg_database ON database = pg_database.oid "
        "WHERE NOT granted AND locktype = 'advisory' AND datname = current_database()"
    )
    with upgrade.alone(address):
        starting = asyncio.create_task(start())
        with closing(psycopg.connect(address, autocommit=True)) as connection:
            while connection.execute(waiting).fetchone() == (0,):  # noqa: ASYNC110 - the server sets no event
                await asyncio.sleep(0.02)
        assert not starting.done()
    await starting


@pytest.mark.thorough
def test_the_password_is_in_no_command_line(
    address: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for program in ("pg_dump", "pg_restore"):
        real = shutil.which(program)
        stand_in(tmp_path / "bin", program, f'echo "$PGPASSWORD $@" >> {tmp_path}/said; exec {real} "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    done("backup", "gnau.dump")
    lines = Path("said").read_text().splitlines()
    assert next(line for line in lines if "--snapshot" in line).startswith(f"{PASSWORD} ")
    assert not any(PASSWORD in line.partition(" ")[2] for line in lines)


@pytest.mark.thorough
@pytest.mark.parametrize("version", [None, "9.6.24"])
def test_without_a_fitting_pg_dump_a_line_says_what_to_run(
    version: str | None, address: str, name: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version is not None:
        stand_in(tmp_path / "bin", "pg_dump", f"echo 'pg_dump (PostgreSQL) {version}'")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    line = refusal("db", "backup", "copies.dump")
    assert "user and password in PGUSER and PGPASSWORD" in line
    program, *words = shlex.split(line.partition("PGPASSWORD: ")[2])
    monkeypatch.setenv("PATH", str(programs()))
    monkeypatch.setenv("PGUSER", "gnau")
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    subprocess.run([program, *words], check=True)
    assert ask("db", "restore", "copies.dump").exit_code == 0
    assert done("check") == f"{name}: no faults\n"


@pytest.mark.thorough
def test_an_empty_database_or_server_is_named_in_the_same_words_by_every_command(
    address: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = (
        ("db", "check"),
        ("db", "backup", "copy.dump"),
        ("db", "new-application"),
        ("privacy", "export", "7"),
        ("privacy", "erase", "7"),
        ("rounds", "export", "rounds"),
        ("site", "site"),
    )
    assert {refusal(*words) for words in commands} == {
        f"{name} is empty: set DATABASE_URL, or start the bot to fill it"
    }
    assert done("upgrade") == f"{name} is created, at version {THIS_VERSION}\n"
    changed(address, "UPDATE alembic_version SET version_num = '9999'")
    assert refusal("db", "check") == (
        f"{name} was made by another version of this program: its schema is '9999'"
    )
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        gone = f"127.0.0.1:{closed.getsockname()[1]}/gnau"
    monkeypatch.setenv("DATABASE_URL", f"postgresql://gnau:{PASSWORD}@{gone}")
    assert {refusal(*words) for words in (*commands, ("db", "upgrade"))} == {
        f"postgresql://{gone}: the server cannot be reached, or the connection to it broke"
    }


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("gnau.db", "sqlite:///new.db"), "FROM cannot be used: a database address looks like "),
        (("sqlite:///gnau.db", f"mysql://gnau:{PASSWORD}@host/x"), "TO cannot be used: a database address "),
        (("sqlite:///gnau.db", "sqlite:///gnau.db"), "FROM and TO are the same database"),
        (("sqlite:///gnau.db", "sqlite:///new.db"), "there is no database gnau.db: "),
    ],
)
def test_a_copy_that_makes_no_sense_is_one_line(words: tuple[str, str], line: str) -> None:
    told = refusal("db", "copy", *words)
    assert told.startswith(line)
    assert PASSWORD not in told
    assert not list(Path().iterdir())
