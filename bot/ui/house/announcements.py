"""Tells the channels with open tables, in a quiet line, that their house rules have changed."""

import logging
from collections.abc import Sequence

from bot.croupier.houses import Altered
from bot.table.state import TableState
from bot.ui.house.changes import announcement
from bot.ui.press.errors import SENDING_FAILED, log_failure, nonce
from bot.ui.services import Services
from bot.words.translation import speaking_to

log = logging.getLogger(__name__)


class Announcements:
    """Announces changes of house rules."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def announce(self, server_id: int, draft_id: int, party: int, things: Sequence[Altered]) -> None:
        """Tells every table soon what changed for it; told twice, each channel reads it once.

        Args:
            party: who made the change.
        """
        for table in self._services.croupier.tables.of_server(server_id):
            if concerned := [thing for thing in things if thing.game in (None, table.rules.game)]:
                told = self._tell(table, draft_id, party, concerned)
                self._services.tasks.start(told, "announcement")

    async def _tell(self, table: TableState, draft_id: int, party: int, things: Sequence[Altered]) -> None:
        services = self._services
        await services.stand_back()
        # Everybody in the channel sees it.
        with speaking_to(services.readers.of_server(table.server_id)):
            text = announcement(things, services.names.mention(party), table.round_number + 1)
        channel = services.client.get_partial_messageable(table.channel_id, guild_id=table.server_id)
        try:
            await channel.send(text, silent=True, nonce=nonce("rules", draft_id, table.table_id))
        except SENDING_FAILED as failed:
            log_failure(log, failed, "table %s could not be told of its new rules", table.table_id)
