"""`gnau run` as a process among others: a reader that pauses, signals, what its log says of a good day."""

import asyncio
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.ledger.audit import audit
from bot.ledger.ledger import open_ledger
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel
from tests.cli.shell import GNAU, LOGGED, OF_THE_RUN, PATIENCE, TOKEN, Shell, settings_for, until
from tests.databases import new_postgres_database
from tests.stand_in import StandIn

FILLER = b"\0" * 4096
NEW_NAMESPACE = ("unshare", "--pid", "--fork", "--kill-child")
IMPORTS_FOR_EVER = """
import sys, time
from pathlib import Path

class Slow:
    def find_spec(self, name, *_):
        if name == "bot.wire.client":
            Path("importing").touch()
            time.sleep(600)

sys.meta_path.insert(0, Slow())
"""
LOGS_MORE_THAN_WAITS = """
import logging, sys
from bot.cli import log_output

log_output.MOST_WAITING = 10
with log_output.log_on_stderr():
    for number in range(100):
        logging.getLogger("bot.of.a.test").warning("line %d", number)
    print("all logged", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def full_pipe() -> Iterator[tuple[int, int]]:
    """The two ends of a pipe that has no room, and that nobody reads."""
    reading, writing = os.pipe()
    flags = fcntl.fcntl(writing, fcntl.F_GETFL)
    fcntl.fcntl(writing, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    try:
        while os.write(writing, FILLER):
            pass
    except BlockingIOError:
        fcntl.fcntl(writing, fcntl.F_SETFL, flags)
    yield reading, writing
    os.close(reading)
    os.close(writing)


@asynccontextmanager
async def within_patience(what: str) -> AsyncIterator[None]:
    """Fails with what the block waits for, if it does not come."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        raise AssertionError(f"timed out: waited until {what}") from None


def child_of(process: int) -> int:
    """The only process that this one has started."""
    (child,) = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return int(child)


def guest(discord: StandIn) -> tuple[Person, Channel]:
    """Somebody in the server, and its channel."""
    (server,) = discord.world.servers.values()
    siti = discord.add_person("Siti", [server])
    return siti, next(channel for channel in server.channels.values() if not channel.is_dm)


def boards(person: Person, channel: Channel) -> list[Message]:
    """What everybody sees in a channel."""
    return [message for message in person.sees(channel) if not message.ephemeral]


@pytest.mark.thorough
async def test_a_bot_whose_log_nobody_reads_plays_on_and_stops(
    tmp_path: Path, discord: StandIn, full_pipe: tuple[int, int]
) -> None:
    siti, channel = guest(discord)
    process = await asyncio.create_subprocess_exec(
        *(GNAU, "run"),
        cwd=tmp_path,
        env=OF_THE_RUN | settings_for(discord) | {"LOG_LEVEL": "DEBUG"},
        stdout=full_pipe[1],
        stderr=full_pipe[1],
    )
    try:
        await until(lambda: discord.bot_connected)
        assert (await siti.slash(channel, "play")).kind != "failed"
        process.terminate()
        async with within_patience("it stops"):
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    async with open_ledger(f"sqlite:///{tmp_path}/data/gnau.db") as ledger:
        assert await audit(ledger) == []


async def test_a_reader_that_comes_back_is_told_how_much_it_missed(full_pipe: tuple[int, int]) -> None:
    reading, writing = full_pipe
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LOGS_MORE_THAN_WAITS), stdin=PIPE, stdout=PIPE, stderr=writing
    )
    assert process.stdin is not None
    assert process.stdout is not None
    log = b""
    try:
        async with within_patience("the log is read"):
            assert await process.stdout.readline() == b"all logged\n"
            while b"were dropped" not in log:
                log += await asyncio.to_thread(os.read, reading, 1 << 16)
            process.stdin.close()
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    *lines, note = log.decode().strip("\0").splitlines()
    (dropped,) = re.findall(r"WARNING \S+: (\d+) lines of the log were dropped", note)
    assert 0 < int(dropped) == 100 - len(lines)
    # Once the first line is on its way, there is room for another, whichever comes then.
    numbers = [int(line.rpartition(" ")[2]) for line in lines]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 0


