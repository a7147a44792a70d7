"""The bot from the croupier down, as processes that are stopped or killed at any instant, and start again."""

import asyncio
import gc
import logging
import secrets
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from sqlalchemy.exc import SAWarning

from bot.croupier.croupier import Croupier
from bot.croupier.open_tables import TableChanged
from bot.croupier.privacy import Privacy
from bot.croupier.season_ends import end_seasons
from bot.croupier.tournaments import Tournaments
from bot.games.house import House
from bot.ledger.errors import LedgerError
from bot.ledger.sqlite import engine as engine_module
from bot.ledger.sqlite import erasure
from bot.rules.shuffle import SECRET_SIZE
from bot.table.evolve import fold
from bot.table.state import TableState
from bot.table.tournament import Tournament
from tests.simulation.disk import CUT_OFF, Disk
from tests.simulation.disk_check import rows_of
from tests.simulation.loop import VirtualLoop
from tests.simulation.server import FaultyServer

NOON: Final = 1_790_000_000.0
ERASES_AGAIN_SECONDS: Final = 3600.0
"""How often the bot finishes erasures that failed."""
STARTS_AGAIN_SECONDS: Final = 5.0
LOOKS_SECONDS: Final = 5.0
"""How often the bot looks whether a season is due, or something in a tournament."""


class Bot:
    """Runs one process after the other on a database.

    Args:
        path: the file of the database, or its address on a server.
        loop: where it runs.
        disk: the disk of the database, or its server.
        random: draws secrets, parties, and everything else that is random in the bot.
        house: the house rules of every server.

    Attributes:
        croupier: of the process that runs; None if none does.
        privacy, tournaments: the same of it.
        past: every state of each table that was told or loaded, in order.
        broken: what went wrong in any of the processes.
    """

    def __init__(
        self,
        path: Path | str,
        loop: VirtualLoop,
        disk: Disk | FaultyServer,
        random: Random,
        house: House,
    ) -> None:
        self.croupier: Croupier | None = None
        self.privacy: Privacy | None = None
        self.tournaments: Tournaments | None = None
        self.past: defaultdict[int, list[TableState]] = defaultdict(list)
        self.broken: list[str] = []
        self.path = path
        self.loop = loop
        self.disk = disk
        self.process = 0
        self._random = random
        self._house = house
        self._known: dict[int, TableState] = {}
        self._life: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()

    def now(self) -> float:
        """The machine's clock."""
        return NOON + self.loop.time()

    async def start(self) -> None:
        """Starts processes until one runs, as a supervisor does."""
        while self.croupier is None:
            self.process += 1
            self._ending = asyncio.Event()
            self._life = self.loop.spawn(self.process, self._live(self.process))
            while self.croupier is None and not self._life.done():  # noqa: ASYNC110 - a virtual moment
                await asyncio.sleep(0.01)
            if self._life.done():
                await self._bury()
                await asyncio.sleep(STARTS_AGAIN_SECONDS)

    def kill(self) -> None:
        """Kills the process at this instant: nothing that it does has an effect from now on."""
        self.disk.cut(self.process)
        self.croupier = self.privacy = None

    async def stop(self) -> None:
        """Ends the process: cleanly, or what a kill left of it."""
        self._ending.set()
        if self._life is not None and self.croupier is not None:
            await asyncio.wait([self._life], timeout=600)
        await self._bury()

    async def _bury(self) -> None:
        """Cleans up after a process, and takes down what ended it."""
        was_killed = self.croupier is None
        self.croupier = self.privacy = None
        await self.loop.end(self.process)
        life, self._life = self._life, None
        self.disk.cut(self.process)
        # A read that was cancelled goes on until its cursor is collected.
        gc.collect()
        error = None if life is None or life.cancelled() else life.exception()
        if error is not None and not was_killed and not isinstance(error, LedgerError):
            self.broken.append(f"process {self.process} ended with {error!r}")

    async def _live(self, process: int) -> None:
        async with self.disk.opened() as ledger:
            croupier = Croupier(ledger, lambda _: self._house, self.now, self._secret)
            privacy = Privacy(croupier)
            await privacy.erase_noted()
            await croupier.load()
            self._known = {table.table_id: table for table in croupier.tables.all()}
            for table in self._known.values():
                self.past[table.table_id].append(table)
            croupier.listeners.add(lambda news: self._hear(process, news))
            self.croupier, self.privacy, self.tournaments = croupier, privacy, Tournaments(croupier)
            looking = asyncio.create_task(self._look(croupier, self.tournaments))
            try:
                await croupier.go_on()
                while not await self._ends_within(ERASES_AGAIN_SECONDS):
                    with suppress(LedgerError):
                        await privacy.erase_noted()
            finally:
                looking.cancel()
                await asyncio.wait([looking])
                await croupier.close()

    async def _look(self, croupier: Croupier, tournaments: Tournaments) -> None:
        """Ends seasons that are due, and goes on with tournaments, as long as there are some."""
        while True:
            await asyncio.sleep(LOOKS_SECONDS)
            with suppress(LedgerError):
                if croupier.seasons.ending:
                    await end_seasons(croupier)
            with suppress(LedgerError):
                for one in await croupier.stored_tournaments.running():
                    now = await tournaments.go_on(one, _thread)
                    if not now.is_running:
                        await tournaments.note(now, replace(now, is_told=True))

    async def _ends_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ending.wait()
        return self._ending.is_set()

    def _hear(self, process: int, news: TableChanged) -> None:
        """Checks that what is told follows what was told before, and is on disk already."""
        if process != self.process or self.croupier is None:
            return
        after = news.after
        known = self._known.get(after.table_id)
        if known != news.before:
            self.broken.append(f"table {after.table_id} was told from {news.before}, after {known}")
        if fold(news.before, news.events) != after:
            self.broken.append(f"what was told of table {after.table_id} does not lead to {after}")
        ((stored,),) = rows_of(
            self.path, f"SELECT sequence FROM tables WHERE table_id = {after.table_id}"
        ) or [(0,)]
        if stored < after.sequence:
            self.broken.append(f"event {after.sequence} was told, and the disk has {stored}: {news.events}")
        self._known[after.table_id] = after
        self.past[after.table_id].append(after)

    def _secret(self) -> str:
        return self._random.randbytes(SECRET_SIZE).hex()


