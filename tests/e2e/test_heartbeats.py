"""Heartbeats that Discord does not acknowledge: the bot connects again, and resumes its session."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.practice.limits import Limits
from bot.practice.person import Person
from bot.wire import gateway as heartbeats
from tests.e2e.conftest import PATIENCE, an_evening
from tests.e2e.evening import Evening

pytestmark = pytest.mark.thorough

INTERVAL = 0.2


@pytest.fixture
async def evening(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Evening]:
    """An evening with frequent heartbeats."""
    limits = Limits(reply_seconds=PATIENCE, heartbeat_seconds=INTERVAL)
    async with an_evening(tmp_path / "gnau.db", caplog, limits) as evening:
        # A new connection has rare ones: a slow machine must not miss any of them.
        limits.heartbeat_seconds = 60
        yield evening


def client(evening: Evening) -> tuple[str, int] | None:
    """The other end of the bot's connection; None without one."""
    (session,) = evening.discord._events.sessions.values()
    return session.client


async def connects_again(evening: Evening, person: Person, before: tuple[str, int] | None) -> None:
    """Waits for another connection, while the bot gets events all the time."""
    try:
        async with asyncio.timeout(PATIENCE):
            while client(evening) in (before, None):
                # discord.py takes every event as a sign of life.
                await person.write(evening.channel, f"hello {evening.discord.world.bot.mention}")
                await asyncio.sleep(INTERVAL / 10)
    except TimeoutError:
        raise AssertionError("the bot never connected again") from None


@pytest.mark.parametrize("how", ["not acknowledged", "not even read"])
async def test_two_missed_heartbeats_lead_to_one_warning_and_a_resumed_session(
    evening: Evening, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    before, gateway = client(evening), evening.discord.gateway
    if how == "not acknowledged":
        gateway.acknowledges = False
    else:
        gateway.turn_deaf()
    await connects_again(evening, alice, before)
    gateway.acknowledges = True
    await evening.press(alice, board, "Join")
    assert evening.table().has(evening.party(alice))
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warnings == ["Discord acknowledged none of the last 2 heartbeats of shard 0: connecting again"]


async def test_a_gateway_that_never_confirms_the_closing_is_left(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeats, "CLOSING_SECONDS", INTERVAL)
    alice = evening.person("Alice")
    before, gateway = client(evening), evening.discord.gateway
    gateway.turn_deaf()
    gateway.ask_to_reconnect()
    await connects_again(evening, alice, before)
    assert (await alice.slash(evening.channel, "wallet")).kind == "message"


async def test_acknowledged_heartbeats_keep_the_connection(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, acknowledged = client(evening), 0
    note = heartbeats.Heartbeats.ack

    def ack(self: heartbeats.Heartbeats) -> None:
        nonlocal acknowledged
        acknowledged += 1
        note(self)

    monkeypatch.setattr(heartbeats.Heartbeats, "ack", ack)
    await evening.until(
        lambda: acknowledged > 2 * heartbeats.MOST_MISSED or client(evening) != before, "it beats on"
    )
    assert client(evening) == before
