"""The discord.py bot: it connects, loads the cogs, and knows the croupier."""

import asyncio
import importlib.util
import logging
import pkgutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

import aiohttp
import discord
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.config import SettingError, Settings
from bot.croupier import Croupier, Houses

log = logging.getLogger(__name__)

Shared = TypeVar("Shared")

COGS: Final = "cogs"
"""The package whose modules are loaded; those whose names begin with an underscore are passed over."""
GUILD_READY_SECONDS: Final = 2.0


class DiscordUnreachableError(Exception):
    """Discord could not be used; its text says why."""


def cog_names() -> Iterator[str]:
    """The names of the modules that are loaded, in their order."""
    spec = importlib.util.find_spec(COGS)
    assert spec is not None
    for module in pkgutil.iter_modules(spec.submodule_search_locations):
        if not module.name.startswith("_"):
            yield f"{COGS}.{module.name}"


class GnauBot(commands.AutoShardedBot):
    """The bot on Discord.

    Args:
        settings: how to reach Discord.
        croupier: who hosts the tables; started before the bot is.
        houses: who keeps the rules of every server.
        guild_ready_seconds: how long discord.py waits for more servers before it is ready.
    """

    def __init__(
        self,
        settings: Settings,
        croupier: Croupier,
        houses: Houses,
        *,
        guild_ready_seconds: float = GUILD_READY_SECONDS,
    ) -> None:
        # The bot never speaks: that the libraries for voice are missing is nothing to warn of.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=guild_ready_seconds,
        )
        self.settings = settings
        self.croupier = croupier
        self.houses = houses
        self._shared: dict[type, Any] = {}
        self._ready_for_use = asyncio.Event()
        if settings.api_url:
            Route.BASE = settings.api_url
        if settings.gateway_url:
            DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.gateway_url)

    def shared(self, kind: type[Shared], make: Callable[[], Shared]) -> Shared:
        """What the cogs share: made when the first asks for it, the same for all.

        Args:
            kind: its class; one of each.
            make: makes it.
        """
        if kind not in self._shared:
            self._shared[kind] = make()
        made: Shared = self._shared[kind]
        return made

    async def setup_hook(self) -> None:
        """Loads the cogs, tells Discord the commands, and lets the tables go on, before the gateway opens."""
        for name in cog_names():
            await self.load_extension(name)
        if self.settings.sync_guild is not None:
            server = discord.Object(self.settings.sync_guild)
            self.tree.copy_global_to(guild=server)
            await self.tree.sync(guild=server)
        else:
            await self.tree.sync()
        if self.settings.gateway_url and self.shard_count is None:
            # discord.py connects to the gateway that Discord names, unless it knows how many shards to start.
            self.shard_count, *_ = await self.http.get_bot_gateway()
        await self.croupier.go_on()

    async def on_message(self, message: discord.Message, /) -> None:
        """Reads no commands out of messages: there are none but slash commands."""

    async def on_ready(self) -> None:
        """Says that the bot is there."""
        assert self.user is not None
        self._ready_for_use.set()
        log.info("ready as %s in %d servers", self.user, len(self.guilds))

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[asyncio.Task[None]]:
        """Connects, and stays connected as long as the block lasts.

        Yields:
            What ends when the connection does, with one of the errors below where it failed.

        Raises:
            SettingError: where Discord refuses the token.
            DiscordUnreachableError: where it cannot be used for another reason.
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
            # discord.py tries for ever to reach a gateway, also when it was closed meanwhile.
            connection.cancel()
            with suppress(asyncio.CancelledError, SettingError, DiscordUnreachableError):
                await connection

    async def _stay_connected(self) -> None:
        try:
            await self.start(self.settings.token)
        except discord.LoginFailure:
            raise SettingError("DISCORD_TOKEN is refused by Discord: make a new one in its portal") from None
        except (discord.DiscordException, aiohttp.ClientError, OSError) as failed:
            why = " ".join(str(failed).split())
            raise DiscordUnreachableError(f"Discord cannot be used: {why}") from failed
        if not self._ready_for_use.is_set():
            raise DiscordUnreachableError("the connection to Discord ended before the bot was ready")
