"""Alarms: one a table, the last one set counts, and none once they are stopped."""

import asyncio

import pytest

from bot.croupier.alarms import Alarms

SOON = 0.01


@pytest.fixture
def rung() -> list[int]:
    """The tables whose alarm went off, in order."""
    return []


@pytest.fixture
async def alarms(rung: list[int]) -> Alarms:
    return Alarms(rung.append)


async def test_each_table_has_its_alarm(alarms: Alarms, rung: list[int]) -> None:
    alarms.set(1, 2 * SOON)
    alarms.set(2, SOON)
    await asyncio.sleep(5 * SOON)
    assert rung == [2, 1]


@pytest.mark.parametrize("seconds", [0, -100])
async def test_an_alarm_whose_time_is_past_rings_at_once_but_not_before_others_had_their_turn(
    alarms: Alarms, rung: list[int], seconds: float
) -> None:
    alarms.set(1, seconds)
    assert not rung
    await asyncio.sleep(SOON)
    assert rung == [1]


async def test_the_last_one_set_counts(alarms: Alarms, rung: list[int]) -> None:
    alarms.set(1, SOON)
    alarms.set(1, 100)
    alarms.set(2, 100)
    alarms.set(2, SOON)
    alarms.set(3, SOON)
    alarms.set(3, None)
    await asyncio.sleep(5 * SOON)
    assert rung == [2]
    alarms.stop()


async def test_an_alarm_may_be_set_again_when_it_rings() -> None:
    rung: list[int] = []

    def ring(table_id: int) -> None:
        rung.append(table_id)
        if len(rung) < 3:
            again.set(table_id, 0)

    again = Alarms(ring)
    again.set(1, 0)
    await asyncio.sleep(5 * SOON)
    assert rung == [1, 1, 1]


async def test_an_alarm_that_is_stopped_goes_off_nowhere(alarms: Alarms) -> None:
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    alarms.set(1, SOON)
    alarms.stop()
    await asyncio.sleep(3 * SOON)
    assert reported == []


async def test_no_alarm_rings_once_they_are_stopped(alarms: Alarms, rung: list[int]) -> None:
    alarms.set(1, SOON)
    alarms.stop()
    alarms.set(2, SOON)
    await asyncio.sleep(5 * SOON)
    assert rung == []
