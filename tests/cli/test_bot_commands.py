"""`gnau run` and `gnau practice` as processes: environment, signals, exit status."""

import asyncio
import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bot.cli.errors import BAD_INPUT, TRY_AGAIN
from bot.ledger.audit import audit
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.upgrade import migrate
from tests.cli.runner import ask
from tests.cli.shell import PATIENCE, TOKEN, WRONG_TOKEN, Shell, settings_for, until
from tests.ledger.ledger_files import contents
from tests.ports import port_of_nobody
from tests.sizes import sample
from tests.stand_in import StandIn


@pytest.fixture
def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Callable[..., str]:
    """What `gnau run` is refused with in these settings, in one line."""
    monkeypatch.chdir(tmp_path)
    # The level that `gnau run` sets ends with the test.
    caplog.set_level("INFO")

    def refused(**environment: str) -> str:
        monkeypatch.setattr(os, "environ", environment)
        caplog.clear()
        assert ask("run").exit_code == BAD_INPUT
        (line,) = caplog.messages
        assert list(tmp_path.glob("data")) == [], "nothing is made before the settings are right"
        return line

    return refused


def test_a_missing_token_is_one_line_that_says_where_it_was_looked_for(told: Callable[..., str]) -> None:
    missing = "DISCORD_TOKEN is missing: set it to the bot's token from Discord's developer portal. "
    env = Path(".env").absolute()
    assert told() == f"{missing}It is not in the environment, and there is no {env}"
    env.write_text("DISCORD_TOKEN=\nLOG_LEVEL=INFO\n")
    assert told() == f"{missing}It is neither in the environment nor in {env}"
    env.write_text(f"DISCORD_TOKN={TOKEN}\n")
    assert told().startswith(missing)
    assert told().endswith("do you mean DISCORD_TOKEN?")
    env.unlink()
    env.mkdir()
    assert told() == f"{missing}It is not in the environment, and {env} is a folder"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_the_environment_comes_before_the_file_env_unless_it_is_empty(
    told: Callable[..., str], encoding: str
) -> None:
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_LEVEL=LOUD\n", encoding=encoding)
    assert told(DISCORD_TOKEN="", LOG_LEVEL="").startswith("LOG_LEVEL")
    assert told(LOG_LEVEL="INFO", SYNC_GUILD="x").startswith("SYNC_GUILD")
    assert told(DISCORD_TOKEN="x").startswith("DISCORD_TOKEN is not")


def test_a_file_env_that_is_not_text_is_one_line(told: Callable[..., str]) -> None:
    Path(".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe\n")
    assert told() == ".env is not written in UTF-8"


@pytest.mark.thorough
async def test_a_misspelt_setting_is_one_warning(shell: Shell) -> None:
    (shell.home / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nBACKUP_KEPT=3\n")
    (shell.home / "data" / "gnau.db").mkdir(parents=True)
    (warning, _) = (await shell.run("run")).stderr.splitlines()
    assert warning.endswith(
        "BACKUP_KEPT is no setting of this bot and has no effect: do you mean BACKUP_KEEP?"
    )


BACKUP = "data/backups/gnau.db.backup-20261123T060000Z"


def a_list(database: Path) -> None:
    database.write_text("shopping list\n" * 100)


def damaged(database: Path) -> None:
    migrate(database)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DROP TABLE events")


def lost(database: Path) -> None:
    """Leaves nothing but a backup: those of a new database would soon have replaced it."""
    migrate(database)
    backup = database.parents[1] / BACKUP
    backup.parent.mkdir()
    database.rename(backup)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("put", "wrong", "advice"),
    [
        (Path.mkdir, "data/gnau.db is a folder, ", "not a database"),
        (a_list, "DATABASE_URL names data/gnau.db, which is no SQLite database", "restore a backup"),
        (damaged, "data/gnau.db is damaged: events is missing", "gnau db restore PATH"),
        (lost, "data/gnau.db is missing or empty, but it has backups: ", "move data/backups away"),
    ],
)
async def test_what_somebody_must_mend_is_one_line_and_not_tried_again(
    shell: Shell, put: Callable[[Path], object], wrong: str, advice: str
) -> None:
    database = shell.home / "data" / "gnau.db"
    database.parent.mkdir()
    put(database)
    before = contents(shell.home)
    line = (await shell.run("run", DISCORD_TOKEN=TOKEN, LOG_LEVEL="WARNING")).refused(BAD_INPUT)
    assert line.startswith(wrong)
    assert line.endswith(advice)
    assert contents(shell.home) == before


