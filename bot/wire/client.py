"""The connection to Discord: signs in, stays connected, and says when the bot is ready."""

import asyncio
import logging
from asyncio import sleep
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from copy import copy
from itertools import count
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands
from discord.http import Route
from yarl import URL

from bot.config import DISCORDS_API, DISCORDS_GATEWAY, SettingError, Settings
from bot.wire.gateway import (
    ANSWER_SECONDS,
    UNANSWERED,
    ShardConnections,
    TakeTurn,
    at_once,
    pause_after,
    watch_heartbeats,
)
from bot.wire.intake import guard_parsers
from bot.wire.traffic import Budget, DiscordOutage, reason

log = logging.getLogger(__name__)

NOT_THE_API: Final = (
    "DISCORD_API_URL is not the address of Discord's API: it needs the path too, such as "
    "https://discord.com/api/v10"
)
WRONG_SECONDS: Final = 120.0
AUTHENTICATION_FAILED: Final = 4004
"""With this code, the gateway refuses the token."""
SHARDING_REQUIRED: Final = 4011
"""With this code, it refuses so few shards. A new process asks how many there are to be."""


class DiscordUnreachableError(Exception):
    """Discord cannot be used, and trying again does not help this process; its text says why."""


class DiscordClient(commands.AutoShardedBot):
    """A discord.py client with the intents and the addresses that this bot needs.

    Attributes:
        signed_in: set once messages can be sent, as the right application.
        connections: its connections to the gateway.
        outage: what of Discord fails now.
        budget: what lets its requests pass.
    """

    def __init__(
        self,
        settings: Settings,
        tree: Callable[[discord.Client], app_commands.CommandTree[Any]] = app_commands.CommandTree,
        *,
        outage: DiscordOutage | None = None,
        take_turn: TakeTurn = at_once,
    ) -> None:
        trace, outage = aiohttp.TraceConfig(), outage or DiscordOutage()
        # First, so that a request begins when it is sent.
        self.budget = Budget(settings.share)
        self.budget.watch(trace)
        outage.watch(trace)
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
            http_trace=trace,
            guild_ready_timeout=settings.guild_ready_seconds,
        )
        self.settings = settings
        self.signed_in = asyncio.Event()
        self._application_known = asyncio.Event()
        self._ready_for_use = asyncio.Event()
        self.outage = outage
        self.connections = ShardConnections(self, settings, outage, take_turn)
        if settings.api_url:
            Route.BASE = settings.api_url
        self._proxies = {
            "API": settings.proxy_to(settings.api_url or DISCORDS_API),
            "gateway": settings.proxy_to(settings.gateway_url or DISCORDS_GATEWAY),
        }
        use_proxies(self, *self._proxies.values())
        guard_parsers(self)
        watch_heartbeats()

    @property
    def is_clock_wrong(self) -> bool:
        """Whether the machine's clock was minutes off Discord's at the last response."""
        return abs(self.outage.clock_error) >= WRONG_SECONDS

    async def on_message(self, message: discord.Message, /) -> None:
        """Reads no commands out of messages: there are only slash commands."""

    async def prepare(self) -> None:
        """Does what needs no Discord, once, before the bot signs in; for subclasses."""

    async def accept_application(self) -> None:
        """Checks which application this is, before anything is sent; for subclasses."""

    async def on_connect(self) -> None:
        """Notes that the gateway has said which application this is."""
        self._application_known.set()

    async def on_ready(self) -> None:
        """Marks the client as ready."""
        assert self.user is not None
        self._ready_for_use.set()
        log.info("ready as %s in %d servers", self.user, len(self.guilds))

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connects to the gateway, and stays connected until it is cancelled."""
        await self.connections.stay_connected()

    async def close(self) -> None:
        """Ends the sessions at the gateway, and disconnects."""
        await self.connections.close()
        await super().close()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[asyncio.Task[None]]:
        """Connects, and stays connected while the block runs. While Discord is away, it waits.

        Yields:
            The task of the connection. It ends with one of the errors below if that is lost for good.

        Raises:
            SettingError: if Discord refuses the token, an intent or another setting.
            DiscordUnreachableError: if Discord wants more shards.
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
            # It may still wait for Discord.
            connection.cancel()
            with suppress(asyncio.CancelledError, SettingError, DiscordUnreachableError):
                await connection

    async def _stay_connected(self) -> None:
        for name, proxy in self._proxies.items():
            if proxy is not None:
                log.info("Discord's %s is reached through the proxy %s", name, urlsplit(proxy).hostname)
        try:
            async with self:
                await self.prepare()
                if await self._sign_in():
                    await self._begin()
                    await self.connect()
                else:
                    await asyncio.gather(self.connect(), self._begin_later())
        except discord.LoginFailure:
            raise refused_token() from None
        except discord.ConnectionClosed as closed:
            if closed.code == AUTHENTICATION_FAILED:
                raise refused_token() from None
            error = DiscordUnreachableError if closed.code == SHARDING_REQUIRED else SettingError
            raise error(f"Discord ends the connection: {reason(closed)}") from closed

    async def _begin(self) -> None:
        self.outage.warn_of_clock()
        await self.accept_application()
        self.signed_in.set()
        await self.setup_hook()

    async def _begin_later(self) -> None:
        await self._application_known.wait()
        await self._begin()

    async def _sign_in(self) -> bool:
        """Signs in, again until it works; returns whether it is known which application this is.

        Raises:
            discord.LoginFailure: Discord refuses the token.
            SettingError: if the answer does not come from Discord, and the address of its API was set.
        """
        for failures in count(1):
            try:
                known = await sign_in(self, self.settings.token)
            except UNANSWERED as failed:
                not_discords = isinstance(failed, discord.NotFound | TypeError | KeyError | ValueError)
                if not_discords and self.settings.api_url:
                    raise SettingError(NOT_THE_API) from failed
                self.outage.failed("login", reason(failed))
                await sleep(pause_after(failures))
            else:
                self.outage.works("login")
                return known
        raise AssertionError("counting never ends")


