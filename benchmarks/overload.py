"""How many clicks are answered in time when many come at once, or twice as many as the bot can bear.

First 240 clicks at once. Then the most that it can answer: 128 clickers, each of whom presses again as soon
as they are answered. Then twice as many clicks, at random moments, whether or not earlier ones are answered.
A bare discord.py handler, and our bot as it is if the newest press is always first, take their turns, under
clicks of their own measure.

The stand-ins take as long for a request as Discord does, by default 0.15 to 0.3 seconds. A bot that answers
100 clicks a second then has over 20 of them waiting for Discord, so there must be many more clickers.

Both stand-ins and all clickers share one process, which must not be what fills up. So the bots run slowed:
they get a fifth of a core, as on a machine that is so much slower.

Run it with `uv run python benchmarks/overload.py` (five minutes). It runs on Linux only.
"""

import argparse
import math
import sys
import tempfile
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

from clicking.benchmark import run_benchmark
from clicking.load import Measured, burst, closed_loop, measure, open_loop
from clicking.report import show
from clicking.side import BARE, NEWEST_FIRST, OURS, Side, Size, side
from rich.console import Console
from rich.table import Table

SIZE: Final = Size(tables=40, seats=6, clickers=128, seconds=12, rate=0, rounds=0, repeats=3)
LATENCY: Final = (0.15, 0.3)
"""The least and the most seconds that Discord takes for a request."""
OVERLOAD_SECONDS: Final = 15.0
TIMES: Final = 2
AT_ONCE: Final = 240
"""Clicks at once, with a whole core."""
CORE_SHARE: Final = 0.2
"""The share of a core that a bot gets."""
COLUMNS: Final = (
    "bot",
    "lost at once",
    "bears/s",
    "offered/s",
    "in time/s",
    "share of what it bears",
    "bot's core",
    "p50 ms",
    "p90 ms",
    "stand-in's core",
)


async def overloaded(one: Side, latency: tuple[float, float]) -> tuple[Measured, Measured, Measured]:
    """What comes of many clicks at once, what a bot bears, and what comes of twice as much.

    Args:
        one: the bot.
        latency: the least and the most seconds that Discord takes for a request.
    """
    await one.before_single_clicks()
    one.discord.faults.latency = latency
    at_once = await measure(one.discord, one.bot, burst(one.crowd, AT_ONCE, one.chance))
    async with one.bot.slowed(CORE_SHARE):
        most = closed_loop(one.crowd, one.size.clickers, one.size.seconds, one.chance)
        best = await measure(one.discord, one.bot, most)
        twice = open_loop(one.crowd, TIMES * best.rate, OVERLOAD_SECONDS, one.chance)
        under = await measure(one.discord, one.bot, twice)
    one.discord.faults.clear()
    await one.after_single_clicks()
    return at_once, best, under


def figures(name: str, at_once: Measured, best: Measured, under: Measured) -> list[str]:
    """A row of the table."""
    # If the machine is busy, the clickers take longer than they should.
    seconds = under.tally.last - under.tally.first
    in_time = under.tally.answered / seconds
    took = sorted(filter(math.isfinite, under.tally.seconds)) or [math.nan]
    return [
        name,
        f"{at_once.tally.late}",
        f"{best.rate:,.0f}",
        f"{len(under.tally.seconds) / seconds:,.0f}",
        f"{in_time:,.0f}",
        f"{in_time / best.rate:.0%}",
        f"{under.bot_share:.0%}",
        *(f"{took[int(len(took) * share)] * 1000:,.0f}" for share in (0.5, 0.9)),
        f"{under.own_share:.0%}",
    ]


async def run(size: Size, latency: tuple[float, float], console: Console) -> None:
    """Measures both bots in turns, and prints the figures.

    Args:
        size: how large the run is.
        latency: the least and the most seconds that Discord takes for a request.
        console: where the figures are printed.
    """
    table = Table(*COLUMNS)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sides = {
            name: await stack.enter_async_context(side(name, size, folder))
            for name in (BARE, NEWEST_FIRST, OURS)
        }
        for one in sides.values():
            await one.warm_up()
        try:
            for _ in range(size.repeats):
                for name, one in sides.items():
                    table.add_row(*figures(name, *await overloaded(one, latency)))
        finally:
            # Also if somebody stops it: a repeat takes more than a minute.
            show(console, table)


def main() -> int:
    """Runs the benchmark; returns the exit status."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--repeats", type=int, default=SIZE.repeats)
    asked.add_argument("--clickers", type=int, default=SIZE.clickers, help="clicks under way at once")
    asked.add_argument(
        "--latency",
        type=float,
        nargs=2,
        default=LATENCY,
        metavar=("LEAST", "MOST"),
        help="seconds that Discord takes for a request; 0 0 for none",
    )
    options = asked.parse_args()
    size = replace(SIZE, repeats=options.repeats, clickers=options.clickers)
    return run_benchmark(run(size, tuple(options.latency), Console(width=120)))


if __name__ == "__main__":
    sys.exit(main())
