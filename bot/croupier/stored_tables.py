"""Tables between memory and the ledger: kept in memory, written in one piece, read again if in doubt.

Beside them stands what their rounds tell: read from the books at the start, and kept up with each round.
"""

import logging
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Final

from cachetools import LRUCache
from pydantic import ValidationError

from bot.croupier.open_tables import (
    Listeners,
    MemberErasedError,
    NoSuchTableError,
    OpenTables,
    TableChanged,
    Timers,
)
from bot.ledger.changes import Change, EventRow, NotAfter, Plan, SeedWords, TableRow
from bot.ledger.errors import (
    AlreadyDone,
    InsufficientChips,
    LedgerError,
    LedgerUnavailable,
    MemberErased,
    TooLate,
)
from bot.ledger.ledger import Ledger
from bot.ledger.memory import BREAK_SECONDS
from bot.ledger.records import StoredTable
from bot.rules.house_rules import PassedOver
from bot.shards import Shards
from bot.table.bank import can_bank
from bot.table.commands import Command, SetClientSeed
from bot.table.commitment import one_line
from bot.table.deadlines import seconds_left
from bot.table.decide import Decision
from bot.table.events import (
    BankTaken,
    ClientSeedSet,
    RoundCalledOff,
    RoundSettled,
    TableClosed,
    event_json,
    parse_event,
)
from bot.table.evolve import fold, moves_of
from bot.table.state import (
    THE_HOUSE,
    Departure,
    LeaveReason,
    Phase,
    RoundResult,
    TableState,
    parse_state,
    state_json,
)
from bot.table.story import NO_STORY, Story, may_celebrate_all_in

log = logging.getLogger(__name__)

_COLUMNS: Final = tuple(field.name for field in fields(TableRow) if field.name != "state")
"""The stored columns of a table beside its state, whose JSON can be written in several ways."""


def seed_words(command: Command, decision: Decision) -> tuple[SeedWords, ...]:
    """The words that a command chooses; the decision's event has their code."""
    if not isinstance(command, SetClientSeed):
        return ()
    words = one_line(command.words)
    return tuple(
        SeedWords(event.text, event.party, command.salt, words)
        for event in decision.events
        if isinstance(event, ClientSeedSet)
    )


def change_of(
    decision: Decision,
    key: str,
    now: float,
    words: tuple[SeedWords, ...] = (),
    last_hash: bytes | None = None,
    newcomer: int | None = None,
    not_after: NotAfter | None = None,
    plan: Plan | None = None,
) -> Change:
    """What the ledger writes in one transaction: the table, its events, the moved chips and chosen words."""
    events, after = decision.events, decision.state
    first = after.sequence - len(events) + 1
    return Change(
        key=key,
        server_id=after.server_id,
        at=now,
        moves=decision.moves,
        table=_row(after),
        events=tuple(
            EventRow(sequence, event.kind, event_json(event), after.round_number)
            for sequence, event in enumerate(events, first)
        ),
        deadline=after.deadline,
        words=words,
        last_hash=last_hash,
        newcomer=newcomer,
        plan=plan,
        not_after=not_after,
    )


def wrong_columns(stored: StoredTable, state: TableState) -> Iterator[tuple[str, object, object]]:
    """The columns of a stored table that disagree with its state.

    Returns:
        For each such column its name, its stored value, and the value that it should have.
    """
    due = _row(state)
    for name in _COLUMNS:
        if getattr(stored, name) != getattr(due, name):
            yield name, getattr(stored, name), getattr(due, name)


def _row(state: TableState) -> TableRow:
    return TableRow(
        table_id=state.table_id,
        server_id=state.server_id,
        channel_id=state.channel_id,
        number=state.number,
        is_open=state.phase is not Phase.CLOSED,
        is_playing=bool(state.held),
        state=state_json(state),
        sequence=state.sequence,
        game=state.rules.game,
    )


RETRY_SECONDS: Final = 5.0
"""How long a table waits after the ledger could not be written, or while Discord is away."""
KEYS_KNOWN: Final = 64
"""How many of a table's last commands are known, so that a repeated one is not refused: some rounds."""


