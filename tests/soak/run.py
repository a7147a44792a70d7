"""One run: tables, members and faults around a real bot, and what is wrong at the end."""

import asyncio
import random
import re
import time
from asyncio.subprocess import PIPE, STDOUT
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import Final

from bot.games.register import GAMES
from bot.practice.limits import Limits
from tests.gnau_process import GNAU, GnauProcess, until
from tests.postgres_server import Server
from tests.soak.answers import (
    REPLY_SECONDS,
    TRIED_SECONDS,
    Answers,
    name_of,
    opened,
    rounds_settled,
    was_tried,
)
from tests.soak.faults import FAULTS, Fault, Scene
from tests.soak.memory import MOST_GROWTH, MOST_LATE_GROWTH, Memory
from tests.soak.processes import SHARDS, Hands, Processes
from tests.soak.stalls import Stall, Stalls
from tests.soak.tables import GIVE, Crowd
from tests.stand_in import StandIn

HEARTBEAT_SECONDS: Final = 2.5
"""discord.py reads no acknowledgement in the five seconds that it waits before it identifies again."""
SETTLING_SECONDS: Final = 4.0
"""How long after a fault its effects may still be seen: requests that wait for a retry or a rate limit."""
CALM_SECONDS: Final = (SETTLING_SECONDS + 2, SETTLING_SECONDS + 6)
"""How long nothing is wrong between faults."""
TWO_AT_ONCE: Final = 0.3
"""How often two faults come together."""
REVIVAL_SECONDS: Final = 60.0
REMEMBERED_SECONDS: Final = 120.0
"""How long faults are remembered that are over: longer than anything waits to be judged."""
MOST_SKEW_SECONDS: Final = 3600.0
"""How far Discord's clock is ahead of the machine's at most."""
REQUESTS_SECONDS: Final = 2 * TRIED_SECONDS
"""How long requests are kept: until it is clear whether they answered a press."""
LONG_LIFE: Final = 1 / 3
"""The last part of a run, in which no fault ends the process: only a long life shows that memory grows."""
MOST_GROWTH_IN_ALL: Final = 2.5
"""How much memory the last process may have, compared with the first one when it had just started: odds for
luck, and the pictures of profiles, come after that. Whether it grows on, those that were warm show."""
PROBLEMS_SHOWN: Final = 20
_TWICE: Final = {
    "a hand was dealt again": (
        "SELECT table_id, round_number FROM events WHERE kind = 'hands_dealt' "
        "GROUP BY table_id, round_number HAVING count(*) > 1"
    ),
    "opening chips came twice": (
        "SELECT server_id, target FROM transfers WHERE reason = 'opening_chips' "
        "GROUP BY server_id, target HAVING count(*) > 1"
    ),
}
"""Finds what must be there only once."""
_RECORD: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (?P<level>[A-Z]+) (?P<text>.*)")


@dataclass(slots=True)
class Spell:
    """The time in which a fault lasts; `ends` is infinite until it is over."""

    fault: Fault
    begins: float
    ends: float = float("inf")

    def overlaps(self, begins: float, ends: float) -> bool:
        """Whether its effects may be seen in this time."""
        return self.begins <= ends and begins <= self.ends + SETTLING_SECONDS


@dataclass(slots=True)
class Figures:
    """What came of a run; without problems it is good.

    Attributes:
        seed: what all chance came from.
        minutes: how long members played.
        tables: how many tables there were.
        rounds: how many rounds were settled.
        faults: how often each fault came.
        presses: how many buttons, menus, forms and commands were used.
        gifts: how many of them were gifts.
        kills: how often one of two processes or the server was killed.
        unanswered: those without a reply in time while nothing was wrong, and during a fault or a stall.
        stalls: when the machine stalled.
        errors: how many errors the bot logged that a fault explains.
        megabytes: the bot's memory at the start and at the end.
        warm_megabytes: the memory of the process that grew the most, when it was warm and at most later; None
            if none got that old.
        problems: what is wrong, one sentence each.
    """

    seed: int
    minutes: float = 0.0
    tables: int = 0
    rounds: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    presses: int = 0
    gifts: int = 0
    kills: int = 0
    unanswered: tuple[int, int] = (0, 0)
    stalls: list[Stall] = field(default_factory=list)
    errors: int = 0
    megabytes: tuple[float, float] = (0.0, 0.0)
    warm_megabytes: tuple[float, float] | None = None
    late_megabytes: tuple[float, float] | None = None
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        faults = ", ".join(f"{name} {times}" for name, times in sorted(self.faults.items())) or "none"
        calm, disturbed = self.unanswered
        before, after = self.megabytes
        warm = "no process got warm"
        if self.warm_megabytes is not None:
            warm = "once warm {:.0f} MB → {:.0f} MB at most".format(*self.warm_megabytes)
        if self.late_megabytes is not None:
            warm += ", in the second half of a life {:.0f} MB → {:.0f} MB".format(*self.late_megabytes)
        kills = f"{self.kills} kills · " if self.kills else ""
        stalls = f"{len(self.stalls)} stalls of the machine"
        if self.stalls:
            stalls += f", the longest {max(stall.seconds for stall in self.stalls):.1f} s"
        return (
            f"seed {self.seed} · {self.minutes:.1f} minutes · {self.tables} tables · "
            f"{self.rounds:,} rounds settled · {self.faults.total()} faults ({faults}) · {kills}"
            f"{self.presses:,} presses, {self.gifts:,} of them gifts, "
            f"unanswered: {calm} without a fault, {disturbed} during one or a stall · "
            f"{stalls} · "
            f"{self.errors} errors explained · memory {before:.0f} MB → {after:.0f} MB, {warm}"
        )


