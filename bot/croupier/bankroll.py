"""The bankroll of the house: the chips with which it banks (B07), from the mint and back to it."""

import logging
from typing import Final

from bot.croupier.croupier import TRIES, Croupier
from bot.ledger.changes import Change
from bot.ledger.errors import AlreadyDone, InsufficientChips, LedgerError
from bot.ledger.not_after import NotAfter
from bot.ledger.records import Purse
from bot.table.accounts import MINT, Move, Reason, wallet
from bot.table.seats import THE_HOUSE

log = logging.getLogger(__name__)

_CHIPS: Final = wallet(THE_HOUSE)


async def bankroll(croupier: Croupier, server_id: int) -> Purse:
    """What the house of a server has; opens its bankroll first."""
    return await croupier.purse(server_id, THE_HOUSE)


async def set_bankroll(
    croupier: Croupier, server_id: int, chips: int, key: str, not_after: NotAfter | None = None
) -> Purse:
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
        more = max(chips - (has.total - has.wallet), 0) - has.wallet
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
