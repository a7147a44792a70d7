"""A stand-in with one server and a real bot."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
import pytest
from yarl import URL

from bot.practice.person import Person
from bot.practice.servers import Channel, Server
from tests.discord_schema import validate_request, validate_response
from tests.practice.trial_bot import TrialBot
from tests.stand_in import StandIn


@dataclass
class Scene:
    """A stand-in with a server, a channel, and two of its members."""

    stand_in: StandIn
    server: Server
    channel: Channel
    alice: Person
    bob: Person

    async def call(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, Any]:
        """Sends one request to the REST API without a library; returns status and JSON."""
        headers = {"Authorization": f"Bot {token or self.stand_in.token}"}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.request(method, self.stand_in.api_url + path, json=body) as answer,
        ):
            return answer.status, await answer.json() if answer.content_type == "application/json" else None


def error_at(answer: dict[str, Any], path: str) -> str:
    """The code of the first 50035 error at this path."""
    place = answer["errors"]
    for step in path.split("."):
        place = place[step]
    return str(place["_errors"][0]["code"])


@pytest.fixture
async def scene(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    async with StandIn() as stand_in:
        monkeypatch.setattr(discord.http.Route, "BASE", stand_in.api_url)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", URL(stand_in.gateway_url))
        server = stand_in.add_server("Oxford")
        channel = stand_in.add_channel(server, "general")
        alice = stand_in.add_person("Alice", [server])
        yield Scene(stand_in, server, channel, alice, stand_in.add_person("Bob", [server]))


Start = Callable[..., Awaitable[TrialBot]]


@pytest.fixture
async def start(scene: Scene) -> AsyncIterator[Start]:
    """Starts bots. After the test, every request and response must match Discord's API description."""
    async with AsyncExitStack() as stack:

        async def start_bot(**settings: Any) -> TrialBot:
            bot = await stack.enter_async_context(TrialBot(**settings))
            await bot.login(scene.stand_in.token)
            running = asyncio.create_task(bot.connect())
            stack.push_async_callback(asyncio.wait, [running])
            stack.push_async_callback(bot.close)
            await bot.wait_until_ready()
            return bot

        yield start_bot
    for recorded in scene.stand_in.requests:
        if recorded.status < 400:
            validate_request(recorded)
        if recorded.fault is None:
            validate_response(recorded)


@pytest.fixture
async def bot(start: Start) -> TrialBot:
    return await start()
