"""One bot with all that it needs: its stand-in, its process, its crowd, and what is measured of it."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.practice.limits import Limits
from clicking.bot_process import BotProcess
from clicking.crowd import SEATING_AT_ONCE, Crowd
from clicking.load import (
    Load,
    Measured,
    Tally,
    closed_loop,
    deal_some,
    idle,
    measure,
    open_loop,
    quiet,
    reveal_some,
    whole_rounds,
)
from tests.stand_in import StandIn

BARE: Final = "bare"
OURS: Final = "ours"
NEWEST_FIRST: Final = "ours, newest first"
WATCHED: Final = "ours, watched by turns"
PICTURED: Final = "ours, with and without pictures by turns"
_MODULES: Final = {
    BARE: "clicking.bare_bot",
    OURS: "clicking.gnau_bot",
    NEWEST_FIRST: "clicking.newest_first_bot",
    WATCHED: "clicking.watched_bot",
    PICTURED: "clicking.pictured_bot",
}
SINGLE: Final = "single clicks"
STEADY: Final = "steady clicks"
ROUNDS: Final = "whole rounds"
LOADS: Final = (SINGLE, STEADY, ROUNDS)
IDLE_SECONDS: Final = 120
"""How long a stand-in keeps an idle connection. At its usual five seconds it closes some just as the bot's
next turn begins, and a click whose request meets the closing is lost."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a run is.

    Attributes:
        tables: how many tables.
        seats: how many players at each, beside the banker.
        clickers: how many clicks are under way at once.
        seconds: how long single and steady clicks are measured.
        rate: how many steady clicks there are in a second.
        rounds: how many rounds each table plays for one measurement.
        repeats: how often each load is measured.
    """

    tables: int
    seats: int
    clickers: int
    seconds: float
    rate: float
    rounds: int
    repeats: int


@dataclass(slots=True)
class Side:
    """One bot; see above.

    Attributes:
        discord: the stand-in.
        bot: the process.
        crowd: who clicks.
        size: how large the run is.
        chance: what the clickers choose by.
        measured: what was measured, by load.
    """

    discord: StandIn
    bot: BotProcess
    crowd: Crowd
    size: Size
    chance: random.Random = field(default_factory=lambda: random.Random(12))
    measured: dict[str, list[Measured]] = field(default_factory=lambda: {load: [] for load in LOADS})

    async def warm_up(self) -> None:
        """Has everybody sit down and play a round."""
        await self.crowd.sit_down()
        await whole_rounds(self.crowd, self._unhurried, 1, self.chance)(Tally())
        await idle(self.bot)

    async def before_single_clicks(self) -> None:
        """Has hands dealt at the tables where they are looked at."""
        await deal_some(self.crowd, self._unhurried, self.chance)(Tally())

    async def after_single_clicks(self) -> None:
        """Ends the rounds of those tables."""
        await quiet(self.discord)
        await reveal_some(self.crowd, self._unhurried)(Tally())

    async def measure(self, load: str) -> Measured:
        """Puts one load on the bot, and keeps what came of it."""
        measured = await measure(self.discord, self.bot, self._load(load))
        self.measured[load].append(measured)
        return measured

    async def profile(self, load: str) -> tuple[Measured, dict[str, Any]]:
        """Puts one load on the bot; returns what came of it, and where the CPU time of the bot went."""
        await quiet(self.discord)
        await self.bot.ask("profile")
        measured = await self.measure(load)
        return measured, await self.bot.ask("report")

    @property
    def _unhurried(self) -> int:
        """How many clicks are under way at once while nothing is measured: so few that none is late."""
        return min(SEATING_AT_ONCE, self.size.clickers)

    def _load(self, load: str) -> Load:
        size = self.size
        if load == SINGLE:
            return closed_loop(self.crowd, size.clickers, size.seconds, self.chance)
        if load == STEADY:
            return open_loop(self.crowd, size.rate, size.seconds, self.chance)
        return whole_rounds(self.crowd, size.clickers, size.rounds, self.chance)


@asynccontextmanager
async def side(name: str, size: Size, folder: Path) -> AsyncIterator[Side]:
    """One bot, connected to a stand-in of its own.

    Args:
        name: which.
        size: how large the run is.
        folder: where it may keep files.
    """
    discord = StandIn(limits=Limits(rate_limits=False))
    crowd = Crowd(discord, size.tables, size.seats, plays=name != BARE)
    async with discord:
        assert discord._server is not None
        discord._server.config.timeout_keep_alive = IDLE_SECONDS
        async with BotProcess(_MODULES[name], discord, folder) as bot:
            yield Side(discord, bot, crowd, size)
