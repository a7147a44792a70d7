"""The connection to Discord: signs in, stays connected, and says when the bot is ready."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.config import SettingError, Settings
from bot.wire.events import guard_parsers
from bot.wire.heartbeats import watch_heartbeats

log = logging.getLogger(__name__)

API_EXAMPLE: Final = "https://discord.com/api/v10"
GUILD_READY_SECONDS: Final = 2.0
LONGEST_REASON: Final = 200
"""The most characters of an error of Discord's that a line repeats."""


class DiscordUnreachableError(Exception):
    """Discord could not be used; its text says why."""


class DiscordClient(commands.AutoShardedBot):
    """A discord.py client with the intents and the addresses that this bot needs.

    Args:
        settings: the token, and the addresses of Discord.
        tree: makes what runs slash commands.
        http_trace: hears of its requests; None if nothing does.
        guild_ready_seconds: how long discord.py waits for more servers before it is ready.
    """

    def __init__(
        self,
        settings: Settings,
        tree: Callable[[discord.Client], app_commands.CommandTree[Any]] = app_commands.CommandTree,
        *,
        http_trace: aiohttp.TraceConfig | None = None,
        guild_ready_seconds: float = GUILD_READY_SECONDS,
    ) -> None:
        # The bot never uses voice: missing voice libraries are nothing to warn of.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=tree,  # type: ignore[arg-type]  # discord.py calls it with the client alone
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            http_trace=http_trace or aiohttp.TraceConfig(),
            guild_ready_timeout=guild_ready_seconds,
        )
        self.settings = settings
        self._ready_for_use = asyncio.Event()
        if settings.api_url:
            Route.BASE = settings.api_url
        if settings.gateway_url:
            DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.gateway_url)
        guard_parsers(self)
        watch_heartbeats()

    async def on_message(self, message: discord.Message, /) -> None:
        """Reads no commands out of messages: there are only slash commands."""

    async def on_ready(self) -> None:
        """Marks the client as ready."""
        assert self.user is not None
        self._ready_for_use.set()
        log.info("ready as %s in %d servers", self.user, len(self.guilds))

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[asyncio.Task[None]]:
        """Connects, and stays connected while the block runs.

        Yields:
            The task of the connection. It ends with one of the errors below if the connection is lost.

        Raises:
            SettingError: if Discord refuses the token.
            DiscordUnreachableError: if Discord cannot be used for another reason.
        """
        connection = asyncio.create_task(self._stay_connected())
        ready = asyncio.create_task(self._ready_for_use.wait())
        try:
            await asyncio.wait({connection, ready}, return_when=asyncio.FIRST_COMPLETED)
            if connection.done():
                await connection
            yield connection
        finally:
            ready.cancel()
            await self.close()
            # discord.py keeps trying to reach a gateway, even after it was closed.
            connection.cancel()
            with suppress(asyncio.CancelledError, SettingError, DiscordUnreachableError):
                await connection

    async def _stay_connected(self) -> None:
        try:
            async with self:
                await self._sign_in()
                await self.connect()
        except discord.LoginFailure:
            raise SettingError("DISCORD_TOKEN is refused by Discord: make a new one in its portal") from None
        except (discord.DiscordException, aiohttp.ClientError, OSError) as failed:
            raise DiscordUnreachableError(f"Discord cannot be used: {_reason(failed)}") from failed
        if not self._ready_for_use.is_set():
            raise DiscordUnreachableError("the connection to Discord ended before the bot was ready")

    async def _sign_in(self) -> None:
        """Signs in and runs `setup_hook`.

        Raises:
            SettingError: if the answer does not come from Discord, and the address of its API was set.
            DiscordUnreachableError: if it does not, and the address is Discord's own: this may pass.
        """
        try:
            await self.login(self.settings.token)
        except (discord.NotFound, TypeError, KeyError, ValueError) as unexpected:
            if self.application is not None:
                # Discord answered properly: what failed is our own setup.
                raise
            if self.settings.api_url:
                raise SettingError(
                    "DISCORD_API_URL is not the address of Discord's API: it needs the path too, such as "
                    f"{API_EXAMPLE}"
                ) from unexpected
            raise DiscordUnreachableError(
                "the answer to the login is not Discord's: check your network and any proxy"
            ) from unexpected


def _reason(failed: Exception) -> str:
    """One line about why a request failed; a page of HTML is reduced to its status."""
    if isinstance(failed, discord.HTTPException) and failed.text.lstrip().startswith("<"):
        return f"it answers with status {failed.status} and a web page"
    return " ".join(str(failed).split())[:LONGEST_REASON]
