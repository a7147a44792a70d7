"""What `/leaderboard` and `/profile` cost in a large server, on both engines, beside a bare read of one row.

A server with so many members has standings of all of them; a tenth played in the last 60 days, and one in a
hundred is hidden or has left. Read are the first page, the page in the middle, a member's own place, and the
profile of one who has played every day for ten years, with its picture.
PostgreSQL is a server on this machine.

Run it with `uv run python benchmarks/leaderboards.py`; `--members 1000000` takes some minutes to fill.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, Final

import psycopg
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.ledger.changes import Fact, Identity, RoundsCounted
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.records import Leaderboard
from bot.run.process import run_async
from bot.table.standings import BY_DAY, EVERY, Measure, Standing, Tally
from bot.ui.profile import Profile, profile_view
from tests.postgres_server import Server

SERVER: Final = 1
NOW: Final = 1_790_000_000.0
LATELY: Final = NOW - 60 * 86_400
TEN_YEARS: Final = 3_653
READS: Final = 20
AT_ONCE: Final = 1_000


def members(count: int) -> Iterator[list[Fact]]:
    """Members with their standings, some thousand at a time."""
    chosen = random.Random(30)
    for start in range(1, count + 1, AT_ONCE):
        parties = range(start, min(start + AT_ONCE, count + 1))
        rows = []
        for party in parties:
            net = round(chosen.gauss(0, 5_000))
            at = NOW if chosen.random() < 0.1 else LATELY - 1
            rows.append(
                Standing(SERVER, EVERY, EVERY, party, party % 997 + 1, net, abs(net) or 1, None, net, at)
            )
        hidden = [chosen.random() < 0.01 for _ in parties]
        yield [
            *(
                Identity(party, SERVER, party, f"Member {party}", "en-US", is_hidden=one)
                for party, one in zip(parties, hidden, strict=True)
            ),
            RoundsCounted(
                SERVER, (), tuple(rows), tuple(Tally(SERVER, party, BY_DAY, 1, 1, 0, 5) for party in parties)
            ),
        ]


async def fill(ledger: Ledger, count: int) -> None:
    """Stores the members, with a progress bar; every hundredth of those who play has a wallet."""
    parts = (count + AT_ONCE - 1) // AT_ONCE
    for facts in track(members(count), "Filling", total=parts, console=Console(stderr=True)):
        await asyncio.gather(*(ledger.record(fact) for fact in facts[:-1]))
        await ledger.record(facts[-1])
    for party in islice(range(1, count + 1), 0, None, 100):
        await ledger.ensure_wallet(SERVER, party, 1_000 + party % 997, NOW)
    days = [Tally(SERVER, 1, BY_DAY, day, 3, 1, day % 97 - 48) for day in range(2, TEN_YEARS)]
    days += [Tally(SERVER, 1, "gnau", item, 9, 4, 20) for item in range(6)]
    await ledger.record(RoundsCounted(SERVER, (), (), tuple(days)))


async def show_profile(ledger: Ledger) -> None:
    """Reads a profile, and makes its picture."""
    standing = await ledger.standing(SERVER, 1)
    assert standing is not None
    tallies, purse = await ledger.tallies_of(SERVER, 1), await ledger.purse(SERVER, 1)
    await profile_view(Profile(1, "Member 1", standing, tallies, purse, TEN_YEARS))


async def milliseconds(read: Callable[[], Awaitable[Any]]) -> float:
    """The median time of a read in milliseconds."""
    took = []
    for _ in range(READS):
        began = time.perf_counter()
        await read()
        took.append((time.perf_counter() - began) * 1e3)
    return median(took)


async def measure(address: str, count: int, engine: str, table: Table) -> None:
    """Fills a database and reads from it."""
    async with open_ledger(address) as ledger:
        await fill(ledger, count)
        for by in (Measure.CHIPS, Measure.NET, Measure.ROUNDS):
            board = Leaderboard(SERVER, by, EVERY, EVERY, LATELY)
            reads = (
                lambda board=board: ledger.leaders(board, 0, 11),
                lambda board=board: ledger.leaders(board, count // 20, 11),
                lambda board=board: ledger.rank(board, 1),
                lambda: show_profile(ledger),
                lambda: ledger.identity_of(SERVER, 1),
            )
            table.add_row(engine, by, *[f"{await milliseconds(read):.1f}" for read in reads])


async def run(count: int) -> None:
    """Measures both engines, and prints the figures."""
    table = Table(
        "engine", "by", "first page ms", "middle page ms", "own place ms", "profile ms", "one row ms"
    )
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        await measure(f"sqlite:///{folder}/ledger.db", count, "sqlite", table)
        server = Server(Path(other))
        server.start()
        try:
            with closing(psycopg.connect(server.url("postgres"), autocommit=True)) as connection:
                connection.execute("CREATE DATABASE ledger")
            await measure(server.url("ledger"), count, "postgres", table)
        finally:
            server.stop()
    Console().print(table)


def main() -> None:
    """Runs the benchmark."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--members", type=int, default=100_000)
    run_async(run(options.parse_args().members))


if __name__ == "__main__":
    main()
