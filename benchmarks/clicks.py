"""What a click costs, measured from outside: this bot beside a bare discord.py handler.

The bare bot answers every press with a fixed board, about as large as ours: no bot on discord.py can do less.
Each bot runs in a process of its own, on a stand-in for Discord of its own, so its CPU is measured without
the clickers. Both stand-ins and all clickers share this process. The bots take turns within one run, so that
what else the machine does falls on both: compare the ratios. At a ratio of 1 our bot is as fast, or as cheap,
as the bare one.

There are three loads, after a warm-up in which everybody sits down and all tables play a round:

- single clicks: each clicker presses again as soon as it is answered. At two tables of three, players change
  their bets; at the third, hands are dealt, and players look at them. `clicking/crowd.py` has the mix.
- steady clicks: a fixed number a second at random moments, whether or not earlier ones are answered.
- whole rounds: all players bet, everybody looks at their hand and reveals it, the round is settled, and the
  next one opens. The bare bot gets the same presses.

Only clicks answered within Discord's three seconds count; the others are late. CPU counts all threads of the
bot, until it has done everything that the clicks led to: edits, hands by direct message, the ledger. The rate
limits of both stand-ins are off, and no deadline of a table ends meanwhile (`clicking/gnau_bot.py`).

Run it with `uv run python benchmarks/clicks.py` (two minutes on a machine with nothing else to do); `--quick`
shows in seconds that it works. `--profile` adds where the CPU time of our bot goes, in a pass of its own
after the timing; with `--repeats 0` that is all. It runs on Linux only: CPU time comes from /proc.

With `--pictures` it measures something else: what a round of our bot costs with signs of cards, with emojis,
and with emojis where pictures of one kind are left out.
"""

import argparse
import importlib.util
import os
import platform
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

from clicking.benchmark import run_benchmark
from clicking.board import board_size
from clicking.picture_costs import cost_table, kind_table, picture_costs
from clicking.report import figures, profile, ratios, remarks, show
from clicking.side import BARE, OURS, PICTURED, ROUNDS, SINGLE, STEADY, Side, Size, side
from rich.console import Console

USUAL: Final = Size(tables=40, seats=6, clickers=64, seconds=3, rate=100, rounds=1, repeats=3)
QUICK: Final = Size(tables=3, seats=2, clickers=4, seconds=0.5, rate=20, rounds=1, repeats=1)
WIDTH: Final = 140
MOST_SECONDS: Final = 90
"""No repeat begins later than this: others may want the machine."""


async def compare(sides: dict[str, Side], size: Size, console: Console) -> None:
    """Measures both bots in turns, and prints what came of it; on a busy machine in fewer repeats."""
    began = time.perf_counter()
    for repeat in range(size.repeats):
        if (took := time.perf_counter() - began) > MOST_SECONDS:
            show(console, f"Stopped after {repeat} repeats, which took {took:.0f} s: the machine is busy.")
            break
        for one in sides.values():
            await one.before_single_clicks()
        for load in (SINGLE, STEADY):
            for one in sides.values():
                await one.measure(load)
        for one in sides.values():
            await one.after_single_clicks()
        for one in sides.values():
            await one.measure(ROUNDS)
    show(console, "", figures(sides), "", ratios(sides), "", *remarks(sides))


async def profile_ours(ours: Side, console: Console) -> None:
    """Prints where the CPU time of our bot goes under single clicks and whole rounds."""
    await ours.before_single_clicks()
    show(console, "", profile(SINGLE, *await ours.profile(SINGLE)))
    await ours.after_single_clicks()
    show(console, "", profile(ROUNDS, *await ours.profile(ROUNDS)))


def described(name: str, one: Side) -> str:
    """What there is to say of a bot before the figures."""
    components, characters = board_size(one.crowd.tables[0].shown)
    told = one.bot.told
    return (
        f"{name}: event loop {told['loop']}, orjson {'yes' if told['orjson'] else 'no'}; "
        f"a board of {components} components, {characters:,} characters of JSON"
    )


def about(size: Size) -> str:
    """What there is to say of a run before it begins."""
    uvloop = "uvloop" if importlib.util.find_spec("uvloop") else "asyncio"
    return (
        f"{size.tables} tables of {size.seats} players and a banker, {size.clickers} clickers, "
        f"{size.repeats} repeats; {size.seconds:g} s of single clicks, {size.seconds:g} s at {size.rate:g} a "
        f"second, {size.rounds} whole round(s).\n"
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; the "
        f"stand-in runs on {uvloop}. Rate limits off for both; a click is late after 3 s."
    )


def asked() -> argparse.Namespace:
    """The options."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--quick", action="store_true", help="a small run of a few seconds")
    options.add_argument("--tables", type=int, help="how many")
    options.add_argument("--seats", type=int, help="players at each, beside the banker; 2 or more")
    options.add_argument("--clickers", type=int, help="clicks under way at once")
    options.add_argument("--seconds", type=float, help="of single and of steady clicks, in each repeat")
    options.add_argument("--rate", type=float, help="steady clicks in a second")
    options.add_argument("--rounds", type=int, help="at each table, in each repeat")
    options.add_argument("--repeats", type=int, help="of each load")
    options.add_argument("--profile", action="store_true", help="show where the CPU time of our bot goes")
    options.add_argument("--pictures", action="store_true", help="measure what pictures and emojis cost")
    return options.parse_args()


def size_of(options: argparse.Namespace) -> Size:
    """The size that was asked for.

    Raises:
        ValueError: there is none like that; its text says why.
    """
    given = {
        name: value for name, value in vars(options).items() if hasattr(USUAL, name) and value is not None
    }
    size = replace(QUICK if options.quick else USUAL, **given)
    if size.seats < 2 or min(size.tables, size.clickers, size.rounds) < 1 or size.repeats < 0:
        raise ValueError("It takes at least 1 table, 2 seats, 1 clicker and 1 round.")
    if size.seconds <= 0 or size.rate <= 0:
        raise ValueError("--seconds and --rate must be above 0.")
    return size


async def run_pictures(size: Size) -> None:
    """Measures what emojis and pictures cost, and prints it."""
    with tempfile.TemporaryDirectory() as folder:
        async with side(PICTURED, size, Path(folder)) as one:
            await one.warm_up()
            costs = await picture_costs(one)
            show(Console(width=WIDTH), cost_table(costs), "", kind_table(costs))
            show(Console(width=WIDTH), one.bot.logged())


async def run(size: Size, *, with_profile: bool) -> None:
    """Measures, and prints the figures."""
    console = Console(width=WIDTH)
    began = time.perf_counter()
    show(console, about(size))
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sides: dict[str, Side] = {}
        for name in (BARE, OURS) if size.repeats else (OURS,):
            sides[name] = await stack.enter_async_context(side(name, size, folder))
            await sides[name].warm_up()
            show(console, described(name, sides[name]))
        if size.repeats:
            await compare(sides, size, console)
        if with_profile:
            await profile_ours(sides[OURS], console)
    show(console, "", f"Took {time.perf_counter() - began:.0f} s.")


def main() -> int:
    """Runs the benchmark; returns the exit status."""
    options = asked()
    try:
        size = size_of(options)
    except ValueError as wrong:
        print(wrong, file=sys.stderr)  # noqa: T201 - told in the terminal
        return 2
    if options.pictures:
        return run_benchmark(run_pictures(size))
    return run_benchmark(run(size, with_profile=options.profile))


if __name__ == "__main__":
    sys.exit(main())