@pytest.mark.thorough
async def test_an_unreachable_discord_is_one_line_and_the_bot_waits(shell: Shell) -> None:
    """Deadlines of tables pass meanwhile, and backups are made."""
    address = f"http://127.0.0.1:{port_of_nobody()}/api/v10"
    process = await shell.start("run", DISCORD_TOKEN=TOKEN, DISCORD_API_URL=address, LOG_LEVEL="WARNING")
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        line = await process.stderr.readline()
        assert b"WARNING" in line
        assert b"data/gnau.db is new, or nobody has chips in it yet" in line, "its path may be wrong"
        assert b"Discord is away: Cannot connect" in await process.stderr.readline()
    await until(lambda: list((shell.home / "data" / "backups").glob("gnau.db.backup-*")))
    process.terminate()
    ended = await shell.end_of(process)
    assert (ended.status, ended.stderr) == (0, "")


@pytest.mark.thorough
@pytest.mark.parametrize("code", sample([4004, 4011, 4014]))
async def test_a_gateway_that_refuses_the_bot_is_one_line(shell: Shell, discord: StandIn, code: int) -> None:
    discord.gateway.refusal = code
    ended = await shell.run("run", **settings_for(discord), LOG_LEVEL="ERROR")
    if code == 4004:
        assert ended.refused().startswith("DISCORD_TOKEN is refused by Discord")
    elif code == 4014:
        assert ended.refused().startswith("Discord ends the connection: it refuses an intent")
    else:
        assert ended.refused(TRY_AGAIN).startswith("Discord ends the connection: it wants more shards")


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["", "/api"])
async def test_the_address_of_an_api_without_its_path_is_a_wrong_setting(
    shell: Shell, discord: StandIn, path: str
) -> None:
    """Trying again never helps."""
    wrong = discord.api_url.removesuffix("/api/v10") + path
    ended = await shell.run("run", **settings_for(discord) | {"DISCORD_API_URL": wrong, "LOG_LEVEL": "ERROR"})
    assert ended.refused().startswith("DISCORD_API_URL is not the address of Discord's API")


@pytest.mark.thorough
async def test_a_token_that_discord_refuses_is_one_line_without_the_token(
    shell: Shell, discord: StandIn
) -> None:
    settings = settings_for(discord) | {"DISCORD_TOKEN": WRONG_TOKEN}
    ended = await shell.run("run", **settings, LOG_LEVEL="ERROR")
    assert ended.refused().startswith("DISCORD_TOKEN is refused by Discord")
    loud = await shell.run("run", **settings, LOG_LEVEL="DEBUG")
    assert loud.status == BAD_INPUT
    assert "Traceback" not in loud.stderr
    assert not any(word in loud.stdout + loud.stderr for word in WRONG_TOKEN.split("."))


@pytest.mark.thorough
async def test_the_token_of_another_application_than_the_databases_is_one_line(
    shell: Shell, discord: StandIn
) -> None:
    migrate(shell.home / "gnau.db")
    with closing(sqlite3.connect(shell.home / "gnau.db")) as connection, connection:
        connection.execute("INSERT INTO keys VALUES ('application', ?)", (b"5",))
    settings = settings_for(discord) | {"DATABASE_URL": "sqlite:///gnau.db"}
    line = (await shell.run("run", **settings, LOG_LEVEL="CRITICAL")).refused()
    assert line == (
        f"DISCORD_TOKEN is of application {discord.world.application_id}, but the database belongs to "
        "application 5: use the token of that one, or another DATABASE_URL. If the bot has moved to a new "
        "application, run gnau db new-application first"
    )


@pytest.mark.thorough
async def test_a_damaged_database_of_practice_can_only_be_started_over(shell: Shell) -> None:
    path = shell.home / "data" / "practice.db"
    path.parent.mkdir()
    path.write_bytes(b"shopping list\n" * 100)
    line = (await shell.run("practice", "--rounds", "1")).refused()
    assert line == "data/practice.db is no SQLite database. Start over with gnau practice --fresh"
    assert (await shell.run("practice", "--rounds", "1", "--fresh")).status == 0


@pytest.mark.thorough
async def test_every_command_says_that_a_bot_runs_whose_database_was_moved(
    shell: Shell, discord: StandIn
) -> None:
    """A backup that is put back then would have two bots."""
    process = await shell.start("run", **settings_for(discord))
    await until(lambda: discord.bot_connected)
    data = shell.home / "data"
    assert (await shell.run("db", "backup", "copy.db")).status == 0
    (data / "backups").mkdir()
    (shell.home / "copy.db").rename(data / "backups" / "gnau.db.backup-20261123T060000Z")
    (data / "gnau.db").rename(data / "away.db")
    said = "data/gnau.db is missing, but a bot has it open: put it back, or "
    for words in (
        ("db", "check"),
        ("db", "upgrade"),
        ("db", "restore", "data/backups/gnau.db.backup-20261123T060000Z"),
        ("rounds", "export", "rounds"),
    ):
        assert said in (await shell.run(*words)).refused()
    assert said in (await shell.run("run", DISCORD_TOKEN=TOKEN)).refused(TRY_AGAIN)
    (data / "away.db").rename(data / "gnau.db")
    assert (await shell.run("db", "check")).status == 0
    (data / "gnau.db").rename(data / "away.db")
    process.kill()
    await shell.end_of(process)
    assert "gnau db restore" in (await shell.run("db", "check")).refused()


