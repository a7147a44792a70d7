"""The connection to Discord: a login that isn't answered by Discord is one line, and is tried again."""

import logging

import pytest
from aiohttp import BasicAuth, web
from aiohttp.test_utils import TestServer
from discord.http import Route

from bot.config import SettingError, Settings
from bot.wire import client, traffic
from bot.wire.client import DiscordClient

PAGE = "<!DOCTYPE html><html><head><title>Sign in to the hotel's network</title></head></html>"


class Tried(Exception):
    """The login was tried for the third time."""


async def refusal(
    answer: web.Response, patch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, *, is_set: bool
) -> str:
    """What is said of a login with this answer, from the address in the settings or from Discord's own."""
    tries = 0

    async def answered(_: web.Request) -> web.Response:
        nonlocal tries
        tries += 1
        return web.Response(text=answer.text, status=answer.status, content_type=answer.content_type)

    async def third(_: float) -> None:
        if tries == 3:
            raise Tried

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answered)
    async with TestServer(app) as server:
        address = str(server.make_url("/api/v10"))
        patch.setattr(Route, "BASE", address)
        patch.setattr(client, "sleep", third)
        patch.setattr(traffic, "PATIENCE_SECONDS", 0.0)
        bot = DiscordClient(Settings(token="a.b.c", api_url=address if is_set else None))
        try:
            async with bot.connected():
                pytest.fail("it is connected")
        except SettingError as refused:
            return str(refused)
        except Tried:
            (said,) = [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
            return said


@pytest.mark.parametrize("is_set", [True, False])
@pytest.mark.parametrize("status", [200, 403, 404, 530])
async def test_a_login_answered_with_a_web_page_is_one_line(
    status: int, is_set: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = web.Response(text=PAGE, status=status, content_type="text/html")
    text = await refusal(page, monkeypatch, caplog, is_set=is_set)
    is_wrong_setting = is_set and status in {200, 404}
    assert text.startswith("DISCORD_API_URL" if is_wrong_setting else "Discord is away: ")
    assert "\n" not in text
    assert "<" not in text
    assert len(text) < 200


async def test_a_login_answered_with_other_json_is_one_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A proxy may answer so for a while: only the address of the settings can be wrong for good."""
    other = web.json_response({"hello": "world"})
    assert "not Discord's" in await refusal(other, monkeypatch, caplog, is_set=False)
    assert (await refusal(other, monkeypatch, caplog, is_set=True)).startswith("DISCORD_API_URL")


@pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
def test_the_password_of_a_proxy_is_not_in_its_address() -> None:
    """The errors of aiohttp repeat the address."""
    bot = DiscordClient(Settings(token="a.b.c", https_proxy="http://gnau:hunter2@proxy:3128"))
    assert (bot.http.proxy, bot.http.proxy_auth) == (
        "http://proxy:3128",
        BasicAuth("gnau", "hunter2", "utf-8"),
    )
