"""What a server is told about its house unasked.

The admins read in their log channel what only they can mend: a house out of chips (B07), or tables that are
allowed only in channels that are deleted. Channels with open tables read that their house rules have changed.
"""

import logging
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bot.clock import steady_time
from bot.croupier.handouts import bankroll
from bot.croupier.houses import Altered
from bot.croupier.open_tables import TableChanged
from bot.games.register import DEFAULT_GAME
from bot.ledger.errors import LedgerError
from bot.rules.knobs import Play
from bot.table.events import BankGivenUp
from bot.table.state import THE_HOUSE, LeaveReason, TableState
from bot.ui.components import text_view
from bot.ui.house.changes import announcement
from bot.ui.odds import bank_edge
from bot.ui.press.errors import SENDING_FAILED, log_failure, nonce
from bot.ui.services import Services
from bot.wire.requests import Content, post
from bot.words.translation import speaking_to, translate, typed_command

log = logging.getLogger(__name__)

SILENT_SECONDS: Final = 3600.0
"""How long the admins of a server are not told the same again."""
OUT_OF_CHIPS: Final = "bankroll.out"
CHANNELS_GONE: Final = "table.channels_gone"
_MENDED_BY: Final = {OUT_OF_CHIPS: "house.bankroll", CHANNELS_GONE: "house.set"}
"""The command that mends each."""


class HouseNotices:
    """Warns admins, at most hourly, and announces changes of house rules."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._told: dict[tuple[int, str], float] = {}
        services.croupier.listeners.add(self._on_bank_given_up, of=(BankGivenUp,))

    def out_of_chips(self, server_id: int) -> None:
        """Tells the admins soon that the house cannot cover the lowest bet, unless they know."""
        if self._tell_soon(server_id, OUT_OF_CHIPS):
            log.warning("the house of server %s cannot cover the lowest bet", server_id)

    def channels_gone(self, server_id: int) -> None:
        """Tells the admins soon that no table can be opened anywhere, unless they know."""
        if self._tell_soon(server_id, CHANNELS_GONE):
            log.warning("server %s allows tables only in channels that are deleted", server_id)

    def refilled(self, server_id: int) -> None:
        """Lets the admins be told again, because they have set the bankroll."""
        self._told.pop((server_id, OUT_OF_CHIPS), None)

    def _on_bank_given_up(self, change: TableChanged) -> None:
        if BankGivenUp(THE_HOUSE, LeaveReason.CANNOT_COVER) in change.events:
            self.out_of_chips(change.after.server_id)

    def _tell_soon(self, server_id: int, what: str) -> bool:
        """Tells the admins something soon; returns False if they were told it lately."""
        now = steady_time()
        if now - self._told.get((server_id, what), -SILENT_SECONDS) < SILENT_SECONDS:
            return False
        self._told[server_id, what] = now
        self._services.tasks.start(self._tell(server_id, what), "house-alarm")
        return True

    async def _tell(self, server_id: int, what: str) -> None:
        channels = self._services.croupier.house_of(server_id).rules(DEFAULT_GAME).log_channel
        if not channels:
            return
        await self._services.stand_back()
        # Everybody in the channel sees it.
        with speaking_to(self._services.readers.of_server(server_id)):
            try:
                has = await bankroll(self._services.croupier, server_id)
                command = typed_command(_MENDED_BY[what])
                text = translate(what, free=has.free, held=has.held, command=command)
                same = nonce("house-alarm", server_id, what, int(self._told[server_id, what]))
                await post(self._services.client, channels[0], Content(text_view(text)), same)
            except (*SENDING_FAILED, LedgerError) as failed:
                log_failure(log, failed, "the admins of server %s could not be told about it", server_id)

    def announce(self, server_id: int, draft_id: int, party: int, things: Sequence[Altered]) -> None:
        """Tells every table soon what changed for it; told twice, each channel reads it once.

        Args:
            party: who made the change.
        """
        for table in self._services.croupier.tables.of_server(server_id):
            if concerned := [thing for thing in things if thing.game in (None, table.rules.game)]:
                told = self._announce(table, draft_id, party, concerned)
                self._services.tasks.start(told, "announcement")

    async def _announce(
        self, table: TableState, draft_id: int, party: int, things: Sequence[Altered]
    ) -> None:
        services = self._services
        await services.stand_back()
        # Everybody in the channel sees it.
        edges = await self._edges(table) if any(thing.game is not None for thing in things) else None
        with speaking_to(services.readers.of_server(table.server_id)):
            text = announcement(things, services.names.mention(party), table.round_number + 1, edges)
        content, same = Content(text_view(text), silent=True), nonce("rules", draft_id, table.table_id)
        try:
            await post(services.client, table.channel_id, content, same)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "table %s could not be told of its new rules", table.table_id)

    async def _edges(self, table: TableState) -> tuple[Fraction, Fraction] | None:
        """The bank's edge now and from the next round on; None if it stays or is not known, or for points."""
        if table.rules.play is Play.POINTS:
            return None
        old = await bank_edge(table.rules)
        new = await bank_edge(self._services.croupier.rules_for(table))
        return None if old is None or new is None or old == new else (old, new)