def refused_token() -> SettingError:
    """The error if Discord refuses the token."""
    return SettingError("DISCORD_TOKEN is refused by Discord: make a new one in its portal")


async def sign_in(client: discord.Client, token: str) -> bool:
    """Signs in; returns whether Discord said which application this is. If not, READY says it.

    Raises:
        discord.LoginFailure: Discord refuses the token.
        One of `UNANSWERED`: otherwise; it can be called again.
    """
    http = client.http
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            user = await http.static_login(token)
        int(user["id"])
    except UNANSWERED:
        # Called again, it would leave its session open.
        await http.close()
        http.connector = discord.utils.MISSING
        raise
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            application = await client.application_info()
    except UNANSWERED as failed:
        log.warning(
            "Discord did not say which application this is, so commands are registered later: %s",
            reason(failed),
        )
        return False
    client._connection.application_id = application.id
    if application.interactions_endpoint_url is not None:
        log.warning("no press reaches the bot: remove the interactions endpoint URL in Discord's portal")
    return True


def use_proxies(client: discord.Client, api: str | None, gateway: str | None) -> None:
    """Lets requests and the gateway go through a proxy each; None for none.

    discord.py has one proxy for both, but one of the two addresses may be on this machine.
    """
    http = client.http
    http.proxy, http.proxy_auth = split_proxy(api)
    connect = type(http).ws_connect

    async def ws_connect(url: str, **options: Any) -> aiohttp.ClientWebSocketResponse:
        # The copy has the same session.
        at_gateway = copy(http)
        at_gateway.proxy, at_gateway.proxy_auth = split_proxy(gateway)
        return await connect(at_gateway, url, **options)

    http.ws_connect = ws_connect  # type: ignore[method-assign]


def split_proxy(proxy: str | None) -> tuple[str | None, aiohttp.BasicAuth | None]:
    """The address without user and password, which errors would repeat; and those two."""
    if proxy is None:
        return None, None
    url = URL(proxy)
    # aiohttp will drop this form one day, but discord.py passes on no other.
    auth = None if url.user is None else aiohttp.BasicAuth(url.user, url.password or "", "utf-8")
    return str(url.with_user(None)), auth
