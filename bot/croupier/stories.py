"""The stories of tables, in memory: read from the books when the bot starts, and kept up with each round."""

from typing import Final

from cachetools import LRUCache

from bot.croupier.open_tables import TableChanged
from bot.ledger.ledger import Ledger
from bot.table.bank import can_bank
from bot.table.events import RoundSettled, parse_event
from bot.table.state import THE_HOUSE, Departure, LeaveReason, Phase, RoundResult, TableState
from bot.table.story import Story

STORIES_KEPT: Final = 20_000
"""How many stories are kept, those of closed tables included: their boards show them once more."""
ROUNDS_READ: Final = 300
"""How many of the last rounds are read of a table that was open when the bot started."""


class Stories:
    """What each table tells of its rounds; nothing of one that is not known."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._stories: LRUCache[int, Story] = LRUCache(STORIES_KEPT)

    def of(self, table_id: int) -> Story:
        """The story of a table."""
        return self._stories.get(table_id) or Story()

    def follow(self, change: TableChanged) -> None:
        """Adds the round that a change has settled, if any."""
        before, after = change.before, change.after
        if before is None:
            self._stories[after.table_id] = Story()
            return
        story = self._stories.get(after.table_id)
        for event in change.events:
            if story is None or not isinstance(event, RoundSettled):
                continue
            # A listener may be called twice.
            if event.result.round_number > story.round_number:
                departures = [gone for gone in after.departures if gone not in before.departures]
                if after.phase is Phase.CLOSED and self._is_bust(before, event.result):
                    # Nobody leaves a table that closes, but the bank is broken all the same.
                    departures.append(
                        Departure(event.result.banker, LeaveReason.CANNOT_COVER, was_banker=True)
                    )
                had = self._had(before, event.result)
                self._stories[after.table_id] = story.after(event.result, departures, had)

    async def load(self, table_id: int) -> None:
        """Reads the story of a table that was open when the bot started; call it under the table's lock."""
        story = Story()
        for row in await self._ledger.settled_rounds(table_id, ROUNDS_READ):
            event = parse_event(row.body)
            assert isinstance(event, RoundSettled)
            story = story.after(event.result)
        self._stories[table_id] = story

    def _is_bust(self, before: TableState, result: RoundResult) -> bool:
        """Whether a banker lost so much that what they have now doesn't cover the lowest bet."""
        stack = self._ledger.stacks.values.get((before.server_id, result.banker))
        if before.for_points or before.bank is None or result.bank_chips >= 0:
            return False
        if stack is None or stack.wallet is None:
            return False
        return not can_bank(before.rules, before.bank.lowest, stack.wallet)

    def _had(self, before: TableState, result: RoundResult) -> dict[int, int]:
        """The chips that members with a hand had when the round began; by what they have now."""
        had = {}
        if not before.for_points:
            brought = {player.party: player.chips for player in result.players}
            for party, chips in {**brought, result.banker: result.bank_chips}.items():
                stack = self._ledger.stacks.values.get((before.server_id, party))
                if party != THE_HOUSE and stack is not None and stack.wallet is not None:
                    had[party] = stack.wallet - chips
        return had
