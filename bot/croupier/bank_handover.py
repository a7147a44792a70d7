"""Gives members the bank that they take or wait for, and the limits that they stated.

What they get and the end of their wait are one transaction.
"""

import logging
from collections.abc import Callable

from bot.croupier.bank_queue import BankQueue, Place
from bot.croupier.barred import BarredError
from bot.croupier.decisions import Decisions
from bot.croupier.open_tables import MemberErasedError
from bot.croupier.stored_tables import StoredTables
from bot.croupier.wallets import Wallets
from bot.ledger.changes import NotAfter
from bot.ledger.errors import AlreadyDone, MemberErased, Overtaken
from bot.rules.house_rules import HouseRules
from bot.table.bank import default_limits
from bot.table.commands import Command, SetLimits, TakeBank
from bot.table.refusals import Refusal, Refused
from bot.table.state import TableState

log = logging.getLogger(__name__)


class BankHandover:
    """Hands over banks. Callers hold the lock of the table.

    Args:
        bank_refused: why a member may not bank in a server; None if they may.
        rules_for: the house rules for a table's next round.
    """

    def __init__(
        self,
        queue: BankQueue,
        stored: StoredTables,
        decisions: Decisions,
        wallets: Wallets,
        bank_refused: Callable[[int, int], Refused | None],
        rules_for: Callable[[TableState], HouseRules],
    ) -> None:
        self._queue = queue
        self._stored = stored
        self._decisions = decisions
        self._wallets = wallets
        self._bank_refused = bank_refused
        self._rules_for = rules_for

    def next_banker(self, table: TableState) -> Place | None:
        """Who has the free bank now. Who banks only with a role waits until Discord has told their roles."""
        for one in self._queue.next_bankers(table):
            refused = self._bank_refused(table.server_id, one.party)
            if refused is None or refused.code is not Refusal.BANK_ROLE_NOT_KNOWN:
                return one
        return None

    async def take(
        self, state: TableState, command: TakeBank, key: str, not_after: NotAfter | None
    ) -> TableState | Refused:
        """Gives a free bank to a member who takes it; what they stated or waited for before goes with that.

        A refusal leaves that as it is.
        """
        party = command.party
        if (place := self._queue.place_of(state.table_id, party)) is None:
            return await self._decisions.carry_out(state, command, key, party, not_after)
        try:
            done = await self._decisions.carry_out(state, command, key, party, not_after, plan=place.plan)
        except AlreadyDone:
            await self._queue.load_again(state.table_id, state.server_id)
            return await self._stored.load(state.table_id)
        except Overtaken:
            await self._queue.load_again(state.table_id, state.server_id)
            if self._queue.place_of(state.table_id, party) == place:
                raise
            return await self.take(state, command, key, not_after)
        if not isinstance(done, Refused):
            self._queue.note_carried_out(place)
        return done

    async def hand_over(self, state: TableState, place: Place) -> TableState:
        """Gives the free bank to who asked for it first; who cannot take it now waits no longer."""
        party, rules = place.party, self._rules_for(state)
        try:
            chips = (await self._wallets.free_chips(state, party)).get(party, 0)
            take = TakeBank(party, *(place.limits or default_limits(rules, chips)), rules)
            taken = await self._carry_out(state, take, f"{place.client_seed}:bank", party, place)
        except (BarredError, MemberErased, MemberErasedError):
            await self._queue.drop(place)
            return await self._stored.load(state.table_id)
        if taken is None:
            return await self._stored.load(state.table_id)
        refused = taken if isinstance(taken, Refused) else None
        self._queue.tell(state.table_id, party, refused)
        return state if isinstance(taken, Refused) else taken

    async def set_limits(self, state: TableState, limits: SetLimits, place: Place) -> TableState:
        """Gives the banker the limits that they stated."""
        key = f"{state.table_id}:{state.sequence}:limits"
        done = await self._carry_out(state, limits, key, None, place)
        return done if isinstance(done, TableState) else await self._stored.load(state.table_id)

    async def _carry_out(
        self, state: TableState, command: Command, key: str, party: int | None, place: Place
    ) -> TableState | Refused | None:
        """Gives a member what they wait for; in the same transaction they wait no longer.

        Returns:
            None if another process was faster, or they have left the queue: nobody is told anything then.
        """
        try:
            done = await self._decisions.carry_out(
                state, command, key, party, client_seed=place.client_seed, plan=place.plan
            )
        except AlreadyDone:
            await self._queue.drop(place)
            return None
        except Overtaken:
            await self._queue.load_again(state.table_id, state.server_id)
            if self._queue.place_of(state.table_id, place.party) == place:
                raise
            return None
        if isinstance(done, Refused):
            log.info("table %s refused what was asked for before: %s", state.table_id, done.code)
            return done if await self._queue.drop(place) else None
        self._queue.note_carried_out(place)
        return done
