"""A member is erased with a fault at each instant: who asks again is erased once and completely."""

import asyncio
import gc
import secrets
import shutil
import tempfile
from pathlib import Path
from random import Random

import pytest

from bot.games.house import House
from bot.ledger.changes import DirectChannel
from tests.simulation.bot_process import HOUR, BotProcess, Clock
from tests.simulation.captured_logs import run_to_end
from tests.simulation.discord_model import DiscordModel
from tests.simulation.disk import Disk
from tests.simulation.disk_audit import disk_audit
from tests.simulation.erasure_check import ErasureCheck
from tests.simulation.fault_at import Fault, FaultAt
from tests.simulation.loop import VirtualLoop
from tests.simulation.memory_check import wrong_in_memory
from tests.simulation.press_replies import AllReplies
from tests.simulation.run import MEMORY
from tests.simulation.trace import Trace
from tests.sizes import sized

TRIES = 12
"""How often a member asks before giving up."""
EVERY = sized(13, 2)
"""The step between the instants that are tried, with a different start each time."""
STEPS = 120
"""Steps of the loop after which the erasure is done."""
OPENING_CHIPS = 300


class Farewell:
    """A member who asks to be erased until that is done, and comes back.

    Args:
        path: the file of the database.
        loop: its loop.
        seed: the seed of all random choices.

    Attributes:
        bot: the bot.
    """

    def __init__(self, path: Path, loop: VirtualLoop, seed: int) -> None:
        self._path = path
        self._discord = DiscordModel(Random(seed), trouble=False)
        self._discord.add_server(channels=1, members=2)
        self._trace = Trace(loop.time)
        disk = Disk(Random(seed))
        self._erasures = ErasureCheck(path, disk, self._discord)
        self.bot = BotProcess(
            path,
            loop,
            disk,
            self._discord,
            self._trace,
            AllReplies(),
            self._erasures,
            Random(seed),
            lambda _: House(hosting={"opening_chips": OPENING_CHIPS}),
            Clock(loop.time),
        )

    async def go(self, fault: Fault | None = None, at: int = 0) -> int:
        """Erases the member with this fault at this instant; returns the number of instants."""
        running = asyncio.create_task(self.bot.run())
        await asyncio.sleep(10)
        ((server_id, users),) = self._discord.members.items()
        member, other = ((server_id, user_id) for user_id in users)
        async with disk_audit(self._path) as on_disk:
            ui = self.bot.ui
            assert ui is not None
            for one in (member, other):
                await ui.show_wallet(one)
                await ui.croupier.ledger.record(DirectChannel(one[1], 7))
            self.bot.disk.watch = watch = FaultAt(self.bot, fault, at)
            for patience in [watch.patience, *[None] * TRIES]:
                await self._ask(member, patience)
                if self._trace.counts["erased"] + self._trace.counts["nothing_stored"]:
                    break
            self.bot.disk.watch = None
            # A read that was cancelled goes on until its cursor is collected.
            gc.collect()
            # What failed is tried again every hour.
            await asyncio.sleep(1.5 * HOUR)
            ui = self.bot.ui
            assert ui is not None
            party = await ui.party_of(member)
            assert (await ui.croupier.purse(server_id, party)).total == 0
            await asyncio.sleep(60)
            wrong = self._erasures.wrong_when_quiet(ui.croupier)
            assert [*self.bot.broken, *self._erasures.broken, *wrong] == []
            assert await on_disk.wrong() == []
            assert wrong_in_memory(self._path, self.bot.disk, ui.croupier.ledger) == []
            self.bot.close()
            await running
            assert [*await on_disk.wrong_in_all_records(), *self._erasures.wrong_in_books()] == []
            assert self._erasures.searched
        return watch.instants

    async def _ask(self, member: tuple[int, int], patience: int | None) -> None:
        asking = self.bot.erase(member)
        if asking is not None:
            if patience is not None:
                for _ in range(patience):
                    await asyncio.sleep(0)
                asking.cancel()
            await asyncio.wait([asking], timeout=60)
        await asyncio.sleep(20)


def erased(fault: Fault | None = None, at: int = 0) -> int:
    """Erases a member; returns the number of instants."""
    folder = Path(tempfile.mkdtemp(prefix="gnau-simulation-", dir=MEMORY if MEMORY.is_dir() else None))
    loop = VirtualLoop(Random(at))  # type: ignore[abstract]  # has what is used here of a loop
    one = Farewell(folder / "gnau.db", loop, at)
    try:
        instants = run_to_end(one.bot, one.go(fault, at))
        assert loop.complaints == []
        return instants
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("fault", Fault)
def test_who_is_erased_with_a_fault_at_any_instant_is_gone_once_and_completely(fault: Fault) -> None:
    instants = erased()
    last = STEPS if fault is Fault.GONE_AWAY else instants
    for at in range(1 + secrets.randbelow(EVERY), last + 1, EVERY):
        try:
            erased(fault, at)
        except AssertionError as failed:
            raise AssertionError(f"{fault} at {at}") from failed
