"""Our bot under test. The only file here that knows how it is started."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from bot.config import read_settings
from bot.games.house import House
from bot.run.serving import running
from bot.wire import budget
from clicking.under_test import run

LONG: Final = 3600
"""No deadline ends while clicks are counted, in seconds."""
HOUSE: Final = House(
    hosting={
        "betting_seconds": LONG,
        "arranging_seconds": LONG,
        # Dealt as soon as everybody has bet: no press and no pause lies between.
        "last_call_seconds": 0,
        "opening_chips": 1_000_000,
    }
)


@asynccontextmanager
async def connected(token: str, api_url: str, gateway_url: str, database_url: str) -> AsyncIterator[None]:
    """Our bot, connected and ready. The stand-in has no limits, so the bot needs none."""
    budget.MOST_REQUESTS = 1_000_000  # type: ignore[misc]
    given = {
        "DISCORD_TOKEN": token,
        "DATABASE_URL": database_url,
        "DISCORD_API_URL": api_url,
        "DISCORD_GATEWAY_URL": gateway_url,
        **{name: os.environ.get(name, "") for name in ("SHARD_COUNT", "SHARD_IDS")},
    }
    settings = replace(read_settings(given), guild_ready_seconds=0.05)
    async with running(settings, lambda _: HOUSE):
        yield


if __name__ == "__main__":
    run(connected)
