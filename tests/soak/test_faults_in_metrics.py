"""Each fault of the soak is to be seen in a metric while people play; afterwards the bot is ready again."""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from signal import SIGKILL
from typing import Any, Final

import pytest

from bot.games.register import GAMES
from bot.practice.limits import Limits
from tests.gnau_process import GnauProcess
from tests.pages import Pages, Scraped
from tests.ports import port_of_nobody
from tests.soak.answers import REPLY_SECONDS
from tests.soak.faults import FAULTS, Fault, Scene
from tests.soak.run import HEARTBEAT_SECONDS
from tests.soak.tables import Crowd
from tests.stand_in import StandIn

PATIENCE: Final = 60.0


def above(name: str, bound: str) -> Callable[[Scraped], float]:
    """How often a histogram had more than this bound."""
    return lambda page: page.total(f"{name}_count") - page.total(f"{name}_bucket", le=bound)


def total(name: str, **labels: str) -> Callable[[Scraped], float]:
    return lambda page: page.total(name, **labels)


SEEN: Final[dict[str, Callable[[Scraped], float]]] = {
    "bad responses": total("gnau_rest_requests_total", status="504"),
    "rate limits": total("gnau_rest_429_total", scope="global"),
    "cut connections": total("gnau_rest_requests_total", status="broken"),
    "slow answers": above("gnau_rest_seconds", "1.0"),
    "closed messages": total("gnau_rest_requests_total", status="403"),
    "dropped gateway": total("gnau_shard_sessions_total", how="resumed"),
    "lost session": total("gnau_shard_sessions_total", how="new"),
    "reconnect wanted": total("gnau_shard_sessions_total", how="resumed"),
    "missing acknowledgements": total("gnau_shard_sessions_total"),
    "deaf gateway": total("gnau_shard_sessions_total"),
    "doubled events": total("gnau_interactions_repeated_total"),
    "malformed events": total("gnau_log_records_total", level="error"),
    "late interactions": total("gnau_interactions_total", outcome="late"),
    "stopped process": above("gnau_loop_lag_seconds", "1.0"),
    "killed process": total("process_start_time_seconds"),
    "clean restart": total("process_start_time_seconds"),
    "locked database": total("gnau_ledger_failures_total"),
    "missing file": total("gnau_ledger_failures_total"),
    "full disk": total("gnau_ledger_failures_total"),
}
"""By fault, what grows while it lasts."""


class Certain(random.Random):
    """No chance: what could happen happens, and as much of it as could."""

    def random(self) -> float:
        return 0.0

    def uniform(self, a: float, b: float) -> float:
        return b

    def randint(self, a: int, b: int) -> int:
        return b

    def choice(self, seq: Any) -> Any:
        return seq[-1]

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        return list(population[:k])


async def seen(pages: Pages, what: Callable[[Scraped], float], before: float, seconds: float) -> bool:
    """Waits until it is more than before; returns whether it ever is."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(OSError, HTTPException):
            if what(await pages.scrape()) > before:
                return True
        await asyncio.sleep(0.1)
    return False


async def show(fault: Fault, scene: Scene, pages: Pages) -> None:
    """Lets a fault last until it is to be seen, or as long as it may; then waits until all is well again."""
    what = SEEN[fault.name]
    before = what(await pages.scrape())
    async with fault.lasting(scene):
        if fault.ends_process or fault.name == "stopped process":
            await asyncio.sleep(3.0)
            was_seen = False
        else:
            was_seen = await seen(pages, what, before, 4 * fault.most_seconds)
    assert was_seen or await seen(pages, what, before, PATIENCE), f"nothing shows {fault.name}"
    await pages.until("/readyz", 200)


def test_every_fault_has_a_metric() -> None:
    assert [fault.name for fault in FAULTS] == list(SEEN)


@pytest.mark.thorough
async def test_every_fault_is_to_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = port_of_nobody()
    monkeypatch.setenv("METRICS_ADDRESS", str(port))
    limits = Limits(reply_seconds=REPLY_SECONDS, heartbeat_seconds=HEARTBEAT_SECONDS, silence_seconds=20.0)
    pages = Pages(port)
    async with StandIn(limits=limits) as discord:
        bot = GnauProcess(discord, tmp_path)
        crowd = Crowd(discord, 3, list(GAMES), random.Random(7))
        scene = Scene(discord, bot, bot.start, crowd, Certain())
        try:
            await bot.start()
            await crowd.set_house_rules()
            members = crowd.sit_down()
            await pages.until("/readyz", 200)
            for fault in FAULTS:
                await show(fault, scene, pages)
            names = len((await pages.scrape()).samples)
            for member in members:
                member.cancel()
            await asyncio.gather(*members, return_exceptions=True)
        finally:
            await bot.end(SIGKILL)
    assert names < 2_000
