"""Which proxy the requests of a client and its connections to the gateway go through."""

from copy import copy
from typing import Any

import aiohttp
import discord
from yarl import URL


def use_proxies(client: discord.Client, api: str | None, gateway: str | None) -> None:
    """Lets requests and the gateway go through a proxy each; None for none.

    discord.py has one proxy for both, but one of the two addresses may be on this machine.

    Args:
        client: before it signs in.
        api: the URL of the proxy for requests, with its user and password if it has any.
        gateway: the same for the gateway.
    """
    http = client.http
    http.proxy, http.proxy_auth = _split(api)
    connect = type(http).ws_connect

    async def ws_connect(url: str, **options: Any) -> aiohttp.ClientWebSocketResponse:
        # The copy has the same session.
        at_gateway = copy(http)
        at_gateway.proxy, at_gateway.proxy_auth = _split(gateway)
        return await connect(at_gateway, url, **options)

    http.ws_connect = ws_connect  # type: ignore[method-assign]


def _split(proxy: str | None) -> tuple[str | None, aiohttp.BasicAuth | None]:
    """The address without user and password, which errors would repeat; and those two."""
    if proxy is None:
        return None, None
    url = URL(proxy)
    # aiohttp will drop this form one day, but discord.py passes on no other.
    auth = None if url.user is None else aiohttp.BasicAuth(url.user, url.password or "", "utf-8")
    return str(url.with_user(None)), auth