class StoredTables:
    """Every table as the ledger has it.

    Callers hold the lock of the table.

    Args:
        load_members: reads the members behind parties into memory.
    """

    def __init__(
        self,
        ledger: Ledger,
        at_hand: OpenTables,
        timers: Timers,
        listeners: Listeners,
        clock: Callable[[], float],
        load_members: Callable[[Iterable[int]], Awaitable[None]],
        hosts: Shards,
    ) -> None:
        self._ledger = ledger
        self._load_members = load_members
        self._hosts = hosts
        self._at_hand = at_hand
        self._timers = timers
        self._listeners = listeners
        self._now = clock
        self._done: defaultdict[int, deque[str]] = defaultdict(lambda: deque(maxlen=KEYS_KNOWN))
        self._last_hashes: dict[int, bytes | None] = {}
        self.unreadable: set[int] = set()

    async def load_open(self) -> None:
        """Loads the open tables that are hosted here; logs and skips one that cannot be read."""
        for row in await self._ledger.open_tables(self._hosts):
            passed_over = PassedOver()
            try:
                self._at_hand.keep(await self._read(row, passed_over))
            except ValidationError:
                log.exception("table %s in server %s cannot be read", row.table_id, row.server_id)
                self.unreadable.add(row.table_id)
            for note in passed_over.notes:
                log.warning("table %s in server %s: %s", row.table_id, row.server_id, note)
        for table_id, sequence, key, event_hash in await self._ledger.recent_events(KEYS_KNOWN, self._hosts):
            if (state := self._at_hand.get(table_id)) is not None:
                self._done[table_id].append(key)
                # Another process may have written since the table was read.
                if sequence == state.sequence:
                    self._last_hashes[table_id] = event_hash

    def was_done(self, table_id: int, key: str) -> bool:
        """Whether a command was carried out at an open table not long ago."""
        return table_id in self._done and key in self._done[table_id]

    async def load(self, table_id: int) -> TableState:
        """The table as the ledger has it: read again if in doubt, with its missed events notified."""
        if (state := self._at_hand.certain(table_id)) is not None:
            return state
        state = await self._load_again(table_id)
        if state.phase is Phase.CLOSED:
            raise NoSuchTableError(f"table {table_id} is closed")
        return state

    async def _load_again(self, table_id: int) -> TableState:
        """As `load` in doubt; a closed table too."""
        known = self._at_hand.get(table_id)
        row = await self._ledger.table(table_id)
        if row is None:
            self._remove(table_id, known)
        if row is None or not self._hosts(row.server_id):
            raise NoSuchTableError(f"there is no table {table_id}, or not here")
        state = await self._read(row)
        told = 0 if known is None else known.sequence
        if known is None and not row.is_open:
            # It was closed long ago: there is no news of it.
            told = state.sequence
        # Only the end of its record, which is as long as its evening.
        read = await self._ledger.events_after(table_id, min(told - 1, state.sequence - KEYS_KNOWN))
        # Another process may have written since the table was read.
        rows = [event for event in read if event.sequence <= state.sequence]
        hashes = {event.sequence: event.hash for event in rows}
        # After a failover, what is in memory may never have happened.
        is_lost = known is not None and hashes.get(told) != self._last_hashes.get(table_id)
        missed = () if is_lost else tuple(parse_event(one.body) for one in rows if one.sequence > told)
        moves = moves_of(known, missed)
        self._done[table_id].extend(event.command_key for event in rows[-KEYS_KNOWN:])
        await self._load_members(state.parties)
        self._last_hashes[table_id] = hashes.get(state.sequence)
        # No await between these two: a table out of doubt would never notify its missed events.
        self.keep(state)
        if state.deadline is not None and state.deadline <= self._now():
            # The caller does what is due. If that fails, a timer that is over already would not wait.
            self._timers.set(table_id, RETRY_SECONDS)
        if missed or is_lost:
            self._listeners.notify(TableChanged(known, missed, state, moves))
        return state

    def _remove(self, table_id: int, known: TableState | None) -> None:
        """Removes a table that was opened in links that are lost; its members see it closed."""
        self._at_hand.remove(table_id)
        if known is not None:
            closed = TableClosed(LeaveReason.GONE)
            events = (RoundCalledOff(), closed) if known.bets else (closed,)
            after = fold(known, events)
            self.keep(after)
            self._listeners.notify(TableChanged(known, events, after, ()))

    async def concerning(self, parties: Mapping[int, int]) -> list[TableState]:
        """The open tables of all processes where these members sit or back a player, the oldest first."""
        rows = await self._ledger.open_tables_in(parties) if parties else []
        tables = [parse_state(row.state) for row in rows if str(parties[row.server_id]) in row.state]
        return [table for table in tables if table.concerns(parties[table.server_id])]

    async def look_for_others(self) -> tuple[set[int], set[int]]:
        """Puts in doubt what another process has changed.

        Returns:
            The servers to which another process wrote, or may have, and the tables that are in doubt.
        """
        found, moved = await self._ledger.look_for_others(self._hosts)
        known = {table.table_id: table.server_id for table in self._at_hand.all()}
        changed = {
            table_id
            for table_id, server_id in known.items()
            if server_id in moved or self._at_hand.certain(table_id) is None
        }
        # What is only here was closed elsewhere, and what is not here was opened there.
        changed |= known.keys() ^ {one.table_id for one in found}
        for table_id in changed:
            self._at_hand.doubt(table_id)
        return moved, changed

    async def was_behind(self, server_id: int) -> bool:
        """Whether another process wrote to a server; then its tables are read again before they decide."""
        if not await self._ledger.was_behind(server_id):
            return False
        for table in self._at_hand.of_server(server_id):
            self._at_hand.doubt(table.table_id)
        return True

    async def commit(
        self,
        before: TableState | None,
        decision: Decision,
        key: str,
        now: float,
        party: int | None = None,
        words: tuple[SeedWords, ...] = (),
        not_after: NotAfter | None = None,
        plan: Plan | None = None,
    ) -> TableState:
        """Writes what a command changes to the ledger, then notifies the listeners.

        Args:
            party: the member who asked; None if no member did.
            plan: what was planned for them, and is done by it: it is deleted.

        Returns:
            The table after it; as the ledger has it, if the key was committed before.

        Raises:
            AlreadyDone: the same, with a plan.
            InsufficientChips: if chips went to another table meanwhile; nothing is written.
            MemberErasedError: if another process has erased the member; nothing is written.
            Overtaken: if the plan is not as it was read; nothing is written.
            StaleTable: if another process changed the table meanwhile; nothing is written.
            LedgerError: if the write failed, as far as is known; the table is then read again.
        """
        after = decision.state
        # Who is at a table cannot be erased meanwhile.
        newcomer = party if before is None or party is None or not before.concerns(party) else None
        try:
            last_hash = self._last_hashes.get(after.table_id)
            self._last_hashes[after.table_id] = await self._ledger.commit(
                change_of(decision, key, now, words, last_hash, newcomer, not_after, plan)
            )
        except (InsufficientChips, TooLate):
            raise
        except MemberErased:
            raise MemberErasedError from None
        except AlreadyDone:
            self._at_hand.doubt(after.table_id)
            if plan is not None:
                raise
            return await self._load_again(after.table_id)
        except BaseException:
            # It may be on disk: the timer has the table read again.
            self._at_hand.doubt(after.table_id)
            self._timers.set(after.table_id, RETRY_SECONDS)
            raise
        self._done[after.table_id].append(key)
        self.keep(after)
        self._listeners.notify(TableChanged(before, decision.events, after, decision.moves))
        return after

    async def _read(self, row: StoredTable, passed_over: PassedOver | None = None) -> TableState:
        """A table from its stored state; if that cannot be read, from a replay of its events.

        Raises:
            ValidationError: if neither can be read, or the replay disagrees with the rest of the row.
        """
        try:
            return parse_state(row.state, passed_over)
        except ValidationError:
            state = await self._replayed(row, passed_over)
            if state is None:
                raise
        log.warning(
            "the state of table %s in server %s cannot be read: it goes on from its record",
            row.table_id,
            row.server_id,
        )
        return state

    async def _replayed(self, row: StoredTable, passed_over: PassedOver | None) -> TableState | None:
        """A table from a replay of its events; None if that disagrees with the rest of its row."""
        events, held = await self._ledger.events(row.table_id), await self._ledger.holds(row.table_id)
        try:
            state = fold(None, [parse_event(event.body, passed_over) for event in events])
        except Exception as lost:
            # A broken record can raise anything. Only the kind is logged: the text may have hands in it.
            log.warning("nor can the record of table %s be followed: %s", row.table_id, type(lost).__name__)
            return None
        return state if held == state.held and not any(wrong_columns(row, state)) else None

    def keep(self, state: TableState) -> None:
        """Keeps a committed state in memory, and sets its timer."""
        self._at_hand.keep(state)
        if state.phase is Phase.CLOSED:
            self._done.pop(state.table_id, None)
            self._last_hashes.pop(state.table_id, None)
        self._timers.set(state.table_id, seconds_left(state, self._now()))

    def try_again(self, table_id: int, failed: Exception) -> None:
        """Sets the timer to try again soon; logs a new error, with a traceback if it is a bug."""
        fault = None if isinstance(failed, LedgerError) else failed
        is_logged = isinstance(failed, LedgerUnavailable) and failed.is_logged
        level = logging.DEBUG if is_logged else logging.ERROR
        log.log(level, "table %s goes on in %s s: %s", table_id, RETRY_SECONDS, failed, exc_info=fault)
        self._timers.set(table_id, RETRY_SECONDS)


