"""What a read of the ledger costs, compared with the same rows by plain sqlite3 in a thread of its own.

Read are a member's purse, the last lines of their ledger, and the leaderboard of a server with 1,000 members.
Both ways keep their connection, and take turns within one run: compare the ratio. A plain read is the
statement and nothing else; the ledger's makes records of the rows.

Run it with `uv run python benchmarks/reads.py` (half a minute).
"""

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from bot.ledger.changes import Change, Identity, RoundsCounted
from bot.ledger.chip_queries import ENTRIES, PURSE
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.rank_queries import PAGES
from bot.ledger.reader import Statement
from bot.ledger.records import Leaderboard
from bot.ledger.schema import LARGEST
from bot.ledger.sqlite.connections import SqliteReading
from bot.run.process import collect_rarely, run_async
from bot.table.accounts import HOUSE, LedgerPart, Move, Reason, wallet
from bot.table.standings import EVERY, Measure, Standing

SERVER: Final = 1
MEMBERS: Final = 1_000
TRANSFERS: Final = 40
"""How many transfers the member has whose ledger is read."""
MEMBER: Final = 7
NOW: Final = 1_790_000_000.0
READS: Final = 300
TURNS: Final = 5
Read = Callable[[], Awaitable[object]]


async def fill(ledger: Ledger) -> None:
    """Gives the members of a server chips, and one of them a long ledger."""
    for party in range(1, MEMBERS + 1):
        await ledger.record(Identity(party, SERVER, party, f"Member {party}", "en-US"))
        await ledger.ensure_wallet(SERVER, party, 1000 + party, NOW)
        won = Standing(SERVER, EVERY, EVERY, party, 1, party, party, None, None, NOW)
        await ledger.record(RoundsCounted(SERVER, (), (won,)))
    for number in range(TRANSFERS):
        move = Move(wallet(MEMBER), HOUSE, 1, Reason.GIFT)
        await ledger.commit(Change(f"gift:{number}", SERVER, NOW + number, (move,)))


def by(measure: Measure) -> Leaderboard:
    """All members in this order."""
    return Leaderboard(SERVER, measure, EVERY, EVERY, 0.0)


async def milliseconds(read: Read) -> tuple[float, float]:
    """The time and the CPU of one read in milliseconds."""
    began, cpu = time.perf_counter(), time.process_time()
    for _ in range(READS):
        await read()
    return (time.perf_counter() - began) / READS * 1e3, (time.process_time() - cpu) / READS * 1e3


async def run(console: Console) -> None:
    """Measures, and prints the figures."""
    table = Table("read", "ledger ms", "plain ms", "ratio", "ledger CPU ms", "plain CPU ms", "ratio")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        path = Path(folder) / "ledger.db"
        async with open_ledger(f"sqlite:///{path}") as ledger:
            await fill(ledger)
            loop = asyncio.get_running_loop()
            connection = await loop.run_in_executor(thread, sqlite3.connect, path)

            def plainly(statement: Statement, **values: Any) -> Read:
                sql, constants = statement.compiled(SqliteReading.dialect)
                bound = constants | values

                def rows() -> list[Any]:
                    return connection.execute(sql, bound).fetchall()

                return lambda: loop.run_in_executor(thread, rows)

            of_member = {"server": SERVER, "party": MEMBER}
            reads: dict[str, tuple[Read, Read]] = {
                "purse": (lambda: ledger.purse(SERVER, MEMBER), plainly(PURSE, **of_member)),
                "ledger, 15 lines": (
                    lambda: ledger.entries(SERVER, MEMBER, 15),
                    plainly(ENTRIES[LedgerPart.ALL, False], **of_member, limit=15, beside=LARGEST),
                ),
                **{
                    f"leaderboard of {MEMBERS:,}: {measure}": (
                        partial(ledger.leaders, by(measure), 0, 11),
                        plainly(PAGES[measure][0], **by(measure).values, offset=0, limit=11),
                    )
                    for measure in (Measure.CHIPS, Measure.NET)
                },
            }
            for name, ways in reads.items():
                took = [[await milliseconds(way) for way in ways] for _ in range(TURNS)]
                cells = []
                for what in range(2):
                    ours, plain = (median(turn[way][what] for turn in took) for way in range(2))
                    cells += [f"{ours:.2f}", f"{plain:.2f}", f"{ours / plain:.2f}"]
                table.add_row(name, *cells)
            await loop.run_in_executor(thread, connection.close)
    console.print(table)


def main() -> None:
    """Runs the benchmark."""
    collect_rarely()
    run_async(run(Console(width=120)))


if __name__ == "__main__":
    main()
