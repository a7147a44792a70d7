"""Works out in memory what a batch of changes writes: pure, in order, each change whole or not at all."""

from collections import defaultdict
from typing import Final

from bot.ledger.chain import GENESIS, transfer_hash
from bot.ledger.changes import BoardPosted, Change, DirectChannel, HouseDraft, Note
from bot.ledger.errors import AlreadyDone, InsufficientChips, StaleHouse, StaleTable
from bot.ledger.known import Known, Place, account_name
from bot.ledger.parties import loser_and_gainer, owner_of
from bot.table.money import OVERDRAWN, Account

Rows = list[tuple[object, ...]]
"""What a statement is run with, once for each."""


DRAFT_SECONDS: Final = 86_400.0
"""A draft of house rules is kept so long: nobody confirms what he was shown yesterday."""


class Batch:
    """The rows of several changes, each of which sees what the ones before it did.

    Args:
        known: what the database had before the first of them.
    """

    def __init__(self, known: Known) -> None:
        self._known = known
        self._answers = dict(known.answers)
        self._heads = dict(known.heads)
        self._balances = dict(known.balances)
        self._sequences = dict(known.sequences)
        self._houses = dict(known.houses)
        self._accounts: dict[Place, Account] = {}
        self._tables: dict[int, tuple[Change, float]] = {}
        self._boards: dict[int, BoardPosted] = {}
        self._direct: dict[int, DirectChannel] = {}
        self._drafts: dict[int, HouseDraft] = {}
        self.transfers: Rows = []
        self.events: Rows = []
        self.commands: Rows = []
        self.house_changes: Rows = []

    def note(self, note: Note) -> None:
        """Takes a note in; the last one on the same thing stands."""
        match note:
            case BoardPosted():
                self._boards[note.table_id] = note
            case DirectChannel():
                self._direct[note.member_id] = note
            case HouseDraft():
                self._drafts[note.draft_id] = note

    def take(self, change: Change) -> None:
        """Takes a change in, or raises and is left as it was.

        Raises:
            AlreadyDone: the key was committed before, or came earlier in the batch.
            StaleTable: the events do not follow those of the table.
            StaleHouse: the house rules do not follow those of the server.
            InsufficientChips: an account that may not would be below zero after it.
        """
        if change.key in self._answers:
            raise AlreadyDone(change.key, self._answers[change.key])
        if change.table is not None:
            stored = self._sequences.get(change.table.table_id, 0)
            follows = change.table.sequence - len(change.events)
            if stored != follows:
                raise StaleTable(change.table.table_id, stored, follows)
        if change.house is not None:
            changes = self._houses.get(change.server_id, 0)
            if changes != change.house.number - 1:
                raise StaleHouse(change.server_id, changes, change.house.number - 1)
        self._move(change)
        self._answers[change.key] = change.answer
        table = change.table
        self.commands.append(
            (change.key, change.server_id, table and table.table_id, change.at, change.answer)
        )
        if (house := change.house) is not None:
            self._houses[change.server_id] = house.number
            self.house_changes.append(
                (
                    change.server_id,
                    house.number,
                    house.member_id,
                    change.at,
                    change.key,
                    house.what,
                    house.house,
                )
            )
        if table is None:
            return
        self._sequences[table.table_id] = table.sequence
        opened = self._tables[table.table_id][1] if table.table_id in self._tables else change.at
        self._tables[table.table_id] = (change, opened)
        self.events.extend(
            (
                table.table_id,
                one.sequence,
                one.round_number,
                one.kind,
                one.body,
                change.key,
                change.at,
            )
            for one in change.events
        )

    def _move(self, change: Change) -> None:
        server_id = change.server_id
        places: dict[Account, Place] = {}
        differences: defaultdict[Account, int] = defaultdict(int)
        for move in change.moves:
            differences[move.source] -= move.chips
            differences[move.target] += move.chips
        for account, difference in differences.items():
            place = places[account] = (server_id, account_name(account))
            balance = self._balances.get(place, 0)
            if balance + difference < 0 and account.kind not in OVERDRAWN:
                raise InsufficientChips(account, balance, -(balance + difference))
        for account, place in places.items():
            self._balances[place] = self._balances.get(place, 0) + differences[account]
            self._accounts[place] = account
        self._chain(change, places)

    def _chain(self, change: Change, places: dict[Account, Place]) -> None:
        if not change.moves:
            return
        server_id, key, at = change.server_id, change.key, change.at
        table_id = change.table.table_id if change.table else None
        sequence, previous = self._heads.get(server_id, (0, GENESIS))
        for move in change.moves:
            sequence += 1
            source, target = places[move.source][1], places[move.target][1]
            reason, chips, round_number = move.reason.value, move.chips, move.round_number
            digest = transfer_hash(
                previous,
                server_id,
                sequence,
                source,
                target,
                chips,
                reason,
                table_id,
                round_number,
                at,
                key,
            )
            loser_id, gainer_id = loser_and_gainer(owner_of(move.source), owner_of(move.target))
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
                    round_number,
                    key,
                    at,
                    previous,
                    digest,
                )
            )
            previous = digest
        self._heads[server_id] = (sequence, previous)

    @property
    def new_accounts(self) -> Rows:
        """Server, name, kind, member, table and balance of each account that was not there."""
        return [
            (*place, account.kind.value, account.member_id, account.table_id, self._balances[place])
            for place, account in self._accounts.items()
            if place not in self._known.balances
        ]

    @property
    def balances(self) -> Rows:
        """Balance, server and name of each account that was there and moved."""
        known = self._known.balances
        return [
            (self._balances[place], *place)
            for place in self._accounts
            if place in known and known[place] != self._balances[place]
        ]

    @property
    def new_heads(self) -> Rows:
        """Server, last number and last hash of each server's first transfers."""
        return [
            (server_id, *head)
            for server_id, head in self._heads.items()
            if server_id not in self._known.heads
        ]

    @property
    def heads(self) -> Rows:
        """Last number, last hash and server of each chain that grew."""
        known = self._known.heads
        return [
            (*head, server_id)
            for server_id, head in self._heads.items()
            if server_id in known and known[server_id] != head
        ]

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
