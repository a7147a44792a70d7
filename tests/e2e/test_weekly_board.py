"""The leaderboard of the past week, posted automatically: when, what it says, and never twice."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import aiohttp
import pytest

from bot.ledger.changes import RoundsCounted, StandingsCleared, WeekPosted
from bot.ledger.errors import LedgerUnavailable
from bot.practice.messages import Message
from bot.practice.servers import Permission
from bot.table.standings import EVERY, Period, Standing, period_name
from cogs.leaderboard import LeaderboardCog
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening

MONDAY = datetime(2026, 11, 30, 0, 5, tzinfo=UTC).timestamp()
HOUR, DAY = 3600.0, 86_400.0


def boards(evening: Evening) -> list[Message]:
    return evening.person("Zed").sees(evening.other_channel)


@pytest.fixture
async def cog(evening: Evening) -> AsyncIterator[LeaderboardCog]:
    """A server with a channel for it, in which three members have played for two weeks."""
    # The bot itself looks once in a while.
    await evening.settle_down()
    evening.chip_settings = {**evening.chip_settings, "weekly_board": (evening.other_channel.id,)}
    ledger = evening.bot.croupier.ledger
    for name, before, last in (("Mei", 90, 40), ("Alice", 70, 50), ("Bob", 20, 60), ("Carl", 0, -5)):
        person = evening.person(name)
        await evening.told_alone(person, "wallet")
        party = await evening.bot.croupier.identities.find(evening.server.id, person.id)
        for net, at in ((before, MONDAY - 8 * DAY), (last, MONDAY - DAY)):
            week = period_name(Period.WEEK, at)
            standing = Standing(evening.server.id, week, EVERY, party, 1, net, None, None, None, at)
            await ledger.record(RoundsCounted(evening.server.id, (), (standing,)))
    yield posting(evening)
    # No round brought them that.
    await evening.bot.croupier.ledger.record(StandingsCleared())


def posting(evening: Evening) -> LeaderboardCog:
    found = evening.bot.get_cog("LeaderboardCog")
    assert isinstance(found, LeaderboardCog)
    return found


async def test_the_past_week_is_posted_once_on_monday(evening: Evening, cog: LeaderboardCog) -> None:
    croupier = evening.bot.croupier
    for at in (MONDAY - HOUR, MONDAY + 3 * DAY):
        croupier.now = partial(float, at)
        await cog.post_weeks()
        assert not boards(evening)
    croupier.now = lambda: MONDAY
    await asyncio.gather(cog.post_weeks(), cog.post_weeks())
    (shown,) = boards(evening)
    assert shown.text.splitlines()[1:4] == ["🥇 Bob · +60 · ↑ 2", "🥈 Alice · +50", "🥉 Mei · +40"]
    assert "Carl" not in shown.text
    assert [one.filename for one in shown.attachments] == ["podium.png"]
    assert (
        shown.attachments[0].description == "The first of the week on a podium: Bob +60, Alice +50, Mei +40"
    )
    led = message_of(await evening.person("Zed").click(shown, "Leaderboard"))
    assert led.ephemeral
    assert "This week · All games" in led.text
    await evening.restart()
    evening.bot.croupier.now = lambda: MONDAY + HOUR
    await posting(evening).post_weeks()
    assert len(boards(evening)) == 1


async def test_a_read_that_fails_just_before_it_is_posted_costs_no_board(
    evening: Evening, cog: LeaderboardCog, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.bot.croupier.now = lambda: MONDAY

    async def fails(*_: object) -> None:
        raise LedgerUnavailable("the storage is away")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(evening.bot.croupier.ledger, "leaders", fails)
        await cog.post_weeks()
    assert not boards(evening)
    await cog.post_weeks()
    assert len(boards(evening)) == 1


async def test_without_permission_it_comes_once_there_is_one(evening: Evening, cog: LeaderboardCog) -> None:
    evening.expect_fault(403)
    evening.other_channel.denied[evening.discord.world.bot.id] = Permission.SEND_MESSAGES
    evening.bot.croupier.now = lambda: MONDAY
    await cog.post_weeks()
    evening.other_channel.denied.clear()
    await cog.post_weeks()
    assert not boards(evening), "Discord is not asked every five minutes"
    evening.bot.croupier.now = lambda: MONDAY + HOUR + 1
    await cog.post_weeks()
    assert len(boards(evening)) == 1


async def test_a_broken_connection_costs_no_board(
    evening: Evening, cog: LeaderboardCog, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*_: object) -> None:
        raise aiohttp.ClientConnectionError

    evening.bot.croupier.now = lambda: MONDAY
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("bot.ui.podium.post", breaks)
        await cog.post_weeks()
    assert not boards(evening)
    for seconds, count in ((60, 0), (300, 1), (HOUR + 1, 1)):
        evening.bot.croupier.now = partial(float, MONDAY + seconds)
        await cog.post_weeks()
        assert len(boards(evening)) == count


async def test_it_comes_once_also_if_the_process_ends_before_it_is_noted(
    evening: Evening, cog: LeaderboardCog, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.bot.croupier.now = lambda: MONDAY
    ledger = evening.bot.croupier.ledger
    before, record = await ledger.weeks_posted(), ledger.record

    async def fails(*facts: Any) -> None:
        if isinstance(facts[0], WeekPosted):
            raise LedgerUnavailable("the storage is away")
        await record(*facts)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(ledger, "record", fails)
        await cog.post_weeks()
        (shown,) = boards(evening)
        # Discord has forgotten its nonce, this process has not.
        mark, shown.nonce = shown.nonce, None
        await cog.post_weeks()
        assert len(boards(evening)) == 1
    shown.nonce = mark
    assert await ledger.weeks_posted() == before
    await evening.restart()
    evening.bot.croupier.now = lambda: MONDAY
    await posting(evening).post_weeks()
    assert len(boards(evening)) == 1
    assert await evening.bot.croupier.ledger.weeks_posted() != before


async def test_what_another_process_has_posted_comes_once(evening: Evening, cog: LeaderboardCog) -> None:
    evening.bot.croupier.now = lambda: MONDAY
    ledger = evening.bot.croupier.ledger
    posted, read = await ledger.weeks_posted(), ledger.weeks_posted

    async def before_the_other_one() -> dict[int, str | None]:
        return posted

    await cog.post_weeks()
    ledger.weeks_posted = before_the_other_one  # type: ignore[method-assign]
    evening.bot.podium._posted.clear()
    await cog.post_weeks()
    ledger.weeks_posted = read  # type: ignore[method-assign]
    assert len(boards(evening)) == 1
