"""Discord's clock, as far as the dates of its responses tell, and by it how old interactions are.

The id of an interaction says when it was made, by Discord's clock. Each response has a date, in whole
seconds, of a moment between the request and the response. So each tells how far ahead of Discord's our clock
is at least and at most. Ages are estimated too high rather than too low: by at most a second and the way of
the request, and by less the more responses there are.

While requests fail, no age is known: then interactions may still come, but no answer to them arrives.

Too low they can be by what Discord's own clocks differ, for what was on its way while this machine stood
still, and after a date that is old, until the next response.
"""

import logging
from collections.abc import Callable
from typing import Final

import discord

from bot.ledger.not_after import steady_time

log = logging.getLogger(__name__)

DATE_SECONDS: Final = 1.0
"""A date is cut to whole seconds."""
DRIFT: Final = 1e-4
"""How far two clocks may drift apart, in seconds per second; one that is set right slowly can drift more."""
UNEVEN_SECONDS: Final = 0.5
"""How far clocks of Discord's own differ at most."""
WRONG_SECONDS: Final = 120.0
"""How far the machine's clock is off, at least, if it is wrong."""
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
        self._requests_fail = False
        self._has_warned = False

    def age_of(self, interaction_id: int, at: float) -> float | None:
        """How old an interaction was at most, in seconds; None if that is not known.

        Args:
            interaction_id: its id.
            at: when, by the clock.
        """
        least = self._least_lead(at)
        if least is None:
            if not self._has_warned:
                self._has_warned = True
                log.warning("Discord's responses have no date: every change is deferred until one has")
            return None
        if self._requests_fail:
            return None
        made = (interaction_id >> 22) / 1000 + _EPOCH_SECONDS
        age = at - made - least
        # Made in the future: one of the clocks was set, or stood still.
        return max(0.0, age) if age > -UNEVEN_SECONDS else None

    def error_of(self, other: float, at: float) -> float:
        """How many seconds another clock is ahead of Discord's, below 0 if behind; 0 if it is right.

        One that is off by less than `WRONG_SECONDS` is right, and so is one of which nothing is known.

        Args:
            other: what it shows, in seconds since the epoch, UTC.
            at: what our clock shows then.
        """
        least = self._least_lead(at)
        error = 0.0 if least is None else other - (at - least)
        return error if abs(error) >= WRONG_SECONDS else 0.0

    def note(self, date: float, sent: float, received: float) -> None:
        """Learns from the date of a response.

        Args:
            date: the date, in seconds since the epoch, UTC.
            sent: when the request was sent, by the clock.
            received: when the response was received, by the clock.
        """
        self._requests_fail = False
        least, most = sent - date - DATE_SECONDS, received - date
        known = self._least_lead(received)
        # Where what was known cannot be, one of the clocks was set, or stood still.
        if known is None or least > known or known > most:
            self._least, self._since = least, received

    def note_failure(self) -> None:
        """Learns that Discord could not be reached, or did not do what was requested."""
        self._requests_fail = True

    def _least_lead(self, at: float) -> float | None:
        """How far the clock is ahead of Discord's at least, in seconds; None if that is not known."""
        return None if self._least is None else self._least - DRIFT * (at - self._since)