@pytest.mark.thorough
@pytest.mark.skipif(
    not shutil.which("unshare") or subprocess.run([*NEW_NAMESPACE, "true"], check=False).returncode != 0,
    reason="this machine gives no namespace of processes",
)
async def test_process_1_of_a_container_can_be_stopped_while_it_still_imports(tmp_path: Path) -> None:
    """The system ignores a signal to it that has no handler."""
    (tmp_path / "sitecustomize.py").write_text(IMPORTS_FOR_EVER)
    paths = f"{tmp_path}:{OF_THE_RUN['PYTHONPATH']}"
    container = await asyncio.create_subprocess_exec(
        *(*NEW_NAMESPACE, GNAU, "run"),
        cwd=tmp_path,
        env=OF_THE_RUN | {"PATH": os.environ["PATH"], "DISCORD_TOKEN": TOKEN, "PYTHONPATH": paths},
        stderr=PIPE,
    )
    try:
        await until((tmp_path / "importing").exists)
        os.kill(child_of(container.pid), signal.SIGTERM)
        async with within_patience("it stops"):
            assert await container.wait() == 128 + signal.SIGTERM
    finally:
        if container.returncode is None:
            container.kill()
        await container.communicate()


@pytest.mark.thorough
async def test_a_bot_outlives_its_terminal_if_it_is_told_to(shell: Shell, discord: StandIn) -> None:
    process = await shell.start("run", **settings_for(discord), under=["nohup"])
    await until(lambda: discord.bot_connected)
    process.send_signal(signal.SIGHUP)
    siti, channel = guest(discord)
    assert (await siti.slash(channel, "help")).kind != "failed"
    process.send_signal(signal.SIGTERM)
    assert (await shell.end_of(process)).status == 0


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
async def test_the_log_says_what_started_what_was_played_and_why_it_stopped(
    engine: str, shell: Shell, discord: StandIn
) -> None:
    siti, channel = guest(discord)
    url, name, database = "sqlite:///data/gnau.db", "data/gnau.db", "SQLite"
    if engine == "postgres":
        name, database = new_postgres_database("template1").replace("gnau@", ""), "PostgreSQL"
        url = name.replace("://", "://gnau:hunter2@")
    process = await shell.start("run", **settings_for(discord), LOG_LEVEL="DEBUG", DATABASE_URL=url)
    await until(lambda: discord.bot_connected)
    await siti.slash(channel, "play")
    # On a busy machine it comes later than the answer.
    await until(lambda: boards(siti, channel))
    (board,) = boards(siti, channel)
    await siti.click(board, "20")
    await until(lambda: siti.sees(siti.dm()))
    await siti.slash(channel, "bet", amount=10)
    await siti.click(siti.sees(siti.dm())[0], "Reveal")
    await until(lambda: "🧾 receipt 1 " in board.text)
    process.send_signal(signal.SIGTERM)
    log = (await shell.end_of(process)).stderr

    assert re.search(
        r"INFO bot\.run\.activity: gnau [\d.]+ \(Python [\d.]+, discord\.py [\d.]+, SQLite [\d.]+"
        rf"(, psycopg [\d.]+)?\) starts: {re.escape(name)} \({database} [\d.]+\), "
        r"shards: all, open tables: 0, servers: 0\n",
        log,
    )
    about = r"\[server=\d+ table=\d+ round=1 interaction=\d+\]\n"
    assert re.search(
        rf" DEBUG bot\.ui\.press\.router: /bet: RefusedError \w+ after [\d.]+ seconds {about}", log
    ), log
    assert "INFO bot.run.serving: stopping: SIGTERM\n" in log
    ran = r"ran for [\d:]+, rounds: 1, presses: 2, refusals: 1, outages: 0, open tables: 1"
    assert re.search(rf"INFO bot\.run\.activity: {ran}\n", log)
    assert log.endswith("INFO bot.run.serving: stopped\n")
    assert "hunter2" not in log
    if engine == "postgres":
        assert log.count(f"the bot makes no backups of {name}: run gnau db backup regularly, or have ") == 1


