"""What log lines are about: each task has its own context, and a line without one stays as it is."""

import asyncio
import logging

import pytest

from bot.log_context import LogContextFilter, NoIdsFilter, log_context, set_log_context


def line(message: str) -> str:
    """The line that a handler with the filter writes."""
    record = logging.LogRecord("bot", logging.INFO, "", 1, message, None, None)
    assert LogContextFilter().filter(record)
    return logging.Formatter("%(message)s%(context)s").format(record)


async def test_a_line_says_what_its_task_is_about() -> None:
    async def task(server: int, table: int | None) -> str:
        set_log_context(server=server, table=table)
        await asyncio.sleep(0)
        return line("a bet was placed")

    first, second = await asyncio.gather(task(1, 2), task(3, None))
    assert first == "a bet was placed [server=1 table=2]"
    assert second == "a bet was placed [server=3]"
    assert not log_context()
    assert line("ready") == "ready"


@pytest.mark.parametrize(
    ("name", "text", "logged"),
    [
        (
            "discord.http",
            "rate limited, PATCH /guilds/123456789012345678/members/234567890123456789 in 2.5 s",
            "rate limited, PATCH /guilds/…/members/… in 2.5 s",
        ),
        (
            "discord.http",
            "POST /webhooks/123456789012345678/aW50.ZXJh-Y3Rpb24_x failed",
            "POST /webhooks/… failed",
        ),
        (
            "bot.ui.press.errors",
            "an answer could not be sent: Connection timeout to host https://discord.com/api/v10/interactions/1/aW5/callback",
            "an answer could not be sent: Connection timeout to host https://discord.com/api/v10/interactions/…/callback",
        ),
        ("bot.croupier", "table 123456789012345678 goes on", "table 123456789012345678 goes on"),
    ],
)
def test_tokens_are_left_out_and_ids_in_lines_of_the_library(name: str, text: str, logged: str) -> None:
    record = logging.LogRecord(name, logging.WARNING, "", 0, "%s", (text,), None)
    assert NoIdsFilter().filter(record)
    assert record.getMessage() == logged


def test_a_record_that_cannot_be_written_does_not_fail_its_caller() -> None:
    record = logging.LogRecord("aiohttp", logging.WARNING, "", 0, "%d things", ("no number",), None)
    assert NoIdsFilter().filter(record)
