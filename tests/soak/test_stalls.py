"""Stalls of the machine are measured and excuse a press; a bot that stalls alone is found."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bot.practice.interactions import InteractionKind
from tests.gnau_process import until
from tests.soak.answers import REPLY_SECONDS
from tests.soak.run import Soak
from tests.soak.stalls import STALL_SECONDS, Stall, Stalls

LONG = 3 * STALL_SECONDS


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def running(measuring: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Measures during this block."""
    task = asyncio.create_task(measuring)
    await asyncio.sleep(0)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def test_a_sleep_that_wakes_up_late_is_a_stall() -> None:
    clock = Clock()
    stalls = Stalls(clock)
    async with running(stalls.sleep()):
        clock.now = LONG
        # Also for who wakes up before it.
        assert stalls.overlap(1.0, 2.0)
        await until(lambda: stalls.noted, "it has woken up")
    assert stalls.noted == [Stall(0.0, LONG)]
    assert stalls.overlap(1.0, 2.0)
    assert not stalls.overlap(LONG + 1, LONG + 2)


async def test_a_byte_that_takes_long_to_reach_the_disk_is_a_stall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, is_writing, goes_on = Clock(), threading.Event(), threading.Event()

    def fsync(_file: int) -> None:
        is_writing.set()
        goes_on.wait(20)

    monkeypatch.setattr(os, "fsync", fsync)
    stalls = Stalls(clock)
    async with running(stalls.write(tmp_path / "file")):
        await until(is_writing.is_set, "it is being written")
        clock.now = LONG
        assert stalls.noted == []
        assert stalls.overlap(1.0, 2.0)
        goes_on.set()
        await until(lambda: stalls.noted, "it is on disk")
    assert stalls.noted == [Stall(0.0, LONG)]


async def test_a_little_late_is_no_stall(tmp_path: Path) -> None:
    clock = Clock()
    stalls = Stalls(clock)
    async with stalls.watch(tmp_path):
        await asyncio.sleep(0)
        clock.now = STALL_SECONDS / 2
        assert not stalls.overlap(0.0, LONG)
    assert stalls.noted == []


async def test_what_sleep_and_disk_measure_at_the_same_time_is_one_stall(tmp_path: Path) -> None:
    clock = Clock()
    stalls = Stalls(clock)
    async with stalls.watch(tmp_path):
        await asyncio.sleep(0)
        clock.now = LONG
    assert stalls.noted == [Stall(0.0, LONG)]


@pytest.mark.parametrize("stalled", [True, False])
async def test_a_press_without_an_answer_is_excused_only_by_a_stall(tmp_path: Path, *, stalled: bool) -> None:
    soak = Soak(tmp_path, seed=7, tables=1)
    table = soak.crowd.tables[0]
    press = soak.discord.world.open_interaction(
        InteractionKind.COMPONENT, table.members[0].user, table.channel, {"custom_id": "gnau:1:1:reveal"}
    )
    at = press.created.timestamp()
    long_before = Stall(at - 60, at - 50)
    soak.stalls.noted += [long_before, Stall(at + 1, at + 1 + LONG)] if stalled else [long_before]
    with closing(soak.log):
        soak.judge_presses(at + 2 * REPLY_SECONDS)
    assert soak.figures.unanswered == ((0, 1) if stalled else (1, 0))
    assert len(soak.answers.silent) == (not stalled)
    assert f"{1 + stalled} stalls of the machine, the longest 10.0 s" in str(soak.figures)
