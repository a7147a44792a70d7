"""A short run with a kill goes through, and the run notices what is wrong."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests.gnau_process import until
from tests.postgres_server import Server, programs
from tests.soak.answers import rounds_settled
from tests.soak.faults import FAULTS, ON_POSTGRES, Fault, Scene, malformed_events
from tests.soak.processes import FAULTS as OF_PROCESSES
from tests.soak.run import Figures, Soak

SEED = 7

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory comes from /proc")


@asynccontextmanager
async def come_late(scene: Scene) -> AsyncIterator[None]:
    """Interactions come when Discord waits no more, or hardly."""
    scene.discord.faults.interaction_delay = (2.0, 4.5)
    yield
    scene.discord.faults.interaction_delay = (0.0, 0.0)


def beside_tests(figures: Figures) -> list[str]:
    """The problems of a run beside other tests, which may leave the bot too little time to answer."""
    return [one for one in figures.problems if "got no answer in" not in one]


async def played(folder: Path, faults: Iterable[Fault], minutes: float) -> Figures:
    soak = Soak(folder, SEED, tables=3, faults=list(faults), calm_seconds=(1.0, 2.0))
    await soak.run(minutes)
    return soak.figures


@pytest.mark.thorough
@pytest.mark.skipif(programs() is None, reason="there is no PostgreSQL server for this system on PyPI")
async def test_tables_go_on_after_bot_and_server_were_killed(tmp_path: Path) -> None:
    with TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            faults = [fault for fault in ON_POSTGRES if fault.name == "killed bot and server"]
            soak = Soak(tmp_path, SEED, tables=3, faults=faults, calm_seconds=(4.0, 8.0), server=server)

            settled: list[int] = []

            def goes_on() -> bool:
                with suppress(psycopg.OperationalError):
                    if soak.figures.faults.total() > 0:
                        settled.append(rounds_settled(soak.database))
                return bool(settled) and settled[-1] > settled[0]

            playing = asyncio.create_task(soak.run(4.0))
            await until(lambda: goes_on() or playing.done(), "a round was settled after a kill", 300)
            soak.over.set()
            await playing
        finally:
            server.stop()
    assert beside_tests(soak.figures) == [], soak.figures
    assert soak.figures.faults["killed bot and server"] > 0
    assert "rounds settled" in str(soak.figures)


@pytest.mark.thorough
async def test_two_processes_lose_nothing_when_one_is_killed_or_replaced(tmp_path: Path) -> None:
    if programs() is None:
        pytest.skip("there is no PostgreSQL server for this system on PyPI")
    faults = [one for one in OF_PROCESSES if one.name in ("killed second process", "deploy of the first")]
    with TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            soak = Soak(tmp_path, SEED, 4, faults, (1.0, 2.0), server=server, kills=2)
            await soak.run(2.0)
        finally:
            server.stop()
    assert beside_tests(soak.figures) == [], soak.figures
    assert soak.figures.kills == 2


@pytest.mark.thorough
async def test_what_comes_late_is_not_carried_out(tmp_path: Path) -> None:
    late = Fault("late interactions", come_late, most_seconds=20.0)
    soak = Soak(tmp_path, SEED, tables=3, faults=[late], calm_seconds=(1.0, 2.0))
    playing = asyncio.create_task(soak.run(3.0))
    # With most presses late, nobody knows when a round is through.
    await until(lambda: sum(soak.figures.unanswered) >= 20 or playing.done(), "presses came too late", 180)
    await until(lambda: rounds_settled(soak.database) or playing.done(), "a round was settled", 180)
    soak.over.set()
    await playing
    assert beside_tests(soak.figures) == [], soak.figures


@pytest.mark.thorough
async def test_a_stall_of_the_bot_alone_is_a_problem(tmp_path: Path) -> None:
    soak = Soak(tmp_path, SEED, tables=3, calm_seconds=(600.0, 600.0))
    playing = asyncio.create_task(soak.run(2.0))
    await until(lambda: soak.figures.presses or playing.done(), "somebody has pressed", 60)
    assert soak.bot.pid is not None
    os.kill(soak.bot.pid, signal.SIGSTOP)
    # A stall of a slow machine beside it excuses some of them.
    await until(lambda: soak.figures.unanswered[0] or playing.done(), "a press has got no answer", 120)
    os.kill(soak.bot.pid, signal.SIGCONT)
    soak.over.set()
    await playing
    assert any("got no answer in 3 s without any fault" in one for one in soak.figures.problems), soak.figures


@pytest.mark.thorough
async def test_an_error_in_the_log_that_no_fault_explains_is_a_problem(tmp_path: Path) -> None:
    figures = await played(tmp_path, [Fault("unexplained", malformed_events)], 0.1)
    unexplained = "the bot logged an error that no fault explains: bot.wire.intake: skipped an event"
    assert any(problem.startswith(unexplained) for problem in figures.problems), figures.problems
    assert any("the bot logged a traceback" in problem for problem in figures.problems)


def test_every_fault_has_a_name_of_its_own() -> None:
    every = {*FAULTS, *ON_POSTGRES}
    assert len({fault.name for fault in every}) == len(every)
