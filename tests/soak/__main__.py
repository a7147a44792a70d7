"""Plays at many tables with every fault: `scripts/soak MINUTES`, from the root of the repository."""

import argparse
import asyncio
import gc
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.postgres_server import Server
from tests.soak.faults import FAULTS, ON_POSTGRES
from tests.soak.processes import FAULTS as OF_PROCESSES
from tests.soak.run import PROBLEMS_SHOWN, SETTLING_SECONDS, Soak

TABLES = 12
SHORT_CALM = SETTLING_SECONDS + 0.5, SETTLING_SECONDS + 1.5
NEVER = 1_000_000_000
"""How many collections come before a full one."""


async def soak(minutes: float, seed: int, tables: int, server: Server | None = None, kills: int = 0) -> bool:
    """Runs one, prints the figures, and returns whether everything was right.

    Args:
        kills: with any, the bot is two processes, and this is how often a process or the server is killed.
    """
    # A full collection finds nothing, and stops the stand-in: on a busy machine for seconds, so that every
    # answer of the bot comes too late.
    gc.set_threshold(*gc.get_threshold()[:2], NEVER)
    folder = Path(tempfile.mkdtemp(prefix="gnau-soak-"))
    faults = FAULTS if server is None else ON_POSTGRES
    report: Callable[[str], None] = lambda line: print(line, flush=True)  # noqa: E731, T201 - a command prints
    if kills:
        run = Soak(folder, seed, tables, OF_PROCESSES, SHORT_CALM, report=report, server=server, kills=kills)
    else:
        run = Soak(folder, seed, tables, faults, report=report, server=server)
    loop = asyncio.get_running_loop()
    for stop in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(stop, run.over.set)
    print(f"seed {seed}, database and log in {folder}", flush=True)  # noqa: T201
    await run.run(minutes)
    problems = run.figures.problems
    print(run.figures)  # noqa: T201
    for problem in problems[:PROBLEMS_SHOWN]:
        print(f"wrong: {problem}", file=sys.stderr)  # noqa: T201
    if problems:
        print(f"{len(problems)} things were wrong; the database and the log are in {folder}", file=sys.stderr)  # noqa: T201
    else:
        shutil.rmtree(folder)
    return not problems


def main() -> None:
    """Reads how long and how large it is to be."""
    asked = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    asked.add_argument("minutes", type=float, help="how long to play")
    asked.add_argument("--seed", type=int, help="what all chance comes from; by default a new one")
    asked.add_argument("--tables", type=int, default=TABLES, help="how many tables")
    asked.add_argument("--postgres", action="store_true", help="on a PostgreSQL server, which has faults too")
    asked.add_argument("--kills", type=int, default=0, help="of two processes or their server, at least")
    given = asked.parse_args()
    seed = random.randrange(1_000_000) if given.seed is None else given.seed
    with ExitStack() as stack:
        server = None
        if given.postgres or given.kills:
            server = Server(Path(stack.enter_context(tempfile.TemporaryDirectory())))
            server.start()
            stack.callback(server.stop)
        if not asyncio.run(soak(given.minutes, seed, given.tables, server, given.kills)):
            sys.exit(1)


if __name__ == "__main__":
    main()
