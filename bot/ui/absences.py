"""What the bot concludes about channels and servers that it does not see (B06).

What Discord says counts at once: a server has removed the bot, a channel is deleted. What is only missing
from memory is no proof: an archived thread is in no list, and a list can be incomplete. So Discord is asked
about each, one after another. If it says that the bot is not in a server, that is erased in 30 days. Tables
there wait for an hour and are asked about again; if many servers were missing at once, they wait for a day.
Before a server is erased, Discord is asked once more.
"""

import asyncio
import logging
from collections.abc import Collection, Coroutine, Iterable
from typing import Any, Final

import discord

from bot.clock import DAY_SECONDS, HOUR_SECONDS
from bot.croupier.croupier import Croupier
from bot.croupier.privacy import SERVER_SECONDS, Privacy
from bot.table.state import TableState
from bot.ui.press.errors import NOT_IN_SERVER, SENDING_FAILED, UNKNOWN_CHANNEL, is_code
from bot.wire.client import DiscordClient

log = logging.getLogger(__name__)

FEW: Final = 3
SHARE: Final = 0.1
"""More missing servers than a few, and than this share of all, are many: Discord's list may be wrong."""
PAUSE_SECONDS: Final = 1.0
"""The pause after each question to Discord."""


class Absences:
    """Finds out what is gone, closes the tables there, and erases servers in time."""

    def __init__(self, client: DiscordClient, croupier: Croupier, privacy: Privacy) -> None:
        self._client = client
        self._croupier = croupier
        self._privacy = privacy
        self._one_at_a_time = asyncio.Lock()

    async def look_for_channels(self, at: Iterable[TableState]) -> None:
        """Closes those of these tables whose channel is not in memory, and is deleted."""
        for table in at:
            server = self._client.get_guild(table.server_id)
            if server is None or server.unavailable or server.get_channel_or_thread(table.channel_id):
                continue
            if await self._in_turn(_is_deleted(self._client, table.channel_id)):
                await self.wind_up([table])

    async def look_for_servers(self) -> None:
        """Plans to erase the servers that the bot has left unnoticed, and closes their tables later."""
        now, leaving = self._croupier.now(), await self._croupier.ledger.server_erasures()
        for server_id in filter(self._client.get_guild, leaving):
            await self._privacy.server_joined(server_id)
        stored = {table.server_id for table in self._croupier.tables.all()}
        # The servers of other shards are not missing: another process has them.
        stored.update(filter(self._client.settings.hosts, await self._croupier.ledger.server_ids()))
        missing = [server_id for server_id in sorted(stored) if self._client.get_guild(server_id) is None]
        # A server that is missing for the first time is to be erased in 30 days, others a little sooner.
        later = now + SERVER_SECONDS
        lately = sum(leaving.get(server_id, later) > later - DAY_SECONDS for server_id in missing)
        if many := lately > max(FEW, SHARE * len(stored)):
            log.warning(
                "%s of %s servers are missing from Discord's list: their tables stay open for a day",
                lately,
                len(stored),
            )
        for server_id in missing:
            tables = self._croupier.tables.of_server(server_id)
            if server_id not in leaving:
                if await self._is_left(server_id):
                    log.warning("the bot is not in server %s any more: it is erased in 30 days", server_id)
                    await self._privacy.server_left(server_id)
            elif many or leaving[server_id] > later - HOUR_SECONDS:
                continue
            elif tables and await self._is_left(server_id):
                await self.wind_up(tables)

    async def erase_left_servers(self) -> None:
        """Erases the servers that the bot left 30 days ago, if it is still not in them."""
        for server_id in filter(self._client.settings.hosts, await self._privacy.servers_due()):
            # Discord's answer also tells whether our clock is right: what is erased too early is gone.
            if await self._is_left(server_id) and not self._client.is_clock_wrong:
                await self._privacy.erase_server(server_id)

    async def wind_up(self, gone: Iterable[TableState]) -> None:
        """Closes these tables, because their channels or servers are gone."""
        for table in gone:
            log.info("table %s is closed: its channel or server is gone", table.table_id)
            await self._croupier.wind_up([table])

    async def _is_left(self, server_id: int) -> bool:
        """Whether Discord says, when asked, that the bot is not in a server."""
        question = self._client.http.get_guild(server_id, with_counts=False)
        return await self._in_turn(_is_refused(question, *NOT_IN_SERVER))

    async def _in_turn(self, answer: Coroutine[Any, Any, bool]) -> bool:
        """The answer to a question that is asked after all others, with a pause."""
        async with self._one_at_a_time:
            answered = await answer
            await asyncio.sleep(PAUSE_SECONDS)
            return answered


async def channels_there(client: discord.Client, server_id: int, channels: Collection[int]) -> list[int]:
    """Those of these channels that are there: in memory, or if none is, not deleted, as Discord says."""
    server = client.get_guild(server_id)
    known = [one for one in channels if server is not None and server.get_channel_or_thread(one)]
    if known:
        return known
    deleted = await asyncio.gather(*(_is_deleted(client, one) for one in channels))
    return [one for one, gone in zip(channels, deleted, strict=True) if not gone]


async def _is_deleted(client: discord.Client, channel_id: int) -> bool:
    """Whether Discord says, when asked, that a channel is deleted."""
    return await _is_refused(client.http.get_channel(channel_id), UNKNOWN_CHANNEL)


async def _is_refused(question: Coroutine[Any, Any, object], *codes: int) -> bool:
    """Whether Discord answers a question with one of these codes; False also if it does not answer."""
    try:
        await question
    except SENDING_FAILED as failed:
        return is_code(failed, *codes)
    return False
