"""The bankroll of the house (B07): chips from the mint, for it and for computer players."""

import logging
from dataclasses import dataclass
from typing import Final

from bot.croupier.croupier import TRIES, Croupier
from bot.ledger.changes import Change
from bot.ledger.errors import AlreadyDone, InsufficientChips, LedgerError
from bot.ledger.not_after import NotAfter
from bot.table.accounts import MINT, Move, Reason, wallet
from bot.table.seats import COMPUTERS, THE_HOUSE

log = logging.getLogger(__name__)

_CHIPS: Final = wallet(THE_HOUSE)


@dataclass(frozen=True, slots=True)
class Bankroll:
    """The chips of a house.

    Attributes:
        free: free to bank or to bet with.
        held: held at tables, for the house as banker and for computer players.
    """

    free: int
    held: int

    @property
    def total(self) -> int:
        """All chips of the house."""
        return self.free + self.held


async def bankroll(croupier: Croupier, server_id: int) -> Bankroll:
    """What the house of a server has; opens its bankroll first."""
    await croupier.open_wallet(server_id, THE_HOUSE)
    stacks = await croupier.ledger.stacks.of_all(server_id, (THE_HOUSE, *COMPUTERS))
    return Bankroll(stacks[THE_HOUSE].free, sum(stack.held for stack in stacks.values()))


async def set_bankroll(
    croupier: Croupier, server_id: int, chips: int, key: str, not_after: NotAfter | None = None
) -> Bankroll:
    """Brings the house of a server to this many chips, once; held ones count, and stay held.

    Args:
        croupier: opens wallets; its ledger moves the chips.
        server_id: whose house.
        chips: how many it has afterwards; if more are held, those are all that it has.
        key: identifies the request, such as a Discord interaction's id.
        not_after: until when it may be done; None if at any time.

    Returns:
        What the house has afterwards.

    Raises:
        TooLate: it was not to be done any more.
        LedgerError: it may not have been written; it is safe to ask again with the same key.
    """
    for _ in range(TRIES):
        has = await bankroll(croupier, server_id)
        more = max(chips - has.held, 0) - has.free
        if not more:
            return has
        source, target = (MINT, _CHIPS) if more > 0 else (_CHIPS, MINT)
        move = Move(source, target, abs(more), Reason.BANKROLL)
        change = Change(f"bankroll:{key}", server_id, croupier.now(), (move,), not_after=not_after)
        try:
            await croupier.ledger.commit(change)
        except InsufficientChips as short:
            log.info("setting the bankroll again: %s", short)
            continue
        except AlreadyDone:
            log.info("the bankroll of server %s was set by %s before", server_id, key)
        return await bankroll(croupier, server_id)
    raise LedgerError(f"the bankroll of server {server_id} changed at each of {TRIES} tries to set it")
