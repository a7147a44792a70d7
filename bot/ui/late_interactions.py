"""Late interactions: nothing is carried out whose answer can no longer arrive.

Discord waits three seconds for the first response to an interaction. Then it tells its member that the
interaction failed, and they try again. So a young interaction is carried out, a doubtful one only once it is
deferred, and one that takes long is deferred meanwhile. What is asked for carries a `NotAfter`, which the
ledger checks inside its transaction.

How old an interaction is follows from the time in its id, which is of Discord's clock. How far that clock is
from ours is learnt: it is the smallest difference seen lately, that of an interaction without delay. Before
the first one, the machine's clock is believed if by it the interaction is young.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from math import inf
from typing import Final

import discord

from bot.ledger.not_after import NotAfter, steady_time
from bot.ui.background_tasks import BackgroundTasks
from bot.ui.discord_errors import SENDING_FAILED, UNKNOWN_INTERACTION, is_code
from bot.wire import requests
from bot.wire.requests import Interaction

log = logging.getLogger(__name__)

YOUNG_SECONDS: Final = 2.0
"""The age up to which an interaction is carried out without being deferred."""
LAST_SECONDS: Final = 2.5
"""The age up to which it may be written: the rest of Discord's three seconds is for the answer's way."""
DEFER_SECONDS: Final = 1.5
"""The age at which an interaction that has no answer yet is deferred."""
SOON_SECONDS: Final = 0.25
"""How long the bot has for an interaction that came in at that age or older, before it is deferred."""
TOKEN_SECONDS: Final = 14 * 60
"""How long an interaction's token is used; Discord takes it for a minute more."""
LEARNT_SECONDS: Final = 30 * 60
"""A difference counts for this long at least and twice as long at most, because clocks drift apart."""
_EPOCH_SECONDS: Final = discord.utils.DISCORD_EPOCH / 1000


class LateInteractionError(Exception):
    """Discord takes no answer to this interaction any more, so what it asked for is not carried out."""


class DiscordTime:
    """How old interactions are.

    Args:
        clock: seconds of a clock that is never set.
        machine_clock: seconds since the epoch, UTC, as far as the machine's clock is right.
    """

    def __init__(
        self, clock: Callable[[], float] = steady_time, machine_clock: Callable[[], float] = time.time
    ) -> None:
        self._clock = clock
        self._machine_clock = machine_clock
        self._learning_since = -inf
        self._smallest = self._smallest_before = inf

    def age_of(self, interaction_id: int, at: float) -> float | None:
        """How old an interaction was, in seconds; None if that is not known.

        Args:
            interaction_id: its id.
            at: when, by the clock.
        """
        self._forget()
        smallest = min(self._smallest, self._smallest_before)
        if smallest != inf:
            return max(0.0, _difference(interaction_id, at) - smallest)
        age = _difference(interaction_id, self._machine_clock() - (self._clock() - at))
        return age if 0 <= age <= YOUNG_SECONDS else None

    def learn(self, interaction_id: int, at: float) -> None:
        """Learns from an interaction that arrived at a time of the clock, and was not late."""
        self._forget()
        self._smallest = min(self._smallest, _difference(interaction_id, at))

    def _forget(self) -> None:
        """Forgets what was learnt long ago."""
        passed = self._clock() - self._learning_since
        if passed > LEARNT_SECONDS:
            self._smallest_before = self._smallest if passed <= 2 * LEARNT_SECONDS else inf
            self._smallest, self._learning_since = inf, self._clock()


class LateInteractions:
    """Keeps late interactions from being carried out.

    Attributes:
        time: how old interactions are.
        tasks: what is done for interactions beside handling them.
        handled: the interactions that are being handled.
    """

    def __init__(self) -> None:
        self.time = DiscordTime()
        self.tasks = BackgroundTasks()
        self.handled: set[Arrival] = set()

    async def close(self) -> None:
        """Ends the interactions that are still handled: what they have not written stays unwritten."""
        for arrival in list(self.handled):
            arrival.ended()
        await self.tasks.close()

    def arrived(self, interaction: Interaction) -> None:
        """Notes that an interaction came in, which is deferred if it does not get an answer soon."""
        arrival = interaction.extras[Arrival] = Arrival(interaction, self)
        self.handled.add(arrival)


class Arrival:
    """When an interaction came in, and what follows from it.

    Args:
        interaction: the interaction.
        late: knows how old it is.

    Attributes:
        at: when it came in, in seconds of `steady_time`.
    """

    def __init__(self, interaction: Interaction, late: LateInteractions) -> None:
        self._interaction = interaction
        self._late = late
        self.at = steady_time()
        age = late.time.age_of(interaction.id, self.at)
        # Of unknown age: over at once, unless Discord lets it be deferred.
        self._not_after = NotAfter(-inf if age is None else self.at - age + LAST_SECONDS)
        self._timer: asyncio.TimerHandle | None = None
        if interaction.type is not discord.InteractionType.autocomplete:
            soon = max(SOON_SECONDS, DEFER_SECONDS - (age or 0.0))
            self._timer = asyncio.get_running_loop().call_later(soon, self._defer_soon)

    def ended(self) -> None:
        """Ends the handling: the interaction is not deferred any more, and nothing more is written for it."""
        self._late.handled.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        self._not_after.at = -inf
        if self._interaction.response.is_done():
            self._late.time.learn(self._interaction.id, self.at)

    async def not_after(self) -> NotAfter:
        """Until when may be written what the interaction asks for; defers it first if it may be too old.

        Raises:
            As the function `not_after` does.
        """
        age = self._late.time.age_of(self._interaction.id, steady_time())
        if not self._interaction.response.is_done() and (age is None or age > YOUNG_SECONDS):
            try:
                await requests.defer_meanwhile(self._interaction)
            except discord.HTTPException as refused:
                if is_code(refused, UNKNOWN_INTERACTION):
                    raise LateInteractionError from refused
                raise
        self._note_answer()
        return self._not_after

    def _defer_soon(self) -> None:
        if not self._interaction.response.is_done():
            self._late.tasks.start(self._defer(), "deferral")

    async def _defer(self) -> None:
        try:
            await requests.defer_meanwhile(self._interaction)
        except SENDING_FAILED as failed:
            log.info("an interaction could not be deferred: %s", failed)
        self._note_answer()

    def _note_answer(self) -> None:
        """Once Discord took a response, others can follow as long as the token lives."""
        if self._interaction.response.is_done():
            self._not_after.at = self.at + TOKEN_SECONDS
            self._late.time.learn(self._interaction.id, self.at)


async def not_after(interaction: Interaction) -> NotAfter:
    """Until when that may be written what an interaction asks for: as long as its answer can arrive.

    Raises:
        LateInteractionError: if its answer cannot.
        One of `SENDING_FAILED`: if nobody knows whether it can.
    """
    arrival: Arrival = interaction.extras[Arrival]
    return await arrival.not_after()


def token_lives(interaction: Interaction) -> bool:
    """Whether the first response can be changed, and others can follow."""
    arrival: Arrival = interaction.extras[Arrival]
    return steady_time() - arrival.at < TOKEN_SECONDS


def _difference(interaction_id: int, at: float) -> float:
    """What a clock of ours shows more than Discord's showed when the interaction was created, in seconds."""
    return at - ((interaction_id >> 22) / 1000 + _EPOCH_SECONDS)
