"""What members have to play with in a server: their chips, and how many of them they may lose."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from bot.croupier.barred import Barred
from bot.games.house import House
from bot.games.settle import largest_multiple
from bot.ledger.ledger import Ledger
from bot.ledger.records import Purse, Stack
from bot.table.dealing import round_result
from bot.table.refusals import OF_CHIPS, Refusal, Refused, refuse
from bot.table.state import NOBODY, THE_HOUSE, TableState

HOUSE_CHIPS: Final = 10_000
"""The bankroll of a house until its admin sets another (B07)."""


class Wallets:
    """The wallets of members, opened when they first play.

    Args:
        now: the time, in seconds since the epoch, UTC.
    """

    def __init__(
        self, ledger: Ledger, house_of: Callable[[int], House], now: Callable[[], float], barred: Barred
    ) -> None:
        self._ledger = ledger
        self._house_of = house_of
        self._now = now
        self._barred = barred

    async def open(self, server_id: int, party: int) -> None:
        """Opens a member's wallet with the server's opening chips, or the house's, unless it is open."""
        if (await self._ledger.stacks.of((server_id, party))).no_opening_before > self._now():
            return
        chips = HOUSE_CHIPS if party == THE_HOUSE else self._house_of(server_id).rules().opening_chips
        await self._ledger.ensure_wallet(server_id, party, chips, self._now())

    async def opening_due(self, server_id: int, user_id: int) -> int:
        """The opening chips that a user would get if their wallet was opened now; stores nothing."""
        identity = await self._ledger.identity_of(server_id, user_id)
        party, now = NOBODY if identity is None else identity.party, self._now()
        if (await self._ledger.stacks.of((server_id, party))).no_opening_before > now:
            return 0
        if await self._ledger.no_opening_of(server_id, user_id) > now:
            return 0
        return self._house_of(server_id).rules().opening_chips

    async def purse(self, server_id: int, party: int) -> Purse:
        """A member's chips in a server; opens their wallet first."""
        await self.open(server_id, party)
        return await self._ledger.purse(server_id, party)

    async def stack(self, server_id: int, party: int) -> Stack:
        """What a member has to play with in a server; opens their wallet first."""
        await self.open(server_id, party)
        return await self._ledger.stacks.of((server_id, party))

    async def free_chips(self, table: TableState, party: int) -> dict[int, int]:
        """The chips that a member and the banker have free and may lose, by member.

        It opens the member's wallet first.
        """
        await self.open(table.server_id, party)
        bank = [] if table.bank is None else [table.bank.party]
        return await self.may_lose(table.server_id, [party, *bank])

    async def may_lose(
        self, server_id: int, parties: Iterable[int], settles: TableState | None = None
    ) -> dict[int, int]:
        """The free chips of several members that they may lose; those without a wallet are omitted.

        Args:
            settles: the table whose round is being settled: with what comes back to them, it is what they may
                lose then.
        """
        stacks = await self._ledger.stacks.of_all(server_id, parties)
        free = {party: stack.wallet for party, stack in stacks.items() if stack.wallet is not None}
        if limited := [party for party in free if self._barred.limit(party)]:
            gains, held = Counter[int](), {} if settles is None else settles.held
            for party, chips in () if settles is None else round_result(settles).gains:
                gains[party] += chips
            for party in limited:
                gained, returned = gains[party], held.get(party, 0)
                left = await self._barred.left(server_id, party, stacks[party], gained, returned)
                if left is not None:
                    free[party] = min(free[party], left - gained - returned)
        return free

    async def house_chips(self, server_id: int) -> int:
        """What the house has to bank with in a server, or will have once its wallet is opened (B07)."""
        return (await self.may_lose(server_id, [THE_HOUSE])).get(THE_HOUSE, HOUSE_CHIPS)

    async def limited(self, server_id: int, may_lose: Mapping[int, int]) -> frozenset[int]:
        """Who has more chips free than they may lose."""
        stacks = await self._ledger.stacks.of_all(server_id, filter(self._barred.limit, may_lose))
        return frozenset(party for party, stack in stacks.items() if stack.free > may_lose[party])

    async def explained(self, refused: Refused, table: TableState, party: int) -> Refused:
        """The refusal, or what a member's limit of loss leaves them if they have the chips for more."""
        if refused.code not in OF_CHIPS:
            return refused
        stack = await self._ledger.stacks.of((table.server_id, party))
        left = await self._barred.left(table.server_id, party, stack)
        if left is None or left >= stack.free:
            return refused
        until, multiple = int(self._barred.tomorrow), largest_multiple(table.rules)
        return refuse(Refusal.OWN_LIMIT, left=left, times=multiple, until=until)
