"""The connection to Discord: a login that isn't answered by Discord fails with one line."""

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route

from bot.client import DiscordClient, DiscordUnreachableError
from bot.config import SettingError, Settings

PAGE = "<!DOCTYPE html><html><head><title>Sign in to the hotel's network</title></head></html>"


async def refusal(answer: web.Response, patch: pytest.MonkeyPatch, *, is_set: bool) -> Exception:
    """How a login fails that gets this answer, from the address in the settings or from Discord's own."""

    async def answered(_: web.Request) -> web.Response:
        return answer

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answered)
    async with TestServer(app) as server:
        address = str(server.make_url("/api/v10"))
        patch.setattr(Route, "BASE", address)
        client = DiscordClient(Settings("a.b.c", api_url=address if is_set else None))
        with pytest.raises((DiscordUnreachableError, SettingError)) as error:
            async with client.connected():
                pass
    return error.value


@pytest.mark.parametrize("is_set", [True, False])
@pytest.mark.parametrize("status", [200, 403, 404, 530])
async def test_a_login_answered_with_a_web_page_is_one_line(
    status: int, is_set: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = web.Response(text=PAGE, status=status, content_type="text/html")
    error = await refusal(page, monkeypatch, is_set=is_set)
    is_wrong_setting = is_set and status in {200, 404}
    assert isinstance(error, SettingError if is_wrong_setting else DiscordUnreachableError)
    text = str(error)
    assert text.startswith("DISCORD_API_URL") == is_wrong_setting
    assert "\n" not in text
    assert "<" not in text
    assert len(text) < 200


async def test_a_login_answered_with_other_json_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy may answer so for a while: only the address of the settings can be wrong for good."""
    other = web.json_response({"hello": "world"})
    assert "not Discord's" in str(await refusal(other, monkeypatch, is_set=False))
    other = web.json_response({"hello": "world"})
    assert isinstance(await refusal(other, monkeypatch, is_set=True), SettingError)
