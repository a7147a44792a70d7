"""A whole run from one seed: Discord, members, bot and disturbances; and what must hold."""

import asyncio
import gc
import shutil
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from bot.croupier import Gift
from bot.games.house import House
from bot.games.register import GAMES
from bot.rules.knobs import Play
from bot.table.state import Member, Phase
from tests.simulation.bot_process import BotProcess, Clock
from tests.simulation.captured_logs import run_to_end
from tests.simulation.discord_model import DiscordModel, Press
from tests.simulation.disk import Disk, Trouble
from tests.simulation.disk_audit import DiskAudit, disk_audit
from tests.simulation.disturbances import HOUR, Disturbances
from tests.simulation.event_check import GRACE
from tests.simulation.loop import VirtualLoop
from tests.simulation.member_strategy import MemberStrategy
from tests.simulation.press_replies import AllReplies
from tests.simulation.run_size import RunSize, any_size
from tests.simulation.trace import KEPT, Trace

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
        self._members = MemberStrategy(self._chance("members"))
        self._discord = DiscordModel(self._chance("discord"))
        self._replies = AllReplies()
        self._confirmed: list[int] = []
        self._houses: dict[int, House] = {}
        self._parties: dict[asyncio.Task[None], None] = {}
        self.bot = BotProcess(
            path,
            loop,
            Disk(self._chance("disk")),
            self._discord,
            self.trace,
            self._replies,
            self._chance("ui"),
            self._house_at_first,
            Clock(loop.time),
        )
        self.disturbances = Disturbances(
            self.bot, self._chance("disturbances"), size.trouble, self._confirmed
        )

    async def go(self) -> None:
        """Lets people play with faults; then stops the faults, and checks that everything ends."""
        for _ in range(self.size.servers):
            self._discord.add_server(self.size.channels, self.size.members)
        running = asyncio.create_task(self.bot.run())
        await asyncio.sleep(10)
        async with disk_audit(self._path) as at:
            playing = [asyncio.create_task(self._parties_at(number)) for number in self._slots()]
            disturbances = self.disturbances.start()
            checking = asyncio.create_task(self._check_now_and_then(at))
            await asyncio.wait([checking], timeout=self.size.hours * HOUR)
            if checking.done():
                checking.result()
            for task in (*playing, *disturbances, checking):
                task.cancel()
            await asyncio.wait([*playing, *disturbances, checking])
            for task in (*playing, *disturbances):
                if not task.cancelled():
                    task.result()
            await self._clear()
            await asyncio.sleep(1.5 * HOUR + self.bot.clock.behind)
            await self._check(at)
            await self._nothing_hangs(at)
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
        for party in self._parties:
            party.cancel()
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

    async def _parties_at(self, slot: int) -> None:
        """Lets parties of people play in one of the channels, again and again."""
        while True:
            await asyncio.sleep(self._random.expovariate(1 / self.size.pause))
            channels = list(self._discord.channels)
            channel_id = channels[slot % len(channels)]
            company = self._discord.company(channel_id, self._random.randint(2, 6))
            visits = [asyncio.create_task(self._visit(channel_id, member)) for member in company]
            for visit in visits:
                self._parties[visit] = None
            done, _ = await asyncio.wait(visits)
            for visit in done:
                self._parties.pop(visit)
                visit.result()

    async def _visit(self, channel_id: int, member: Member) -> None:
        """A member plays for a while, by what the board shows."""
        thinks = self._random.choice([2.0, 8.0, 25.0])
        for _ in range(self._random.randint(3, 20)):
            await asyncio.sleep(self._random.expovariate(1 / thinks))
            press = self._press(channel_id, member)
            self._deliver(press)

    def _press(self, channel_id: int, member: Member) -> Press:
        key = self._discord.new_id()
        if self._random.random() < 0.03 and (server_id := self._discord.channels.get(channel_id)):
            other = self._random.choice(self._discord.members[server_id])
            gift = Gift(server_id, member.member_id, other.member_id, self._random.choice([1, 50, 2000]))
            self.trace.note("gift", key, gift)
            return Press(key, member, channel_id, gift=gift)
        seen = self._discord.boards.get(channel_id)
        if seen is None or seen.phase is Phase.CLOSED:
            game = self._random.choice(list(GAMES))
            play = Play.POINTS if self._random.random() < 0.25 else Play.CHIPS
            return Press(key, member, channel_id, game=game, play=play)
        command = self._members.of(member, seen)
        self.trace.note("press", key, command)
        return Press(key, member, channel_id, seen.table_id, command)

    def _deliver(self, press: Press) -> None:
        """Sends a press, which may arrive late, twice, never, or after others."""
        pick = self._random.random()
        self._later(self._random.uniform(0.03, 0.4), press)
        if pick < 0.04:
            self._later(self._random.uniform(0.03, 2), press)
        elif pick < 0.06:
            self._later(self._random.expovariate(1 / 600), press)
        elif pick < 0.07:
            self._later(self._random.expovariate(1 / 60), replace(press, key=self._discord.new_id()))

    def _later(self, seconds: float, press: Press) -> None:
        self.loop.call_later(seconds, self.bot.deliver, press)

    def _house_at_first(self, server_id: int) -> House:
        if server_id not in self._houses:
            random = self._chance(f"house {server_id}")
            hosting = {
                "last_call_seconds": random.choice([0, 3]),
                "betting_seconds": random.choice([5, 30, 60]),
                "arranging_seconds": random.choice([5, 30]),
                "arrange": random.choice(["automatic", "assisted", "strict"]),
                "opening_chips": random.choice([300, 1000, 5000]),
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
        self.trace.note("check")
        gc.collect()
        if wrong:
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

    async def _every_promise_kept(self, at: DiskAudit) -> None:
        wrong = await at.wrong_in_all_records()
        committed = await at.committed()
        wrong += self._replies.broken(committed)
        changes = await at.house_keys()
        wrong += [
            f"house rules {one} were confirmed, not changed"
            for one in self._confirmed
            if f"house:{one}" not in changes
        ]
        if wrong:
            raise AssertionError("\n".join(wrong[:20]))
