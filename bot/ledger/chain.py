"""The hash chain of a server: every transfer, event and change of house rules, in the order of writing.

Each of them is a *link*, numbered from 1 without gaps. Its hash is the SHA-256 of the hash of the link before
and of the link's lines, which docs/STORAGE.md describes. The hash of the last link is the *head*: who knows
it knows everything before it. Here a link is hashed, a chain checked link by link, and a noted head found.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Select, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.schema import chains, events, house_changes, tables, transfers
from bot.rules.hashing import short_code

GENESIS: Final = bytes(32)
"""Stands for the hash before a server's first link."""
TransferHasher = Callable[[bytes, int, str, str, int, str, int | None], bytes]
"""Hash before, link, source, target, chips, reason, round number: the hash of a transfer."""
EventHasher = Callable[[bytes, int, int, int | None, str, str], bytes]
"""Hash before, link, number at the table, round number, kind, body: the hash of an event."""
HouseHasher = Callable[[bytes, int, int, int, str, str], bytes]
"""Hash before, link, number, party, what, house: the hash of a change of house rules."""


def transfer_hasher(server_id: int, table_id: int | None, at: float, command_key: str) -> TransferHasher:
    """Hashes the transfers of one command: formats what they share only once."""
    start, table = f"transfer\n{server_id}\n", "" if table_id is None else str(table_id)
    end = f"\n{at!r}\n{command_key}"

    def hashed(
        previous: bytes, link: int, source: str, target: str, chips: int, reason: str, number: int | None
    ) -> bytes:
        shown = "" if number is None else number
        text = f"{start}{link}\n{source}\n{target}\n{chips}\n{reason}\n{table}\n{shown}{end}"
        return sha256(previous + text.encode()).digest()

    return hashed


def event_hasher(server_id: int, table_id: int, at: float, command_key: str) -> EventHasher:
    """Hashes the events of one command: formats what they share only once."""
    start, end = f"event\n{server_id}\n", f"\n{at!r}\n{len(command_key)}:{command_key}\n"

    def hashed(previous: bytes, link: int, sequence: int, number: int | None, kind: str, body: str) -> bytes:
        shown = "" if number is None else number
        text = f"{start}{link}\n{table_id}\n{sequence}\n{shown}\n{kind}{end}{body}"
        return sha256(previous + text.encode()).digest()

    return hashed


def house_hasher(server_id: int, at: float, command_key: str) -> HouseHasher:
    """Hashes the changes of house rules of one command."""
    start, end = f"house\n{server_id}\n", f"\n{at!r}\n{len(command_key)}:{command_key}\n"

    def hashed(previous: bytes, link: int, number: int, party: int, what: str, house: str) -> bytes:
        text = f"{start}{link}\n{number}\n{party}{end}{len(what)}:{what}\n{house}"
        return sha256(previous + text.encode()).digest()

    return hashed


FETCH_SIZE: Final = 500
"""How many links are checked before other tasks get their turn."""


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a chain.

    Attributes:
        hash_after: the hash that it should have, from the hash of the link before it.
    """

    server_id: int
    link: int
    name: str
    at: float
    hash: bytes
    hash_after: Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class LinkTable:
    """A table whose rows are links.

    Attributes:
        name: what a row is called.
        hasher: makes what hashes a link.
        shared: the columns that this takes.
        own: the columns that are hashed with it.
    """

    table: Table
    name: str
    hasher: Callable[..., Callable[..., bytes]]
    shared: tuple[str, ...]
    own: tuple[str, ...]

    @property
    def query(self) -> Select[Any]:
        """All links of this table, with their servers."""
        if "server_id" in self.table.c:
            return select(self.table)
        return select(self.table, tables.c.server_id).join(tables)

    def link(self, row: Any) -> Link:
        """The link that is in a row, whose columns are attributes."""
        hashed = self.hasher(*(getattr(row, column) for column in self.shared))
        own = [getattr(row, column) for column in self.own]
        name = self.name.format(row)
        return Link(row.server_id, row.link, name, row.at, row.hash, lambda before: hashed(before, *own))


LINK_TABLES: Final = (
    LinkTable(
        transfers,
        "transfer {0.link}",
        transfer_hasher,
        ("server_id", "table_id", "at", "command_key"),
        ("link", "source", "target", "chips", "reason", "round_number"),
    ),
    LinkTable(
        events,
        "event {0.sequence} of table {0.table_id}",
        event_hasher,
        ("server_id", "table_id", "at", "command_key"),
        ("link", "sequence", "round_number", "kind", "body"),
    ),
    LinkTable(
        house_changes,
        "change {0.number} of the house rules",
        house_hasher,
        ("server_id", "at", "command_key"),
        ("link", "number", "party", "what", "house"),
    ),
)


async def chain_problems(connection: AsyncConnection) -> AsyncIterator[tuple[int, str]]:
    """The first problem of each server's chain: the server, and one sentence."""
    ends = {row.server_id: (row.last_link, row.head) for row in await connection.execute(select(chains))}
    checked: dict[int, tuple[int, bytes]] = {}
    broken: set[int] = set()
    async with aclosing(every_link(connection)) as links:
        async for one in links:
            if one.server_id in broken:
                continue
            number, previous = checked.get(one.server_id, (0, GENESIS))
            if (what := link_problem(one, number, previous)) is not None:
                broken.add(one.server_id)
                yield one.server_id, what
            checked[one.server_id] = (one.link, one.hash)
    for server_id in sorted((ends.keys() | checked.keys()) - broken):
        stored, found = ends.get(server_id, (0, GENESIS)), checked.get(server_id, (0, GENESIS))
        if stored != found:
            should, does = (f"link {link}, head {short_code(head)}" for link, head in (stored, found))
            yield server_id, f"the chain should end with {should}, but ends with {does}"


def link_problem(one: Link, number: int, previous: bytes) -> str | None:
    """What is wrong with the link after the one with this number and hash; None if nothing is."""
    if one.link > number + 1:
        return f"link {number + 1} of the chain was removed: {one.name} is link {one.link}"
    if one.link <= number:
        return f"link {one.link} of the chain is there twice: {one.name} was added"
    if one.hash != one.hash_after(previous):
        return f"{one.name}, link {one.link} of the chain, was changed, or the link before it was"
    return None


async def link_with_head(connection: AsyncConnection, code: str) -> Link | None:
    """The link whose hash has this code, so that it was once the head of a chain; None if there is none."""
    async with aclosing(every_link(connection)) as links:
        async for one in links:
            if short_code(one.hash) == code:
                return one
    return None


async def every_link(connection: AsyncConnection) -> AsyncGenerator[Link, None]:
    """Every link of every chain, by server and number."""
    streams = [_links(connection, link_table) for link_table in LINK_TABLES]
    try:
        following = [await anext(stream, None) for stream in streams]
        while any(following):
            waiting = [(one.server_id, one.link, at) for at, one in enumerate(following) if one is not None]
            *_, at = min(waiting)
            first, following[at] = following[at], await anext(streams[at], None)
            assert first is not None
            yield first
    finally:
        for stream in streams:
            await stream.aclose()


async def _links(connection: AsyncConnection, link_table: LinkTable) -> AsyncGenerator[Link, None]:
    columns = link_table.query.selected_columns
    async with connection.stream(link_table.query.order_by(columns.server_id, columns.link)) as rows:
        async for part in rows.partitions(FETCH_SIZE):
            for row in part:
                yield link_table.link(row)
