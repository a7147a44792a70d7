"""What `/daily` gives next to a member with too few chips."""

from typing import Final

from cachetools import TTLCache

from bot.croupier.croupier import Croupier
from bot.croupier.handouts import Due, Handouts
from bot.croupier.open_tables import ChipsMoved
from bot.ledger.errors import LedgerUnavailable
from bot.table.refusals import Refusal, Refused
from bot.table.state import TableState
from bot.ui.press.errors import RefusedError
from bot.ui.readers import Names
from bot.words.members import next_chips_words

PARTIES_KEPT: Final = 10_000
KEPT_SECONDS: Final = 60.0
"""How long it is known: another process, or another setting, may change it."""


class NextChips:
    """Reads it once until the member's chips move: their panel is rendered at every change of its table."""

    def __init__(self, croupier: Croupier, names: Names) -> None:
        self._croupier = croupier
        self._names = names
        self._handouts = Handouts(croupier)
        self._known: TTLCache[int, Due] = TTLCache(PARTIES_KEPT, KEPT_SECONDS)
        croupier.listeners.add(lambda change: None, self._on_chips)

    async def refused(self, refused: Refused, table: TableState, party: int) -> RefusedError:
        """The error for a table's refusal; a member with too few chips is told what `/daily` gives."""
        is_too_poor = refused.code is Refusal.PLAYER_TOO_POOR
        more = await self.words(table.server_id, party) if is_too_poor else ""
        return RefusedError(self._names.in_refusal(refused), more, for_points=table.for_points)

    async def words(self, server_id: int, party: int) -> str:
        """What `/daily` gives a member next; empty if nothing, or if it is not known now."""
        coming = self._known.get(party)
        if coming is None:
            try:
                coming = self._known[party] = await self._handouts.coming(server_id, party)
            except LedgerUnavailable:
                return ""
        daily = coming.daily_at, coming.daily_chips
        relief = coming.relief_at if coming.is_broke else None, coming.relief_chips
        return next_chips_words(self._croupier.now(), daily, relief)

    def _on_chips(self, moved: ChipsMoved) -> None:
        for party in moved.more:
            self._known.pop(party, None)
