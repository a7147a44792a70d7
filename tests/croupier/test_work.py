"""Work under way: carried to its end, waited for at the end, and forgotten when it is done."""

import asyncio
import gc
from weakref import ref

import pytest

from bot.croupier.work import Work


class Thing:
    """What a piece of work has in its hands."""


async def test_the_end_waits_for_all_that_is_under_way_though_some_of_it_fails() -> None:
    work, done = Work(), list[int]()

    async def fail() -> None:
        raise RuntimeError("one's own fault")

    async def take_long() -> None:
        await asyncio.sleep(0.02)
        done.append(1)

    failing = work.begin(fail())
    work.begin(take_long())
    await work.end()
    assert done == [1]
    with pytest.raises(RuntimeError, match="own fault"):
        await failing


async def test_what_is_done_is_forgotten() -> None:
    """A bot runs for months: whatever it did would otherwise stay in its memory."""
    work, things = Work(), list[ref[Thing]]()

    async def use(thing: Thing) -> Thing:
        things.append(ref(thing))
        return thing

    await work.whole(use(Thing()))
    await asyncio.sleep(0)
    gc.collect()
    assert [thing() for thing in things] == [None]
    await work.end()


async def test_work_that_is_called_off_is_no_fault() -> None:
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    work = Work()
    task = work.begin(asyncio.sleep(100))
    await asyncio.sleep(0)
    task.cancel()
    await work.end()
    assert reported == []
