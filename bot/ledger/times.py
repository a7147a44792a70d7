"""Times of what is written: the latest time for a change, stored times and a wrong clock."""

from collections.abc import Callable

from bot.clock import steady_time
from bot.ledger.errors import TooLate


class NotAfter:
    """Until when a change may be made, in seconds of a clock that is never set.

    It can be put off while the change waits to be written.
    """

    __slots__ = ("_clock", "at")

    def __init__(self, at: float, clock: Callable[[], float] = steady_time) -> None:
        self.at = at
        self._clock = clock

    @property
    def is_over(self) -> bool:
        """Whether it is too late."""
        return self._clock() > self.at


def refuse_late(not_after: NotAfter | None, what: str) -> None:
    """Raises TooLate if something may no longer be written."""
    if not_after is not None and not_after.is_over:
        raise TooLate(what)


def is_recent(at: float, seconds: float, now: float) -> bool:
    """Whether a stored time lies in the last seconds; one in the future does not."""
    return 0 <= now - at < seconds
