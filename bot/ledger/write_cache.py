"""What a batch must know of the database, and what its changes touch: how those things were before."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.ledger.changes import Change
from bot.table.money import Account

Place = tuple[int, str]
"""An account's place: the server's id and the account's name."""

MOST_REMEMBERED: Final = 100_000
"""So many accounts, and so many tables, are remembered at most; after that, they are looked up anew."""


@dataclass(slots=True)
class WriteCache:
    """What the database has; of what is not here, nothing is known until it is looked up.

    Attributes:
        answers: of each key that was committed before, its answer.
        heads: of each server, its last transfer's number and hash.
        balances: of each account, its chips.
        sequences: of each table, the number of its last event.
        houses: of each server whose house rules are changed, the number of their last change.
    """

    answers: dict[str, str | None] = field(default_factory=dict)
    heads: dict[int, tuple[int, str]] = field(default_factory=dict)
    balances: dict[Place, int] = field(default_factory=dict)
    sequences: dict[int, int] = field(default_factory=dict)
    houses: dict[int, int] = field(default_factory=dict)

    def trim(self) -> None:
        """Keeps what later batches will ask for too, unless it is too much; a key hardly ever comes again."""
        self.answers.clear()
        for things in (self.balances, self.sequences):
            if len(things) > MOST_REMEMBERED:
                things.clear()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A change, with what its moves come to worked out once.

    Attributes:
        change: the change.
        names: source and target of each of its moves.
        accounts: the accounts of those names.
        differences: how many chips each of them has more afterwards; fewer, below zero.
    """

    change: Change
    names: list[tuple[str, str]]
    accounts: dict[str, Account]
    differences: dict[str, int]


def prepared(change: Change) -> Prepared:
    """Prepares a change for a batch."""
    names: list[tuple[str, str]] = []
    accounts: dict[str, Account] = {}
    differences: dict[str, int] = {}
    for move in change.moves:
        source, target, chips = str(move.source), str(move.target), move.chips
        accounts[source], accounts[target] = move.source, move.target
        differences[source] = differences.get(source, 0) - chips
        differences[target] = differences.get(target, 0) + chips
        names.append((source, target))
    return Prepared(change, names, accounts, differences)


@dataclass(frozen=True, slots=True)
class Touched:
    """The names of everything that some changes touch and that is not known, to be looked up before them."""

    keys: list[str]
    servers: list[int]
    accounts: list[Place]
    tables: list[int]
    houses: list[int]


def touched(works: Iterable[Prepared], known: WriteCache) -> Touched:
    """What must be looked up before these changes are taken in."""
    keys: dict[str, None] = {}
    servers: dict[int, None] = {}
    accounts: dict[Place, None] = {}
    tables: dict[int, None] = {}
    houses: dict[int, None] = {}
    for work in works:
        change = work.change
        server_id, table = change.server_id, change.table
        keys[change.key] = None
        if work.names and server_id not in known.heads:
            servers[server_id] = None
        for name in work.accounts:
            place = (server_id, name)
            if place not in known.balances:
                accounts[place] = None
        if table is not None and table.table_id not in known.sequences:
            tables[table.table_id] = None
        if change.house is not None and server_id not in known.houses:
            houses[server_id] = None
    return Touched(list(keys), list(servers), list(accounts), list(tables), list(houses))
