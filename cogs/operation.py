"""Carries out what the owner of the bot decided: leaves blocked servers, posts the announcement.

Servers get the announcement one after another, with a pause, and only while no press waits. Each is noted
before: after a failure or a restart, a server rather gets no message than a second one.
"""

import asyncio
import logging
from typing import Final

import discord

from bot.croupier.operation import Announcement
from bot.ledger.errors import LedgerError
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import small_print, text
from bot.ui.press.errors import SENDING_FAILED, log_failure, nonce
from bot.wire.requests import Content, post
from bot.words.translation import speaking_to, translate
from cogs.welcome import writable_channel

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 5.0
"""How often it is read what is decided."""
PAUSE_SECONDS: Final = 0.5
"""The pause after a message of a bot of one process; one of several waits longer."""


class OperationCog(BotCog, name="Operation"):
    """Looks again and again at what is decided."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._operation = bot.croupier.operation

    async def cog_load(self) -> None:
        """Starts to look."""
        self.bot.tasks.repeat(self.look, LOOK_SECONDS, "operation")

    async def look(self) -> None:
        """Reads what is decided, leaves blocked servers, and posts for a while."""
        await self.bot.wait_until_ready()
        try:
            await self._operation.load()
            for server in map(self.bot.get_guild, self._operation.blocked):
                if server is not None:
                    await _leave(server)
            await self._announce()
        except LedgerError as failed:
            log_failure(log, failed, "what the owner decided could not be carried out yet")

    async def _announce(self) -> None:
        loop, operation = asyncio.get_running_loop(), self._operation
        until = loop.time() + LOOK_SECONDS
        if self._lacking():
            # Another process of the same servers may have posted there.
            await operation.load_announced()
        for server in self._lacking():
            news = operation.announcement
            if news is None or loop.time() > until:
                return
            await self.bot.stand_back()
            channels = await self._channels(server)
            await operation.note_announced(server.id, news)
            await self._post(server, channels, news)
            await asyncio.sleep(PAUSE_SECONDS / self.bot.settings.share)

    def _lacking(self) -> list[discord.Guild]:
        """The servers that are still to get the announcement."""
        news, announced = self._operation.announcement, self._operation.announced
        if news is None:
            return []
        return [one for one in self.bot.guilds if one.id not in announced and _is_to_get(one, news)]

    async def _channels(self, server: discord.Guild) -> list[int]:
        """The channel where people played last, and the one of the welcome."""
        ledger = self.bot.croupier.ledger
        last = await ledger.table_numbered(server.id, await ledger.next_table_number(server.id) - 1)
        other = writable_channel(server)
        return [one.channel_id for one in [last] if one] + [one.id for one in [other] if one]

    async def _post(self, server: discord.Guild, channels: list[int], news: Announcement) -> None:
        with speaking_to(self.bot.readers.of_server(server.id)):
            content = Content([text(news.text), small_print([translate("announcement.from")])])
        for channel_id in channels:
            try:
                await post(self.bot, channel_id, content, nonce("announcement", news.code, server.id))
            except (discord.Forbidden, discord.NotFound):
                continue
            except SENDING_FAILED as failed:
                log_failure(log, failed, "server %s may not have got the announcement", server.id)
            return
        log.info("server %s has no channel for the announcement", server.id)


async def _leave(server: discord.Guild) -> None:
    log.info("server %s is blocked: the bot leaves it", server.id)
    try:
        await server.leave()
    except SENDING_FAILED as failed:
        log_failure(log, failed, "server %s could not be left", server.id)


def _is_to_get(server: discord.Guild, news: Announcement) -> bool:
    """Whether the bot was in a server when the announcement was made; False if Discord does not say."""
    joined_at = None if server.me is None else server.me.joined_at
    return joined_at is not None and joined_at.timestamp() < news.at
