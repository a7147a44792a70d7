"""The bot's process: it starts, is stopped or killed at any instant, and starts again."""

import asyncio
import gc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from bot.croupier import Croupier, Houses, Privacy
from bot.games.house import House
from bot.ledger.errors import LedgerError
from bot.ledger.ledger import open_ledger
from bot.rules.shuffle import SECRET_SIZE
from tests.simulation.discord_model import DiscordModel, Member, Press
from tests.simulation.disk import Disk
from tests.simulation.erasure_check import ErasureCheck
from tests.simulation.event_check import EventCheck
from tests.simulation.loop import VirtualLoop
from tests.simulation.messages_model import MessagesModel
from tests.simulation.press_replies import AllReplies
from tests.simulation.trace import Trace
from tests.simulation.ui_model import UiModel

HOUR: Final = 3600.0
PAUSES: Final = (0.0, 1.0, 5.0, 120.0)
"""How many seconds pass between the end of a process and the start of the next."""


@dataclass(slots=True)
class Clock:
    """The machine's clock, which is changed now and then.

    Attributes:
        time: the virtual time, in seconds, which cannot be changed.
    """

    time: Callable[[], float]
    _offset: float = 1_790_000_000.0

    def __call__(self) -> float:
        """Seconds since the epoch, UTC."""
        return self.time() + self._offset

    def set_by(self, seconds: float) -> None:
        """Sets it forward or back."""
        self._offset += seconds


@dataclass(slots=True)
class BotProcess:
    """Runs the bot, again and again.

    Attributes:
        path: the file of the database.
        loop: where it runs.
        disk: the disk of the database.
        discord: Discord.
        trace: what happened.
        replies: the replies.
        erasure_check: knows who was erased.
        random: makes the bot's own random choices.
        house_at_first: the house rules of a new server.
        clock: the machine's clock.
        process: the number of the current or last process.
        ui: takes presses; None while the bot is down.
        broken: what went wrong in any of the processes.
    """

    path: Path
    loop: VirtualLoop
    disk: Disk
    discord: DiscordModel
    trace: Trace
    replies: AllReplies
    erasure_check: ErasureCheck
    random: Random
    house_at_first: Callable[[int], House]
    clock: Clock
    process: int = 0
    ui: UiModel | None = None
    broken: list[str] = field(default_factory=list)
    since: float = 0.0
    _ending: asyncio.Event = field(default_factory=asyncio.Event)
    _killed: asyncio.Event = field(default_factory=asyncio.Event)
    _over: bool = False

    async def run(self) -> None:
        """Keeps a process running until `close`."""
        while not self._over:
            self.process += 1
            await self._one_life()
            if not self._over:
                await asyncio.sleep(self.random.choice(PAUSES))

    async def _one_life(self) -> None:
        self._ending, self._killed = asyncio.Event(), asyncio.Event()
        life = self.loop.spawn(self.process, self._live())
        killed = asyncio.create_task(self._killed.wait())
        await asyncio.wait([life, killed], return_when=asyncio.FIRST_COMPLETED)
        self._collect()
        self.ui = None
        await self.loop.end(self.process)
        killed.cancel()
        self.disk.cut(self.process)
        # A read that was cancelled goes on until its cursor is collected.
        gc.collect()
        if not life.cancelled() and (error := life.exception()) is not None and not self._killed.is_set():
            self.broken.append(f"process {self.process} ended with {error!r}")

    def kill(self) -> None:
        """Kills the process at this instant: nothing that it does has an effect from now on."""
        self.trace.note("kill", self.process)
        self._collect()
        self.ui = None
        self.disk.cut(self.process)
        self._killed.set()

    def tear_down(self) -> None:
        """Cancels all tasks of the process at this instant; it keeps its disk."""
        self.trace.note("torn down", self.process)
        self._collect()
        self.ui = None
        self._killed.set()

    def stop(self) -> None:
        """Asks the process to shut down cleanly."""
        self.trace.note("stop", self.process)
        self._ending.set()

    def close(self) -> None:
        """Asks the process to shut down cleanly, and starts no other."""
        self._over = True
        self.stop()

    def deliver(self, press: Press, patience: int | None = None) -> None:
        """Delivers a press, which is lost while the bot is down. `patience` as in `UiModel.take`."""
        if self.ui is None:
            self.trace.note("lost", press.key)
        else:
            self.loop.spawn(self.process, self.ui.take(press, patience))

    def erase(self, member: Member) -> asyncio.Task[None] | None:
        """Delivers a member's request to be erased, unless the bot is down."""
        return None if self.ui is None else self.loop.spawn(self.process, self.ui.erase(member))

    def show_wallet(self, member: Member) -> None:
        """Delivers a member's request to see their chips, unless the bot is down."""
        if self.ui is not None:
            self.loop.spawn(self.process, self.ui.show_wallet(member))

    async def tidy_up(self) -> None:
        """Ends everything when a run is given up, also processes that are being torn down."""
        self._over = True
        for process in range(self.process, -1, -1):
            self.disk.cut(process)
            await self.loop.end(process)
        gc.collect()

    def overdue(self) -> list[str]:
        """Every table that is overdue."""
        return self.ui.event_check.overdue() if self.ui else []

    async def _live(self) -> None:
        process = self.process
        try:
            # In one thread, a lock that is waited for would never be freed.
            async with open_ledger(
                f"sqlite:///{self.path}", busy_seconds=0, driver=self.disk.connect
            ) as ledger:
                houses = Houses(ledger, self.house_at_first, self.clock)
                await houses.load()
                croupier = Croupier(ledger, houses.house_of, self.clock, self._secret)
                await Privacy(croupier).erase_noted()
                await croupier.load()
                event_check = EventCheck(self.trace, self.loop.time, self.clock, croupier.tables.all())
                messages = MessagesModel(self.discord, self.trace, self.random, croupier)
                ui = UiModel(
                    self.discord,
                    self.trace,
                    self.replies,
                    self.random,
                    croupier,
                    houses,
                    event_check,
                    self.erasure_check,
                    messages,
                )
                croupier.listen(event_check)
                croupier.listen(messages)
                self.trace.note("start", process, len(croupier.tables.all()))
                try:
                    if process != self.process or self._killed.is_set():
                        return
                    self.erasure_check.started()
                    self.ui, self.since = ui, self.loop.time()
                    await ui.ready()
                    while not await self._ends_within(HOUR):
                        await ui.erase_noted()
                finally:
                    self._collect()
                    self.ui = None
                    await croupier.close()
        except LedgerError as failed:
            self.trace.note("failed", process, failed)

    async def _ends_within(self, seconds: float) -> bool:
        """Whether the process is asked to shut down before so much time is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ending.wait()
        return self._ending.is_set()

    def _secret(self) -> str:
        return self.random.randbytes(SECRET_SIZE).hex()

    def _collect(self) -> None:
        self.broken += self.erasure_check.broken
        self.erasure_check.broken.clear()
        if self.ui is not None:
            self.broken += self.ui.event_check.broken + self.ui.broken
            self.ui.event_check.broken, self.ui.broken = [], []
