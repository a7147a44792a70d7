"""What `gnau run` tells the systemd that started it, over a real socket."""

import asyncio
import os
import signal
import socket
from collections.abc import Iterator

import pytest

from bot.run.monitoring.service_manager import MORE_TIME
from tests.cli.shell import PATIENCE, Shell, settings_for
from tests.stand_in import StandIn

ADDRESS = f"@gnau-test-{os.getpid()}"


@pytest.fixture
def systemd() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(ADDRESS.replace("@", "\0"))
        heard.setblocking(False)
        yield heard


async def told(systemd: socket.socket, line: str) -> list[str]:
    """The lines that are told together with this one, once it is told."""
    async with asyncio.timeout(PATIENCE):
        while True:
            lines = (await asyncio.get_running_loop().sock_recv(systemd, 4096)).decode().split("\n")
            if line in lines:
                return lines


async def test_systemd_waits_while_discord_is_away_then_hears_that_the_bot_is_ready_lives_and_stops(
    shell: Shell, discord: StandIn, systemd: socket.socket
) -> None:
    discord.gateway.welcome = "invalid"
    process = await shell.start("run", **settings_for(discord), NOTIFY_SOCKET=ADDRESS)
    away = "STATUS=not connected to Discord's gateway: shard 0"
    assert await told(systemd, away) == ["WATCHDOG=1", MORE_TIME, away]
    discord.gateway.welcome = "session"
    assert await told(systemd, "READY=1") == ["WATCHDOG=1", "READY=1", "STATUS=ready"]
    # A service that has started stays started.
    discord.gateway.welcome = "invalid"
    discord.gateway.invalidate_sessions()
    assert await told(systemd, away) == ["WATCHDOG=1", "READY=1", away]
    process.send_signal(signal.SIGTERM)
    await told(systemd, "STOPPING=1")
    assert (await shell.end_of(process)).status == 0
