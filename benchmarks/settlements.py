"""Rounds of eight seats that the ledger settles in a second, compared with one transaction per round.

On each engine, both ways write the same rows of the same changes, from the same code, into a database of the
same schema that is synced at every commit. The ledger uses `commit`, with one task per table, like the bot.
The other way uses sqlite3 or psycopg on one connection, one transaction per round, with nothing else in the
program. Both use the bot's settings of the garbage collector. PostgreSQL is a server on this machine.

They take turns within one run, so that other load on the machine slows both: compare the ratio. Each turn
ends with an audit. The rounds are made before the clock starts, and are hidden from the garbage collector,
because the bot does not keep thousands of rounds ready either.

Run it with `uv run python benchmarks/settlements.py`; `--tables 1` shows what one table alone gets.
"""

import argparse
import asyncio
import gc
import json
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
from rich.console import Console
from rich.table import Table

from bot.ledger.audit import audit
from bot.ledger.batch import Batch, CacheMisses, WriteCache, cache_misses, prepare
from bot.ledger.changes import Change, EventRow, TableRow
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.postgres.address import is_postgres
from bot.ledger.postgres.engine import PostgresEngine
from bot.ledger.sqlite.engine import SqliteEngine
from bot.ledger.sqlite.location import database_path
from bot.ledger.store import Store
from bot.run.process import collect_rarely
from bot.table.accounts import MINT, Move, Reason, hold, wallet
from tests.postgres_server import Server

