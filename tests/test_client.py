"""The connection to Discord: a login that isn't answered by Discord fails with one line."""

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.client import DiscordClient, DiscordUnreachableError
from bot.config import Settings

PAGE = "<!DOCTYPE html><html><head><title>Sign in to the hotel's network</title></head></html>"


@pytest.mark.parametrize("status", [200, 403, 404, 530])
async def test_a_login_answered_with_a_web_page_is_one_line(status: int) -> None:
    async def page(request: web.Request) -> web.Response:
        return web.Response(text=PAGE, status=status, content_type="text/html")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", page)
    async with TestServer(app) as server:
        client = DiscordClient(Settings("a.b.c", api_url=str(server.make_url("/api/v10"))))
        with pytest.raises(DiscordUnreachableError) as error:
            async with client.connected():
                pass
    text = str(error.value)
    assert "\n" not in text
    assert "<" not in text
    assert len(text) < 200


async def test_a_login_answered_with_other_json_is_one_line() -> None:
    async def other(request: web.Request) -> web.Response:
        return web.json_response({"hello": "world"})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", other)
    async with TestServer(app) as server:
        client = DiscordClient(Settings("a.b.c", api_url=str(server.make_url("/api/v10"))))
        with pytest.raises(DiscordUnreachableError, match="not Discord's"):
            async with client.connected():
                pass
