"""What a batch must know of the database: which things the changes touch, and how those were before."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from bot.ledger.changes import Change
from bot.table.money import Account

Place = tuple[int, str]
"""An account's place: the server's id and the account's name."""


@dataclass(slots=True)
class Known:
    """What the database had of everything the batch touches; what is not there was never written.

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


@dataclass(frozen=True, slots=True)
class Touched:
    """The names of everything that some changes touch, to be looked up before them."""

    keys: list[str]
    servers: list[int]
    accounts: list[Place]
    tables: list[int]
    houses: list[int]


def touched(changes: Iterable[Change]) -> Touched:
    """What must be known before these changes are taken in."""
    keys: dict[str, None] = {}
    servers: dict[int, None] = {}
    accounts: dict[tuple[int, Account], None] = {}
    tables: dict[int, None] = {}
    houses: dict[int, None] = {}
    for change in changes:
        keys[change.key] = None
        servers[change.server_id] = None
        for move in change.moves:
            accounts[change.server_id, move.source] = None
            accounts[change.server_id, move.target] = None
        if change.table is not None:
            tables[change.table.table_id] = None
        if change.house is not None:
            houses[change.server_id] = None
    places = [(server_id, account_name(account)) for server_id, account in accounts]
    return Touched(list(keys), list(servers), places, list(tables), list(houses))


@lru_cache(maxsize=10_000)
def account_name(account: Account) -> str:
    """The account's name; the same accounts come again with every round."""
    return str(account)
