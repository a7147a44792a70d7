"""An evening, whose presses and requests go over the wire; and a small bot, for single requests."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
from discord import app_commands
from yarl import URL

from tests.e2e.conftest import evening as evening
from tests.e2e.conftest import paced_bot as paced_bot
from tests.practice.conftest import Scene
from tests.practice.conftest import scene as scene


class SmallBot(discord.Client):
    """A bot without commands, on discord.py's own connection."""

    def __init__(self, trace: aiohttp.TraceConfig | None = None) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True)
        super().__init__(intents=intents, guild_ready_timeout=0.01)
        self.http.http_trace = trace
        self.tree = app_commands.CommandTree(self)


@pytest.fixture
async def bot(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SmallBot]:
    monkeypatch.setattr(discord.http.Route, "BASE", scene.stand_in.api_url)
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", URL(scene.stand_in.gateway_url))
    async with SmallBot() as bot:
        await bot.login(scene.stand_in.token)
        running = asyncio.create_task(bot.connect())
        await bot.wait_until_ready()
        yield bot
        await bot.close()
        await asyncio.wait([running])
