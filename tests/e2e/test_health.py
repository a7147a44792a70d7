"""Health: alive while the event loop turns, ready while Discord and the database do their part."""

import asyncio
import os
import re
import socket
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from bot.config import SettingError
from bot.ledger.errors import LedgerUnavailable
from bot.run.monitoring import health, server, service_manager
from bot.run.monitoring.monitor import monitored
from tests.cli.runner import ask
from tests.e2e.evening import Evening
from tests.pages import Pages, watch, watched

LIVE, READY = "/livez", "/readyz"


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds on a real machine goes faster."""
    monkeypatch.setattr(health, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(health, "TRY_SECONDS", 0.1)


async def test_a_bot_that_is_connected_and_can_write_is_ready(evening: Evening) -> None:
    async with watched() as (monitor, pages):
        assert await pages.ask(LIVE) == (200, "live\n")
        assert await pages.ask(READY) == (503, "the bot is starting\n")
        watch(monitor, evening)
        assert await pages.ask(READY) == (200, "ready\n")
        assert await asyncio.to_thread(pages.get, READY, "HEAD") == (200, "")
        assert (await pages.ask("/"))[0] == (await pages.ask("/env"))[0] == 404


async def test_without_its_gateway_it_lives_and_is_not_ready(evening: Evening) -> None:
    gateway = evening.discord.gateway
    async with watched(evening) as (_, pages):
        gateway.welcome = "invalid"
        gateway.invalidate_sessions()
        assert await pages.until(READY, 503) == "not connected to Discord's gateway: shard 0\n"
        assert await pages.ask(LIVE) == (200, "live\n")
        gateway.welcome = "session"
        await pages.until(READY, 200)


async def test_while_nothing_can_be_written_it_is_not_ready_and_afterwards_it_is_again(
    evening: Evening, soon: None, caplog: pytest.LogCaptureFixture
) -> None:
    database, reader = evening.database, evening.bot.croupier.ledger
    async with watched(evening) as (_, pages):
        away = database.with_name("away.db")
        database.rename(away)
        # A bot that nobody plays with only reads.
        with pytest.raises(LedgerUnavailable):
            async with reader.reading():
                pass
        told = await pages.until(READY, 503, "nothing can be written: ")
        assert str(database) in told
        assert await pages.ask(LIVE) == (200, "live\n")
        away.rename(database)
        # Nobody asks for anything, and it is tried all the same.
        await pages.until(READY, 200)
    caplog.clear()


async def test_a_loop_that_hangs_does_not_live(soon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, str]] = []

    def ask_meanwhile(pages: Pages) -> None:
        time.sleep(1.0)
        told.append(pages.get(LIVE))

    async with watched() as (_, pages):
        await pages.until(LIVE, 200)
        monkeypatch.setattr(health, "SILENT_SECONDS", 0.5)
        asking = Thread(target=ask_meanwhile, args=(pages,))
        asking.start()
        # Here the loop hangs.
        asking.join()
        ((status, text),) = told
        assert status == 503
        assert re.fullmatch(r"the event loop has not turned for \d+ seconds\n", text)
        await pages.until(LIVE, 200)


async def test_a_bot_whose_writer_has_stopped_does_not_live_and_tells_systemd_nothing(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_manager, "TELL_SECONDS", 0.05)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "systemd"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "systemd"))
        systemd.setblocking(False)
        async with watched(evening) as (_, pages):
            loop = asyncio.get_running_loop()
            assert b"WATCHDOG=1" in await asyncio.wait_for(loop.sock_recv(systemd, 4096), 30)
            await evening.restart()
            assert "the ledger's writer has stopped" in await pages.until(LIVE, 503)
            with suppress(BlockingIOError):
                while systemd.recv(4096):
                    pass
            await asyncio.sleep(10 * service_manager.TELL_SECONDS)
            with pytest.raises(BlockingIOError):
                systemd.recv(4096)


async def test_an_address_that_another_program_has_is_a_wrong_setting() -> None:
    async with watched() as (_, pages):
        with pytest.raises(SettingError, match=r"^METRICS_ADDRESS cannot be used: Address already in use$"):
            async with monitored(("127.0.0.1", pages.port)):
                pass


async def test_clients_that_say_nothing_do_not_hold_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_AT_ONCE", 3)
    monkeypatch.setattr(server._Handler, "timeout", 1.0)
    async with watched() as (_, pages):
        silent = [socket.create_connection(("127.0.0.1", pages.port)) for _ in range(2)]
        assert (await pages.ask(LIVE))[0] == 200
        silent += [socket.create_connection(("127.0.0.1", pages.port)) for _ in range(5)]
        # As many as are too many are cut off at once, the others after their time.
        for one in silent:
            one.settimeout(30)
            assert await asyncio.to_thread(one.recv, 1) == b""
            one.close()
        assert (await pages.ask(LIVE))[0] == 200


async def test_gnau_health_says_how_the_bot_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async with watched() as (_, pages):
        monkeypatch.setattr(os, "environ", {"METRICS_ADDRESS": str(pages.port)})
        ready = await asyncio.to_thread(ask, "health")
        assert (ready.exit_code, ready.stdout, ready.stderr) == (1, "", "the bot is starting\n")
        live = await asyncio.to_thread(ask, "health", "--live")
        assert (live.exit_code, live.stdout, live.stderr) == (0, "live\n", "")
    gone = await asyncio.to_thread(ask, "health")
    assert gone.exit_code == 1
    assert gone.stderr.startswith(f"no bot answers at 127.0.0.1 port {pages.port}: ")
    monkeypatch.setattr(os, "environ", {"METRICS_ADDRESS": "off"})
    off = await asyncio.to_thread(ask, "health")
    assert off.exit_code == 2
    assert off.stderr.startswith("METRICS_ADDRESS is off: ")
