"""Leaves members without chips, as a bad evening does."""

from itertools import count

from bot.croupier.croupier import Croupier
from bot.ledger.changes import Change
from bot.table.accounts import HOUSE, Move, Reason, wallet

_numbers = count()


async def take_chips(croupier: Croupier, server_id: int, party: int, *, keep: int = 0) -> None:
    """Leaves a member no more than these chips: the house gets the others, as those of an erased member.

    A gift would leave a trace that counts, and who wins a round is a matter of chance.
    """
    chips = (await croupier.wallets.purse(server_id, party)).wallet - keep
    if chips > 0:
        move = Move(wallet(party), HOUSE, chips, Reason.ERASED)
        key = f"erased:a-bad-evening-{next(_numbers)}"
        await croupier.ledger.commit(Change(key, server_id, croupier.now(), (move,)))
