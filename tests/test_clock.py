"""When something counts as out of work."""

from datetime import timedelta

import pytest

from bot.clock import Outage
from bot.wire.traffic import DiscordOutage


def test_failures_hours_apart_are_no_outage() -> None:
    at = 0.0
    outage = Outage(patience_seconds=3.0, clock=lambda: at)
    assert not outage.failed()
    at = 7200.0
    assert not outage.failed()
    at = 7204.0
    assert outage.failed()
    at = 7210.0
    over = outage.worked()
    assert over is not None
    assert (over.lasted, over.failures, over.was_said) == (timedelta(seconds=10), 2, True)


def test_an_hour_without_discord_is_a_line_each_quarter_and_one_at_each_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    at = 0.0
    outage = DiscordOutage(lambda: at)
    outage.failed("shard 1", "no answer in time")
    assert not outage.keeps_away(1), "it may be over at once"
    for seconds in range(4, 3600, 60):
        at = seconds
        outage.failed("shard 1", "no answer in time")
    assert outage.keeps_away(1)
    assert not outage.keeps_away(0), "its members can press"
    outage.failed("login", "no answer in time")
    assert outage.keeps_away(0)
    at = 3605.0
    outage.works("login")
    outage.works("shard 1")
    assert not outage.keeps_away(1)
    assert outage.count == 1
    failed = [
        f"0:{minutes}:04: no answer in time; requests that failed: {minutes + 2}" for minutes in (15, 30, 45)
    ]
    assert [record.getMessage() for record in caplog.records] == [
        "Discord is away: no answer in time",
        *(f"Discord is still away after {line}" for line in failed),
        "Discord is back after 1:00:05; requests that failed: 62",
    ]


def test_what_failed_long_ago_keeps_no_table_waiting() -> None:
    at = 0.0
    outage = DiscordOutage(lambda: at)
    for seconds in (1.0, 5.0):
        at = seconds
        outage.failed("requests", "no answer in time")
    assert outage.keeps_away(0)
    at = 200.0
    assert not outage.keeps_away(0)
