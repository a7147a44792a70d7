"""Tells the admins of a server that its house is out of chips (B07): in the log, and in their log channel."""

import logging
from typing import Final

import discord

from bot.croupier import Croupier, TableChanged, bankroll
from bot.games.register import DEFAULT_GAME
from bot.ledger.errors import LedgerError
from bot.table.events import BankGivenUp
from bot.table.seats import THE_HOUSE, LeaveReason
from bot.ui.background_tasks import BackgroundTasks
from bot.ui.discord_errors import SENDING_FAILED, nonce
from bot.ui.readers import Readers
from bot.words import speaking_to, translate, typed_command

log = logging.getLogger(__name__)

SILENT_SECONDS: Final = 3600.0
"""How long the admins of a server are not told again."""


class HouseAlarm:
    """Tells admins.

    Args:
        client: the connection to Discord.
        croupier: hosts the tables.
        readers: know the language of each server.
    """

    def __init__(self, client: discord.Client, croupier: Croupier, readers: Readers) -> None:
        self._client = client
        self._readers = readers
        self._croupier = croupier
        self._tasks = BackgroundTasks()
        self._told: dict[int, float] = {}

    def open(self) -> None:
        """Listens to the croupier."""
        self._croupier.listen(self._on_change)

    async def close(self) -> None:
        """Cancels messages that wait."""
        await self._tasks.close()

    def out_of_chips(self, server_id: int) -> None:
        """Tells the admins soon that the house cannot cover the lowest bet, unless they know."""
        now = self._croupier.now()
        if now - self._told.get(server_id, -SILENT_SECONDS) >= SILENT_SECONDS:
            self._told[server_id] = now
            self._tasks.start(self._tell(server_id), "house-alarm")

    def refilled(self, server_id: int) -> None:
        """Lets the admins be told again, because they have set the bankroll."""
        self._told.pop(server_id, None)

    def _on_change(self, change: TableChanged) -> None:
        if BankGivenUp(THE_HOUSE, LeaveReason.CANNOT_COVER) in change.events:
            self.out_of_chips(change.after.server_id)

    async def _tell(self, server_id: int) -> None:
        log.warning("the house of server %s cannot cover the lowest bet", server_id)
        channels = self._croupier.house_of(server_id).rules(DEFAULT_GAME).log_channel
        if not channels:
            return
        # Everybody in the channel sees it.
        with speaking_to(self._readers.of_server(server_id)):
            try:
                has = await bankroll(self._croupier, server_id)
                text = translate(
                    "bankroll.out", free=has.free, held=has.held, command=typed_command("house.bankroll")
                )
                same = nonce("house-alarm", server_id, int(self._told[server_id]))
                channel = self._client.get_partial_messageable(channels[0], guild_id=server_id)
                await channel.send(text, nonce=same)
            except (*SENDING_FAILED, LedgerError) as failed:
                log.warning("the admins of server %s could not be told about it: %s", server_id, failed)
