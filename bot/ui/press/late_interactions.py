"""Late interactions: nothing is carried out whose answer can no longer arrive.

Discord waits three seconds for the first response to an interaction. Then it tells its member that the
interaction failed, and they try again. An interaction's id says when it was made, so its age is known as well
as the two clocks agree. A young one is carried out. An older one, or one from the future, is carried out
only once Discord lets it be deferred, and so is each one while requests fail. One that takes long is deferred
meanwhile. What is asked for carries a `NotAfter`, which the ledger checks inside its transaction.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from math import inf
from typing import Final

import discord

from bot.ledger.times import NotAfter, steady_time
from bot.ui.background_tasks import BackgroundTasks
from bot.ui.press.discord_errors import SENDING_FAILED, UNKNOWN_INTERACTION, is_code
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


class LateInteractionError(Exception):
    """Discord takes no answer to this interaction any more, so what it asked for is not carried out."""


class LateInteractions:
    """Keeps late interactions from being carried out.

    Args:
        requests_fail: whether requests to Discord fail now.
        tasks: where interactions are deferred.
    """

    def __init__(self, requests_fail: Callable[[], bool], tasks: BackgroundTasks) -> None:
        self.requests_fail = requests_fail
        self.tasks = tasks
        self.handled: set[Arrival] = set()

    def close(self) -> None:
        """Ends the interactions that are still handled: what they have not written stays unwritten."""
        for arrival in list(self.handled):
            arrival.ended()

    def arrived(self, interaction: Interaction) -> None:
        """Notes that an interaction came in, which is deferred if it does not get an answer soon."""
        arrival = interaction.extras[Arrival] = Arrival(interaction, self)
        self.handled.add(arrival)


class Arrival:
    """When an interaction came in, and what follows from it.

    Attributes:
        at: when it came in, in seconds of `steady_time`.
    """

    def __init__(self, interaction: Interaction, late: LateInteractions) -> None:
        self._interaction = interaction
        self._late = late
        self.at = steady_time()
        # Over, until it turns out to be young or Discord lets it be deferred.
        self._not_after = NotAfter(-inf)
        self._timer: asyncio.TimerHandle | None = None
        if interaction.type is not discord.InteractionType.autocomplete:
            soon = max(SOON_SECONDS, DEFER_SECONDS - max(0.0, age_of(interaction)))
            self._timer = asyncio.get_running_loop().call_later(soon, self._defer_soon)

    def ended(self) -> None:
        """Ends the handling: the interaction is not deferred any more, and nothing more is written for it."""
        self._late.handled.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        self._not_after.at = -inf

    async def not_after(self) -> NotAfter:
        """Until when may be written what the interaction asks for; defers it first if it may be too old.

        Raises:
            As the function `not_after` does.
        """
        age = age_of(self._interaction)
        if 0.0 <= age <= YOUNG_SECONDS and not self._late.requests_fail():
            self._not_after.at = steady_time() - age + LAST_SECONDS
        elif not self._interaction.response.is_done():
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


def age_of(interaction: Interaction) -> float:
    """Seconds since an interaction was made, if the machine's clock is right; negative if it is behind."""
    return time.time() - discord.utils.snowflake_time(interaction.id).timestamp()


async def not_after(interaction: Interaction) -> NotAfter:
    """Until when that may be written what an interaction asks for: as long as its answer can arrive.

    Raises:
        LateInteractionError: if its answer cannot.
        One of `SENDING_FAILED`: if nobody knows whether it can.
    """
    arrival: Arrival = interaction.extras[Arrival]
    return await arrival.not_after()


def token_seconds_left(interaction: Interaction) -> float:
    """For how long the first response can be changed, and others can follow; negative once it is over."""
    arrival: Arrival = interaction.extras[Arrival]
    return arrival.at + TOKEN_SECONDS - steady_time()


def token_lives(interaction: Interaction) -> bool:
    """Whether the first response can be changed, and others can follow."""
    return token_seconds_left(interaction) > 0
