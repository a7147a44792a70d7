"""What goes wrong while people play: one object for each kind, and another kind is one more in `FAULTS`."""

import asyncio
import os
import random
import resource
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from dataclasses import dataclass
from typing import Any, Final

from bot.wire.gateway import LONGEST_PAUSE
from tests.postgres_server import Server
from tests.soak.tables import Crowd
from tests.stand_in import Fault as RequestFault
from tests.stand_in import StandIn

LOST_LEDGER: Final = (
    r"nothing can be (written|read): |the ledger failed: |"
    r"table \d+ goes on in |could not be |cannot be posted"
)
"""Errors of a bot whose database does not work."""
GIVING_SECONDS: Final = 0.2
"""How long members give chips before a clean restart."""
CONNECTING_SECONDS: Final = 3 * LONGEST_PAUSE
"""How long connecting again may take: after many short connections the bot pauses before each try, and two
faults at once cost it two tries."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What faults work on.

    Attributes:
        discord: the stand-in.
        bot: the bot: a `GnauProcess`, or two that share the shards.
        revive: starts the bot, as often as it takes.
        crowd: all members.
        chance: the source of random choices.
        server: the server of the database; None if it is a file.
    """

    discord: StandIn
    bot: Any
    revive: Callable[[], Any]
    crowd: Crowd
    chance: random.Random
    server: Server | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault.

    Attributes:
        name: what the figures call it.
        lasting: it lasts as long as this context.
        of_process: whether it is about the bot's process or its disk; two of these never come together.
        explains: a pattern of the errors that the bot may log meanwhile.
        tracebacks: whether it may log them with a traceback.
        ends_process: whether it ends the bot's process and starts another.
        answers: whether every press is answered all the same.
        silences: whether the bot may carry something out and then cannot even try to answer.
        breaks_ledger: whether the bot may not know what the ledger made of something.
        most_seconds: how long it lasts at most.
    """

    name: str
    lasting: Callable[[Scene], AbstractAsyncContextManager[None]]
    of_process: bool = False
    explains: str = "(?!)"
    tracebacks: bool = False
    ends_process: bool = False
    answers: bool = False
    silences: bool = False
    breaks_ledger: bool = False
    most_seconds: float = 6.0


# Requests


@asynccontextmanager
async def _some_requests(
    scene: Scene, most: int, fails: Callable[..., RequestFault], **how: Any
) -> AsyncIterator[None]:
    """Lets three in ten requests fail, at most this many."""
    chance = scene.chance
    fault = fails(times=chance.randint(1, most), when=lambda *_: chance.random() < 0.3, **how)
    yield
    scene.discord.faults.cancel(fault)


def bad_responses(scene: Scene) -> AbstractAsyncContextManager[None]:
    chance = scene.chance
    status, carried_out = chance.choice([500, 502, 504]), chance.random() < 0.5
    return _some_requests(scene, 40, scene.discord.faults.respond, status=status, carried_out=carried_out)


def rate_limits(scene: Scene) -> AbstractAsyncContextManager[None]:
    chance = scene.chance
    seconds, whole_bot = chance.uniform(0.1, 2.0), chance.random() < 0.3
    respond = scene.discord.faults.respond
    return _some_requests(scene, 20, respond, status=429, retry_after=seconds, whole_bot=whole_bot)


def cut_connections(scene: Scene) -> AbstractAsyncContextManager[None]:
    carried_out = scene.chance.random() < 0.5
    return _some_requests(scene, 40, scene.discord.faults.drop_connection, carried_out=carried_out)


@asynccontextmanager
async def slow_answers(scene: Scene) -> AsyncIterator[None]:
    faults = scene.discord.faults
    faults.latency = (0.05, scene.chance.choice([0.3, 1.0, 3.0]))
    yield
    faults.latency = (0.0, 0.0)


@asynccontextmanager
async def closed_messages(scene: Scene) -> AsyncIterator[None]:
    closed = scene.chance.sample(scene.crowd.people, len(scene.crowd.people) // 3)
    for person in closed:
        person.user.dms_open = False
    yield
    for person in closed:
        person.user.dms_open = True


# The gateway


@asynccontextmanager
async def dropped_gateway(scene: Scene) -> AsyncIterator[None]:
    scene.discord.gateway.drop()
    yield
    await _connected(scene)


@asynccontextmanager
async def lost_session(scene: Scene) -> AsyncIterator[None]:
    if scene.chance.random() < 0.5:
        scene.discord.gateway.invalidate_sessions()
    else:
        scene.discord.gateway.drop(resumable=False)
    yield
    await _connected(scene)


@asynccontextmanager
async def reconnect_wanted(scene: Scene) -> AsyncIterator[None]:
    scene.discord.gateway.ask_to_reconnect()
    yield
    await _connected(scene)


@asynccontextmanager
async def missing_acknowledgements(scene: Scene) -> AsyncIterator[None]:
    scene.discord.gateway.acknowledges = False
    yield
    scene.discord.gateway.acknowledges = True
    await _connected(scene)


@asynccontextmanager
async def deaf_gateway(scene: Scene) -> AsyncIterator[None]:
    before = scene.discord.gateway.clients
    scene.discord.gateway.turn_deaf()
    yield
    # Until the bot has noticed.
    while before & scene.discord.gateway.clients and scene.bot.pid is not None:  # noqa: ASYNC110 - no event tells
        await asyncio.sleep(0.1)
    await _connected(scene)


@asynccontextmanager
async def doubled_events(scene: Scene) -> AsyncIterator[None]:
    scene.discord.faults.duplicate("INTERACTION_CREATE", times=scene.chance.randint(1, 30))
    yield


@asynccontextmanager
async def malformed_events(scene: Scene) -> AsyncIterator[None]:
    for name, data in (("INTERACTION_CREATE", {}), ("GUILD_CREATE", []), ("MESSAGE_CREATE", {"id": None})):
        scene.discord.gateway.send_raw(name, data)
    yield


@asynccontextmanager
async def late_interactions(scene: Scene) -> AsyncIterator[None]:
    faults = scene.discord.faults
    faults.interaction_delay = (0.0, scene.chance.choice([1.0, 2.5, 5.0]))
    yield
    faults.interaction_delay = (0.0, 0.0)


# The process and its disk


@asynccontextmanager
async def stopped_process(scene: Scene) -> AsyncIterator[None]:
    pid = scene.bot.pid
    if pid is not None:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
    await _connected(scene)


@asynccontextmanager
async def killed_process(scene: Scene) -> AsyncIterator[None]:
    await scene.bot.end(signal.SIGKILL)
    yield
    await scene.revive()


@asynccontextmanager
async def clean_restart(scene: Scene) -> AsyncIterator[None]:
    # A stop is soon over. Many gifts show whether it carries out one that it then cannot answer.
    giving = asyncio.create_task(scene.crowd.give_often())
    try:
        await asyncio.sleep(GIVING_SECONDS)
        status = await scene.bot.end(signal.SIGTERM)
    finally:
        giving.cancel()
        (outcome,) = await asyncio.gather(giving, return_exceptions=True)
    if isinstance(outcome, Exception):
        raise outcome
    assert status in (0, None), f"the bot ended with status {status} when it was asked to stop"
    yield
    await scene.revive()


@asynccontextmanager
async def locked_database(scene: Scene) -> AsyncIterator[None]:
    with closing(sqlite3.connect(scene.bot.database, timeout=2, isolation_level=None)) as other:
        with suppress(sqlite3.OperationalError):
            other.execute("BEGIN IMMEDIATE")
        yield
        if other.in_transaction:
            other.execute("ROLLBACK")


@asynccontextmanager
async def missing_file(scene: Scene) -> AsyncIterator[None]:
    database = scene.bot.database
    away = database.with_name("away.db")
    database.rename(away)
    try:
        yield
    finally:
        away.rename(database)


@asynccontextmanager
async def full_disk(scene: Scene) -> AsyncIterator[None]:
    pid = scene.bot.pid
    if pid is None:
        yield
        return
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


# The server of the database


@asynccontextmanager
async def crashed_server(scene: Scene) -> AsyncIterator[None]:
    assert scene.server is not None
    scene.server.stop(signal.SIGQUIT)
    yield
    await asyncio.to_thread(scene.server.start)


@asynccontextmanager
async def restarted_server(scene: Scene) -> AsyncIterator[None]:
    assert scene.server is not None
    scene.server.stop()
    yield
    await asyncio.to_thread(scene.server.start)


@asynccontextmanager
async def hanging_server(scene: Scene) -> AsyncIterator[None]:
    assert scene.server is not None
    with scene.server.hanging():
        yield


@asynccontextmanager
async def cut_database(scene: Scene) -> AsyncIterator[None]:
    """Every connection to the database is cut, again and again."""

    async def cut() -> None:
        assert scene.server is not None
        while True:
            others = "pid <> pg_backend_pid() AND usename IS NOT NULL"
            statement = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"
            await asyncio.to_thread(scene.server.run_sql, statement)
            await asyncio.sleep(scene.chance.uniform(0.0, 0.5))

    cutting = asyncio.create_task(cut())
    yield
    cutting.cancel()
    with suppress(asyncio.CancelledError):
        await cutting


@asynccontextmanager
async def killed_both(scene: Scene) -> AsyncIterator[None]:
    async with crashed_server(scene):
        await scene.bot.end(signal.SIGKILL)
        yield
    await scene.revive()


async def _connected(scene: Scene) -> None:
    """Waits until the bot is connected."""
    await scene.bot.until_connected(CONNECTING_SECONDS)


FAULTS: Final = (
    Fault("bad responses", bad_responses),
    Fault("rate limits", rate_limits),
    Fault("cut connections", cut_connections),
    Fault("slow answers", slow_answers),
    Fault("closed messages", closed_messages),
    Fault("dropped gateway", dropped_gateway),
    Fault("lost session", lost_session),
    Fault("reconnect wanted", reconnect_wanted),
    Fault("missing acknowledgements", missing_acknowledgements, most_seconds=12.0),
    Fault("deaf gateway", deaf_gateway),
    Fault("doubled events", doubled_events),
    Fault("malformed events", malformed_events, explains="skipped an? (event|press)", tracebacks=True),
    Fault("late interactions", late_interactions),
    Fault("stopped process", stopped_process, of_process=True, silences=True, most_seconds=8.0),
    Fault(
        "killed process",
        killed_process,
        of_process=True,
        ends_process=True,
        silences=True,
        most_seconds=2.0,
    ),
    Fault("clean restart", clean_restart, of_process=True, ends_process=True, most_seconds=2.0),
    Fault("locked database", locked_database, of_process=True, breaks_ledger=True, explains=LOST_LEDGER),
    Fault(
        "missing file",
        missing_file,
        of_process=True,
        breaks_ledger=True,
        explains=f"{LOST_LEDGER}|was deleted or replaced",
    ),
    Fault("full disk", full_disk, of_process=True, breaks_ledger=True, explains=LOST_LEDGER),
)
OF_FILES: Final = ("locked database", "missing file", "full disk")
ON_POSTGRES: Final = (
    *(fault for fault in FAULTS if fault.of_process and fault.name not in OF_FILES),
    Fault("crashed server", crashed_server, of_process=True, breaks_ledger=True, explains=LOST_LEDGER),
    Fault("restarted server", restarted_server, of_process=True, breaks_ledger=True, explains=LOST_LEDGER),
    Fault(
        "hanging server",
        hanging_server,
        of_process=True,
        breaks_ledger=True,
        explains=LOST_LEDGER,
        most_seconds=12.0,
    ),
    Fault("cut database", cut_database, of_process=True, breaks_ledger=True, explains=LOST_LEDGER),
    Fault(
        "killed bot and server",
        killed_both,
        of_process=True,
        ends_process=True,
        silences=True,
        breaks_ledger=True,
        explains=LOST_LEDGER,
        most_seconds=2.0,
    ),
)
"""What goes wrong with the bot and its PostgreSQL server; Discord's faults are the same on both engines."""
