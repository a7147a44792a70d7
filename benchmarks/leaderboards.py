"""What `/leaderboard` and `/profile` cost in a large server, on both engines, beside a bare read of one row.

The server has as many members and rounds as you say: 1,000,000 and 10,000,000 take some ten minutes to fill.
A tenth of the members played in the last 60 days, and one in a hundred is hidden or has left.
Written are what the rounds brought members, as standings have it, members' chips, and their daily chips; not
the rounds, which neither command reads. A few members have played every day for ten years.

Measured is all that a command reads, and for a profile also its words and its picture: for members at random,
and of leaderboards for members who played lately, who have a place and somebody next to it.
*Cold* is the first look after a start, which also reads the order of a large leaderboard. PostgreSQL is a
server on this machine.

Run it with `uv run python benchmarks/leaderboards.py --members 1000000 --rounds 10000000`.
"""

import argparse
import random
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import closing
from itertools import count as count_from
from pathlib import Path
from typing import Final

import psycopg
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.croupier.croupier import Croupier
from bot.games.house import House
from bot.ledger.changes import opening_key
from bot.ledger.ledger import open_ledger
from bot.ledger.postgres.address import is_postgres
from bot.ledger.sqlite.location import database_path
from bot.pictures.profile import MOST_POINTS
from bot.run.process import collect_rarely, run_async
from bot.table.achievements import Progress, progress_json
from bot.table.standings import AS_BANKER, BY_DAY, EVERY, Measure, Period, period_name
from bot.ui.leaderboard import ON_PAGE, Shown, read_page
from bot.ui.profile import Profile, profile_view
from tests.postgres_server import Server

SERVER: Final = 1
NOW: Final = 1_790_000_000.0
TODAY: Final = int(NOW // 86_400)
LATELY: Final = NOW - 60 * 86_400
TEN_YEARS: Final = 3_653
LONG: Final = 20
"""How many members have played every day for ten years: the first ones."""
ONE_LATELY_IN: Final = 10
"""One in so many members has played lately."""
SEATS: Final = 5
"""How many members a round has, the banker among them."""
READS: Final = 200
AT_ONCE: Final = 5_000
GAME: Final = "gnau"
CLASSES: Final = 6
"""How many classes of hands the game has."""
TABLES: Final = ("parties", "accounts", "commands", "standings", "tallies", "achievements", "transfers")
Rows = dict[str, list[tuple[object, ...]]]


def members(count: int, rounds: int) -> Iterator[Rows]:
    """The rows of members, some thousand at a time, by table, in the order of its columns."""
    chosen = random.Random(30)
    each = max(rounds * SEATS // count, 1)
    progress, links = progress_json(Progress()), count_from(1)
    for start in range(1, count + 1, AT_ONCE):
        rows: Rows = {name: [] for name in TABLES}
        for party in range(start, min(start + AT_ONCE, count + 1)):
            played = 1 + int(chosen.expovariate(1 / each))
            net, ahead = (round(chosen.gauss(0, 50 * played**0.5)) for _ in range(2))
            is_hidden, is_lately = chosen.random() < 0.01, not party % ONE_LATELY_IN or party <= LONG
            at = NOW - chosen.random() * 50 * 86_400 if is_lately else LATELY - 1
            rows["parties"].append(
                (party, SERVER, party, f"Member {party}", "en-US", False, is_hidden, False)
            )
            rows["accounts"].append((SERVER, f"wallet:{party}", "wallet", party, None, 1_000 + abs(net)))
            rows["commands"].append((opening_key(SERVER, party), SERVER, None, 0.0, None))
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
            rows["transfers"] += [
                (
                    *(SERVER, next(links), "mint", f"wallet:{party}", None, party, 100, "daily", None, None),
                    *(f"daily:{party}:{day}", day * 86_400.0, b"\0" * 32),
                )
                for day in days
            ]
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


async def show_profile(croupier: Croupier, party: int) -> None:
    """What `/profile` reads and makes."""
    ledger = croupier.ledger
    identity = await ledger.identity_of(SERVER, party)
    assert identity is not None
    await croupier.standings.count(SERVER)
    standing = await ledger.standing(SERVER, party)
    assert standing is not None
    days = await ledger.days_played(SERVER, party, TODAY)
    assert days is not None
    results, reached = await ledger.results_of(SERVER, party), await ledger.reached_by(SERVER, party)
    purse, line = await ledger.balances(SERVER, party, days.first, TODAY, MOST_POINTS)
    profile = Profile(party, identity.name, standing, results, days, purse, line, reached=reached)
    await profile_view(profile, is_private=False)


async def show_leaders(croupier: Croupier, shown: Shown, party: int) -> None:
    """What `/leaderboard` reads."""

    async def look(parties: Collection[int]) -> bool:
        await croupier.identities.load([party, *parties])
        return False

    await croupier.ledger.identity_of(SERVER, party)
    await read_page(croupier, shown, SERVER, party, look)


async def show_row(croupier: Croupier, party: int) -> None:
    """Reads one row."""
    await croupier.ledger.identity_of(SERVER, party)


Command = Callable[[Croupier, int], Awaitable[None]]


async def milliseconds(address: str, command: Command, parties: Sequence[int]) -> tuple[float, float, float]:
    """The median of what a command takes, in milliseconds, what 99 of 100 did not exceed, and the first."""
    took = []
    async with open_ledger(address) as ledger:
        croupier = Croupier(ledger, lambda _: House(), lambda: NOW)
        for party in parties:
            began = time.perf_counter()
            await command(croupier, party)
            took.append((time.perf_counter() - began) * 1e3)
    cold, *warm = took
    warm.sort()
    return warm[len(warm) // 2], warm[len(warm) * 99 // 100], cold


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
    ranked = [ONE_LATELY_IN * chosen.randint(1, count // ONE_LATELY_IN) for _ in range(READS)]

    def leaders(shown: Shown) -> Command:
        return lambda croupier, party: show_leaders(croupier, shown, party)

    # Hands of several games do not compare.
    boards = [Shown(by, game=GAME if by is Measure.BEST else EVERY) for by in Measure]
    ways: dict[str, tuple[Command, list[int]]] = {
        "profile": (show_profile, some),
        "profile, ten years of days": (show_profile, long),
        **{f"leaderboard by {one.measure}": (leaders(one), ranked) for one in boards},
        "leaderboard by net, this month": (leaders(Shown(Measure.NET, Period.MONTH)), ranked),
        "leaderboard by net, middle page": (leaders(Shown(Measure.NET, page=count // 20 // ON_PAGE)), ranked),
        "one row": (show_row, some),
    }
    for name, (command, parties) in ways.items():
        took = await milliseconds(address, command, parties)
        table.add_row(engine, name, *(f"{one:.1f}" for one in took))


async def run(count: int, rounds: int) -> None:
    """Measures both engines, and prints the figures."""
    table = Table(
        "engine", "what", "p50 ms", "p99 ms", "cold ms", title=f"{count:,} members, {rounds:,} rounds"
    )
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
