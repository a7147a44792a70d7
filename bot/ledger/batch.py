"""Computes the rows that a batch of changes writes, in memory; each change completely or not at all."""

from collections.abc import Mapping
from typing import Final, TypeVar

from bot.ledger.changes import BoardPosted, Change, DirectChannel, Fact, HouseDraft
from bot.ledger.errors import AlreadyDone, InsufficientChips, StaleHouse, StaleTable, Unstorable
from bot.ledger.storable import is_whole
from bot.ledger.transfers import GENESIS, loser_and_gainer, owner_of, transfer_hasher
from bot.ledger.write_cache import AccountKey, PreparedChange, WriteCache
from bot.table.accounts import OVERDRAWN, Account

Rows = list[tuple[object, ...]]
"""The parameters of a statement, one tuple per execution."""

DRAFT_SECONDS: Final = 86_400.0
"""How long a draft of house rules can be confirmed."""


class Batch:
    """The rows of several changes; each change sees the effects of those before it.

    Args:
        cache: what the database has before the first change; not modified until `update_cache`.
    """

    def __init__(self, cache: WriteCache) -> None:
        self._cache = cache
        self._after = WriteCache()
        self._accounts: dict[AccountKey, Account] = {}
        self._tables: dict[int, tuple[Change, float]] = {}
        self._boards: dict[int, BoardPosted] = {}
        self._direct: dict[int, DirectChannel] = {}
        self._drafts: dict[int, HouseDraft] = {}
        self.transfers: Rows = []
        self.events: Rows = []
        self.commands: Rows = []
        self.house_changes: Rows = []

    def update_cache(self) -> None:
        """Applies the batch to the cache; call it after the commit."""
        cache, after = self._cache, self._after
        cache.heads.update(after.heads)
        cache.balances.update(after.balances)
        cache.sequences.update(after.sequences)
        cache.houses.update(after.houses)
        cache.trim()

    def record(self, fact: Fact) -> None:
        """Adds a fact; it replaces an earlier one about the same thing."""
        match fact:
            case BoardPosted():
                self._boards[fact.table_id] = fact
            case DirectChannel():
                self._direct[fact.member_id] = fact
            case HouseDraft():
                self._drafts[fact.draft_id] = fact

    def add(self, work: PreparedChange) -> None:
        """Adds a change; if it raises, the batch is unchanged.

        Raises:
            AlreadyDone: the key is committed, or came earlier in the batch.
            StaleTable: the events do not follow those of the table.
            StaleHouse: the house rules do not follow those of the server.
            InsufficientChips: an account would go below zero that must not.
            Unstorable: a balance would not fit into 64 bits.
        """
        change = work.change
        key, server_id, table, house = change.key, change.server_id, change.table, change.house
        cache, after = self._cache, self._after
        for answers in (cache.answers, after.answers):
            if key in answers:
                raise AlreadyDone(key, answers[key])
        if table is not None:
            stored = _current(table.table_id, after.sequences, cache.sequences, 0)
            follows = table.sequence - len(change.events)
            if stored != follows:
                raise StaleTable(table.table_id, stored, follows)
        if house is not None:
            changes = _current(server_id, after.houses, cache.houses, 0)
            if changes != house.number - 1:
                raise StaleHouse(server_id, changes, house.number - 1)
        if work.names:
            self._move(work)
            self._chain(work)
        after.answers[key] = change.answer
        self.commands.append((key, server_id, table and table.table_id, change.at, change.answer))
        if house is not None:
            after.houses[server_id] = house.number
            self.house_changes.append(
                (server_id, house.number, house.member_id, change.at, key, house.what, house.house)
            )
        if table is None:
            return
        table_id = table.table_id
        after.sequences[table_id] = table.sequence
        opened = self._tables[table_id][1] if table_id in self._tables else change.at
        self._tables[table_id] = (change, opened)
        self.events.extend(
            (table_id, one.sequence, one.round_number, one.kind, one.body, key, change.at)
            for one in change.events
        )

    def _move(self, work: PreparedChange) -> None:
        server_id, accounts = work.change.server_id, work.accounts
        after, cached = self._after.balances, self._cache.balances
        balances: dict[AccountKey, int] = {}
        for name, difference in work.differences.items():
            place = (server_id, name)
            before = _current(place, after, cached, 0)
            balance = balances[place] = before + difference
            if balance < 0 and accounts[name].kind not in OVERDRAWN:
                raise InsufficientChips(accounts[name], before, -balance)
            if not is_whole(balance):
                raise Unstorable(
                    work.change.key, f"{name} would have {balance} chips, more than 64 bits hold"
                )
        after.update(balances)
        self._accounts.update(zip(balances, accounts.values(), strict=True))

    def _chain(self, work: PreparedChange) -> None:
        change = work.change
        server_id, key, at = change.server_id, change.key, change.at
        table_id = change.table.table_id if change.table else None
        hashed = transfer_hasher(server_id, table_id, at, key)
        owners = {name: owner_of(account) for name, account in work.accounts.items()}
        sequence, previous = _current(server_id, self._after.heads, self._cache.heads, (0, GENESIS))
        for (source, target), move in zip(work.names, change.moves, strict=True):
            sequence += 1
            # Not `reason.value`: that property takes half as long as a hash.
            chips, reason, number = move.chips, move.reason._value_, move.round_number
            digest = hashed(previous, sequence, source, target, chips, reason, number)
            loser_id, gainer_id = loser_and_gainer(owners[source], owners[target])
            self.transfers.append(
                (
                    server_id,
                    sequence,
                    source,
                    target,
                    loser_id,
                    gainer_id,
                    chips,
                    reason,
                    table_id,
                    number,
                    key,
                    at,
                    previous,
                    digest,
                )
            )
            previous = digest
        self._after.heads[server_id] = (sequence, previous)

    @property
    def new_accounts(self) -> Rows:
        """Server, name, kind, member, table and balance of each new account."""
        return [
            (*place, account.kind.value, account.member_id, account.table_id, self._after.balances[place])
            for place, account in self._accounts.items()
            if place not in self._cache.balances
        ]

    @property
    def balances(self) -> Rows:
        """Balance, server and name of each existing account whose balance changed."""
        cached = self._cache.balances
        return [
            (balance, *place)
            for place, balance in self._after.balances.items()
            if place in cached and cached[place] != balance
        ]

    @property
    def new_heads(self) -> Rows:
        """Server, last number and last hash of each new chain."""
        return [
            (server_id, *head)
            for server_id, head in self._after.heads.items()
            if server_id not in self._cache.heads
        ]

    @property
    def heads(self) -> Rows:
        """Last number, last hash and server of each existing chain that grew."""
        cached = self._cache.heads
        return [(*head, server_id) for server_id, head in self._after.heads.items() if server_id in cached]

    @property
    def new_tables(self) -> Rows:
        """Each new table, in the order of the schema's columns, without those of the board."""
        return [
            (
                table_id,
                table.server_id,
                table.number,
                table.channel_id,
                table.is_open,
                table.is_playing,
                table.state,
                table.sequence,
                opened,
                None if table.is_open else change.at,
            )
            for table_id, (change, opened) in self._tables.items()
            if table_id not in self._cache.sequences and (table := change.table) is not None
        ]

    @property
    def tables(self) -> Rows:
        """Channel, open, playing, state, sequence, time of closing and id of each changed table."""
        return [
            (
                table.channel_id,
                table.is_open,
                table.is_playing,
                table.state,
                table.sequence,
                None if table.is_open else change.at,
                table_id,
            )
            for table_id, (change, _) in self._tables.items()
            if table_id in self._cache.sequences and (table := change.table) is not None
        ]

    @property
    def touched_tables(self) -> Rows:
        """The id of each table in the batch: its previous deadline is deleted."""
        return [(table_id,) for table_id in self._tables]

    @property
    def deadlines(self) -> Rows:
        """Table and time of each new deadline."""
        return [
            (table_id, change.deadline)
            for table_id, (change, _) in self._tables.items()
            if change.deadline is not None
        ]

    @property
    def boards(self) -> Rows:
        """Message, time of posting and table of each board."""
        return [(one.message_id, one.at, one.table_id) for one in self._boards.values()]

    @property
    def direct_members(self) -> Rows:
        """The id of each member with a new direct channel: the old one is deleted."""
        return [(member_id,) for member_id in self._direct]

    @property
    def direct_channels(self) -> Rows:
        """Member, channel and time of refusal of each direct channel."""
        return [(one.member_id, one.channel_id, one.closed_since) for one in self._direct.values()]

    @property
    def outdated_drafts(self) -> Rows:
        """The time before which drafts are deleted, if there is a new one."""
        return [(max(draft.at for draft in self._drafts.values()) - DRAFT_SECONDS,)] if self._drafts else []

    @property
    def replaced_drafts(self) -> Rows:
        """The id of each draft: an older one with it is deleted."""
        return [(draft_id,) for draft_id in self._drafts]

    @property
    def drafts(self) -> Rows:
        """Each draft, in the order of the schema's columns."""
        return [
            (one.draft_id, one.server_id, one.member_id, one.at, one.based_on, one.what)
            for one in self._drafts.values()
        ]


Name = TypeVar("Name")
Value = TypeVar("Value")


def _current(name: Name, after: Mapping[Name, Value], before: Mapping[Name, Value], absent: Value) -> Value:
    """The value after the batch so far, else the one before it, else the default."""
    return after[name] if name in after else before.get(name, absent)
