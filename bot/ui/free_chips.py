"""What `/daily` can do for a member who has too few chips."""

from bot.croupier import Croupier, FreeChipsDesk
from bot.ledger.errors import LedgerError
from bot.words import free_chips_words


async def where_chips_come_from(croupier: Croupier, server_id: int, party: int) -> str:
    """When `/daily` gives a member chips, in a sentence; empty if never, or if that cannot be read now."""
    try:
        at = await FreeChipsDesk(croupier).next_at(server_id, party)
    except LedgerError:
        return ""
    return free_chips_words(croupier.now(), at)