async def _thread(tournament: Tournament, number: int) -> int:
    """The id of a thread: the same one again after a kill, as it is found again."""
    return (tournament.tournament_id << 20) + (tournament.stage << 8) + number


@contextmanager
def contained(bot: Bot, random: Random) -> Iterator[None]:
    """Repeats randomness, shows time and notes of the virtual machine, and takes down what is logged.

    Args:
        bot: whose `broken` gets warnings, errors that are logged with an exception, and unhandled ones.
        random: stands in for the system's randomness.
    """
    handler, hook = _Faults(bot.broken), sys.unraisablehook
    logger = logging.getLogger("bot")
    before = logger.propagate, logger.level
    logger.propagate = False
    logger.setLevel(logging.ERROR)
    logger.addHandler(handler)
    sys.unraisablehook = lambda what: bot.broken.append(f"{what.err_msg}: {what.exc_value!r}")
    try:
        with warnings.catch_warnings(), ExitStack() as stack:
            warnings.simplefilter("error")
            # A kill leaves connections open; a real one ends their process.
            warnings.filterwarnings("ignore", f".*{CUT_OFF}", SAWarning)
            warnings.filterwarnings("ignore", f".*{CUT_OFF}", ResourceWarning)
            for name, draw in (
                ("randbits", random.getrandbits),
                ("token_hex", lambda size: random.randbytes(size).hex()),
                ("token_bytes", random.randbytes),
            ):
                stack.enter_context(patch.object(secrets, name, draw))
            if isinstance(bot.disk, Disk):
                stack.enter_context(patch.object(engine_module, "note_erasures", bot.disk.note_erasures))
            stack.enter_context(patch.object(erasure, "monotonic", bot.loop.time))
            yield
            gc.collect()
    finally:
        sys.unraisablehook = hook
        logger.removeHandler(handler)
        logger.propagate, level = before
        logger.setLevel(level)


class _Faults(logging.Handler):
    """Takes down every log record with an exception."""

    def __init__(self, broken: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._broken = broken

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and (error := record.exc_info[1]) is not None:
            self._broken.append(f"{record.getMessage()}: {error!r}")
