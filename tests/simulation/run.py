"""A whole run from one seed: Discord, members, bot and disturbances; and what must hold."""

import asyncio
import gc
import shutil
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from bot.games.house import House
from bot.table.state import Phase
from tests.simulation.bot_process import HOUR, BotProcess, Clock
from tests.simulation.captured_logs import run_to_end
from tests.simulation.discord_model import DiscordModel
from tests.simulation.disk import CALM_SECONDS, Disk, Trouble
from tests.simulation.disk_audit import DiskAudit, disk_audit
from tests.simulation.disturbances import Disturbances
from tests.simulation.erasure_check import ErasureCheck
from tests.simulation.erasure_requests import ErasureRequests
from tests.simulation.event_check import GRACE
from tests.simulation.loop import VirtualLoop
from tests.simulation.member_strategy import MemberStrategy
from tests.simulation.memory_check import wrong_in_memory
from tests.simulation.press_replies import AllReplies
from tests.simulation.run_size import RunSize, any_size
from tests.simulation.trace import KEPT, Trace
from tests.simulation.visits import Visits

MEMORY_SECONDS: Final = 20.0
"""How often memory is compared with the disk, in virtual seconds."""
MEMORY: Final = Path("/dev/shm")
"""A folder in memory: a real disk would only make a run slower."""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a run.

    Attributes:
        seed: its seed.
        digest: the hash of everything that happened.
        counts: how often each kind of event happened.
        virtual_seconds: its length in virtual time.
        real_seconds: its length in real time.
    """

    seed: int
    digest: str
    counts: Counter[str]
    virtual_seconds: float
    real_seconds: float

    @property
    def factor(self) -> float:
        """How many times as fast as real time it ran."""
        return self.virtual_seconds / self.real_seconds

    def __str__(self) -> str:
        """The outcome in one line."""
        took = f"{self.virtual_seconds:.0f} s in {self.real_seconds:.1f} s"
        return f"seed {self.seed}: {took}, × {self.factor:.0f}"


class BrokenPromiseError(Exception):
    """Something did not hold; the text has the seed and the last events."""


def simulate(seed: int, size: RunSize | None = None, lines: int = KEPT) -> Report:
    """Runs one seed.

    Args:
        seed: the seed of all random choices.
        size: how large it is; None for a size by the seed.
        lines: the number of last events in an error.

    Raises:
        BrokenPromiseError: if something did not hold.
    """
    folder = Path(tempfile.mkdtemp(prefix="gnau-simulation-", dir=MEMORY if MEMORY.is_dir() else None))
    loop = VirtualLoop(Random(f"{seed}:order"))  # type: ignore[abstract]  # has what is used here of a loop
    run = Run(seed, size or any_size(seed), loop, folder / "gnau.db", lines)
    began = time.perf_counter()
    try:
        run_to_end(run.bot, run.go())
    except Exception as error:
        raise BrokenPromiseError(
            f"{error!r}\n\nWhat happened last:\n{run.trace.last_lines}\n\n"
            f"Seed {seed} of {run.size}; again: python -m tests.simulation {seed}"
        ) from error
    finally:
        shutil.rmtree(folder)
    return Report(seed, run.trace.digest, run.trace.counts, loop.time(), time.perf_counter() - began)


class Run:
    """One run.

    Args:
        seed: the seed of all random choices.
        size: how large it is.
        loop: its loop.
        path: the file of the database.
        lines: the number of lines of the trace that are kept.
    """

    def __init__(self, seed: int, size: RunSize, loop: VirtualLoop, path: Path, lines: int = KEPT) -> None:
        self.size = size
        self.loop = loop
        self.trace = Trace(loop.time, lines)
        self._path = path
        self._seed = seed
        self._random = self._chance("people")
        self._discord = DiscordModel(self._chance("discord"))
        self._replies = AllReplies()
        self._confirmed: list[int] = []
        self._houses: dict[int, House] = {}
        disk = Disk(self._chance("disk"), path)
        self._erasures = ErasureCheck(path, disk, self._discord)
        self.bot = BotProcess(
            path,
            loop,
            disk,
            self._discord,
            self.trace,
            self._replies,
            self._erasures,
            self._chance("ui"),
            self._house_at_first,
            Clock(loop.time),
        )
        strategy = MemberStrategy(self._chance("members"))
        self._visits = Visits(self.bot, self._discord, loop, self._random, strategy, size.pause)
        requests = ErasureRequests(self.bot, self._visits, self._chance("erasures"))
        self.disturbances = Disturbances(
            self.bot, self._chance("disturbances"), size.trouble, self._confirmed, requests
        )

    async def go(self) -> None:
        """Lets people play with faults; then stops the faults, and checks that everything ends."""
        for _ in range(self.size.servers):
            self._discord.add_server(self.size.channels, self.size.members)
        running = asyncio.create_task(self.bot.run())
        await asyncio.sleep(10)
        async with disk_audit(self._path) as at:
            playing = [asyncio.create_task(self._visits.in_channel(number)) for number in self._slots()]
            disturbances = self.disturbances.start()
            checking = [
                asyncio.create_task(check) for check in (self._check_now_and_then(at), self._compare_memory())
            ]
            await asyncio.wait(checking, timeout=self.size.hours * HOUR, return_when=asyncio.FIRST_COMPLETED)
            for task in (*playing, *disturbances, *checking):
                task.cancel()
            await asyncio.wait([*playing, *disturbances, *checking])
            for task in (*playing, *disturbances, *checking):
                if not task.cancelled():
                    task.result()
            await self._clear()
            await asyncio.sleep(1.5 * HOUR)
            await self._check(at)
            await self._nothing_hangs(at)
            await self._nothing_is_left()
            self.bot.close()
            await running
            await self._check(at)
            await self._every_promise_kept(at)
        if self.loop.complaints:
            raise AssertionError(self.loop.complaints)

    def _chance(self, what: str) -> Random:
        """The random generator for this purpose alone."""
        return Random(f"{self._seed}:{what}")

    def _slots(self) -> range:
        return range(self.size.servers * self.size.channels)

    async def _clear(self) -> None:
        """Ends all trouble; restarts the bot, or tells it what is gone."""
        self._discord.trouble = False
        self.bot.disk.trouble, self.bot.disk.forgets, self.bot.disk.watch = None, False, None
        self._visits.end()
        # Nobody presses anything any more: the tables must recover without help.
        self.bot.disk.trouble = self._random.choice([None, *Trouble])
        await asyncio.sleep(100)
        self.bot.disk.trouble = None
        await asyncio.sleep(200)
        ui = self.bot.ui
        if ui is None or self._random.random() < 0.5:
            self.bot.stop()
            await asyncio.sleep(200)
        else:
            self.loop.spawn(self.bot.process, ui.look_around())

    def _house_at_first(self, server_id: int) -> House:
        if server_id not in self._houses:
            random = self._chance(f"house {server_id}")
            hosting = {
                "last_call_seconds": random.choice([0, 3]),
                "betting_seconds": random.choice([5, 30, 60]),
                "arranging_seconds": random.choice([5, 30]),
                "arrange": random.choice(["automatic", "assisted", "strict"]),
                "opening_chips": random.choice([300, 1000, 5000]),
                "computer_players": random.choice([0, 0, 1, 2, 3]),
            }
            self._houses[server_id] = House(hosting=hosting)
        return self._houses[server_id]

    async def _check_now_and_then(self, at: DiskAudit) -> None:
        while True:
            await asyncio.sleep(self._random.uniform(0.5, 1.5) * self.size.hours * HOUR / 12)
            await self._check(at)

    async def _check(self, at: DiskAudit) -> None:
        """Checks what holds at any time, during trouble too."""
        wrong = [*self.bot.broken, *await at.wrong()]
        since = max(self.bot.since, self.disturbances.calm_since)
        well = self.bot.ui is not None and self.bot.disk.trouble is None
        if well and self.loop.time() > since + 2 * GRACE:
            wrong += self.bot.overdue()
        wrong += self._erasures.wrong(None if self.bot.ui is None else self.bot.ui.croupier)
        wrong += self._erasures.broken
        self.trace.note("check")
        gc.collect()
        if wrong:
            raise AssertionError("\n".join(wrong))

    async def _compare_memory(self) -> None:
        """Compares memory with the disk all the time, so that each fault is followed by a look."""
        while True:
            await asyncio.sleep(MEMORY_SECONDS)
            ui = self.bot.ui
            if ui is not None and (wrong := wrong_in_memory(self._path, self.bot.disk, ui.croupier.ledger)):
                raise AssertionError("\n".join(wrong))

    async def _nothing_hangs(self, at: DiskAudit) -> None:
        """Checks that every round is over, lost tables are closed, and memory and disk agree."""
        wrong = []
        tables = await at.open_tables()
        for table in tables.values():
            if table.phase is Phase.DEALT or (table.phase is Phase.BETTING and table.can_be_dealt):
                wrong.append(f"table {table.table_id} is still in a round: {table}")
            if table.channel_id not in self._discord.channels:
                wrong.append(f"table {table.table_id} is open, its channel is gone: {table}")
        if self.bot.ui is None:
            wrong.append("the bot is not there")
        elif {table.table_id: table for table in self.bot.ui.croupier.tables.all()} != tables:
            wrong.append("the croupier has other tables in mind than there are on disk")
        if wrong:
            raise AssertionError("\n".join(wrong))

    async def _nothing_is_left(self) -> None:
        """Lets everybody at a table and somebody new press; checks what is stored of members after that."""
        ui = self.bot.ui
        assert ui is not None
        server_id = self._random.choice(list(self._discord.members))
        self._discord.add_member(server_id)
        members = {(server_id, self._discord.members[server_id][-1]): None}
        for table in ui.croupier.tables.all():
            for party in sorted(table.parties):
                if (known := ui.croupier.identities.get(party)) is not None:
                    members[known.server_id, known.user_id] = None
        for member in members:
            await ui.party_of(member)
        await asyncio.sleep(2 * CALM_SECONDS)
        if wrong := self._erasures.wrong_when_quiet(ui.croupier):
            raise AssertionError("\n".join(wrong))

    async def _every_promise_kept(self, at: DiskAudit) -> None:
        wrong = await at.wrong_in_all_records()
        committed = await at.committed()
        wrong += self._replies.broken(committed)
        wrong += self._erasures.wrong_in_books()
        changes = await at.house_keys()
        wrong += [
            f"house rules {one} were confirmed, not changed"
            for one in self._confirmed
            if f"house:{one}" not in changes
        ]
        if wrong:
            raise AssertionError("\n".join(wrong[:20]))
