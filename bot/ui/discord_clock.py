"""Discord's clock, as far as the dates of its responses tell, and by it how old interactions are.

The id of an interaction says when it was made, by Discord's clock. Each response has a date, in whole
seconds, of a moment between the request and the response. So each tells how far ahead of Discord's our clock
is at least and at most. What is not known counts as age, so that no interaction is taken for younger than it
is: a second and the way of the request at most, and less the more responses there are.
"""

from collections.abc import Callable
from typing import Final

import discord

from bot.ledger.not_after import steady_time

DATE_SECONDS: Final = 1.0
"""A date is cut to whole seconds."""
DRIFT: Final = 1e-4
"""How many seconds two clocks drift apart in a second at most."""
UNEVEN_SECONDS: Final = 0.5
"""How far clocks of Discord's own differ at most."""
_EPOCH_SECONDS: Final = discord.utils.DISCORD_EPOCH / 1000


class DiscordClock:
    """How old interactions are.

    Args:
        clock: seconds of a clock that is never set.
    """

    def __init__(self, clock: Callable[[], float] = steady_time) -> None:
        self.clock = clock
        self._least: float | None = None
        self._since = 0.0

    def age_of(self, interaction_id: int, at: float) -> float | None:
        """How old an interaction was at most, in seconds; None if that is not known.

        Args:
            interaction_id: its id.
            at: when, by the clock.
        """
        least = self._least_lead(at)
        if least is None:
            return None
        made = (interaction_id >> 22) / 1000 + _EPOCH_SECONDS
        age = at - made - least
        # Made in the future: one of the clocks was set, or stood still.
        return max(0.0, age) if age > -UNEVEN_SECONDS else None

    def note(self, date: float, sent: float, came: float) -> None:
        """Learns from the date of a response.

        Args:
            date: the date, in seconds since the epoch, UTC.
            sent: when the request was sent, by the clock.
            came: when the response came, by the clock.
        """
        least, most = sent - date - DATE_SECONDS, came - date
        known = self._least_lead(came)
        # Where what was known cannot be, one of the clocks was set, or stood still.
        if known is None or least > known or known > most:
            self._least, self._since = least, came

    def _least_lead(self, at: float) -> float | None:
        """How far the clock is ahead of Discord's at least, in seconds; None if that is not known."""
        return None if self._least is None else self._least - DRIFT * (at - self._since)
