"""What the database on disk must say, read with connections of its own while no task gets its turn."""

import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import psycopg
from sqlalchemy import select

from bot.croupier.replay import verify_tables
from bot.ledger.audit import audit
from bot.ledger.changes import DirectChannel
from bot.ledger.ledger import Ledger
from bot.ledger.memory import Place
from bot.ledger.queries import Queries, queries_of
from bot.ledger.records import Stack
from bot.ledger.schema import accounts, deadlines, tables
from bot.ledger.sqlite.connections import reading_connection
from bot.ledger.sqlite.erasure import noted_erasures
from bot.table.accounts import AccountKind
from bot.table.state import TableState, parse_state
from tests.simulation.disk import Disk
from tests.simulation.server import FaultyServer

WORDS: Final = "grandmother's gate "
"""How the words begin that members choose."""
_WORDS: Final = re.compile(WORDS.encode() + rb"\d+\.")


Database = Path | str
"""The file of a database, or its address on a server."""


def rows_of(database: Database, query: str) -> list[tuple[Any, ...]]:
    """What a query returns."""
    if isinstance(database, str):
        with closing(psycopg.connect(database)) as server:
            return server.execute(query).fetchall()
    with closing(reading_connection(database)) as connection:
        return connection.execute(query).fetchall()


def content_of(database: Database) -> bytes | None:
    """A hash of the files of a database; None on a server, whose files are its own."""
    if isinstance(database, str):
        return None
    content = sha256(database.read_bytes())
    with suppress(FileNotFoundError):
        content.update(database.with_name(f"{database.name}-wal").read_bytes())
    return content.digest()


@dataclass(frozen=True, slots=True)
class Members:
    """What is stored of members.

    Attributes:
        users: the user of each party.
        names: every name.
        words: the words of all members.
        chips: the parties with chips, in a wallet or held.
        noted: the parties that are noted as erased, beside the database.
    """

    users: dict[int, int]
    names: frozenset[str]
    words: frozenset[str]
    chips: frozenset[int]
    noted: frozenset[int]


def stored_members(database: Database) -> Members:
    """What is stored of members now."""
    rows = rows_of(database, "SELECT party, user_id, name FROM parties")
    words = frozenset(words for (words,) in rows_of(database, "SELECT words FROM seed_words"))
    has = "SELECT party FROM accounts WHERE kind IN ('wallet', 'hold') AND balance <> 0"
    chips = frozenset(party for (party,) in rows_of(database, has))
    if isinstance(database, str):
        noted = frozenset(party for (party,) in rows_of(database, "SELECT party FROM erased_parties"))
    else:
        noted = frozenset(noted_erasures(database))
    names = frozenset(name for *_, name in rows)
    return Members({party: user_id for party, user_id, _ in rows}, names, words, chips, noted)


def traces_of(database: Database, names: set[str], user_ids: set[int]) -> list[str]:
    """The files that still have one of these names or ids, or words that are in no row.

    A server's are its own: it promises less.
    """
    if isinstance(database, str):
        return []
    texts = [*names, *map(str, user_ids)]
    wanted = [text.encode() for text in texts]
    for user_id in user_ids:
        wanted += [user_id.to_bytes(8, "big"), _as_key(user_id)]
    words = {words.encode() for words in stored_members(database).words}
    return [
        file.name
        for file in sorted(database.parent.glob(f"{database.name}*"))
        if (content := file.read_bytes())
        and (any(one in content for one in wanted) or set(_WORDS.findall(content)) - words)
    ]


def _as_key(number: int) -> bytes:
    """A number of 57 bits and more as SQLite stores the key of a table."""
    return bytes(0x80 | number >> shift & 0x7F for shift in range(57, 0, -7)) + bytes([number & 0xFF])


def openings(database: Database) -> Counter[int]:
    """How often each party got opening chips."""
    query = "SELECT target FROM transfers WHERE reason = 'opening_chips'"
    wallets = [wallet for (wallet,) in rows_of(database, query)]
    return Counter(int(wallet.removeprefix("wallet:")) for wallet in wallets)


def committed_keys(database: Database) -> set[str]:
    """The keys of all commands that are on disk."""
    return {key for (key,) in rows_of(database, "SELECT key FROM commands")}


def stored_tables(database: Database) -> dict[int, TableState]:
    """Every open table."""
    states = rows_of(database, "SELECT state FROM tables WHERE is_open")
    return {state.table_id: state for (text,) in states for state in (parse_state(text),)}


def wrong_in_memory(database: Database, disk: Disk | FaultyServer, ledger: Ledger) -> list[str]:
    """Where the ledger's memory and the disk disagree; empty while it is written, or soon after a fault."""
    if not disk.settled:
        return []
    stored = _stacks(database)
    rows = rows_of(database, "SELECT user_id, channel_id, closed_since FROM direct_channels")
    channels = {row[0]: DirectChannel(*row) for row in rows}
    wrong = [
        f"user {user_id} is reached by {channel} in memory, and by {channels.get(user_id)} on disk"
        for user_id, channel in ledger.direct_channels.values.items()
        if channel != channels.get(user_id)
    ]
    return wrong + [
        f"{place} has {stack} in memory, and {there} on disk"
        for place, stack in ledger.stacks.values.items()
        if (there := stored.get(place, Stack())) != Stack(stack.wallet, stack.holds, stack.score)
    ]


def _stacks(database: Database) -> dict[Place, Stack]:
    wallets: dict[Place, int] = {}
    scores: dict[Place, int] = {}
    holds: defaultdict[Place, dict[int, int]] = defaultdict(dict)
    query = "SELECT server_id, party, kind, table_id, balance FROM accounts WHERE party IS NOT NULL"
    for server_id, party, kind, table_id, balance in rows_of(database, query):
        place = server_id, party
        if kind == "wallet":
            wallets[place] = balance
        elif kind == "score":
            scores[place] = balance
        elif balance:
            holds[place][table_id] = balance
    return {
        place: Stack(wallets.get(place), holds.get(place, {}), scores.get(place, 0))
        for place in {*wallets, *scores, *holds}
    }


class BookCheck:
    """Checks the books, at any instant."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    async def wrong(self) -> list[str]:
        """What is wrong now: balances, sums, the chain, holds, deadlines."""
        found = [str(finding) for finding in await audit(self._queries)]
        async with self._queries.reading() as connection:
            open_tables = select(tables.c.state).where(tables.c.is_open)
            states = [parse_state(text) for text in (await connection.execute(open_tables)).scalars()]
            query = select(accounts.c.table_id, accounts.c.party, accounts.c.balance)
            query = query.where(accounts.c.kind == AccountKind.HOLD, accounts.c.balance != 0)
            holds = (await connection.execute(query)).all()
            armed = dict((await connection.execute(select(deadlines.c.table_id, deadlines.c.at))).all())
        held: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for table_id, party, balance in holds:
            held[table_id][party] = balance
        due = {state.table_id: state.held for state in states if state.held}
        if held != due:
            found.append(f"held are {dict(held)}, and not {due}")
        wanted = {state.table_id: state.deadline for state in states if state.deadline is not None}
        if armed != wanted:
            found.append(f"the deadlines are {armed}, and not {wanted}")
        return found

    async def wrong_in_records(self) -> list[str]:
        """What is wrong with any record ever made: states, and what each command moved."""
        return [str(finding) for finding in await verify_tables(self._queries)]


@asynccontextmanager
async def book_check(disk: Disk | FaultyServer) -> AsyncIterator[BookCheck]:
    """Opens the books, which can be checked at any time."""
    async with queries_of(disk.reading()) as queries:
        yield BookCheck(queries)
