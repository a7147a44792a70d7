"""Until when may be written what an interaction asks for."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.clock import steady_time
from bot.practice.world import EPOCH_MS
from bot.ui.press.arrivals import LAST_SECONDS, Arrival, Arrivals, not_after
from bot.ui.services import BackgroundTasks


@pytest.mark.parametrize(
    ("age", "requests_fail", "is_deferred"),
    [
        (0.5, False, False),
        (1.0, False, False),
        (2.1, False, True),
        (3600.0, False, True),
        (-0.1, False, True),
        (-3600.0, False, True),
        (0.5, True, True),
    ],
)
async def test_a_young_interaction_is_carried_out_and_another_is_deferred_first(
    monkeypatch: pytest.MonkeyPatch, age: float, requests_fail: bool, is_deferred: bool
) -> None:
    """Discord does not take the deferral here, so nothing may be written."""
    deferred: list[Any] = []

    async def defer(interaction: Any) -> None:
        await asyncio.sleep(0)
        deferred.append(interaction)

    monkeypatch.setattr("bot.wire.requests.defer_meanwhile", defer)
    outage = SimpleNamespace(requests_fail=requests_fail)
    arrivals = Arrivals(cast("Any", outage), BackgroundTasks(), cast("Any", None))
    begins, made = steady_time(), time.time() - age
    response = SimpleNamespace(is_done=lambda: False, type=None)
    id_made = int(made * 1000 - EPOCH_MS) << 22
    press = cast("Any", SimpleNamespace(id=id_made, type=None, extras={}, response=response))
    Arrival(press, arrivals)
    until = await not_after(press)
    assert deferred == [press] * is_deferred
    assert until.is_over is is_deferred
    if not is_deferred:
        # An id has whole milliseconds.
        assert begins <= until.at + age - LAST_SECONDS + 0.01
        assert until.at + age - LAST_SECONDS - 0.01 <= steady_time()
    arrivals.close()
