"""What members with too few chips are told: what `/daily` gives next, and what else works."""

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
from bot.words.translation import sentences, translate

PARTIES_KEPT: Final = 10_000
KEPT_SECONDS: Final = 60.0
"""How long it is known what `/daily` gives next: another process, or another setting, may change it."""


class NextChips:
    """What `/daily` gives next, read once until the member's chips move.

    A panel, which says it to a member with too few chips, is rendered at every change of its table.
    """

    def __init__(self, croupier: Croupier, names: Names) -> None:
        self._croupier = croupier
        self._names = names
        self._handouts = Handouts(croupier)
        self._known: TTLCache[int, Due] = TTLCache(PARTIES_KEPT, KEPT_SECONDS)
        croupier.listeners.add(lambda change: None, self._on_chips)

    async def refused(self, refused: Refused, table: TableState, party: int) -> RefusedError:
        """The error for a table's refusal; a member with too few chips is told what works for them."""
        refused = await self._croupier.explained(refused, table, party)
        is_too_poor = refused.code is Refusal.PLAYER_TOO_POOR
        ways = await self.ways(table.server_id, party, has_table=True) if is_too_poor else []
        return RefusedError(self._names.in_refusal(refused), sentences(ways), for_points=table.for_points)

    async def ways(self, server_id: int, party: int, *, has_table: bool) -> list[str]:
        """What works for a member with too few chips, in a sentence each: `/daily`, gifts, and points.

        Args:
            has_table: whether the channel has a table, so that one for points opens elsewhere.
        """
        gifts = self._croupier.house_of(server_id).server.gifts_per_day
        return [
            await self._daily(server_id, party),
            translate("help.ask_for_gift") if gifts else "",
            translate("help.points_elsewhere" if has_table else "help.points_here"),
        ]

    async def _daily(self, server_id: int, party: int) -> str:
        """What `/daily` gives a member next; empty if nothing, or if it is not known now."""
        coming = self._known.get(party)
        if coming is None:
            try:
                coming = self._known[party] = await self._handouts.coming(server_id, party)
            except LedgerUnavailable:
                return ""
        daily, relief = _when(coming)
        handouts = (daily, coming.daily_chips), (relief, coming.relief_chips)
        return next_chips_words(self._croupier.now(), *handouts)

    def are_there(self, party: int) -> bool:
        """Whether a member who was told what works for them can take chips now."""
        coming, now = self._known.get(party), self._croupier.now()
        return coming is not None and any(at is not None and at <= now for at in _when(coming))

    def _on_chips(self, moved: ChipsMoved) -> None:
        for party in moved.more:
            self._known.pop(party, None)


def _when(coming: Due) -> tuple[float | None, float | None]:
    """From when on a member can take daily chips, and relief; None if not."""
    return coming.daily_at, coming.relief_at if coming.is_broke else None
