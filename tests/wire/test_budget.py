"""Each process keeps within its share of the requests that Discord takes from the whole bot."""

import asyncio
import itertools

import aiohttp
import discord
import pytest

from bot.practice.limits import Window
from bot.wire import traffic
from bot.wire.traffic import Budget
from tests.practice.conftest import Scene
from tests.wire.conftest import SmallBot


def traced(limits: Budget) -> aiohttp.TraceConfig:
    trace = aiohttp.TraceConfig()
    limits.watch(trace)
    return trace


@pytest.fixture
def at_stand_in(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr(discord.http.Route, "BASE", scene.stand_in.api_url)
    monkeypatch.setattr(traffic, "MOST_REQUESTS", 10)
    return scene


async def test_two_processes_keep_within_discords_limit_together(
    at_stand_in: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = at_stand_in.stand_in
    # On a busy machine some requests take half a second longer than others.
    monkeypatch.setattr(traffic, "COUNTED_SECONDS", 1.5)
    stand_in.limits.all_requests = Window(10, 1.0)
    async with SmallBot(traced(Budget(0.7))) as first, SmallBot(traced(Budget(0.3))) as second:
        await asyncio.gather(*(bot.login(stand_in.token) for bot in (first, second)))
        calls = [bot.application_info() for bot, times in ((first, 12), (second, 5)) for _ in range(times)]
        await asyncio.gather(*calls)
    assert {one.status for one in stand_in.requests} == {200}
    times = [one.at.timestamp() for one in stand_in.requests]
    assert times[-1] - times[0] > 1, "no more than ten a second"


async def test_less_than_a_request_a_second_is_a_share_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "COUNTED_SECONDS", 0.02)
    share = Budget(1 / 200)
    loop, at = asyncio.get_running_loop(), list[float]()
    for _ in range(3):
        await share.take()
        at.append(loop.time())
    assert all(later - earlier >= 0.075 for earlier, later in itertools.pairwise(at))


async def test_what_goes_by_a_token_does_not_wait(
    at_stand_in: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traffic, "COUNTED_SECONDS", 3600.0)
    spent = Budget()
    async with SmallBot(traced(spent)) as bot:
        await bot.login(at_stand_in.stand_in.token)
        for _ in range(8):
            await spent.take()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(bot.application_info(), 0.05)
        hook = discord.Webhook.partial(1, "a-token", client=bot)
        with pytest.raises(discord.HTTPException, match="Invalid Webhook Token"):
            await asyncio.wait_for(hook.edit_message(1, content="Hello"), 60)


async def test_what_is_new_waits_for_one_edit_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "COUNTED_SECONDS", 0.01)
    share, sent = Budget(1 / 50), list[str]()

    async def send(what: str) -> None:
        await share.take(is_edit=what == "edit")
        sent.append(what)

    async with asyncio.TaskGroup() as sending:
        for what in ("edit", "edit", "edit", "hand", "hand"):
            sending.create_task(send(what))
    assert sent == ["edit", "edit", "hand", "hand", "edit"], "the second one was first in the queue"
