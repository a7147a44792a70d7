"""Background work that is done again and again."""

import asyncio

import pytest

from bot.ui.services import BackgroundTasks


async def test_work_that_fails_is_logged_and_done_again(caplog: pytest.LogCaptureFixture) -> None:
    tasks, twice = BackgroundTasks(), asyncio.Event()
    runs = 0

    async def fails_once() -> None:
        nonlocal runs
        runs += 1
        if runs == 1:
            raise RuntimeError
        twice.set()

    tasks.repeat(fails_once, 0, "trial")
    async with asyncio.timeout(60):
        await twice.wait()
    await tasks.close()
    assert [record.getMessage() for record in caplog.records] == ["trial failed"]
