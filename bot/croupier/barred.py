"""Who may not play in a server, until when, and how much a member may still lose today.

The croupier asks here before anything is decided for a member (`Decisions.carry_out`), however it was asked
for. Only what begins or adds to play is refused: who has a hand plays it out, and everybody may leave.

A banned member may do nothing but end what they have begun. Their ban is known by a keyed hash of their user
id, so that it holds also if they are erased and come back.

With a limit of loss of their own, a member has no more chips for bets and bank than they may still lose today
(UTC). What bets hold counts as lost, and what was won today adds nothing: so no day costs more than the
limit, also if a round is settled after midnight.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from math import inf
from typing import Final

from bot.clock import DAY_SECONDS
from bot.croupier.open_tables import Locks
from bot.croupier.plans import PlanKind, break_name, change_plan, limit_name
from bot.ledger.changes import Ban, BanLifted, Identity, Plan
from bot.ledger.errors import LedgerError
from bot.ledger.ledger import Ledger
from bot.ledger.records import Stack
from bot.table.commands import (
    Arrange,
    Command,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)

PLAYING: Final = (Join, PlaceBet, PlaceSideBet, PlayHouse, RollForBank, TakeBank)
"""What is refused to who takes a break; a table that they scheduled opens for the others."""
ENDING: Final = (Arrange, GiveUpBank, Leave, RevealHand, SitOut, WithdrawBet, WithdrawSideBet)
"""What is not refused to who is banned."""
TRIES: Final = 5
"""How often a break or limit is stored again that another one, pressed at once, came before."""


class BarredError(Exception):
    """A member may not play now.

    Attributes:
        why: the end of the code of the sentence that tells them, `barred.<why>`.
        until: when that ends; None if it has no end.
        reason: of the admin who banned them; empty if it is not known.
    """

    def __init__(self, why: str, until: float | None, reason: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.until = until
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Limit:
    """How many chips a member may lose a day.

    Attributes:
        then: what takes its place; None for no limit.
        at: from when on; None if nothing does.
    """

    chips: int
    then: int | None = None
    at: float | None = None

    def of(self, now: float) -> int | None:
        """The limit that holds now; None for none."""
        return self.chips if self.at is None or now < self.at else self.then


def _limit_in(plan: Plan) -> Limit:
    return Limit(**json.loads(plan.what), at=plan.at)


class Barred:
    """Who may not play, or lose no more than so much, in memory for reading.

    Args:
        known: the member behind a party, if that is in memory.
    """

    def __init__(
        self, ledger: Ledger, now: Callable[[], float], known: Callable[[int], Identity | None]
    ) -> None:
        self._ledger = ledger
        self._now = now
        self._known = known
        # Until when, by server and hash; infinity without an end.
        self._bans: dict[int, dict[bytes, float]] = {}
        self._bans_set = 0
        self._breaks: dict[int, float] = {}
        self._limits: dict[int, Limit] = {}
        self._limits_set = 0
        self._one_at_a_time: Locks[int] = Locks()

    async def load(self) -> None:
        """Reads who is banned, who takes a break, and who has a limit."""
        before = self._bans_set
        bans = await self._ledger.bans()
        if before == self._bans_set:
            self._bans = {}
            for ban in bans:
                self._keep(ban)
        before = self._limits_set
        limits = await self._ledger.plans_of_kind(PlanKind.LIMIT)
        if before == self._limits_set:
            self._limits = {one.party: _limit_in(one) for one in limits}
        found = await self._ledger.plans_of_kind(PlanKind.BREAK)
        # None ends early, so what is in memory holds beside what is read.
        self._breaks |= {one.party: one.at for one in found if one.at is not None}

    def break_until(self, party: int) -> float | None:
        """When a member's break ends; None without one."""
        until = self._breaks.get(party, 0.0)
        return until if until > self._now() else None

    async def refuse(self, party: int, command: Command | None = None) -> None:
        """Raises BarredError if a member may not play, or not do what this command asks for."""
        if not isinstance(command, ENDING):
            await self.refuse_banned(party)
        until = self.break_until(party)
        if until is not None and (command is None or isinstance(command, PLAYING)):
            raise BarredError("break", until)

    async def refuse_banned(self, party: int) -> None:
        """Raises BarredError if a member is banned."""
        if not self._bans:
            return
        identity = self._known(party) or (await self._ledger.identities([party])).get(party)
        if identity is not None and (ban := await self.ban_of(identity.server_id, identity.user_id)):
            raise BarredError("ban" if ban.until is None else "ban_until", ban.until, ban.words)

    async def until(self, party: int) -> float | None:
        """Until when a member may not play, infinity without an end; None if they may."""
        try:
            await self.refuse(party)
        except BarredError as barred:
            return inf if barred.until is None else barred.until
        return None

    async def is_barred(self, party: int) -> bool:
        """Whether a member may not play."""
        return await self.until(party) is not None

    async def ban_of(self, server_id: int, user_id: int) -> Ban | None:
        """The ban of a user in a server; None if they may play. It reads the disk for who is banned only."""
        if server_id not in self._bans:
            return None
        digest = await self._ledger.opening_digest(server_id, user_id)
        if self._bans[server_id].get(digest, 0.0) <= self._now():
            return None
        return next((ban for ban in await self._ledger.bans(server_id) if ban.digest == digest), None)

    async def bans(self, server_id: int) -> list[Ban]:
        """Who is banned in a server, the oldest ban first."""
        bans = await self._ledger.bans(server_id)
        return [ban for ban in bans if ban.until is None or ban.until > self._now()]

    async def ban(self, ban: Ban) -> None:
        """Lets a member not play, in place of a ban that they have."""
        await self._ledger.record(ban)
        self._bans_set += 1
        self._keep(ban)

    async def lift_ban(self, server_id: int, digest: bytes) -> None:
        """Lets a member play again."""
        await self._ledger.record(BanLifted(server_id, digest))
        self._bans_set += 1
        self._bans.get(server_id, {}).pop(digest, None)

    def _keep(self, ban: Ban) -> None:
        self._bans.setdefault(ban.server_id, {})[ban.digest] = inf if ban.until is None else ban.until

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

    def limit(self, party: int) -> Limit | None:
        """A member's limit, if one holds now."""
        limit = self._limits.get(party)
        return None if limit is None or limit.of(self._now()) is None else limit

    @property
    def tomorrow(self) -> float:
        """When the next day begins, in UTC."""
        return (self._now() // DAY_SECONDS + 1) * DAY_SECONDS

    async def left(
        self, server_id: int, party: int, stack: Stack, gained: int = 0, returned: int = 0
    ) -> int | None:
        """The chips that a member may still put at stake today; None without a limit.

        Args:
            gained: what a round brings them that is being settled.
            returned: what it held of theirs.
            stack: read before this is asked: what is settled meanwhile counts twice then, and not never.
        """
        limit = self._limits.get(party)
        chips = None if limit is None else limit.of(self._now())
        if chips is None:
            return None
        day = await self._ledger.days.of((server_id, party))
        return max(0, chips - day.lost(self._now(), gained) - (stack.held - returned))

    @asynccontextmanager
    async def one_at_a_time(self, parties: Iterable[int]) -> AsyncIterator[None]:
        """Keeps bets at other tables from finding the same chips left below the limit of one of these."""
        async with AsyncExitStack() as locks:
            for party in sorted(party for party in parties if party in self._limits):
                await locks.enter_async_context(self._one_at_a_time[party])
            yield

    async def set_limit(self, server_id: int, party: int, chips: int | None) -> Limit | None:
        """Limits what a member may lose a day; a higher limit, or None for none, waits for the next day.

        Returns:
            The limit from now on; None for none.
        """
        name = limit_name(party)
        async with self._one_at_a_time[party]:
            for _ in range(TRIES):
                before, now = await self._ledger.plan(name), self._now()
                held = None if before is None else _limit_in(before).of(now)
                limit = None if chips is None else Limit(chips)
                if held is not None and (chips is None or chips > held):
                    limit = Limit(held, chips, self.tomorrow)
                after = None if limit is None else _plan_of(limit, name, server_id, party)
                if before == after or await change_plan(self._ledger, before, after):
                    self._limits_set += 1
                    self._limits.pop(party, None)
                    if limit is not None:
                        self._limits[party] = limit
                    return limit
        raise LedgerError(f"the limit of {party} changed at each of {TRIES} tries")

    async def put_in_place(self, plan: Plan) -> None:
        """Stores the limit that took the place of another; it holds already."""
        then = _limit_in(plan).then
        after = None if then is None else _plan_of(Limit(then), plan.name, plan.server_id, plan.party)
        await change_plan(self._ledger, plan, after)

    def forget(self, party: int) -> None:
        """Drops an erased member."""
        self._breaks.pop(party, None)
        self._limits_set += 1
        self._limits.pop(party, None)


def _plan_of(limit: Limit, name: str, server_id: int, party: int) -> Plan:
    what = json.dumps({"chips": limit.chips, "then": limit.then})
    return Plan(name, server_id, party, PlanKind.LIMIT, at=limit.at, what=what)
