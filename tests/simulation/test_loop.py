"""The simulation's loop: time jumps, steps run in random order, and processes can be ended."""

import asyncio
from random import Random

import pytest

from tests.simulation.loop import NothingLeftToDoError, VirtualLoop


def loop_of(seed: int) -> VirtualLoop:
    return VirtualLoop(Random(seed))  # type: ignore[abstract]  # has what is used here of a loop


def test_a_day_passes_at_once_and_timers_fire_in_order() -> None:
    loop = loop_of(1)
    rung: list[float] = []

    async def ring(after: float) -> None:
        await asyncio.sleep(after)
        rung.append(loop.time())

    async def day() -> None:
        await asyncio.gather(*(ring(after) for after in (86_400.0, 5.0, 3600.0)))

    loop.run_until_complete(day())
    assert rung == [5.0, 3600.0, 86_400.0]


def order_of(seed: int) -> list[int]:
    order: list[int] = []

    async def step(number: int) -> None:
        await asyncio.sleep(0)
        order.append(number)

    async def together() -> None:
        await asyncio.gather(*map(step, range(6)))

    loop_of(seed).run_until_complete(together())
    return order


def test_each_seed_always_has_the_same_order() -> None:
    assert order_of(1) == order_of(1)
    assert len({tuple(order_of(seed)) for seed in range(20)}) > 10


def test_a_process_that_ended_does_nothing_and_others_go_on() -> None:
    loop = loop_of(1)
    done: list[str] = []

    async def work(process: int) -> None:
        loop.call_later(10, done.append, f"timer of {process}")
        await asyncio.sleep(20)
        done.append(f"task of {process}")

    async def world() -> None:
        tasks = [loop.spawn(process, work(process)) for process in (1, 2)]
        await asyncio.sleep(5)
        await loop.end(1)
        assert tasks[0].cancelled()
        await asyncio.sleep(100)

    loop.run_until_complete(world())
    assert done == ["timer of 2", "task of 2"]
    assert loop.complaints == []


def test_waiting_for_something_that_never_happens_is_an_error() -> None:
    loop = loop_of(1)
    with pytest.raises(NothingLeftToDoError):
        loop.run_until_complete(loop.create_future())
