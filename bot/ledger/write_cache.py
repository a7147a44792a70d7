"""A cache of the balances and numbers that the writer needs, and what it lacks for given changes."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.ledger.changes import Change
from bot.table.accounts import Account, wallet

AccountKey = tuple[int, str]
TableKey = tuple[int, int]
"""The server's id, and the account's name or the table's id."""
Head = tuple[int, bytes]
"""The number and the hash of the last link of a chain, or of the last event of a table."""

MAX_CACHED: Final = 100_000
"""The most accounts, and the most tables, in the cache; it starts empty again beyond that."""


@dataclass(slots=True)
class WriteCache:
    """What the database has. A missing entry must be looked up.

    Attributes:
        answers: by committed key, the stored answer.
        heads: by server, the number and hash of the last link of its chain.
        balances: by account, its chips.
        last_events: by table, the number and hash of its last event.
        houses: by server, the number of its last change of house rules.
        gifts: by server, the link of its last gift, where the batch asks for it.
        erased: the parties that were erased since the start. It is never looked up, and never dropped.
    """

    answers: dict[str, str | None] = field(default_factory=dict)
    heads: dict[int, Head] = field(default_factory=dict)
    balances: dict[AccountKey, int] = field(default_factory=dict)
    last_events: dict[TableKey, Head] = field(default_factory=dict)
    houses: dict[int, int] = field(default_factory=dict)
    gifts: dict[int, int] = field(default_factory=dict)
    erased: set[int] = field(default_factory=set)

    def drop(self, servers: Collection[int]) -> None:
        """Drops what is known of some servers, because another process has written there."""
        self.answers.clear()
        self.gifts.clear()
        for by_server in (self.heads, self.houses):
            for server_id in servers:
                by_server.pop(server_id, None)
        self.balances = {place: chips for place, chips in self.balances.items() if place[0] not in servers}
        self.last_events = {one: last for one, last in self.last_events.items() if one[0] not in servers}

    def trim(self) -> None:
        """Drops the keys, which hardly ever repeat, gifts, and whatever has grown too large."""
        self.answers.clear()
        self.gifts.clear()
        for cached in (self.balances, self.last_events):
            if len(cached) > MAX_CACHED:
                cached.clear()


@dataclass(frozen=True, slots=True)
class PreparedChange:
    """A change with the names of sources and targets, and the chips that each account gains or loses."""

    change: Change
    names: list[tuple[str, str]]
    accounts: dict[str, Account]
    differences: dict[str, int]


def prepare(change: Change) -> PreparedChange:
    """Sums up the moves of a change."""
    names: list[tuple[str, str]] = []
    accounts: dict[str, Account] = {}
    differences: dict[str, int] = {}
    for move in change.moves:
        source, target, chips = str(move.source), str(move.target), move.chips
        accounts[source], accounts[target] = move.source, move.target
        differences[source] = differences.get(source, 0) - chips
        differences[target] = differences.get(target, 0) + chips
        names.append((source, target))
    return PreparedChange(change, names, accounts, differences)


@dataclass(slots=True)
class CacheMisses:
    """Everything that some changes need and the cache lacks."""

    keys: set[str] = field(default_factory=set)
    servers: set[int] = field(default_factory=set)
    accounts: set[AccountKey] = field(default_factory=set)
    tables: set[int] = field(default_factory=set)
    houses: set[int] = field(default_factory=set)
    gifts: set[tuple[int, int]] = field(default_factory=set)


def cache_misses(prepared: Iterable[PreparedChange], cache: WriteCache) -> CacheMisses:
    """What must be looked up before these changes can be added to a batch."""
    misses = CacheMisses()
    for work in prepared:
        change = work.change
        server_id, table = change.server_id, change.table
        misses.keys.add(change.key)
        if server_id not in cache.heads:
            misses.servers.add(server_id)
        names = (*work.accounts, *(str(wallet(one.party)) for one in change.erasures))
        misses.accounts.update(place for name in names if (place := (server_id, name)) not in cache.balances)
        if table is not None and (server_id, table.table_id) not in cache.last_events:
            misses.tables.add(table.table_id)
        if change.house is not None and server_id not in cache.houses:
            misses.houses.add(server_id)
        if change.no_gift_since is not None:
            misses.gifts.add((server_id, change.no_gift_since))
    return misses
