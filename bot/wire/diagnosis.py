"""Looks at the way to Discord, the token, and what the bot may do in a server. It logs in nowhere.

What is well is yielded. What is not is raised, or is a warning in the log, as when the bot starts.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route

from bot.config import DISCORDS_API, DISCORDS_GATEWAY, SettingError, Settings
from bot.wire.client import (
    NOT_THE_API,
    DiscordClient,
    DiscordUnreachableError,
    refused_token,
    sign_in,
    split_proxy,
)
from bot.wire.gateway import ANSWER_SECONDS, UNANSWERED, Logins
from bot.wire.traffic import DiscordOutage, reason

MOST_NAMED: Final = 10
"""How many channels a line names."""
_HELLO: Final = 10


async def look_at_network(settings: Settings) -> AsyncIterator[str]:
    """Whether Discord's API and gateway can be reached, and whether its clock is this machine's."""
    outage, trace = DiscordOutage(), aiohttp.TraceConfig()
    outage.watch(trace)
    api, gateway = settings.api_url or f"{DISCORDS_API}/api/v10", settings.gateway_url or DISCORDS_GATEWAY
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        began = time.monotonic()
        try:
            way = _way(settings, api)
            async with asyncio.timeout(ANSWER_SECONDS), session.get(f"{api}/gateway", **way) as answer:
                if answer.status == HTTPStatus.NOT_FOUND and settings.api_url:
                    raise SettingError(NOT_THE_API)
                # A web page, such as of a hotel's network, is none.
                await answer.json(content_type=None)
        except SettingError:
            raise
        except UNANSWERED as failed:
            raise DiscordUnreachableError(f"Discord's API cannot be reached: {reason(failed)}") from None
        yield f"Discord's API answers after {time.monotonic() - began:.1f} s"
        if not outage.warn_of_clock():
            yield "the clock is right: it shows the same time as Discord's"
        try:
            async with (
                asyncio.timeout(ANSWER_SECONDS),
                session.ws_connect(f"{gateway}/?v=10&encoding=json", **_way(settings, gateway)) as socket,
            ):
                if (await socket.receive_json()).get("op") != _HELLO:
                    raise ValueError
        except UNANSWERED as failed:
            raise DiscordUnreachableError(f"Discord's gateway cannot be reached: {reason(failed)}") from None
        yield "Discord's gateway answers"


def _way(settings: Settings, address: str) -> dict[str, Any]:
    proxy, auth = split_proxy(settings.proxy_to(address))
    return {"proxy": proxy, "proxy_auth": auth}


async def look_at_bot(
    settings: Settings,
    accept: Callable[[int | None], object],
    server_id: int | None,
    lacking: Callable[[discord.Permissions], str],
) -> AsyncIterator[str]:
    """What Discord says of the bot.

    Args:
        accept: raises SettingError for an application that is not to be used.
        server_id: a server in which to look at permissions too.
        lacking: which permissions are missing for a table, in words.
    """
    try:
        async with DiscordClient(settings) as client:
            await sign_in(client, settings.token)
            accept(client.application_id)
            yield f"the token is of application {client.application_id}"
            intents = ", ".join(name for name, is_on in client.intents if is_on)
            yield f"its intents need no switch in Discord's portal: {intents}"
            logins = Logins.of(await client.http.request(Route("GET", "/gateway/bot")))
            if not logins.pause():
                yield f"of the {logins.a_day} logins that Discord allows a day, {logins.left} are left"
            if server_id is not None:
                yield await _permissions(client, server_id, lacking)
    except discord.LoginFailure:
        raise refused_token() from None
    except SettingError:
        raise
    except UNANSWERED as failed:
        raise DiscordUnreachableError(f"Discord does not answer as it should: {reason(failed)}") from None


async def _permissions(
    client: DiscordClient, server_id: int, lacking: Callable[[discord.Permissions], str]
) -> str:
    """In which channels of a server the bot can open a table."""
    try:
        server = await client.fetch_guild(server_id, with_counts=False)
        own = await client.http.request(Route("GET", "/users/@me"))
        member = await server.fetch_member(int(own["id"]))
        channels = [one for one in await server.fetch_channels() if isinstance(one, discord.TextChannel)]
    except (discord.NotFound, discord.Forbidden):
        raise DiscordUnreachableError(
            f"the bot is not in server {server_id}: invite it with the link in README"
        ) from None
    missing = {one.name: lacking(one.permissions_for(member)) for one in channels}
    closed = [f"#{name} ({why})" for name, why in missing.items() if why]
    named = ", ".join(closed[:MOST_NAMED]) + (" and others" if len(closed) > MOST_NAMED else "")
    if len(closed) == len(channels):
        raise DiscordUnreachableError(f"no table can be opened in {server.name}; what the bot lacks: {named}")
    rest = f"; not in {named}" if closed else ""
    return f"tables can be opened in {server.name}, in channels: {len(channels) - len(closed)}{rest}"
