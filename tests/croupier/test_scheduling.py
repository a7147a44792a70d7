"""Timers: one per table, the last one set counts. Tasks: run to their end, then forgotten."""

import asyncio
import gc
from weakref import ref

import pytest

from bot.croupier.open_tables import Tasks, Timers

SOON = 0.01


@pytest.fixture
def expired() -> list[int]:
    """The tables whose timer expired, in order."""
    return []


@pytest.fixture
async def timers(expired: list[int]) -> Timers:
    return Timers(expired.append)


@pytest.mark.parametrize("seconds", [0, -100])
async def test_an_overdue_timer_expires_after_other_tasks_had_their_turn(
    timers: Timers, expired: list[int], seconds: float
) -> None:
    timers.set(1, seconds)
    assert not expired
    await asyncio.sleep(SOON)
    assert expired == [1]


async def test_the_last_timer_set_counts(timers: Timers, expired: list[int]) -> None:
    timers.set(1, SOON)
    timers.set(1, 100)
    timers.set(2, 100)
    timers.set(2, SOON)
    timers.set(3, SOON)
    timers.set(3, None)
    await asyncio.sleep(5 * SOON)
    assert expired == [2]
    timers.stop()


async def test_no_timer_expires_after_stop(timers: Timers, expired: list[int]) -> None:
    timers.set(1, SOON)
    timers.stop()
    timers.set(2, SOON)
    await asyncio.sleep(5 * SOON)
    assert expired == []


class Thing:
    """Something that a task refers to."""


async def test_finish_waits_for_every_task_even_if_some_fail() -> None:
    tasks, done = Tasks(), list[int]()

    async def fail() -> None:
        raise RuntimeError("a bug")

    async def take_long() -> None:
        await asyncio.sleep(0.02)
        done.append(1)

    failing = tasks.start(fail())
    tasks.start(take_long())
    await tasks.finish()
    assert done == [1]
    with pytest.raises(RuntimeError, match="a bug"):
        await failing


async def test_a_finished_task_is_forgotten() -> None:
    """A bot that runs for months would otherwise keep every result in memory."""
    tasks, things = Tasks(), list[ref[Thing]]()

    async def use(thing: Thing) -> Thing:
        things.append(ref(thing))
        return thing

    await tasks.run_to_end(use(Thing()))
    await asyncio.sleep(0)
    gc.collect()
    assert [thing() for thing in things] == [None]
    await tasks.finish()
