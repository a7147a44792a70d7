"""How soon the bot is ready with many open tables, and how much memory it holds then and after many rounds.

People sit down at all tables; the bot ends, and starts again on the same database. Measured is the time from
the start of its process until it is ready, and until it has answered a first press, and its memory then.
After that some tables play on, and its memory is looked at every few hundred rounds. It grows by a few
megabytes until the caches are full, after some 2,700 rounds: docs/PERFORMANCE.md names them.

Run it with `uv run python benchmarks/start.py` (some minutes); `--tables` and `--rounds` make it smaller. It
runs on Linux only: memory comes from /proc.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from clicking.benchmark import run_benchmark
from clicking.board import BET
from clicking.bot_process import BotProcess
from clicking.crowd import Crowd
from clicking.load import Tally, quiet, whole_rounds
from clicking.report import show
from clicking.side import IDLE_SECONDS
from rich.console import Console

from bot.practice.limits import Limits
from tests.stand_in import StandIn

MODULE: Final = "clicking.gnau_bot"
SEATS: Final = 2
PLAYING: Final = 40
"""How many tables play on."""
CLICKERS: Final = 32
STEPS: Final = 5
"""How often memory is looked at while they play."""


async def run(tables: int, rounds: int, console: Console) -> None:
    """Measures, and prints the figures."""
    discord = StandIn(limits=Limits(rate_limits=False))
    crowd = Crowd(discord, tables, SEATS, plays=True)
    with tempfile.TemporaryDirectory() as folder:
        async with discord:
            assert discord._server is not None
            discord._server.config.timeout_keep_alive = IDLE_SECONDS
            async with BotProcess(MODULE, discord, Path(folder)):
                await crowd.sit_down()
                await quiet(discord)
            began = time.perf_counter()
            async with BotProcess(MODULE, discord, Path(folder)) as bot:
                ready, used = time.perf_counter() - began, bot.cpu_seconds()
                table = crowd.tables[-1]
                await table.players[0].press_raw(table.shown, table.offers(BET, with_argument=True)[0])
                answered = time.perf_counter() - began
                show(
                    console,
                    f"{tables:,} open tables of {SEATS} players and a banker: ready after {ready:.2f} s "
                    f"({used:.2f} s of CPU), a press answered after {answered:.2f} s, "
                    f"{bot.resident_megabytes():.0f} MB",
                )
                await quiet(discord)
                show(console, f"all boards edited: {bot.resident_megabytes():.0f} MB")
                await play_on(crowd, rounds, discord, bot, console)


async def play_on(crowd: Crowd, rounds: int, discord: StandIn, bot: BotProcess, console: Console) -> None:
    """Plays rounds at some tables, and prints the memory now and then."""
    crowd.tables = crowd.tables[:PLAYING]
    each, chance = max(1, rounds // (len(crowd.tables) * STEPS)), random.Random(12)
    for step in range(1, STEPS + 1):
        await whole_rounds(crowd, CLICKERS, each, chance)(Tally())
        await quiet(discord)
        played = step * each * len(crowd.tables)
        show(console, f"{played:,} rounds later: {bot.resident_megabytes():.0f} MB")


def main() -> int:
    """Runs the benchmark; returns the exit status."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--tables", type=int, default=1000)
    asked.add_argument("--rounds", type=int, default=2000)
    options = asked.parse_args()
    return run_benchmark(run(options.tables, options.rounds, Console(width=120)))


if __name__ == "__main__":
    sys.exit(main())
