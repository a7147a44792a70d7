"""`gnau doctor` as a process: what is well has a line, and so has each thing that is broken."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from bot.ledger.sqlite import database as database_module
from bot.ledger.sqlite.database import SqliteDatabase
from bot.ledger.sqlite.location import disk_kind, disk_problem
from bot.ledger.sqlite.upgrade import migrate
from bot.ledger.upgrade import revisions
from bot.practice.servers import Permission
from tests.cli.shell import WRONG_TOKEN, Shell, settings_for
from tests.databases import new_postgres_database
from tests.ledger.ledger_files import contents
from tests.ports import port_of_nobody
from tests.stand_in import StandIn


async def looked(shell: Shell, *words: str, **environment: str) -> tuple[str, list[str]]:
    """The lines about what is well, in one text, and those about what is wrong.

    The disk of the tests may be one that no host should use.
    """
    ended = await shell.run("doctor", *words, **environment)
    lines = ended.stdout.splitlines()
    wrong = [line.removeprefix("✗ ") for line in lines if line.startswith("✗ ")]
    assert (ended.status, ended.stderr) == (int(bool(wrong)), "")
    well = "\n".join(line.removeprefix("✓ ") for line in lines if line.startswith("✓ "))
    is_disk_wrong = disk_problem(disk_kind(shell.home)) != ""
    return well, [line for line in wrong if not is_disk_wrong or "the disk of" not in line]


@pytest.fixture
def database(shell: Shell) -> Path:
    """A database with a backup of an hour ago."""
    path = shell.home / "data" / "gnau.db"
    path.parent.mkdir()
    path.touch(0o600)
    migrate(path)
    backed_up(path, hours=1)
    return path


def backed_up(database: Path, hours: float) -> None:
    made = datetime.now(UTC) - timedelta(hours=hours)
    backup = database.parent / "backups" / f"{database.name}.backup-{made:%Y%m%dT%H%M%SZ}"
    backup.parent.mkdir(exist_ok=True)
    backup.write_bytes(database.read_bytes())


def of(discord: StandIn) -> dict[str, str]:
    return settings_for(discord) | {"BACKUP_EVERY": "6h"}


async def test_a_bot_that_is_well_has_a_line_for_each_thing(
    shell: Shell, discord: StandIn, database: Path
) -> None:
    (server,) = discord.world.servers.values()
    closed = discord.add_channel(server, "rules")
    closed.denied[discord.world.bot.id] = Permission.SEND_MESSAGES
    before = contents(database.parent)
    well, wrong = await looked(shell, "--server", str(server.id), **of(discord))
    assert wrong == []
    for expected in (
        "the settings are right",
        f"schema {revisions()[-1]}",
        f"SQLite {sqlite3.sqlite_version}: data/gnau.db",
        "backups: 1, the newest 1:00",
        "Discord's API answers",
        "the clock is right",
        "Discord's gateway answers",
        f"the token is of application {discord.world.application_id}",
        "its intents need no switch in Discord's portal: guilds, guild_messages",
        "logins that Discord allows a day",
        "tables can be opened in Ox and friends, in channels: 1; not in #rules (send messages",
    ):
        assert expected in well
    assert not discord.gateway.logged_in, "a login is not spent"
    assert contents(database.parent) == before


async def test_all_but_the_token_is_looked_at_without_one(shell: Shell, discord: StandIn) -> None:
    """Each wrong setting is named, and what does not need it is looked at."""
    wrong_ones = {"DISCORD_TOKEN": "", "BACKUP_KEPT": "3", "LOG_LEVEL": "LOUD", "SHARD_COUNT": "0"}
    well, wrong = await looked(shell, **of(discord) | wrong_ones)
    assert [line.partition(" ")[0] for line in wrong] == [
        "LOG_LEVEL",
        "SHARD_COUNT",
        "DISCORD_TOKEN",
        "BACKUP_KEPT",
    ]
    assert "data/gnau.db is not there yet" in well
    assert "Discord's gateway answers" in well
    assert "the token" not in well
    assert contents(shell.home) == {}, "nothing is made"


def damaged(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DROP TABLE events")


def readable(database: Path) -> None:
    database.chmod(0o644)


def old_backups(database: Path) -> None:
    for backup in (database.parent / "backups").iterdir():
        backup.unlink()
    backed_up(database, hours=30)


def no_backups(database: Path) -> None:
    for backup in (database.parent / "backups").iterdir():
        backup.unlink()


def lost(database: Path) -> None:
    database.unlink()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (damaged, "data/gnau.db is damaged: events is missing. See more with gnau db check"),
        (readable, "run chmod 600 on it"),
        (old_backups, "the newest backup is 1 day, 6:00"),
        (no_backups, "there is no backup yet"),
        (lost, "data/gnau.db is missing or empty, but it has backups: put the newest back"),
    ],
)
async def test_a_broken_database_has_a_line_with_what_to_do(
    shell: Shell, discord: StandIn, database: Path, break_it: Callable[[Path], None], said: str
) -> None:
    break_it(database)
    _, wrong = await looked(shell, **of(discord))
    assert len(wrong) == 1
    assert said in wrong[0]


@pytest.mark.thorough
async def test_what_discord_says_of_a_broken_bot_has_a_line(
    shell: Shell, discord: StandIn, database: Path
) -> None:
    (server,) = discord.world.servers.values()
    _, wrong = await looked(shell, **of(discord) | {"DISCORD_TOKEN": WRONG_TOKEN})
    assert wrong == ["DISCORD_TOKEN is refused by Discord: make a new one in its portal"]

    discord.gateway.logins = 3
    discord.world.advance_clock(3600)
    for channel in server.channels.values():
        channel.denied[discord.world.bot.id] = Permission.VIEW_CHANNEL
    _, wrong = await looked(shell, "--server", str(server.id), **of(discord))
    clock, logins, permissions = wrong
    assert clock.startswith("the clock of this machine shows")
    assert logins.startswith("3 of the 1000 logins")
    assert permissions.startswith("no table can be opened in Ox and friends; what the bot lacks: #table-one")

    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO keys VALUES ('application', ?)", (b"5",))
    discord.world.advance_clock(-3600)
    _, (wrong_application,) = await looked(shell, **of(discord))
    assert "the database belongs to application 5" in wrong_application


@pytest.mark.thorough
async def test_a_way_to_discord_that_is_closed_has_a_line(
    shell: Shell, discord: StandIn, database: Path
) -> None:
    nobody = f"127.0.0.1:{port_of_nobody()}"
    page = discord.url + "/files"
    for closed, said in (
        ({"DISCORD_API_URL": f"http://{nobody}/api/v10"}, "Discord's API cannot be reached: Cannot connect"),
        ({"DISCORD_API_URL": "", "HTTPS_PROXY": f"http://{nobody}"}, "the proxy of HTTPS_PROXY cannot be"),
        ({"DISCORD_GATEWAY_URL": f"ws://{nobody}"}, "Discord's gateway cannot be reached"),
        ({"DISCORD_API_URL": page}, "DISCORD_API_URL is not the address"),
    ):
        _, (wrong,) = await looked(shell, **of(discord) | closed)
        assert said in wrong


@pytest.mark.thorough
async def test_a_file_of_settings_that_cannot_be_read_is_named(shell: Shell, discord: StandIn) -> None:
    (shell.home / ".env").write_bytes(b"\xff\xfe")
    well, wrong = await looked(shell, **of(discord))
    assert wrong[0] == ".env is not written in UTF-8"
    assert "gnau.db" not in well, "the file may name another database"


@pytest.mark.thorough
async def test_a_server_of_postgresql_is_looked_at(shell: Shell, discord: StandIn) -> None:
    settings = of(discord) | {"DATABASE_URL": new_postgres_database("template1")}
    well, wrong = await looked(shell, **settings)
    assert "is empty, and the bot fills it when it starts" in well
    assert (await shell.run("db", "upgrade", **settings)).status == 0
    well, wrong = await looked(shell, **settings)
    assert "PostgreSQL 1" in well
    assert "run gnau db backup regularly" in well
    assert wrong == []
    with closing(psycopg.connect(settings["DATABASE_URL"], autocommit=True)) as connection:
        connection.execute("DROP TRIGGER events_no_update ON events")
    _, wrong = await looked(shell, **settings)
    assert wrong == ["the trigger events_no_update is missing or off"]


@pytest.mark.parametrize(
    ("kind", "said"),
    [("ext4", ""), ("nfs4", "SQLite needs a local disk"), ("overlay", "lost with its container"), ("", "")],
)
def test_the_kind_of_a_disk_says_whether_a_database_may_be_there(kind: str, said: str) -> None:
    assert disk_problem(kind).endswith(said) or said in disk_problem(kind)


def test_a_disk_of_the_wrong_kind_that_is_full_too_has_two_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database_module, "disk_problem", lambda _: "it is in memory")
    monkeypatch.setattr(database_module, "no_room", lambda *_: "no room")
    path = tmp_path / "gnau.db"
    SqliteDatabase(path).look()
    assert caplog.messages == [f"the disk of {path}: {wrong}" for wrong in ("it is in memory", "no room")]
