"""Discord's ids: generates them, and reads their creation time."""

from datetime import UTC, datetime
from typing import Final

EPOCH_MS: Final = 1_420_070_400_000
"""Discord's epoch, the start of 2015 (UTC), in milliseconds of Unix time."""

_TIME_SHIFT: Final = 22
_SERIAL_MASK: Final = (1 << _TIME_SHIFT) - 1


class SnowflakeGenerator:
    """Generates increasing ids with their creation time in the upper bits."""

    def __init__(self) -> None:
        self._last = 0

    def next_id(self, now: datetime) -> int:
        """The next id for this time; larger than all before, even if the clock goes back."""
        milliseconds = int(now.timestamp() * 1000) - EPOCH_MS
        # Ids of the same millisecond differ in the lower bits, like Discord's worker and serial numbers.
        self._last = max(milliseconds << _TIME_SHIFT | (self._last + 1) & _SERIAL_MASK, self._last + 1)
        return self._last


def created_at(snowflake: int) -> datetime:
    """When this id was created (UTC)."""
    return datetime.fromtimestamp(((snowflake >> _TIME_SHIFT) + EPOCH_MS) / 1000, UTC)
