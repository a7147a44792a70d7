"""What `/ledger` costs a member with a very long one, on both engines, with and without its indices.

One member has played so many rounds in a server, and got a gift and daily chips in the first thousand and the
last. The first thousand are of another game. Read are the newest page, one in the middle, the pages of gifts,
of rounds, and of each game, for which all rounds may have to be looked at, and the file.
PostgreSQL is a server on this machine.

Run it with `uv run python benchmarks/ledgers.py`; `--rounds 1000000` takes some minutes to fill.
"""

import argparse
import json
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

import psycopg
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.ledger.changes import Change, EventRow, TableRow
from bot.ledger.ledger import Ledger, open_ledger
from bot.run.process import run_async
from bot.table.accounts import MINT, LedgerPart, Move, Reason, wallet
from bot.ui.ledger import ENTRIES_READ, LINES_IN_FILE
from tests.postgres_server import Server

SERVER: Final = 1
MEMBER: Final = 7
OTHER: Final = 8
NOW: Final = 1_790_000_000.0
AT_ONCE: Final = 1_000
READS: Final = 20
GAMES: Final = ("niu-niu", "gnau")
"""The game of the first thousand rounds, and that of all others."""
INDICES: Final = ("ix_transfers_loser_without_round", "ix_transfers_gainer_without_round")


def at_table(game: str) -> TableRow:
    """The table of a game."""
    number = GAMES.index(game) + 1
    state = json.dumps({"seats": ["x" * 250] * 8})
    where = number, SERVER, number, number
    return TableRow(*where, is_open=True, is_playing=False, state=state, sequence=1, game=game)


def changes(rounds: int) -> Iterator[Change]:
    """The member's rounds, won and lost in turn, a thousand at a time."""
    for party in (MEMBER, OTHER):
        opened = Move(MINT, wallet(party), 10**9, Reason.OPENING_CHIPS)
        yield Change(f"opening:{party}", SERVER, NOW, (opened,))
    for game in GAMES:
        opened_at = EventRow(1, "table_opened", "{}")
        yield Change(f"table:{game}", SERVER, NOW, (), at_table(game), (opened_at,))
    won = Move(wallet(OTHER), wallet(MEMBER), 5, Reason.PLAYER_WON, 1)
    lost = Move(wallet(MEMBER), wallet(OTHER), 5, Reason.BANKER_WON, 1)
    for start in range(0, rounds, AT_ONCE):
        given: tuple[Move, ...] = ()
        if start in (0, rounds - AT_ONCE):
            given = (
                Move(wallet(OTHER), wallet(MEMBER), 50, Reason.GIFT),
                Move(MINT, wallet(MEMBER), 100, Reason.DAILY),
            )
        moves = (*given, *(won, lost) * (AT_ONCE // 2))
        yield Change(f"rounds:{start}", SERVER, NOW + start, moves, at_table(GAMES[start > 0]))


async def milliseconds(read: Callable[[], Awaitable[Any]], reads: int = READS) -> float:
    """The median time of a read in milliseconds."""
    took = []
    for _ in range(reads):
        began = time.perf_counter()
        await read()
        took.append((time.perf_counter() - began) * 1e3)
    return median(took)


async def measure(address: str, rounds: int, engine: str, table: Table, run: Callable[[str], Any]) -> None:
    """Fills a database and reads from it, at last without the indices."""
    async with open_ledger(address) as ledger:
        parts = rounds // AT_ONCE + 4
        for change in track(changes(rounds), "Filling", total=parts, console=Console(stderr=True)):
            await ledger.commit(change)
        await read(ledger, engine, rounds, table)
        for name in INDICES:
            run(f"DROP INDEX {name}")
        await read(ledger, f"{engine}, without", rounds, table)


async def read(ledger: Ledger, engine: str, rounds: int, table: Table) -> None:
    """Reads pages and the file, and adds the times to the table."""
    page = partial(ledger.entries, SERVER, MEMBER, ENTRIES_READ)
    reads = (
        page,
        partial(page, beside=rounds // 2),
        partial(page, beside=rounds // 2, newer=True),
        partial(page, part=LedgerPart.PLAY),
        partial(page, part=LedgerPart.GIFTS),
        partial(page, part=LedgerPart.HANDOUTS),
        *(partial(page, part=game) for game in GAMES[::-1]),
    )
    times = [await milliseconds(one) for one in reads]
    times.append(await milliseconds(partial(ledger.many_entries, SERVER, MEMBER, LINES_IN_FILE), 3))
    table.add_row(engine, *(f"{one:.1f}" for one in times))


async def run(rounds: int) -> None:
    """Measures both engines, and prints the figures."""
    of = "newest", "middle", "newer", "rounds", "gifts", "handouts", "a game", "a rare game", "file"
    table = Table("engine, ms", *of)
    with ExitStack() as stack:
        folder, other = (stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2))
        path = Path(folder) / "ledger.db"

        def in_file(sql: str) -> None:
            # It stays open: when it closes, it may write what the ledger expects to write.
            stack.enter_context(closing(sqlite3.connect(path))).execute(sql)

        await measure(f"sqlite:///{path}", rounds, "sqlite", table, in_file)
        server = Server(Path(other))
        server.start()
        try:
            with closing(psycopg.connect(server.url("postgres"), autocommit=True)) as connection:
                connection.execute("CREATE DATABASE ledger")
            with closing(psycopg.connect(server.url("ledger"), autocommit=True)) as connection:
                await measure(server.url("ledger"), rounds, "postgres", table, connection.execute)
        finally:
            server.stop()
    Console(width=120).print(table)


def main() -> None:
    """Runs the benchmark."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--rounds", type=int, default=100_000)
    run_async(run(options.parse_args().rounds))


if __name__ == "__main__":
    main()
