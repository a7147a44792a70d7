"""Who banks next at each table, in the order in which they asked: in memory, so that a restart forgets it.

As soon as a table's bank is free, the first of them has it. While somebody fills in the form for a free bank,
it waits for them. A banker gets the limits that they stated, as soon as no bets are in the way.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.croupier.open_tables import TableChanged
from bot.table.bank import Limits
from bot.table.commands import SetLimits
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refused
from bot.table.state import NOBODY, Phase, TableState

FORM_SECONDS: Final = 60.0
"""How long a free bank waits for who fills in the form for it."""
MOST_WAITING: Final = 10
"""How many wait for the bank of one table."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A member who waits for a bank.

    Attributes:
        client_seed: the id of the interaction with which they asked, their contribution as the banker.
        limits: of their bank; None for those of a banker who set none.
        tell: is called once the bank is theirs, or with why they cannot have it.
    """

    party: int
    client_seed: str
    limits: Limits | None
    tell: Callable[[Refused | None], None]


class BankQueue:
    """The members who wait for a bank.

    Args:
        go_on: has a table do what is due.
    """

    def __init__(self, go_on: Callable[[int], object]) -> None:
        self._go_on = go_on
        self._waiting: dict[int, list[Candidate]] = {}
        self._forms: dict[int, tuple[int, asyncio.TimerHandle]] = {}
        self._limits: defaultdict[int, dict[int, Limits]] = defaultdict(dict)

    def waiting(self, table_id: int) -> list[int]:
        """Who waits for a table's bank, the next banker first."""
        return [one.party for one in self._waiting.get(table_id, [])]

    def limits_of(self, table_id: int, party: int) -> Limits | None:
        """The limits with which a member waits for a table's bank; None if they do not, or set none."""
        return next((one.limits for one in self._waiting.get(table_id, []) if one.party == party), None)

    def hold(self, table_id: int, party: int) -> None:
        """Lets a free bank wait for a member who fills in the form for it, unless others wait already."""
        if self._holder(table_id) is not None or self._waiting.get(table_id):
            return
        timer = asyncio.get_running_loop().call_later(FORM_SECONDS, self._stop_waiting_for_form, table_id)
        self._forms[table_id] = party, timer

    def is_free_for(self, table_id: int, party: int) -> bool:
        """Whether a free bank waits for nobody else."""
        return self._holder(table_id) in (None, party)

    def ask(self, table_id: int, candidate: Candidate) -> bool:
        """Has a member wait for a table's bank, or changes their limits; False if too many wait."""
        others = [one for one in self._waiting.get(table_id, []) if one.party != candidate.party]
        if len(others) >= MOST_WAITING:
            return False
        self._waiting[table_id] = [*others, candidate]
        return True

    def leave(self, table_id: int, party: int) -> None:
        """Lets a member wait for a table's bank no longer."""
        self._waiting[table_id] = [one for one in self._waiting.get(table_id, []) if one.party != party]

    def forget(self, party: int) -> None:
        """Drops an erased member."""
        for table_id in self._waiting:
            self.leave(table_id, party)
        for stated in self._limits.values():
            stated.pop(party, None)

    def next_banker(self, table: TableState) -> Candidate | None:
        """Who has the bank now, because it is free; None if it is not, or waits for somebody's form."""
        if (
            table.phase is not Phase.OPEN
            or table.bank is not None
            or self._holder(table.table_id) is not None
        ):
            return None
        return next(iter(self._waiting.get(table.table_id, [])), None)

    def state_limits(self, table_id: int, party: int, limits: Limits) -> None:
        """Notes which limits a member wants as the banker, unless somebody else is the banker before."""
        self._limits[table_id][party] = limits

    def limits_to_set(self, table: TableState) -> SetLimits | None:
        """Sets the limits that the banker stated, once that is possible; they are forgotten then."""
        stated, party = self._limits.get(table.table_id, {}), table.bank.party if table.bank else NOBODY
        if party not in stated or unmet_precondition(table, Action.LIMITS) is not None:
            return None
        return SetLimits(party, *stated.pop(party))

    def follow(self, change: TableChanged) -> None:
        """Takes out who has the bank, and forgets a table that is closed."""
        table = change.after
        if table.phase is Phase.CLOSED:
            self._waiting.pop(table.table_id, None)
            self._forget_form(table.table_id)
            self._limits.pop(table.table_id, None)
        elif (bank := table.bank) is not None:
            self._forget_form(table.table_id)
            if not table.house_banks:
                for party in self._limits.get(table.table_id, {}).keys() - {bank.party}:
                    del self._limits[table.table_id][party]
            for one in self._waiting.get(table.table_id, []):
                # A bank that is passed on brings the limits of who had it.
                if one.party == bank.party and one.limits not in (None, (bank.lowest, bank.highest)):
                    self.state_limits(table.table_id, one.party, one.limits)
            if table.table_id in self._waiting:
                self.leave(table.table_id, bank.party)

    def _holder(self, table_id: int) -> int | None:
        """Who fills in the form for a table's bank."""
        return self._forms[table_id][0] if table_id in self._forms else None

    def _forget_form(self, table_id: int) -> None:
        if table_id in self._forms:
            self._forms.pop(table_id)[1].cancel()

    def _stop_waiting_for_form(self, table_id: int) -> None:
        self._forget_form(table_id)
        self._go_on(table_id)
