"""Who banks next at each table, in the order in which they asked.

As soon as a table's bank is free, the first of them has it. While somebody fills in the form for a free bank,
it waits for them. A banker gets the limits that they stated, as soon as no bets are in the way.

What members are told is a plan of theirs. The disk is first: memory has what was read or stored, so a write
that fails changes nothing, and of two processes one finds that the other was faster. The wait for a form is
in memory only.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Final

from bot.clock import HOUR_SECONDS
from bot.croupier.open_tables import Locks, OpenTables, TableChanged, Tasks
from bot.croupier.plans import PlanKind, bank_name, change_plan
from bot.ledger.changes import Plan
from bot.ledger.errors import LedgerError
from bot.ledger.ledger import Ledger
from bot.shards import Shards
from bot.table.bank import Limits
from bot.table.commands import SetLimits
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refused
from bot.table.state import Phase, TableState

log = logging.getLogger(__name__)

FORM_SECONDS: Final = 60.0
"""How long a free bank waits for who fills in the form for it."""
MOST_WAITING: Final = 10
"""How many wait for the bank of one table."""
WAIT_SECONDS: Final = 6.0 * HOUR_SECONDS
"""How long a member waits for a bank, or for the limits that they stated; then it is forgotten."""
TRIES: Final = 5
"""How often a member's place is changed again when another process was faster."""


@dataclass(frozen=True, slots=True)
class Place:
    """What one member was told: they wait for a table's bank, or only stated limits for it.

    Attributes:
        plan: as it is stored; due when the place ends.
        client_seed: the id of the interaction with which they asked, their contribution as the banker. These
            ids order by time. None if they only stated limits.
        limits: of their bank; None for those of a banker who set none.
    """

    plan: Plan
    table_id: int
    client_seed: str | None
    limits: Limits | None

    @property
    def party(self) -> int:
        """The member."""
        return self.plan.party


def _read(plan: Plan) -> Place:
    what = json.loads(plan.what)
    limits = None if what["limits"] is None else tuple(what["limits"])
    return Place(plan, what["table"], what["client_seed"], limits)


_Places = dict[int, Place]
"""The places at one table, by party. They are replaced, never changed."""
_NO_PLACES: Final[_Places] = {}


