"""Our bot under test. The only file here that knows how it is started."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bot.config import Settings
from bot.games.house import House
from bot.run.serving import running
from bot.table import deadlines
from bot.ui import emojis
from bot.ui.board import message
from bot.ui.bot import GnauBot
from bot.wire import traffic
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
async def connected(token: str, api_url: str, gateway_url: str, database_url: str) -> AsyncIterator[GnauBot]:
    """Our bot, connected and ready. The stand-in has no limits, so the bot needs none."""
    traffic.MOST_REQUESTS = 1_000_000  # type: ignore[misc]
    # No banker of the crowd reads.
    deadlines.LEAST_SECONDS_TO_READ = 0  # type: ignore[misc]
    deadlines.LEAST_SECONDS_TO_CHOOSE = 0  # type: ignore[misc]
    # The crowd finds each button at once.
    message.THUMB_SECONDS = -1e9  # type: ignore[misc]
    emojis.PAUSE_SECONDS = 0.0  # type: ignore[misc]
    settings = Settings(
        token=token,
        database_url=database_url,
        api_url=api_url,
        gateway_url=gateway_url,
        shard_count=os.environ.get("SHARD_COUNT"),
        shard_ids=os.environ.get("SHARD_IDS"),
        guild_ready_seconds=0.05,
        # They are uploaded before anything is measured.
        piece_emojis=False,
    )
    async with running(settings, lambda _: HOUSE) as (bot, _):
        await bot.piece_emojis.look()
        yield bot


if __name__ == "__main__":
    run(connected)
