"""What `/leaderboard` and `/profile` cost in a large server, on both engines, beside a bare read of one row.

The server has as many members and rounds as you say: 1,000,000 and 10,000,000 take some ten minutes to fill.
A tenth of the members played in the last 60 days, and one in a hundred is hidden or has left.
Written are what the rounds brought members, as standings have it, and members' chips; not the rounds, which
neither command reads. A few members have played every day for ten years.

Measured is all that a command reads, and for a profile also its words and its picture, for members at random.
PostgreSQL is a server on this machine.

Run it with `uv run python benchmarks/leaderboards.py --members 1000000 --rounds 10000000`.
"""

import argparse
import random
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.postgres.address import is_postgres
from bot.ledger.records import Leaderboard
from bot.ledger.sqlite.location import database_path
from bot.run.process import collect_rarely, run_async
from bot.table.achievements import Progress, progress_json
from bot.table.standings import AS_BANKER, BY_DAY, EVERY, Measure, Period, period_name
from bot.ui.leaderboard import ON_PAGE
from bot.ui.profile import Profile, profile_view
from tests.postgres_server import Server

SERVER: Final = 1
NOW: Final = 1_790_000_000.0
TODAY: Final = int(NOW // 86_400)
LATELY: Final = NOW - 60 * 86_400
TEN_YEARS: Final = 3_653
LONG: Final = 20
"""How many members have played every day for ten years: the first ones."""
SEATS: Final = 5
"""How many members a round has, the banker among them."""
READS: Final = 200
AT_ONCE: Final = 5_000
GAME: Final = "gnau"
CLASSES: Final = 6
"""How many classes of hands the game has."""
Rows = dict[str, list[tuple[object, ...]]]


def members(count: int, rounds: int) -> Iterator[Rows]:
    """The rows of members, some thousand at a time, by table, in the order of its columns."""
    chosen = random.Random(30)
    each = max(rounds * SEATS // count, 1)
    progress = progress_json(Progress())
    for start in range(1, count + 1, AT_ONCE):
        rows: Rows = {name: [] for name in ("parties", "accounts", "standings", "tallies", "achievements")}
        for party in range(start, min(start + AT_ONCE, count + 1)):
            played = 1 + int(chosen.expovariate(1 / each))
            net, ahead = (round(chosen.gauss(0, 50 * played**0.5)) for _ in range(2))
            is_hidden, is_lately = chosen.random() < 0.01, chosen.random() < 0.1 or party <= LONG
            at = NOW - chosen.random() * 50 * 86_400 if is_lately else LATELY - 1
            rows["parties"].append(
                (party, SERVER, party, f"Member {party}", "en-US", False, is_hidden, False)
            )
            rows["accounts"].append((SERVER, f"wallet:{party}", "wallet", party, None, 1_000 + abs(net)))
            rows["achievements"].append((SERVER, party, progress))
            periods = [period_name(one, at) for one in Period] if is_lately else [EVERY]
            games = (EVERY, GAME, AS_BANKER) if chosen.random() < 0.2 else (EVERY, GAME)
            luck = None if played < 30 else chosen.gauss(0, 1)
            rows["standings"] += [
                (
                    *(SERVER, period, game, party, played, net, abs(net) + 1),
                    *(chosen.randrange(90) if game == GAME else None, None, at),
                    *(played, ahead, 0, 2_500 * played, luck),
                )
                for period in periods
                for game in games
            ]
            days = range(TODAY - (TEN_YEARS if party <= LONG else 1 + played // 12), TODAY)
            rows["tallies"] += [(SERVER, party, BY_DAY, day, 12, 5, day % 97 - 48) for day in days]
            rows["tallies"] += [(SERVER, party, GAME, item, 9, 4, 20) for item in range(min(CLASSES, played))]
        yield rows


def fill(address: str, count: int, rounds: int) -> None:
    """Stores the members, with a progress bar."""
    parts = (count + AT_ONCE - 1) // AT_ONCE
    chunks = track(members(count, rounds), "Filling", total=parts, console=Console(stderr=True))
    if is_postgres(address):
        with closing(psycopg.connect(address, autocommit=True)) as postgres:
            for chunk in chunks:
                for table, rows in chunk.items():
                    with postgres.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copying:
                        for row in rows:
                            copying.write_row(row)
            # As autovacuum does after some minutes.
            postgres.execute("VACUUM ANALYZE")
        return
    with closing(sqlite3.connect(database_path(address))) as connection:
        for chunk in chunks:
            with connection:
                for table, rows in chunk.items():
                    places = ",".join("?" * len(rows[0]))
                    connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608


async def show_profile(ledger: Ledger, party: int) -> None:
    """What `/profile` reads and makes."""
    identity = await ledger.identity_of(SERVER, party)
    assert identity is not None
    await ledger.uncounted_rounds(SERVER, 50)
    standing = await ledger.standing(SERVER, party)
    assert standing is not None
    tallies, purse = await ledger.tallies_of(SERVER, party), await ledger.purse(SERVER, party)
    reached = await ledger.reached_by(SERVER, party)
    await profile_view(Profile(party, identity.name, standing, tallies, purse, TODAY, reached=reached))


async def show_leaders(ledger: Ledger, board: Leaderboard, offset: int, party: int) -> None:
    """What `/leaderboard` reads."""
    await ledger.uncounted_rounds(SERVER, 50)
    await ledger.rank(board, party)
    await ledger.leaders(board, offset, ON_PAGE + 1)


async def milliseconds(read: Callable[[int], Awaitable[Any]], parties: Sequence[int]) -> tuple[float, float]:
    """The median time of a read in milliseconds, and the time that 99 of 100 did not exceed."""
    took = []
    for party in parties:
        began = time.perf_counter()
        await read(party)
        took.append((time.perf_counter() - began) * 1e3)
    took.sort()
    return took[len(took) // 2], took[len(took) * 99 // 100]


async def measure(engine: str, address: str, count: int, rounds: int, table: Table) -> None:
    """Fills a database and reads from it."""
    async with open_ledger(address):
        pass
    fill(address, count, rounds)
    await read_from(engine, address, count, table)


async def read_from(engine: str, address: str, count: int, table: Table) -> None:
    """Reads from a database with so many members."""
    chosen = random.Random(27)
    some = [chosen.randint(LONG + 1, count) for _ in range(READS)]
    long = [chosen.randint(1, LONG) for _ in range(READS)]
    month = period_name(Period.MONTH, NOW)
    async with open_ledger(address) as ledger:

        def leaders(by: Measure, period: str = EVERY, offset: int = 0) -> Callable[[int], Awaitable[None]]:
            board = Leaderboard(SERVER, by, period, EVERY, LATELY)
            return lambda party: show_leaders(ledger, board, offset, party)

        ways: dict[str, tuple[Callable[[int], Awaitable[Any]], list[int]]] = {
            "profile": (lambda party: show_profile(ledger, party), some),
            "profile, ten years of days": (lambda party: show_profile(ledger, party), long),
            **{f"leaderboard by {by}": (leaders(by), some) for by in Measure},
            "leaderboard by net, this month": (leaders(Measure.NET, month), some),
            "leaderboard by net, middle page": (leaders(Measure.NET, offset=count // 20), some),
            "one row": (lambda party: ledger.identity_of(SERVER, party), some),
        }
        for name, (read, parties) in ways.items():
            p50, p99 = await milliseconds(read, parties)
            table.add_row(engine, name, f"{p50:.1f}", f"{p99:.1f}")


async def run(count: int, rounds: int) -> None:
    """Measures both engines, and prints the figures."""
    table = Table("engine", "what", "p50 ms", "p99 ms", title=f"{count:,} members, {rounds:,} rounds")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        await measure("sqlite", f"sqlite:///{folder}/ledger.db", count, rounds, table)
        server = Server(Path(other))
        server.start()
        try:
            with closing(psycopg.connect(server.url("postgres"), autocommit=True)) as connection:
                connection.execute("CREATE DATABASE ledger")
            await measure("postgres", server.url("ledger"), count, rounds, table)
        finally:
            server.stop()
    Console().print(table)


def main() -> None:
    """Runs the benchmark."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--members", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=1_000_000)
    chosen = options.parse_args()
    collect_rarely()
    run_async(run(chosen.members, chosen.rounds))


if __name__ == "__main__":
    main()