SEATS = 8
BANKER = 0
STAKE = 50
SPARE = 10
"""The part of each hold that goes back to its owner, in chips."""
NOW = 1_790_000_000.25
FIRST_ID = 1_200_000_000_000_000_000
"""The ids are as long as Discord's, and nearly as long as parties."""
STATE = json.dumps({"phase": "betting", "seats": ["x" * 250] * SEATS})
RESULT = json.dumps({"kind": "round_settled", "players": ["x" * 180] * (SEATS + 1)})
CLOCK = json.dumps({"kind": "deadline_set", "at": NOW})


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one way.

    Attributes:
        whole: the time from the first round to the last, in seconds.
        rounds: the time of each round, in seconds, ascending.
    """

    whole: float
    rounds: list[float]

    @property
    def rate(self) -> float:
        """Rounds a second."""
        return len(self.rounds) / self.whole

    def milliseconds(self, share: float) -> float:
        """The time in milliseconds that this share of the rounds did not exceed."""
        return self.rounds[int(len(self.rounds) * share)] * 1000


def table_id(table: int) -> int:
    """The id of the nth table."""
    return FIRST_ID + table


def party_in(table: int, seat: int) -> int:
    """The party in a seat; nobody sits at two tables."""
    return FIRST_ID + 1000 + table * (SEATS + 1) + seat


def row(table: int, sequence: int) -> TableRow:
    """The row of a table after the event with this number. A server has sixteen tables."""
    return TableRow(
        table_id(table),
        FIRST_ID + table // 16,
        FIRST_ID + table,
        table % 16 + 1,
        is_open=True,
        is_playing=True,
        state=STATE,
        sequence=sequence,
        game="gnau",
    )


def opening(table: int, rounds: int) -> Change:
    """Opens a table, and gives everybody the chips that all rounds can cost them."""
    moves: list[Move] = []
    for seat in range(SEATS + 1):
        party, seats = party_in(table, seat), SEATS if seat == BANKER else 1
        chips = (STAKE + SPARE) * seats * rounds
        moves.append(Move(MINT, wallet(party), chips, Reason.OPENING_CHIPS))
        moves.append(Move(wallet(party), hold(table_id(table), party), chips, Reason.BET_HELD))
    first = row(table, 1)
    event = EventRow(1, "table_opened", CLOCK)
    return Change(f"open:{table}", first.server_id, NOW, tuple(moves), first, (event,), NOW)


def settlements(table: int, rounds: int) -> Iterator[Change]:
    """The rounds of a table: half of the seats win, and the rest of every hold goes back."""
    at, banker = table_id(table), party_in(table, BANKER)
    for number in range(1, rounds + 1):
        moves: list[Move] = []
        for seat in range(1, SEATS + 1):
            player = party_in(table, seat)
            if (seat + number) % 2:
                moves.append(Move(hold(at, banker), wallet(player), STAKE, Reason.PLAYER_WON, number))
            else:
                moves.append(Move(hold(at, player), wallet(banker), STAKE, Reason.BANKER_WON, number))
            moves.append(Move(hold(at, player), wallet(player), SPARE, Reason.BET_RETURNED, number))
        moves.append(Move(hold(at, banker), wallet(banker), SPARE, Reason.BANK_RETURNED, number))
        last = 3 * number + 1
        events = (
            EventRow(last - 2, "round_settled", RESULT, number),
            EventRow(last - 1, "round_opened", CLOCK, number + 1),
            EventRow(last, "deadline_set", CLOCK, number + 1),
        )
        after = row(table, last)
        key = str(FIRST_ID * 2 + table * 1_000_000 + number)
        yield Change(key, after.server_id, NOW + number, tuple(moves), after, events, NOW + number + 30)


class PlainStore:
    """The other way: the same statements with the driver alone, one transaction per change.

    Args:
        address: a ledger that nobody else has open.
    """

    def __init__(self, address: str) -> None:
        engine = PostgresEngine if is_postgres(address) else SqliteEngine
        self.connection: Any
        if is_postgres(address):
            self.connection = psycopg.connect(address, autocommit=True)
            self._begin, self._place = "BEGIN", "%s"
        else:
            self.connection = sqlite3.connect(database_path(address), isolation_level=None)
            self.connection.execute("PRAGMA synchronous=FULL")
            self.connection.execute("PRAGMA foreign_keys=ON")
            self._begin, self._place = "BEGIN IMMEDIATE", "?"
        self._store = Store(engine.row_dialect, engine.insert)

    def commit(self, change: Change) -> None:
        """Stores one change."""
        self.connection.execute(self._begin)
        work = prepare(change)
        batch = Batch(self._known(cache_misses([work], WriteCache())))
        batch.add(work)
        self._store.write(self.connection, batch)
        self.connection.execute("COMMIT")

    def _one(self, query: str, *values: object) -> Any:
        return self.connection.execute(query.replace("?", self._place), values)

    def _known(self, names: CacheMisses) -> WriteCache:
        known, one = WriteCache(), self._one
        for key in names.keys:
            for (answer,) in one("SELECT answer FROM commands WHERE key = ?", key):
                known.answers[key] = answer
        for table in names.tables:
            query = "SELECT server_id, sequence, hash FROM tables JOIN events USING (table_id, sequence)"
            for server_id, *last in one(f"{query} WHERE table_id = ?", table):
                known.last_events[server_id, table] = tuple(last)
        for server in names.servers:
            for head in one("SELECT last_link, head FROM chains WHERE server_id = ?", server):
                known.heads[server] = head
        for place in names.accounts:
            for (chips,) in one("SELECT balance FROM accounts WHERE server_id = ? AND account = ?", *place):
                known.balances[place] = chips
        return known


async def by_ledger(address: str, tables: int, rounds: int) -> Timing:
    """Settles all rounds with `commit`; each table waits for its own rounds."""
    took: list[float] = []

    async def play(ledger: Ledger, changes: list[Change]) -> None:
        for change in changes:
            began = time.perf_counter()
            await ledger.commit(change)
            took.append(time.perf_counter() - began)

    async with open_ledger(address) as ledger:
        await asyncio.gather(*(ledger.commit(opening(table, rounds)) for table in range(tables)))
        work = [list(settlements(table, rounds)) for table in range(tables)]
        gc.freeze()
        began = time.perf_counter()
        await asyncio.gather(*(play(ledger, changes) for changes in work))
        whole = time.perf_counter() - began
        assert not await audit(ledger)
    return Timing(whole, sorted(took))


async def by_plain_transactions(address: str, tables: int, rounds: int) -> Timing:
    """Settles all rounds with one transaction each, the tables in turn."""
    async with open_ledger(address) as ledger:
        await asyncio.gather(*(ledger.commit(opening(table, rounds)) for table in range(tables)))
    turns = zip(*(settlements(table, rounds) for table in range(tables)), strict=True)
    work = [change for turn in turns for change in turn]
    gc.freeze()
    plain = PlainStore(address)
    took: list[float] = []
    first = time.perf_counter()
    for change in work:
        began = time.perf_counter()
        plain.commit(change)
        took.append(time.perf_counter() - began)
    whole = time.perf_counter() - first
    plain.connection.close()
    async with open_ledger(address) as ledger:
        assert not await audit(ledger)
    return Timing(whole, sorted(took))


PLAIN = "one transaction per round"
WAYS: tuple[tuple[str, Callable[[str, int, int], Awaitable[Timing]]], ...] = (
    (PLAIN, by_plain_transactions),
    ("commit", by_ledger),
)
ENGINES = ("sqlite", "postgres")


def new_files(stack: ExitStack) -> Callable[[], str]:
    """What returns the address of a new SQLite file each time."""
    return lambda: f"sqlite:///{stack.enter_context(tempfile.TemporaryDirectory())}/ledger.db"


def new_databases(stack: ExitStack) -> Callable[[], str]:
    """Starts a server that syncs as one that hosts rely on; returns what makes a new database each time."""
    server = Server(Path(stack.enter_context(tempfile.TemporaryDirectory())))
    server.start(fsync="on", full_page_writes="on")
    stack.callback(server.stop)

    def new() -> str:
        with closing(psycopg.connect(server.url("postgres"), autocommit=True)) as connection:
            connection.execute("DROP DATABASE IF EXISTS ledger")
            connection.execute("CREATE DATABASE ledger")
        return server.url("ledger")

    return new


async def main() -> None:
    """Runs both ways in turn, and prints their rates, their ratio, and the medians of all turns."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--tables", type=int, default=64, help="tables that settle at once")
    options.add_argument("--rounds", type=int, default=60, help="rounds of each table")
    options.add_argument("--turns", type=int, default=5, help="turns of each way")
    options.add_argument("--engine", choices=ENGINES, help="by default both")
    chosen = options.parse_args()
    collect_rarely()
    table = Table("engine", "turn", "way", "rounds/s", "p50 ms", "p99 ms", "ratio")
    rates: dict[tuple[str, str], list[float]] = {}
    with ExitStack() as stack:
        news = {"sqlite": new_files, "postgres": new_databases}
        engines = {name: news[name](stack) for name in ENGINES if chosen.engine in (None, name)}
        for turn in range(1, chosen.turns + 1):
            for engine, new in engines.items():
                for name, way in WAYS:
                    timing = await way(new(), chosen.tables, chosen.rounds)
                    gc.unfreeze()
                    rates.setdefault((engine, name), []).append(timing.rate)
                    p50, p99 = (f"{timing.milliseconds(share):.1f}" for share in (0.5, 0.99))
                    ratio = timing.rate / rates[engine, PLAIN][-1]
                    table.add_row(engine, str(turn), name, f"{timing.rate:,.0f}", p50, p99, f"{ratio:.2f}")
    table.add_section()
    medians = {way: median(of_turns) for way, of_turns in rates.items()}
    for (engine, name), rate in medians.items():
        ratio = rate / medians[engine, PLAIN]
        table.add_row(engine, "median", name, f"{rate:,.0f}", "", "", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
