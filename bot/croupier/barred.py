"""Who may not play in a server, until when, and which sentence says so.

The croupier asks here before anything is decided for a member (`Croupier._carry_out`), however it was asked
for. Only what begins or adds to play is refused: who has a hand plays it out, and everybody may leave.
"""

from collections.abc import Callable
from typing import Final

from bot.croupier.plans import PlanKind, break_name, change_plan
from bot.ledger.changes import Plan
from bot.ledger.errors import LedgerError
from bot.ledger.ledger import Ledger
from bot.table.commands import (
    Join,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RollForBank,
    TakeBank,
)

PLAYING: Final = (Join, PlaceBet, PlaceSideBet, PlayHouse, RollForBank, TakeBank)
"""What is refused to who may not play; a table that they scheduled opens for the others."""
TRIES: Final = 5
"""How often a break is stored again that another one, pressed at once, came before."""


class BarredError(Exception):
    """A member may not play now.

    Attributes:
        why: the end of the code of the sentence that tells them, `barred.<why>`.
        until: when that ends, in seconds since the epoch.
    """

    def __init__(self, why: str, until: float) -> None:
        super().__init__(why)
        self.why = why
        self.until = until


class Barred:
    """Who may not play, in memory for reading."""

    def __init__(self, ledger: Ledger, now: Callable[[], float]) -> None:
        self._ledger = ledger
        self._now = now
        self._breaks: dict[int, float] = {}

    async def load(self) -> None:
        """Reads who takes a break."""
        found = await self._ledger.plans_of_kind(PlanKind.BREAK)
        # None ends early, so what is in memory holds beside what is read.
        self._breaks |= {one.party: one.at for one in found if one.at is not None}

    def break_until(self, party: int) -> float | None:
        """When a member's break ends; None without one."""
        until = self._breaks.get(party, 0.0)
        return until if until > self._now() else None

    def refuse(self, party: int) -> None:
        """Raises BarredError if a member may not play."""
        if (until := self.break_until(party)) is not None:
            raise BarredError("break", until)

    async def take_break(self, server_id: int, party: int, seconds: float) -> float:
        """Lets a member not play for so long; a break that ends later stays.

        Returns:
            When their break ends.
        """
        until, name = self._now() + seconds, break_name(party)
        for _ in range(TRIES):
            before = await self._ledger.plan(name)
            if before is not None and before.at is not None and before.at >= until:
                until = before.at
            elif not await change_plan(
                self._ledger, before, Plan(name, server_id, party, PlanKind.BREAK, at=until)
            ):
                continue
            self._breaks[party] = until
            return until
        raise LedgerError(f"the break of {party} changed at each of {TRIES} tries")

    def forget(self, party: int) -> None:
        """Drops an erased member."""
        self._breaks.pop(party, None)
