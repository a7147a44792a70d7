"""Tells systemd how the bot is, in a unit with `Type=notify` such as docs/gnau.service; see sd_notify(3)."""

import asyncio
import os
import socket
from contextlib import suppress
from typing import Final

from bot.run.monitoring.health import Health

TELL_SECONDS: Final = 2.0
"""How often systemd is told; the unit's WatchdogSec is many times that."""
STOPPING: Final = "STOPPING=1"
MORE_TIME: Final = "EXTEND_TIMEOUT_USEC=60000000"
"""Asks for another minute to start: a bot that waits for Discord does well."""


def tell_systemd(*lines: str) -> None:
    """Tells systemd something, if it said where."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        # If systemd has no room for it, it hears the next one.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            # An address that begins with @ is no file.
            sender.sendto("\n".join(lines).encode(), address.replace("@", "\0", 1))


async def keep_systemd_told(health: Health) -> None:
    """Tells again and again that the bot lives and whether it is ready, until it is cancelled.

    Of a bot that does not live, systemd hears nothing, and restarts it.
    """
    state = MORE_TIME
    while True:
        if not health.why_not_live():
            trouble = health.why_not_ready()
            if not trouble:
                state = "READY=1"
            tell_systemd("WATCHDOG=1", state, f"STATUS={'; '.join(trouble) or 'ready'}")
        await asyncio.sleep(TELL_SECONDS)