async def test_a_host_erases_a_user_while_the_bot_runs(shell: Shell, discord: StandIn) -> None:
    siti, channel = guest(discord)
    process = await shell.start("run", **settings_for(discord))
    await until(lambda: discord.bot_connected)
    await siti.slash(channel, "play")

    seated = await shell.run("privacy", "erase", str(siti.id))
    assert (seated.status, seated.stderr) == (1, "")
    assert "close table 1 with /table close while the bot runs" in seated.stdout
    await siti.slash(channel, "table close")
    meeting_place = shell.home / "data" / "gnau.db.socket"
    assert meeting_place.stat().st_mode & 0o777 == 0o600
    erased = await shell.run("privacy", "erase", str(siti.id))
    assert erased.stdout.endswith("; chips that went to the house: 1,000\n"), erased
    # Of what the bot has in memory, nothing is left either.
    await siti.slash(channel, "wallet")
    assert (await shell.run("privacy", "export", str(siti.id))).status == 0

    process.kill()
    await shell.end_of(process)
    assert meeting_place.is_socket()
    again = await shell.run("privacy", "erase", str(siti.id))
    assert again.stdout.endswith("; chips that went to the house: 0\n"), again
    assert (await shell.run("db", "check")).status == 0


async def test_an_owner_decides_while_the_bot_runs_and_while_it_does_not(
    shell: Shell, discord: StandIn
) -> None:
    siti, channel = guest(discord)
    (shell.home / "news.md").write_text("**Tonight** the bot moves.")
    process = await shell.start("run", **settings_for(discord))
    await until(lambda: discord.bot_connected)
    await siti.slash(channel, "wallet")

    nothing = await shell.run("owner", "show")
    assert nothing.stdout == "maintenance: off\nblocked servers: none\nannouncement: none\n", nothing
    assert "UTC, no new rounds begin\n" in (await shell.run("owner", "maintenance", "2h")).stdout
    refused = await siti.slash(channel, "play")
    assert refused.message is not None
    assert refused.message.text.startswith("Maintenance: ")
    assert "announcement: servers that have it: " in (await shell.run("owner", "announce", "news.md")).stdout
    await until(lambda: any("**Tonight** the bot moves." in one.text for one in siti.sees(channel)))
    assert "blocked servers: 77\n" in (await shell.run("owner", "block", "77")).stdout

    process.send_signal(signal.SIGTERM)
    await shell.end_of(process)
    assert (
        "maintenance: off\nblocked servers: 77\n" in (await shell.run("owner", "maintenance", "off")).stdout
    )
    assert (await shell.run("owner", "unblock", "77")).stdout.startswith(
        "maintenance: off\nblocked servers: none\n"
    )
    assert (await shell.run("owner", "announce", "--stop")).stdout.endswith("announcement: none\n")
    for wrong, why in (
        (
            ("maintenance", "soon"),
            "the time must be 1 to 9999 minutes, hours or days, such as 30m, 2h or 1d, or off",
        ),
        (("announce",), "name a file with the message, or --stop"),
        (("announce", "missing.md"), "missing.md cannot be read: No such file or directory"),
    ):
        assert (await shell.run("owner", *wrong)).refused() == why


async def test_a_fatal_end_is_a_record_of_the_log(shell: Shell) -> None:
    ended = await shell.run("run")
    assert LOGGED.match(ended.stderr)
    assert ended.refused().startswith("DISCORD_TOKEN is missing")
    as_json = json.loads((await shell.run("run", LOG_FORMAT="json")).stderr)
    assert as_json["event"] == ended.refused()
    assert as_json["level"] == "critical"
