"""Clicks a second of one and of two processes of the bot, which share a PostgreSQL database.

Each side has a stand-in for Discord and a database of its own; half of the servers are in either of two
shards. The sides take turns in one run. The bot's processes, the database's server, and the stand-in with all
clickers are processes of their own.

On a machine with two cores, two processes of the bot, the stand-in and PostgreSQL do not have a core each:
with whole cores, the benchmark shows what this machine bears. So the bots also run slowed: each process gets
a fifth of a core, as on a machine that is so much slower, and everything else has what it needs.

Run it with `uv run python benchmarks/processes.py` (three minutes). It runs on Linux only.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from clicking.benchmark import run_benchmark
from clicking.bot_process import BotProcess
from clicking.crowd import Crowd
from clicking.load import Measured, Tally, closed_loop, deal_some, measure, quiet, reveal_some, whole_rounds
from clicking.report import show
from clicking.side import IDLE_SECONDS, Size
from rich.console import Console
from rich.table import Table

from bot.practice.limits import Limits
from tests.postgres_server import Server
from tests.stand_in import StandIn

SIZE: Final = Size(tables=20, seats=4, clickers=64, seconds=8, rate=0, rounds=1, repeats=3)
SHARDS: Final = 2
CORE_SHARE: Final = 0.2
"""The share of a core that a slowed process gets."""
UNHURRIED: Final = 16
COLUMNS: Final = (
    "processes",
    "core each",
    "load",
    "clicks/s",
    "p50 ms",
    "p99 ms",
    "CPU ms a click",
    "bots",
    "stand-in",
    "late",
)


class Processes:
    """The bot's processes, measured as one."""

    def __init__(self, bots: Sequence[BotProcess]) -> None:
        self._bots = bots

    def cpu_seconds(self) -> float:
        """The CPU time of all."""
        return sum(bot.cpu_seconds() for bot in self._bots)

    @asynccontextmanager
    async def slowed(self, share: float) -> AsyncIterator[None]:
        """Lets each use only this share of a core during the block; all of it, if it is 1."""
        async with AsyncExitStack() as stack:
            if share < 1:
                for bot in self._bots:
                    await stack.enter_async_context(bot.slowed(share))
            yield


class Side:
    """A number of processes, and the people at their tables."""

    def __init__(self, discord: StandIn, crowd: Crowd, bots: Processes, size: Size) -> None:
        self._discord = discord
        self._crowd = crowd
        self._bots = bots
        self._size = size
        self._chance = random.Random(12)

    async def warm_up(self) -> None:
        """Has everybody sit down and play a round."""
        await self._crowd.sit_down()
        await whole_rounds(self._crowd, UNHURRIED, 1, self._chance)(Tally())

    async def measured(self, share: float) -> dict[str, Measured]:
        """What comes of single clicks and of whole rounds, if each process has this share of a core."""
        size, crowd, chance = self._size, self._crowd, self._chance
        await deal_some(crowd, UNHURRIED, chance)(Tally())
        await quiet(self._discord)
        async with self._bots.slowed(share):
            singles = closed_loop(crowd, size.clickers, size.seconds, chance)
            of_singles = await measure(self._discord, self._bots, singles)
        await reveal_some(crowd, UNHURRIED)(Tally())
        await quiet(self._discord)
        async with self._bots.slowed(share):
            rounds = whole_rounds(crowd, size.clickers, size.rounds, chance)
            of_rounds = await measure(self._discord, self._bots, rounds)
        return {"single clicks": of_singles, "whole rounds": of_rounds}


@asynccontextmanager
async def side(count: int, size: Size, folder: Path, database: str) -> AsyncIterator[Side]:
    """So many processes on a stand-in and a database."""
    discord = StandIn(limits=Limits(rate_limits=False))
    crowd = Crowd(discord, size.tables, size.seats, plays=True, shards=SHARDS)
    shards = ["0-1"] if count == 1 else ["0", "1"]
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(discord)
        assert discord._server is not None
        discord._server.config.timeout_keep_alive = IDLE_SECONDS
        bots = []
        for ids in shards:
            own = folder / f"{count}-{ids}"
            own.mkdir()
            bot = BotProcess("clicking.gnau_bot", discord, own, database, (SHARDS, ids))
            bots.append(await stack.enter_async_context(bot))
        yield Side(discord, crowd, Processes(bots), size)


def row(share: float, load: str, count: int, all_of_it: Sequence[Measured]) -> list[str]:
    """The medians of some repeats."""
    middle = sorted(all_of_it, key=lambda one: one.rate)[len(all_of_it) // 2]
    return [
        f"{count}",
        f"{share:.0%}",
        load,
        f"{middle.rate:,.0f}",
        f"{middle.tally.milliseconds(0.5):,.0f}",
        f"{middle.tally.milliseconds(0.99):,.0f}",
        f"{middle.cpu_per_click:.1f}",
        f"{middle.bot_share:.0%}",
        f"{middle.own_share:.0%}",
        f"{sum(one.tally.late for one in all_of_it)}",
    ]


async def run(size: Size, console: Console) -> None:
    """Measures one and two processes in turns, and prints the figures."""
    table = Table(*COLUMNS)
    measured: dict[tuple[float, str, int], list[Measured]] = {}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = Server(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        await asyncio.to_thread(server.start, fsync="on", full_page_writes="on")
        stack.callback(server.stop)
        server.run_sql("CREATE DATABASE one", "CREATE DATABASE two")
        sides = {}
        for count, name in ((1, "one"), (2, "two")):
            sides[count] = await stack.enter_async_context(side(count, size, folder, server.url(name)))
            await sides[count].warm_up()
        for _ in range(size.repeats):
            for share in (1.0, CORE_SHARE):
                for count, one in sides.items():
                    for load, one_of_it in (await one.measured(share)).items():
                        measured.setdefault((share, load, count), []).append(one_of_it)
        for of_what, came in sorted(measured.items(), key=lambda one: one[0], reverse=True):
            table.add_row(*row(*of_what, came))
        show(console, table)


def main() -> int:
    """Runs the benchmark; returns the exit status."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name in ("repeats", "tables", "clickers", "seconds"):
        asked.add_argument(f"--{name}", type=int, default=getattr(SIZE, name))
    return run_benchmark(run(replace(SIZE, **vars(asked.parse_args())), Console(width=120)))


if __name__ == "__main__":
    sys.exit(main())