@pytest.mark.parametrize("stop", sample([signal.SIGHUP, signal.SIGTERM, signal.SIGINT]))
async def test_a_running_bot_shuts_down_cleanly_on_a_signal(
    shell: Shell, discord: StandIn, stop: signal.Signals
) -> None:
    process = await shell.start("run", **settings_for(discord), LOG_LEVEL="DEBUG")
    await until(lambda: discord.bot_connected)
    process.send_signal(stop)
    ended = await shell.end_of(process)
    assert ended.status == 0
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr
    assert not any(word in ended.stderr for word in TOKEN.split("."))
    await until(lambda: not discord.bot_connected)
    async with open_ledger(f"sqlite:///{shell.home}/data/gnau.db") as ledger:
        assert await audit(ledger) == []


@pytest.mark.thorough
async def test_a_signal_ends_a_bot_while_it_makes_a_backup(shell: Shell, discord: StandIn) -> None:
    process = await shell.start("run", **settings_for(discord) | {"BACKUP_EVERY": "6h"})
    folder = shell.home / "data" / "backups"
    await until(folder.is_dir)
    process.terminate()
    ended = await shell.end_of(process)
    assert (ended.status, "Traceback" in ended.stderr) == (0, False)
    assert not list(folder.glob(".*"))


@pytest.mark.thorough
@pytest.mark.parametrize("stop", sample([signal.SIGTERM, signal.SIGHUP, signal.SIGINT]))
async def test_practice_shuts_down_cleanly_on_a_signal(shell: Shell, stop: signal.Signals) -> None:
    process = await shell.start("practice", "--no-browser")
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        assert b"Practice is open at" in await process.stdout.readline()
    process.send_signal(stop)
    ended = await shell.end_of(process)
    assert (ended.status, ended.stdout, ended.stderr) == (0, "", "")
    async with open_ledger(f"sqlite:///{shell.home}/data/practice.db") as ledger:
        assert await audit(ledger) == []


@pytest.mark.thorough
async def test_repeated_signals_still_shut_down_cleanly(shell: Shell, discord: StandIn) -> None:
    """Container runtimes may send a signal more than once."""
    process = await shell.start("run", **settings_for(discord), LOG_LEVEL="ERROR")
    await until(lambda: discord.bot_connected)
    while process.returncode is None:
        # Not `process.terminate()`: it checks first whether the process has ended.
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
        await asyncio.sleep(0.002)
    ended = await shell.end_of(process)
    assert (ended.status, ended.stderr) == (0, "")


@pytest.mark.thorough
async def test_a_signal_ends_a_bot_that_waits_for_discord(shell: Shell, discord: StandIn) -> None:
    held = discord.faults.hold(300, route="/gateway/bot")
    process = await shell.start("run", **settings_for(discord))
    await until(lambda: not held.times)
    process.terminate()
    assert (await shell.end_of(process)).status == 0
    assert not discord.bot_connected


@pytest.mark.thorough
async def test_a_signal_ends_a_bot_that_waits_for_its_gateway(shell: Shell, discord: StandIn) -> None:
    """discord.py tries to connect for ever; a signal must still stop the bot."""
    asked = discord.faults.hold(0, route="/gateway/bot")
    nowhere = f"ws://127.0.0.1:{port_of_nobody()}"
    process = await shell.start("run", **settings_for(discord) | {"DISCORD_GATEWAY_URL": nowhere})
    await until(lambda: not asked.times)
    await asyncio.sleep(0.2)
    assert not discord.bot_connected, "it is told to connect elsewhere"
    process.terminate()
    assert (await shell.end_of(process)).status == 0


@pytest.mark.thorough
async def test_a_server_for_commands_without_the_bot_is_one_line(shell: Shell, discord: StandIn) -> None:
    settings = settings_for(discord) | {"SYNC_GUILD": "81384788765712384", "LOG_LEVEL": "ERROR"}
    process = await shell.start("run", **settings)
    assert process.stderr is not None
    line = (await process.stderr.readline()).decode()
    process.terminate()
    assert (await shell.end_of(process)).stderr == ""
    assert "SYNC_GUILD is 81384788765712384, but the bot is not in that server" in line
