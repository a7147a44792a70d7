"""Background work that is done again and again."""

import asyncio

import pytest

from bot.ledger.errors import LedgerUnavailable
from bot.ui.services import BackgroundTasks


async def test_only_what_is_no_outage_is_logged_with_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    tasks = BackgroundTasks()

    async def fails(failure: Exception) -> None:
        raise failure

    # What is logged elsewhere too, such as a broken connection, is for those who look for details.
    for failure in (LedgerUnavailable("the disk is full"), ConnectionResetError(), RuntimeError()):
        await asyncio.wait([tasks.start(fails(failure), type(failure).__name__)])
    told = [(one.levelname, one.getMessage(), one.exc_info is not None) for one in caplog.records]
    assert told == [
        ("WARNING", "LedgerUnavailable failed: the disk is full", False),
        ("ERROR", "RuntimeError failed", True),
    ]


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