STORIES_KEPT: Final = 20_000
"""How many stories are kept, those of closed tables included: their boards show them once more."""
ROUNDS_READ: Final = 300
"""How many of the last rounds and new bankers are read of a table that was open when the bot started."""


class Stories:
    """What each table tells of the rounds of this evening; nothing of one that is not known.

    A table may stay open for days. After `BREAK_SECONDS` without a result, another evening begins.
    """

    def __init__(self, ledger: Ledger, clock: Callable[[], float]) -> None:
        self._ledger = ledger
        self._now = clock
        self._stories: LRUCache[int, Story] = LRUCache(STORIES_KEPT)
        self._settled_at: LRUCache[int, float] = LRUCache(STORIES_KEPT)

    def of(self, table_id: int) -> Story:
        """The story of a table."""
        return self._stories.get(table_id, NO_STORY)

    def follow(self, change: TableChanged) -> None:
        """Adds the round that a change has settled, if any, and begins the turn of who takes the bank."""
        before, after = change.before, change.after
        if before is None:
            self._stories[after.table_id] = NO_STORY
            return
        story = self._stories.get(after.table_id)
        for event in change.events:
            if story is not None and isinstance(event, BankTaken):
                self._stories[after.table_id] = story = story.with_new_bank()
            if story is not None and isinstance(event, TableClosed):
                self._stories[after.table_id] = story = self._of_evening(after.table_id, story, self._now())
            if story is None or not isinstance(event, RoundSettled):
                continue
            # A listener may be called twice.
            if event.result.round_number > story.round_number:
                departures = [gone for gone in after.departures if gone not in before.departures]
                if after.phase is Phase.CLOSED and self._is_bust(before, event.result):
                    # Nobody leaves a table that closes, but the bank is broken all the same.
                    departures.append(
                        Departure(event.result.banker, LeaveReason.CANNOT_COVER, was_banker=True)
                    )
                had = self._had(before, event.result)
                now = self._now()
                story = self._of_evening(after.table_id, story, now).after(event.result, departures, had)
                self._stories[after.table_id], self._settled_at[after.table_id] = story, now

    async def load(self, table_id: int) -> None:
        """Reads the story of a table that was open when the bot started; call it under the table's lock."""
        story = NO_STORY
        self._settled_at.pop(table_id, None)
        rows = await self._ledger.rounds_and_banks(table_id, ROUNDS_READ)
        for row in rows:
            event = parse_event(row.body)
            if isinstance(event, RoundSettled):
                if not story.round_number and len(rows) == ROUNDS_READ:
                    # Nothing says which of the rounds before were called off.
                    story = replace(story, round_number=event.result.round_number - 1)
                story = self._of_evening(table_id, story, row.at).after(event.result)
                self._settled_at[table_id] = row.at
            else:
                story = story.with_new_bank()
        self._stories[table_id] = story

    def _of_evening(self, table_id: int, story: Story, at: float) -> Story:
        """The story of the evening at a time; after a break only the turn of a banker who is still there."""
        is_over = at - self._settled_at.get(table_id, at) > BREAK_SECONDS
        return replace(NO_STORY, turn=story.turn, round_number=story.round_number) if is_over else story

    def _is_bust(self, before: TableState, result: RoundResult) -> bool:
        """Whether a banker lost so much that what they have now doesn't cover the lowest bet."""
        stack = self._ledger.stacks.values.get((before.server_id, result.banker))
        if not before.for_chips or before.bank is None or result.bank_chips >= 0:
            return False
        if stack is None or stack.wallet is None:
            return False
        return not can_bank(before.rules, before.bank.lowest, stack.wallet)

    def all_in(self, table: TableState) -> frozenset[int]:
        """Which members have bet all that they have, if that is a fair sum."""
        bets = {} if not table.for_chips else {seat.party: seat.stake for seat in table.members if seat.stake}
        left = self._chips_beside(table, bets)
        return frozenset(
            party for party in left if may_celebrate_all_in(table.rules, bets[party], left[party])
        )

    def _had(self, before: TableState, result: RoundResult) -> dict[int, int]:
        """The chips that members with a hand had when the round began; by what they have now."""
        if not before.for_chips:
            return {}
        brought = {player.party: player.chips for player in result.players}
        brought[result.banker] = result.bank_chips
        now = self._chips_beside(before, brought)
        return {party: chips - brought[party] for party, chips in now.items()}

    def _chips_beside(self, table: TableState, parties: Iterable[int]) -> dict[int, int]:
        """The chips of members beside what this table holds; what other tables hold is theirs too."""
        found = {}
        for party in parties:
            stack = self._ledger.stacks.values.get((table.server_id, party))
            if party != THE_HOUSE and stack is not None and stack.wallet is not None:
                found[party] = stack.beside(table.table_id)
        return found
