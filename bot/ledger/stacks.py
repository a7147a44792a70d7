"""What members have, in memory, so that a press reads no disk."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from bot.ledger.memory import Memory
from bot.ledger.records import Stack
from bot.table.accounts import Account, AccountKind

Place = tuple[int, int]
"""The server's id, and the party."""
Committed = tuple[int, Account, int]
"""The server's id, an account and its new balance."""


class Stacks(Memory[Place, Stack]):
    """The stacks of members as they are on disk."""

    async def of_all(self, server_id: int, parties: Iterable[int]) -> dict[int, Stack]:
        """The stacks of several members of a server, by party.

        Raises:
            LedgerUnavailable: one is not in memory, and the storage cannot be read.
        """
        stacks = await self.load((server_id, party) for party in parties)
        return {party: stack for (_, party), stack in stacks.items()}

    def committed(self, balances: Iterable[Committed]) -> None:
        """Takes the balances that were just committed."""
        for server_id, account, balance in balances:
            if account.party is not None:
                self.change((server_id, account.party), partial(_with, account, balance))

    def no_opening(self, place: Place, before: float) -> None:
        """Notes that a member gets no opening chips before that time, in seconds since the epoch, UTC."""
        self.change(place, lambda stack: replace(stack, no_opening_before=before))


def _with(account: Account, balance: int, stack: Stack) -> Stack:
    """The stack with another balance of one of its accounts."""
    match account.kind:
        case AccountKind.WALLET:
            return replace(stack, wallet=balance)
        case AccountKind.SCORE:
            return replace(stack, score=balance)
        case _:
            assert account.table_id is not None
            holds = {table: chips for table, chips in stack.holds.items() if table != account.table_id}
            return replace(stack, holds=holds | {account.table_id: balance} if balance else holds)
