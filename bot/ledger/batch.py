"""Works out in memory what a batch of changes writes: pure, in order, each change whole or not at all."""

from collections.abc import Mapping
from typing import Final, TypeVar

from bot.ledger.chain import GENESIS, transfer_hasher
from bot.ledger.changes import BoardPosted, Change, DirectChannel, HouseDraft, Note
from bot.ledger.errors import AlreadyDone, InsufficientChips, StaleHouse, StaleTable, Unstorable
from bot.ledger.parties import loser_and_gainer, owner_of
from bot.ledger.storable import is_whole
from bot.ledger.write_cache import Place, Prepared, WriteCache
from bot.table.money import OVERDRAWN, Account

Rows = list[tuple[object, ...]]
"""What a statement is run with, once for each."""


DRAFT_SECONDS: Final = 86_400.0
"""A draft of house rules is kept so long: nobody confirms what he was shown yesterday."""


class Batch:
    """The rows of several changes, each of which sees what the ones before it did.

    Args:
        known: what the database had before the first of them; it stays as it is until `conclude`.
    """

    def __init__(self, known: WriteCache) -> None:
        self._known = known
        self._after = WriteCache()
        self._accounts: dict[Place, Account] = {}
        self._tables: dict[int, tuple[Change, float]] = {}
        self._boards: dict[int, BoardPosted] = {}
        self._direct: dict[int, DirectChannel] = {}
        self._drafts: dict[int, HouseDraft] = {}
        self.transfers: Rows = []
        self.events: Rows = []
        self.commands: Rows = []
        self.house_changes: Rows = []

    def conclude(self) -> None:
        """Takes what was written for what is known, once it is on disk."""
        known, after = self._known, self._after
        known.heads.update(after.heads)
        known.balances.update(after.balances)
        known.sequences.update(after.sequences)
        known.houses.update(after.houses)
        known.trim()

    def note(self, note: Note) -> None:
        """Takes a note in; the last one on the same thing stands."""
        match note:
            case BoardPosted():
                self._boards[note.table_id] = note
            case DirectChannel():
                self._direct[note.member_id] = note
            case HouseDraft():
                self._drafts[note.draft_id] = note

    def take(self, work: Prepared) -> None:
        """Takes a change in, or raises and is left as it was.

        Raises:
            AlreadyDone: the key was committed before, or came earlier in the batch.
            StaleTable: the events do not follow those of the table.
            StaleHouse: the house rules do not follow those of the server.
            InsufficientChips: an account that may not would be below zero after it.
        """
        change = work.change
        key, server_id, table, house = change.key, change.server_id, change.table, change.house
        known, after = self._known, self._after
        for answers in (known.answers, after.answers):
            if key in answers:
                raise AlreadyDone(key, answers[key])
        if table is not None:
            stored = _of(table.table_id, after.sequences, known.sequences, 0)
            follows = table.sequence - len(change.events)
            if stored != follows:
                raise StaleTable(table.table_id, stored, follows)
        if house is not None:
            changes = _of(server_id, after.houses, known.houses, 0)
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

    def _move(self, work: Prepared) -> None:
        server_id, accounts = work.change.server_id, work.accounts
        after, known = self._after.balances, self._known.balances
        balances: dict[Place, int] = {}
        for name, difference in work.differences.items():
            place = (server_id, name)
            before = _of(place, after, known, 0)
            balance = balances[place] = before + difference
            if balance < 0 and accounts[name].kind not in OVERDRAWN:
                raise InsufficientChips(accounts[name], before, -balance)
            if not is_whole(balance):
                raise Unstorable(
                    work.change.key, f"{name} would have {balance} chips, more than 64 bits hold"
                )
        after.update(balances)
        self._accounts.update(zip(balances, accounts.values(), strict=True))

    def _chain(self, work: Prepared) -> None:
        change = work.change
        server_id, key, at = change.server_id, change.key, change.at
        table_id = change.table.table_id if change.table else None
        hashed = transfer_hasher(server_id, table_id, at, key)
        owners = {name: owner_of(account) for name, account in work.accounts.items()}
        sequence, previous = _of(server_id, self._after.heads, self._known.heads, (0, GENESIS))
        for (source, target), move in zip(work.names, change.moves, strict=True):
            sequence += 1
            # Its text is in `value` as well, but asking for that takes as long as half of a hash.
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
        """Server, name, kind, member, table and balance of each account that was not there."""
        return [
            (*place, account.kind.value, account.member_id, account.table_id, self._after.balances[place])
            for place, account in self._accounts.items()
            if place not in self._known.balances
        ]

    @property
    def balances(self) -> Rows:
        """Balance, server and name of each account that was there and moved."""
        known = self._known.balances
        return [
            (balance, *place)
            for place, balance in self._after.balances.items()
            if place in known and known[place] != balance
        ]

    @property
    def new_heads(self) -> Rows:
        """Server, last number and last hash of each server's first transfers."""
        return [
            (server_id, *head)
            for server_id, head in self._after.heads.items()
            if server_id not in self._known.heads
        ]

    @property
    def heads(self) -> Rows:
        """Last number, last hash and server of each chain that grew."""
        known = self._known.heads
        return [(*head, server_id) for server_id, head in self._after.heads.items() if server_id in known]

    @property
    def new_tables(self) -> Rows:
        """Each table that was not there, in the order of the schema's columns, without a board."""
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
            if table_id not in self._known.sequences and (table := change.table) is not None
        ]

    @property
    def tables(self) -> Rows:
        """Channel, open, playing, state, sequence, time of closing and id of each table that went on."""
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
            if table_id in self._known.sequences and (table := change.table) is not None
        ]

    @property
    def touched_tables(self) -> Rows:
        """The id of each table of which something happened: its deadline so far no longer holds."""
        return [(table_id,) for table_id in self._tables]

    @property
    def deadlines(self) -> Rows:
        """Table and time of each deadline that holds from now on."""
        return [
            (table_id, change.deadline)
            for table_id, (change, _) in self._tables.items()
            if change.deadline is not None
        ]

    @property
    def boards(self) -> Rows:
        """Message, time of posting and table of each board that moved."""
        return [(note.message_id, note.at, note.table_id) for note in self._boards.values()]

    @property
    def direct_members(self) -> Rows:
        """The id of each member of whom it is noted how to reach him."""
        return [(member_id,) for member_id in self._direct]

    @property
    def direct_channels(self) -> Rows:
        """Member, channel and time of refusal of each of them."""
        return [(note.member_id, note.channel_id, note.closed_since) for note in self._direct.values()]

    @property
    def outdated_drafts(self) -> Rows:
        """The time before which drafts are forgotten, where there is a new one."""
        return [(max(draft.at for draft in self._drafts.values()) - DRAFT_SECONDS,)] if self._drafts else []

    @property
    def replaced_drafts(self) -> Rows:
        """The id of each draft that is written, in case it is written again."""
        return [(draft_id,) for draft_id in self._drafts]

    @property
    def drafts(self) -> Rows:
        """Each draft, in the order of the schema's columns."""
        return [
            (one.draft_id, one.server_id, one.member_id, one.at, one.based_on, one.what)
            for one in self._drafts.values()
        ]


Name = TypeVar("Name")
Thing = TypeVar("Thing")


def _of(name: Name, after: Mapping[Name, Thing], before: Mapping[Name, Thing], absent: Thing) -> Thing:
    """What something is now: as the batch leaves it, or as it was."""
    return after[name] if name in after else before.get(name, absent)
