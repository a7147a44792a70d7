"""A clock that is never set, and an outage by it: since when something fails, and how often."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from math import inf
from typing import Final

_CLOCK: Final = getattr(time, "CLOCK_BOOTTIME", None)
steady_time: Final[Callable[[], float]] = (
    time.monotonic if _CLOCK is None else partial(time.clock_gettime, _CLOCK)
)
"""Seconds that pass whatever is done to the machine's clock, also while the process is stopped; where the
system can tell (Linux), also while the machine sleeps."""
HOUR_SECONDS: Final = 3_600
DAY_SECONDS: Final = 86_400
WEEK_SECONDS: Final = 7 * DAY_SECONDS
FIRST_MONDAY: Final = 4 * DAY_SECONDS
"""The first Monday of the epoch, which began on a Thursday, in UTC."""
LONELY_SECONDS: Final = 60.0
"""A failure that nothing followed for so long was no outage."""
LATELY_SECONDS: Final = 150.0
"""An outage goes on for so long after a failure: what is tried again is tried in that time."""


@dataclass(frozen=True, slots=True)
class SoFar:
    """An outage until now, which may be its end.

    Attributes:
        lasted: since the first failure.
        failures: how many there were.
        was_said: whether it was to be said before that it began.
    """

    lasted: timedelta
    failures: int
    was_said: bool


class Outage:
    """Counts failures, and tells when it is to be said that an outage has begun, goes on, and is over.

    Attributes:
        count: of how many it was to be said that they began.

    Args:
        patience_seconds: how long it may fail before that is said.
        quiet_seconds: how long nothing may have failed before it is taken to work again.
        again_seconds: how long it may go on before that is said again.
        clock: seconds of a clock that is never set.
    """

    def __init__(
        self,
        patience_seconds: float = 0.0,
        quiet_seconds: float = 0.0,
        again_seconds: float = inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._patience_seconds = patience_seconds
        self._quiet_seconds = quiet_seconds
        self._again_seconds = again_seconds
        self._clock = clock
        self._began_at = self._failed_at = 0.0
        self._said_at: float | None = None
        self._failures = 0
        self.count = 0

    @property
    def goes_on(self) -> bool:
        """Whether it was to be said that one has begun, and something has failed lately."""
        return self._said_at is not None and self._clock() - self._failed_at < LATELY_SECONDS

    def failed(self) -> SoFar | None:
        """Counts a failure; returns the outage if it is to be said now that it has begun, or goes on."""
        before, self._failed_at = self._failed_at, self._clock()
        if self._said_at is None and self._failed_at - before > LONELY_SECONDS:
            self._failures = 0
        if not self._failures:
            self._began_at = self._failed_at
        self._failures += 1
        since, least = self._began_at, self._patience_seconds
        if self._said_at is not None:
            since, least = self._said_at, self._again_seconds
        if self._failed_at - since < least:
            return None
        so_far = self._so_far()
        self.count += not so_far.was_said
        self._said_at = self._failed_at
        return so_far

    def worked(self) -> SoFar | None:
        """Notes that it works; returns the outage that is over with that, if there was one."""
        if not self._failures or self._clock() - self._failed_at < self._quiet_seconds:
            return None
        over = self._so_far()
        self._failures, self._said_at = 0, None
        return over

    def _so_far(self) -> SoFar:
        lasted = timedelta(seconds=round(self._clock() - self._began_at))
        return SoFar(lasted, self._failures, self._said_at is not None)