class Soak:
    """A run.

    Args:
        folder: where the database and the log are kept.
        seed: what all chance comes from, but for the bot's own and the machine's.
        tables: how many tables.
        faults: which faults come.
        calm_seconds: how long nothing is wrong between faults, at least and at most.
        report: called with a line for each fault.
        kills: with any, the bot is two processes that share the shards, and the run ends once this
            many of them or their server were killed.
        server: a PostgreSQL server whose database the bot uses, and which has faults too; else it is a file.

    Attributes:
        figures: what has come of it so far.
        over: set to end it early.
        database: its file, or its address on a server.
        answers, stalls, discord, bot, crowd, log: its parts.
    """

    def __init__(
        self,
        folder: Path,
        seed: int,
        tables: int,
        faults: Sequence[Fault] = FAULTS,
        calm_seconds: tuple[float, float] = CALM_SECONDS,
        report: Callable[[str], None] = lambda _: None,
        server: Server | None = None,
        *,
        kills: int = 0,
    ) -> None:
        self.figures = Figures(seed, tables=tables)
        self.over = asyncio.Event()
        self._folder = folder
        self._faults = faults
        self._calm_seconds = calm_seconds
        self._report = report
        self._chance = random.Random(seed)
        self._spells: list[Spell] = []
        self._judged = 0
        self.answers = Answers()
        self._memory = Memory()
        self.stalls = Stalls(self._now)
        self.figures.stalls = self.stalls.noted
        self._process_lives_on_from = float("inf")
        self._expects_end = False
        self._last_record = ""
        self._traceback_expected = False
        limits = Limits(
            reply_seconds=REPLY_SECONDS, heartbeat_seconds=HEARTBEAT_SECONDS, silence_seconds=20.0
        )
        self.discord = StandIn(limits=limits)
        # Discord's clock, by which all is judged here, is not the machine's, which the bot has.
        self.discord.world.advance_clock(self._chance.uniform(0, MOST_SKEW_SECONDS))
        self._kills = kills
        self._on_server = server.url("postgres") if server else None
        self.bot: GnauProcess | Processes = GnauProcess(self.discord, folder, address=self._on_server)
        self.database = self._on_server or self.bot.database
        self._hands = Hands(self.discord)
        if kills:
            assert server is not None, "SQLite is for one process"
            self.bot = Processes(self.discord, folder, server)
            self.discord.gateway.logins_at_once = SHARDS
        self.log = (folder / "bot.log").open("w")
        self.bot.on_line = self._on_line
        self.crowd = Crowd(self.discord, tables, list(GAMES), random.Random(seed), SHARDS if kills else 1)
        self._scene = Scene(self.discord, self.bot, self._revive, self.crowd, self._chance, server)

    async def run(self, minutes: float) -> None:
        """Plays for this long, with faults, and fills in the figures."""
        with closing(self.log):
            async with self.discord, self.stalls.watch(self._folder):
                try:
                    await self._play(minutes)
                except (AssertionError, TimeoutError) as wrong:
                    self.figures.problems.append(f"the run could not go on: {wrong!r}")
                finally:
                    with suppress(AssertionError, TimeoutError):
                        await self.bot.end(SIGKILL)
            await self._check_database()
        self._judge_totals()

    async def _play(self, minutes: float) -> None:
        await self.bot.start()
        await self.crowd.set_house_rules()
        start, begins = self.bot.megabytes(), time.monotonic()
        if isinstance(self.bot, GnauProcess):
            self._process_lives_on_from = begins + 60 * minutes * (1 - LONG_LIFE)
        members = self.crowd.sit_down()
        watching, disturbing = asyncio.create_task(self._watch()), asyncio.create_task(self._disturb())
        tasks = [watching, disturbing, *members]
        over = asyncio.create_task(self.over.wait())
        await asyncio.wait({over, *tasks}, timeout=60 * minutes, return_when=asyncio.FIRST_COMPLETED)
        self.over.set()
        # The fault that lasts is ended, and nobody is left without an answer that is on its way.
        await asyncio.wait({over, disturbing})
        self.figures.minutes = (time.monotonic() - begins) / 60
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                self.figures.problems.append(f"the run itself failed: {outcome!r}")
        while self._waits_for_replies():  # noqa: ASYNC110 - no event tells of all of them
            await asyncio.sleep(0.1)
        self.judge_presses(self._now())
        self.figures.megabytes = start, self.bot.megabytes()
        self.figures.warm_megabytes = self._memory.growth
        self.figures.late_megabytes = self._memory.late_growth
        self._expects_end = True
        status = await self.bot.end(SIGTERM)
        if status != 0:
            self.figures.problems.append(f"the bot ended with status {status} when it was asked to stop")

    # Faults

    async def _disturb(self) -> None:
        """Lets one or two faults last a while, then has calm, and so on; each kind comes in turn."""
        waiting: list[Fault] = []
        while not await self._is_over_within(self._chance.uniform(*self._calm_seconds)):
            waiting = waiting or self._chance.sample(self._faults, len(self._faults))
            faults = [waiting.pop()]
            if self._chance.random() < TWO_AT_ONCE:
                others = [
                    one
                    for one in self._faults
                    if one is not faults[0] and not (one.of_process and faults[0].of_process)
                ]
                faults += self._chance.sample(others, min(1, len(others)))
            if time.monotonic() > self._process_lives_on_from:
                faults = [one for one in faults if not one.ends_process]
            if faults:
                await self._let_happen(faults)
            if isinstance(self.bot, Processes):
                self.figures.kills = self.bot.kills
                if self.bot.kills >= self._kills:
                    self.over.set()

    async def _let_happen(self, faults: list[Fault]) -> None:
        seconds = self._chance.uniform(1.0, max(fault.most_seconds for fault in faults))
        names = " and ".join(fault.name for fault in faults)
        self._report(f"{names} for {seconds:.1f} s")
        print(f"--- {names} for {seconds:.1f} s", file=self.log, flush=True)
        now = self._now()
        spells = [Spell(fault, now) for fault in faults]
        self._spells = [spell for spell in self._spells if spell.ends > now - REMEMBERED_SECONDS] + spells
        self.figures.faults.update(fault.name for fault in faults)
        self._expects_end = any(fault.of_process for fault in faults)
        async with AsyncExitStack() as stack:
            for fault in sorted(faults, key=lambda one: one.of_process):
                await stack.enter_async_context(fault.lasting(self._scene))
            await self._is_over_within(seconds)
        for spell in spells:
            spell.ends = self._now()
        print("--- over", file=self.log, flush=True)
        if self.bot.pid is None:
            self.figures.problems.append(f"the bot ended unasked during {names}")
            await self._revive()
        self._expects_end = False

    async def _is_over_within(self, seconds: float) -> bool:
        """Waits this long, or until the run is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.over.wait()
        return self.over.is_set()

    async def _revive(self) -> None:
        """Starts the bot again and again until it is connected, as a supervisor would."""
        async with asyncio.timeout(REVIVAL_SECONDS):
            while True:
                if self.bot.pid is None:
                    await self.bot.end()
                    await self.bot.launch()
                await until(lambda: self.discord.bot_connected or self.bot.pid is None, "it starts", 60)
                if self.discord.bot_connected:
                    return
                await asyncio.sleep(0.5)

    # What is watched meanwhile

    def _now(self) -> float:
        """Seconds since the epoch, by Discord's clock."""
        return self.discord.world.now().timestamp()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            self.judge_presses(self._now() - TRIED_SECONDS)
            # These would fill this process.
            since = self.discord.world.now() - timedelta(seconds=REQUESTS_SECONDS)
            self.discord.requests[:] = [one for one in self.discord.requests if one.at > since]
            self.crowd.tidy_up()
            if self.bot.pid is not None and (megabytes := self.bot.megabytes()):
                self._memory.note(self.bot.pid, megabytes, time.monotonic())
            if self.bot.pid is None and not self._expects_end:
                self.figures.problems.append("the bot ended unasked")
                return

    def _waits_for_replies(self) -> bool:
        """Whether a press may still get its reply."""
        since = self._now() - REPLY_SECONDS
        return any(
            interaction.callback is None and interaction.created.timestamp() > since
            for interaction in self.discord.world.interactions.values()
        )

    def judge_presses(self, before: float) -> None:
        """Counts presses that were made before this time, and those without a reply."""
        calm, disturbed = self.figures.unanswered
        for interaction in self.discord.world.interactions.values():
            at = interaction.created.timestamp()
            if interaction.id <= self._judged or at > before:
                continue
            self._judged = interaction.id
            self.figures.presses += 1
            if interaction.callback is not None and interaction.command != GIVE:
                continue
            spells = [spell for spell in self._spells if spell.overlaps(at, at + REPLY_SECONDS)]
            faults = [spell.fault for spell in spells if not spell.fault.answers]
            if interaction.command == GIVE:
                self.figures.gifts += 1
                broken = any(fault.breaks_ledger for fault in faults)
                self.answers.note_gift(interaction, ledger_worked=not broken)
            if interaction.callback is not None:
                continue
            stalled = self.stalls.overlap(at, at + REPLY_SECONDS)
            excused = stalled or any(fault.silences for fault in faults)
            if not excused and not was_tried(interaction, self.discord.requests):
                self.answers.note_silence(interaction)
            if faults or stalled:
                disturbed += 1
            else:
                calm += 1
                what = f"{name_of(interaction)} of {at:.1f}"
                print(f"--- unanswered without a fault: {what}", file=self.log, flush=True)
        self.figures.unanswered = calm, disturbed

    def _on_line(self, line: str) -> None:
        print(line, file=self.log, flush=True)
        self.bot.lines[:] = [*self.bot.lines[-50:], line]
        record = _RECORD.match(line)
        if record is None:
            if line.lstrip().startswith("Traceback") and not self._traceback_expected:
                self.figures.problems.append(f"the bot logged a traceback: {self._last_record}")
            return
        self._last_record = record["text"]
        if record["level"] not in ("ERROR", "CRITICAL"):
            self._traceback_expected = False
            return
        now = self._now()
        explained_by = [
            spell.fault
            for spell in self._spells
            if spell.overlaps(now, now) and re.search(spell.fault.explains, record["text"])
        ]
        self._traceback_expected = any(fault.tracebacks for fault in explained_by)
        if explained_by:
            self.figures.errors += 1
        else:
            self.figures.problems.append(f"the bot logged an error that no fault explains: {record['text']}")

    # What is judged at the end

    async def _check_database(self) -> None:
        """Audits the database as a host would."""
        database = self.database
        if isinstance(database, Path) and not database.exists():
            self.figures.problems.append("there is no database")
            return
        check = await asyncio.create_subprocess_exec(
            GNAU, "db", "check", env=self.bot.environment, cwd=self._folder, stdout=PIPE, stderr=STDOUT
        )
        said, _ = await check.communicate()
        if check.returncode != 0:
            self.figures.problems.append(f"gnau db check: {said.decode().strip()}")
        self.figures.rounds = rounds_settled(database)
        self.figures.problems += self._hands.sent_twice
        with opened(database) as connection:
            for what, twice in _TWICE.items():
                self.figures.problems += [f"{what}: {row}" for row in connection.execute(twice)]
        self.figures.problems += self.answers.disagreements(database)

    def _judge_totals(self) -> None:
        figures = self.figures
        calm, _ = figures.unanswered
        before, after = figures.megabytes
        if calm:
            figures.problems.append(f"{calm} presses got no answer in {REPLY_SECONDS:g} s without any fault")
        if not figures.rounds:
            figures.problems.append("no round was settled")
        if after > MOST_GROWTH_IN_ALL * before:
            figures.problems.append(f"the bot's memory grew from {before:.0f} to {after:.0f} MB")
        if figures.warm_megabytes is not None:
            warm, most = figures.warm_megabytes
            if most > MOST_GROWTH * warm:
                figures.problems.append(
                    f"the memory of a process that was warm grew from {warm:.0f} to {most:.0f} MB"
                )
        if figures.late_megabytes is not None:
            middle, most = figures.late_megabytes
            if most > MOST_LATE_GROWTH * middle:
                figures.problems.append(
                    f"in the second half of a life memory grew from {middle:.0f} to {most:.0f} MB"
                )
