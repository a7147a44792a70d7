"""What log lines are about: each task has its own context. And what none has: tokens."""

import asyncio

import pytest
from structlog.contextvars import get_contextvars

from bot.log_context import set_log_context, without_ids


async def test_a_line_says_what_its_task_is_about() -> None:
    async def task(server: int, table: int | None) -> dict[str, int]:
        set_log_context(interaction=4711)
        set_log_context(server=server, table=table)
        await asyncio.sleep(0)
        return get_contextvars()

    contexts = await asyncio.gather(task(1, 2), task(3, None))
    assert list(contexts) == [{"server": 1, "table": 2}, {"server": 3}]
    assert not get_contextvars()


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
    event = {"logger": name, "event": text, "exception": text}
    assert without_ids(None, "", event) == {"logger": name, "event": logged, "exception": logged}
