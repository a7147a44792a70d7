"""Two processes of the bot that share a PostgreSQL database, and what goes wrong with one of them."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot.practice.changes import Change
from tests.gnau_process import GnauProcess, until
from tests.postgres_server import Server
from tests.soak.faults import CONNECTING_SECONDS, LOST_LEDGER, Fault, Scene, crashed_server
from tests.stand_in import StandIn

SHARDS: Final = 4
SECOND: Final = "second"
HALVES: Final = ("0-1", "2-3")
_READY: Final = "ready as"


class Processes:
    """Two processes with half of the shards each, as if they were one.

    Args:
        server: the server of the database, to which the second process connects as a user of its own.

    Attributes:
        kills: how often a process or the server was killed.
        address: the address of the database.
        lines: what all processes have logged lately.
        on_line: called with each line.
    """

    def __init__(self, discord: StandIn, folder: Path, server: Server) -> None:
        self.kills = 0
        self.server = server
        self.address = server.url("postgres")
        self.lines: list[str] = []
        self.on_line: Callable[[str], object] = self.lines.append
        self._discord = discord
        self._folder = folder
        self._ready: set[GnauProcess] = set()
        self._halves: list[GnauProcess] = []

    def _made(self, half: int) -> GnauProcess:
        address = self.server.url("postgres", SECOND) if half else self.address
        made = GnauProcess(self._discord, self._folder, address=address, shards=(SHARDS, HALVES[half]))

        def heard(line: str) -> None:
            if _READY in line:
                self._ready.add(made)
            self.on_line(line)

        made.on_line = heard
        return made

    @property
    def pid(self) -> int | None:
        """The first process; None if one of the two does not run."""
        pids = [one.pid for one in self._halves]
        return pids[0] if pids and all(pids) else None

    async def start(self) -> None:
        """Starts both, and returns when they are connected."""
        self.server.run_sql(f"CREATE ROLE {SECOND} LOGIN SUPERUSER")
        await self.launch()
        await self.until_connected()

    async def launch(self) -> None:
        """Starts both."""
        self._halves = [self._made(half) for half in range(len(HALVES))]
        for one in self._halves:
            await one.launch()

    async def until_connected(self, seconds: float = CONNECTING_SECONDS) -> None:
        """Waits until both are ready, and all shards connected.

        Raises:
            AssertionError: one ended instead, or took too long.
        """
        await until(lambda: self._is_connected() or self.pid is None, "both processes are ready", seconds)
        assert self.pid is not None, f"a process ended: {self.lines[-20:]}"

    def _is_connected(self) -> bool:
        sessions = self._discord.gateway.events.sessions.values()
        connected = Counter(one.shard[0] for one in sessions if one.client is not None)
        return len(connected) == SHARDS and set(self._halves) <= self._ready

    async def end(self, how: signal.Signals = signal.SIGKILL) -> int | None:
        """Ends both; returns the worse exit status, or None if none runs."""
        ended = [await one.end(how) for one in self._halves]
        return max((abs(status) for status in ended if status is not None), default=None)

    @property
    def environment(self) -> dict[str, str]:
        """The settings of the first one, as environment variables."""
        return self._made(0).environment

    def megabytes(self) -> float:
        """The memory of the first one."""
        return self._halves[0].megabytes() if self._halves else 0.0

    # What goes wrong

    async def kill(self, half: int) -> None:
        """Kills one of the two."""
        self.kills += 1
        await self._halves[half].end(signal.SIGKILL)

    async def replace_dead(self, *halves: int) -> None:
        """Starts others in place of those that are gone."""
        for half in halves:
            self._halves[half] = self._made(half)
            await self._halves[half].launch()
        await self.until_connected()

    async def replace(self, half: int, how: signal.Signals) -> None:
        """Starts another one, has both play for a while, and ends the old one."""
        old, new = self._halves[half], self._made(half)
        await new.launch()
        try:
            await until(lambda: new in self._ready or new.pid is None, "the new process is ready")
            await asyncio.sleep(2.0)
        finally:
            self._halves[half] = new
            self.kills += how is signal.SIGKILL
            status = await old.end(how)
        assert how is signal.SIGKILL or status == 0, f"a process that was replaced ended with {status}"

    def process_of(self, half: int) -> int | None:
        """The id of one of the two."""
        return self._halves[half].pid


def _processes(scene: Scene) -> Processes:
    assert isinstance(scene.bot, Processes)
    return scene.bot


@asynccontextmanager
async def _killed(scene: Scene, *halves: int) -> AsyncIterator[None]:
    for half in halves:
        await _processes(scene).kill(half)
    yield
    await _processes(scene).replace_dead(*halves)


@asynccontextmanager
async def _replaced(scene: Scene, half: int, how: signal.Signals = signal.SIGTERM) -> AsyncIterator[None]:
    await _processes(scene).replace(half, how)
    yield
    await _processes(scene).until_connected()


@asynccontextmanager
async def _stopped_and_replaced(scene: Scene, half: int) -> AsyncIterator[None]:
    """A process hangs, another one takes over, and the first one goes on as if nothing had been."""
    pid = _processes(scene).process_of(half)
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    waking = asyncio.get_running_loop().call_later(6.0, partial(_wake, pid))
    try:
        await _processes(scene).replace(half, signal.SIGTERM)
    finally:
        waking.cancel()
        _wake(pid)
    yield
    await _processes(scene).until_connected()


def _wake(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


@asynccontextmanager
async def _cut_off(scene: Scene) -> AsyncIterator[None]:
    """The second process does not reach the database; the first one goes on."""
    run_sql = _processes(scene).server.run_sql
    run_sql(
        f"ALTER ROLE {SECOND} NOLOGIN",
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{SECOND}'",
    )
    yield
    run_sql(f"ALTER ROLE {SECOND} LOGIN")


@asynccontextmanager
async def _crashed_server(scene: Scene, *halves: int) -> AsyncIterator[None]:
    _processes(scene).kills += 1
    async with crashed_server(scene):
        for half in halves:
            await _processes(scene).kill(half)
        yield
    await _processes(scene).replace_dead(*halves)


def _fault(name: str, lasting: Callable[[Scene], Any], most_seconds: float = 2.0, **what: Any) -> Fault:
    return Fault(name, lasting, of_process=True, most_seconds=most_seconds, **what)


def _kill(name: str, kills: Callable[..., Any], *halves: int) -> Fault:
    lost: dict[str, Any] = {"breaks_ledger": True, "explains": LOST_LEDGER}
    return _fault(name, lambda scene: kills(scene, *halves), silences=True, **lost)


KILLS: Final = (
    _kill("killed first process", _killed, 0),
    _kill("killed second process", _killed, 1),
    _kill("killed both processes", _killed, 0, 1),
    _kill("crashed server", _crashed_server),
    _kill("killed server and first process", _crashed_server, 0),
    _kill("killed server and second process", _crashed_server, 1),
)
FAULTS: Final = (
    *KILLS,
    _fault("deploy of the first", lambda scene: _replaced(scene, 0), answers=True),
    _fault("deploy of the second", lambda scene: _replaced(scene, 1), answers=True),
    _kill("first killed in a deploy", lambda scene: _replaced(scene, 0, signal.SIGKILL)),
    _kill("second killed in a deploy", lambda scene: _replaced(scene, 1, signal.SIGKILL)),
    _kill("first hangs and is replaced", _stopped_and_replaced, 0),
    _kill("second hangs and is replaced", _stopped_and_replaced, 1),
    _fault("second cut off", _cut_off, 6.0, breaks_ledger=True, explains=LOST_LEDGER),
)
"""What goes wrong with two processes and their server."""


class Hands:
    """The messages with hands, of which each member gets one a round.

    Attributes:
        sent_twice: a sentence for each that came again.
    """

    def __init__(self, discord: StandIn) -> None:
        self.sent_twice: list[str] = []
        self._seen: set[tuple[int, str, str]] = set()
        discord.world.on_change(self._hear)

    def _hear(self, change: Change) -> None:
        message = change.message
        if change.kind != "message_created" or message is None or message.ephemeral:
            return
        if not message.channel.is_dm or not message.author.bot:
            return
        for table, number in {tuple((one.custom_id or ":::").split(":")[1:3]) for one in message.buttons()}:
            hand = message.channel.id, table, number
            if number not in ("", "0") and hand in self._seen:
                self.sent_twice.append(f"the hand of round {number} of table {table} was sent twice")
            self._seen.add(hand)
