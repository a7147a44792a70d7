"""What metrics cost a click: our bot while it is watched and scraped, and the same process while it is not.

The two take turns, each first as often as the other, so that what else the machine does falls on both. The
loads are those of `clicks.py`, and a ratio is of the CPU time for each click. On a busy machine ratios say
little; so a profile says at which share of the CPU time metrics were found, reading them included.

Run it with `uv run python benchmarks/metrics.py` (three minutes). It runs on Linux only.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Final

from clicking.benchmark import run_benchmark
from clicking.cpu_profile import METRICS, OVERHEAD
from clicking.report import show
from clicking.side import ROUNDS, SINGLE, WATCHED, Side, Size, side
from rich.console import Console
from rich.table import Table

from tests.pages import Pages

SIZE: Final = Size(tables=12, seats=6, clickers=16, seconds=3, rate=0, rounds=1, repeats=12)
FIRST_SECONDS, SCRAPE_SECONDS = 1.0, 15.0
"""When the metrics are read first, and how often then: a load is shorter, and pays more than its share."""


@asynccontextmanager
async def watched(one: Side) -> AsyncIterator[None]:
    """Has the bot count, and its metrics read as Prometheus does, while the block runs."""
    pages = Pages(await one.bot.ask("watch"))

    async def read() -> None:
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            await pages.scrape()
            await asyncio.sleep(SCRAPE_SECONDS)

    reading = asyncio.create_task(read())
    try:
        yield
    finally:
        reading.cancel()
        await one.bot.ask("leave")


async def cost(one: Side, load: str, *, is_watched: bool) -> float:
    """The CPU time of a click in milliseconds, while the bot is watched or not."""
    async with watched(one) if is_watched else nullcontext():
        return (await one.measure(load)).cpu_per_click


async def found(one: Side, load: str) -> float:
    """The share of the bot's CPU time at which metrics were found while it is watched."""
    async with watched(one):
        _, report = await one.profile(load)
    parts = {name: seconds for name, seconds in report["parts"].items() if name != OVERHEAD}
    return float(parts.get(METRICS, 0.0) / sum(parts.values()))


async def row(one: Side, load: str) -> list[str]:
    """A row of the table."""
    costs: dict[bool, list[float]] = {False: [], True: []}
    if load == SINGLE:
        await one.before_single_clicks()
    for repeat in range(one.size.repeats):
        for is_watched in (False, True) if repeat % 2 else (True, False):
            costs[is_watched].append(await cost(one, load, is_watched=is_watched))
    share = await found(one, load)
    if load == SINGLE:
        await one.after_single_clicks()
    ratios = sorted(on / off for off, on in zip(costs[False], costs[True], strict=True))
    return [
        load,
        *(f"{median(costs[is_watched]):.3f}" for is_watched in (False, True)),
        f"{median(ratios):.3f}",
        f"{ratios[0]:.2f}–{ratios[-1]:.2f}",
        f"{share:.1%}",
    ]


async def run(size: Size, console: Console) -> None:
    """Measures, and prints the figures."""
    table = Table("clicks", "CPU ms a click, unwatched", "watched", "ratio", "of each pair", "share found")
    with tempfile.TemporaryDirectory() as folder:
        async with side(WATCHED, size, Path(folder)) as one:
            await one.warm_up()
            for load in (SINGLE, ROUNDS):
                table.add_row(*await row(one, load))
    show(console, table)


def main() -> int:
    """Runs the benchmark; returns the exit status."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--repeats", type=int, default=SIZE.repeats)
    asked.add_argument("--tables", type=int, default=SIZE.tables)
    asked.add_argument("--clickers", type=int, default=SIZE.clickers, help="clicks under way at once")
    asked.add_argument("--seconds", type=float, default=SIZE.seconds)
    options = asked.parse_args()
    size = replace(SIZE, **vars(options))
    return run_benchmark(run(size, Console(width=120)))


if __name__ == "__main__":
    sys.exit(main())