class BankQueue:
    """The members who wait for a bank.

    Args:
        now: the time, in seconds since the epoch, UTC.
        hosts: the shards whose tables this process hosts.
        work: runs what nobody waits for.
        go_on: has a table do what is due; it must not raise.

    Attributes:
        tell: is called with table and party once the bank is theirs, or with why they cannot have it.
        on_moved: is called with table and parties once one of them begins to wait, or waits no longer.
    """

    def __init__(
        self,
        ledger: Ledger,
        tables: OpenTables,
        now: Callable[[], float],
        hosts: Shards,
        work: Tasks,
        go_on: Callable[[int], Coroutine[Any, Any, object]],
    ) -> None:
        self._ledger = ledger
        self._tables = tables
        self._now = now
        self._hosts = hosts
        self._work = work
        self._go_on = go_on
        self.tell: Callable[[int, int, Refused | None], None] = lambda *_: None
        self.on_moved: Callable[[int, Collection[int]], None] = lambda *_: None
        self._places: dict[int, _Places] = {}
        # At these tables a write failed, and may be on disk all the same.
        self._in_doubt: set[int] = set()
        self._locks: Locks[int] = Locks()
        self._forms: dict[int, tuple[int, asyncio.TimerHandle]] = {}

    @property
    def parties(self) -> set[int]:
        """Who waits for a bank of any table, or has stated limits."""
        return {party for places in self._places.values() for party in places}

    async def load(self) -> None:
        """Reads what members were told, and deletes what is about closed tables."""
        found = self._by_table(await self._ledger.plans_of_kind(PlanKind.BANK))
        self._places = found
        for table_id in found.keys() - {table.table_id for table in self._tables.all()}:
            stored = await self._ledger.table(table_id)
            if stored is None or not stored.is_open:
                # The bot ended before it deleted these.
                for place in found[table_id].values():
                    await change_plan(self._ledger, place.plan, None)
                del found[table_id]

    async def look_for_others(self) -> set[int]:
        """Reads again what another process may have stored.

        Returns:
            The tables at which something is new here.
        """
        before = dict(self._places)
        read = await self._ledger.plans_at_open_tables(PlanKind.BANK, self._hosts)
        found, changed = self._by_table(read), set[int]()
        for table_id in before.keys() | found.keys():
            # What was stored here meanwhile is newer than what was read.
            is_newer = self._places.get(table_id) is not before.get(table_id)
            if not is_newer and self._keep_read(table_id, found.get(table_id, _NO_PLACES)):
                changed.add(table_id)
        return changed

    def waiting(self, table_id: int) -> list[int]:
        """Who waits for a table's bank, the next banker first."""
        table = self._tables.get(table_id)
        return [] if table is None else [one.party for one in self._candidates(table)]

    def place_of(self, table_id: int, party: int) -> Place | None:
        """A member's place at a table, even if it is over; None if they have none."""
        return self._places.get(table_id, _NO_PLACES).get(party)

    def hold(self, table_id: int, party: int) -> None:
        """Lets a free bank wait for a member who fills in the form for it, unless others wait already."""
        if self._holder(table_id) is not None or self.waiting(table_id):
            return
        timer = asyncio.get_running_loop().call_later(FORM_SECONDS, self._stop_waiting_for_form, table_id)
        self._forms[table_id] = party, timer

    def is_free_for(self, table_id: int, party: int) -> bool:
        """Whether a free bank waits for nobody else."""
        return self._holder(table_id) in (None, party)

    async def ask(self, table_id: int, party: int, client_seed: str, limits: Limits | None) -> bool:
        """Has a member wait for a table's bank, as the last one; False if too many wait.

        Raises:
            NoSuchTableError: if the table is not open.
        """
        table = self._tables[table_id]

        def asked(place: Place | None) -> Plan | None:
            if len({*self.waiting(table_id), party}) > MOST_WAITING:
                return None if place is None else place.plan
            return self._plan(table, party, client_seed, limits)

        stored = await self._change(table, party, asked)
        if stored is None or stored.client_seed != client_seed:
            return False
        # While that was on its way to the disk, nobody knew that they wait.
        if (now := self._tables.get(table_id)) is None:
            await self.tidy(replace(table, phase=Phase.CLOSED))
        elif now.bank is None:
            await self._work.start(self._go_on(table_id))
        return True

    async def leave(self, table_id: int, party: int) -> None:
        """Lets a member wait for a table's bank no longer; the limits go that they stated for it."""

        def left(place: Place | None) -> Plan | None:
            return None if place is None or place.client_seed is not None else place.plan

        if (table := self._tables.get(table_id)) is not None:
            await self._change(table, party, left)

    async def leave_all(self, party: int) -> None:
        """Lets a member who left or may not play wait for no bank any more; logs a failure.

        Their seats are to be free all the same.
        """
        try:
            for plan in await self._ledger.plans_of(party):
                if plan.kind == PlanKind.BANK:
                    await self.drop(_read(plan))
        except LedgerError as failed:
            log.warning("party %s left, but may still wait for a bank: %s", party, failed)

    def forget(self, party: int) -> None:
        """Drops a member who was erased: the disk has nothing of them."""
        for table_id, places in list(self._places.items()):
            if party in places:
                self._keep(table_id, {one: place for one, place in places.items() if one != party})

    def next_bankers(self, table: TableState) -> list[Place]:
        """Who can have the bank now, because it is free; nobody if it waits for somebody's form."""
        if (
            table.phase is not Phase.OPEN
            or table.bank is not None
            or self._holder(table.table_id) is not None
        ):
            return []
        return self._candidates(table)

    async def state_limits(self, table_id: int, party: int, limits: Limits) -> None:
        """Stores which limits a member wants as the banker, unless somebody else is the banker before."""
        table = self._tables[table_id]

        def stated(place: Place | None) -> Plan:
            return self._plan(table, party, None if place is None else place.client_seed, limits)

        await self._change(table, party, stated)

    def limits_to_set(self, table: TableState) -> tuple[SetLimits, Place] | None:
        """Sets the limits that the banker stated, once that is possible."""
        place = None if table.bank is None else self.place_of(table.table_id, table.bank.party)
        if place is None or place.limits is None or unmet_precondition(table, Action.LIMITS) is not None:
            return None
        return SetLimits(place.party, *place.limits), place

    def note_carried_out(self, place: Place) -> None:
        """Notes that the ledger has deleted a place with what the member got."""
        if self.place_of(place.table_id, place.party) == place:
            self._remember(place.table_id, place.party, None)

    async def drop(self, place: Place) -> bool:
        """Deletes a place; returns False, and reads it again, if it was changed meanwhile."""
        return await self._replace(place, None)

    async def load_again(self, table_id: int, server_id: int) -> None:
        """Reads what members were told at a table, also by another process."""
        async with self._locks[table_id]:
            plans = await self._ledger.plans_in(server_id, PlanKind.BANK)
            self._keep_read(table_id, self._by_table(plans).get(table_id, _NO_PLACES))
            self._in_doubt.discard(table_id)

    async def tidy(self, table: TableState) -> None:
        """Deletes what is over: of who has the bank, of limits for a bank that went to another, of long ago.

        It is to be called before anything is decided at the table, and reads what is in doubt.
        """
        if table.table_id in self._in_doubt:
            await self.load_again(table.table_id, table.server_id)
        for place in self._places.get(table.table_id, _NO_PLACES).values():
            if (tidied := self._tidied(table, place)) != place.plan:
                await self._replace(place, tidied)

    def follow(self, change: TableChanged) -> None:
        """Waits for no form at a table that is closed, or has a banker."""
        if change.after.phase is Phase.CLOSED or change.after.bank is not None:
            self._forget_form(change.after.table_id)

    def _candidates(self, table: TableState) -> list[Place]:
        """Who waits, in order; not who has the bank, though that may not be stored yet."""
        banker, now = None if table.bank is None else table.bank.party, self._now()
        found = [
            (int(place.client_seed), place)
            for party, place in self._places.get(table.table_id, _NO_PLACES).items()
            if place.client_seed is not None and party != banker and not _is_over(place, now)
        ]
        return [place for _, place in sorted(found, key=itemgetter(0))]

    def _tidied(self, table: TableState, place: Place) -> Plan | None:
        """What is to be stored in the place of this; None for nothing."""
        if table.phase is Phase.CLOSED or _is_over(place, self._now()):
            return None
        if (bank := table.bank) is None:
            return place.plan
        if bank.party == place.party:
            if place.limits in (None, (bank.lowest, bank.highest)):
                return None
            # A bank that is passed on brings the limits of who had it: those stated are set next.
            return replace(place.plan, what=_what(place.table_id, None, place.limits))
        return None if place.client_seed is None and not table.house_banks else place.plan

    def _plan(self, table: TableState, party: int, client_seed: str | None, limits: Limits | None) -> Plan:
        return Plan(
            bank_name(table.table_id, party),
            table.server_id,
            party,
            PlanKind.BANK,
            at=self._now() + WAIT_SECONDS,
            what=_what(table.table_id, client_seed, limits),
        )

    async def _change(
        self, table: TableState, party: int, update: Callable[[Place | None], Plan | None]
    ) -> Place | None:
        """Stores what is to be in a member's place instead of what is there; returns what is there then."""
        table_id, name = table.table_id, bank_name(table.table_id, party)
        async with self._locks[table_id]:
            for _ in range(TRIES):
                before = await self._ledger.plan(name)
                after = update(None if before is None else _read(before))
                if before == after or await self._store(table_id, name, before, after):
                    return self._remember(table_id, party, after)
        raise LedgerError(f"the plan {name} changed at each of {TRIES} tries")

    async def _replace(self, place: Place, after: Plan | None) -> bool:
        """Stores a plan in a place; returns False, and reads it again, if it was changed meanwhile."""
        async with self._locks[place.table_id]:
            if await self._store(place.table_id, place.plan.name, place.plan, after):
                self._remember(place.table_id, place.party, after)
                return True
        await self.load_again(place.table_id, place.plan.server_id)
        return False

    async def _store(self, table_id: int, name: str, before: Plan | None, after: Plan | None) -> bool:
        """Stores a plan in place of another; returns False if that one was changed meanwhile."""
        try:
            return await change_plan(self._ledger, before, after)
        except BaseException as failed:
            # It may be on disk all the same. Who is told that it failed should not wait.
            self._in_doubt.add(table_id)
            if isinstance(failed, LedgerError) and await self._ledger.plan(name) == after:
                return True
            raise

    def _remember(self, table_id: int, party: int, plan: Plan | None) -> Place | None:
        places = dict(self._places.get(table_id, _NO_PLACES))
        places.pop(party, None)
        place = None if plan is None else _read(plan)
        self._keep(table_id, places if place is None else {**places, party: place})
        return place

    def _keep_read(self, table_id: int, places: _Places) -> bool:
        """Keeps what was read; returns whether it is new here.

        Another process may have changed the table before it, so that is read again too, and first.
        """
        is_new = places != self._places.get(table_id, _NO_PLACES)
        if is_new:
            self._keep(table_id, places)
            self._tables.doubt(table_id)
        return is_new

    def _keep(self, table_id: int, places: _Places) -> None:
        before = self._places.pop(table_id, _NO_PLACES)
        if places:
            self._places[table_id] = places
        self.on_moved(table_id, before.keys() | places.keys())

    def _by_table(self, plans: list[Plan]) -> dict[int, _Places]:
        found: dict[int, _Places] = {}
        for plan in plans:
            if self._hosts(plan.server_id):
                place = _read(plan)
                found.setdefault(place.table_id, {})[plan.party] = place
        return found

    def _holder(self, table_id: int) -> int | None:
        """Who fills in the form for a table's bank."""
        return self._forms[table_id][0] if table_id in self._forms else None

    def _forget_form(self, table_id: int) -> None:
        if table_id in self._forms:
            self._forms.pop(table_id)[1].cancel()

    def _stop_waiting_for_form(self, table_id: int) -> None:
        self._forget_form(table_id)
        self._work.start(self._go_on(table_id))


def _is_over(place: Place, now: float) -> bool:
    return place.plan.at is not None and place.plan.at <= now


def _what(table_id: int, client_seed: str | None, limits: Limits | None) -> str:
    """What is stored with a plan, as JSON."""
    return json.dumps({"table": table_id, "client_seed": client_seed, "limits": limits})
