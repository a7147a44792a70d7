"""Tables between memory and the ledger: what is committed is kept at hand, and read again where in doubt."""

import logging
from collections.abc import Callable
from typing import Final

from pydantic import ValidationError

from bot.croupier.effect import change_of, misfiled
from bot.croupier.errors import NoSuchTableError
from bot.croupier.listeners import Listeners, TableChanged
from bot.croupier.open_tables import OpenTables
from bot.croupier.scheduling import Timers
from bot.ledger.errors import AlreadyDone, InsufficientChips, LedgerError
from bot.ledger.ledger import Ledger
from bot.ledger.records import StoredTable
from bot.rules.knobs import PassedOver
from bot.table.events import Event, parse_event
from bot.table.evolve import fold
from bot.table.state import TableState, parse_state

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 5.0
"""How long a table waits before it goes on, when the ledger could not be written."""


class StoredTables:
    """Every table as the ledger has it.

    Whoever asks for a table, or commits to it, holds its lock.

    Args:
        ledger: where tables and chips are kept.
        at_hand: the open tables in memory.
        alarms: rings when a table's time is up; set anew with whatever is kept.
        listeners: told of whatever happened, once it is committed.
        clock: seconds since the epoch, UTC.
    """

    def __init__(
        self,
        ledger: Ledger,
        at_hand: OpenTables,
        alarms: Timers,
        listeners: Listeners,
        clock: Callable[[], float],
    ) -> None:
        self._ledger = ledger
        self._at_hand = at_hand
        self._alarms = alarms
        self._listeners = listeners
        self._now = clock

    async def load_open(self) -> None:
        """Takes up every open table where it stands; one that nothing tells any more is reported and left.

        Raises:
            LedgerUnavailable: where the ledger cannot be read.
        """
        for row in await self._ledger.open_tables():
            passed_over = PassedOver()
            try:
                self._at_hand.keep(await self._read(row, passed_over))
            except ValidationError:
                log.exception("table %s in server %s cannot be read", row.table_id, row.server_id)
            for note in passed_over.notes:
                log.warning("table %s in server %s: %s", row.table_id, row.server_id, note)

    async def load(self, table_id: int) -> TableState:
        """The table as the ledger has it: read again where it is in doubt, and what was missed is told.

        Raises:
            NoSuchTableError: where no such table is open.
            LedgerUnavailable: where the ledger cannot be read.
        """
        if (state := self._at_hand.certain(table_id)) is not None:
            return state
        known = self._at_hand.get(table_id)
        row = await self._ledger.table(table_id)
        if row is None:
            raise NoSuchTableError(f"there is no table {table_id}")
        state = await self._read(row)
        told = 0 if known is None else known.sequence
        rows = await self._ledger.events(table_id)
        missed = tuple(parse_event(event.body) for event in rows if event.sequence > told)
        # Kept and told in one breath: a table out of doubt of which something was never told stays untold.
        self.keep(state)
        if missed and (known is not None or row.is_open):
            self._listeners.notify(TableChanged(known, missed, state))
        if not row.is_open:
            raise NoSuchTableError(f"table {table_id} is closed")
        return state

    async def commit(
        self, before: TableState | None, events: tuple[Event, ...], key: str, now: float
    ) -> TableState:
        """Has the ledger write what happened at a table, and tells it.

        Args:
            before: the table before; None where it is opened.
            events: what happened, in order.
            key: what makes the command unique.
            now: when, in seconds since the epoch, UTC.

        Returns:
            The table as it is now; as the ledger has it, where the key was committed before.

        Raises:
            InsufficientChips: where chips went elsewhere meanwhile; nothing is written.
            NoSuchTableError: where the key was committed before, and the table is closed by now.
            LedgerError: where it could not be written, as far as is known; the table finds out by itself.
        """
        after = fold(before, events)
        try:
            await self._ledger.commit(change_of(before, events, after, key, now))
        except InsufficientChips:
            raise
        except AlreadyDone:
            self._at_hand.doubt(after.table_id)
            return await self.load(after.table_id)
        except BaseException:
            # Whether it is on disk is not known: the alarm looks again.
            self._at_hand.doubt(after.table_id)
            self._alarms.set(after.table_id, RETRY_SECONDS)
            raise
        self.keep(after)
        self._listeners.notify(TableChanged(before, events, after))
        return after

    async def _read(self, row: StoredTable, passed_over: PassedOver | None = None) -> TableState:
        """A table as its stored state says; where that cannot be read, as the events say that made it.

        Args:
            row: the table, as it is stored.
            passed_over: takes note of knobs that there are no more.

        Raises:
            ValidationError: where it cannot be read, and its events do not lead to what else is stored of it.
            LedgerUnavailable: where the ledger cannot be read.
        """
        try:
            return parse_state(row.state, passed_over)
        except ValidationError:
            state = await self._made_by_events(row, passed_over)
            if state is None:
                raise
        log.warning(
            "the state of table %s in server %s cannot be read: it goes on from its record",
            row.table_id,
            row.server_id,
        )
        return state

    async def _made_by_events(self, row: StoredTable, passed_over: PassedOver | None) -> TableState | None:
        """What a table's record makes of it; None where that is not what is stored beside its state."""
        events, held = await self._ledger.events(row.table_id), await self._ledger.holds(row.table_id)
        try:
            state = fold(None, [parse_event(event.body, passed_over) for event in events])
        except Exception as lost:
            # A record that does not hang together is stumbled over in many ways. Of them no more is told than
            # the kind: there may be hands in it.
            log.warning("nor can the record of table %s be followed: %s", row.table_id, type(lost).__name__)
            return None
        due = {member_id: chips for member_id, chips in state.held.items() if chips}
        return state if held == due and not any(misfiled(row, state)) else None

    def keep(self, state: TableState) -> None:
        """Takes this for what the ledger has, and sets the table's alarm."""
        self._at_hand.keep(state)
        self._alarms.set(state.table_id, None if state.deadline is None else state.deadline - self._now())

    def try_again(self, table_id: int, failed: Exception) -> None:
        """Has the table go on a little later; says why, and where it failed if the fault is ours."""
        fault = None if isinstance(failed, LedgerError) else failed
        log.error("table %s goes on in %s s: %s", table_id, RETRY_SECONDS, failed, exc_info=fault)
        self._alarms.set(table_id, RETRY_SECONDS)
