"""A clock that is never set, and an outage by it: since when something fails, and how often."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

_CLOCK: Final = getattr(time, "CLOCK_BOOTTIME", None)
steady_time: Final[Callable[[], float]] = (
    time.monotonic if _CLOCK is None else partial(time.clock_gettime, _CLOCK)
)
"""Seconds that pass whatever is done to the machine's clock, also while the process is stopped; where the
system can tell (Linux), also while the machine sleeps."""
LONELY_SECONDS: Final = 60.0
"""A failure that nothing followed for so long was no outage."""


@dataclass(frozen=True, slots=True)
class Over:
    """An outage that is over.

    Attributes:
        lasted: from the first failure until it worked again.
        failures: how many there were.
        was_said: whether it was to be said that it began.
    """

    lasted: timedelta
    failures: int
    was_said: bool


class Outage:
    """Counts failures, and tells when it is to be said that an outage has begun and that it is over.

    Args:
        patience_seconds: how long it may fail before that is said.
        quiet_seconds: how long nothing may have failed before it is taken to work again.
        clock: seconds of a clock that is never set.
    """

    def __init__(
        self,
        patience_seconds: float = 0.0,
        quiet_seconds: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._patience_seconds = patience_seconds
        self._quiet_seconds = quiet_seconds
        self._clock = clock
        self._began_at = self._failed_at = 0.0
        self._failures = 0
        self._is_said = False

    def failed(self) -> bool:
        """Counts a failure; returns whether it is to be said now that an outage has begun."""
        before, self._failed_at = self._failed_at, self._clock()
        if not self._is_said and self._failed_at - before > LONELY_SECONDS:
            self._failures = 0
        if not self._failures:
            self._began_at = self._failed_at
        self._failures += 1
        if self._is_said or self._failed_at - self._began_at < self._patience_seconds:
            return False
        self._is_said = True
        return True

    def worked(self) -> Over | None:
        """Notes that it works; returns the outage that is over with that, if there was one."""
        now = self._clock()
        if not self._failures or now - self._failed_at < self._quiet_seconds:
            return None
        over = Over(timedelta(seconds=round(now - self._began_at)), self._failures, self._is_said)
        self._failures, self._is_said = 0, False
        return over
