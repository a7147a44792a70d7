"""The ids that Discord gives to everything: made here, and read back into the time they were made at."""

from datetime import UTC, datetime
from typing import Final

EPOCH_MS: Final = 1_420_070_400_000
"""The first moment of 2015 (UTC) in milliseconds of Unix time, from which Discord counts."""

_MOMENT_SHIFT: Final = 22
_SERIAL_MASK: Final = (1 << _MOMENT_SHIFT) - 1


class SnowflakeMint:
    """Makes ids that rise, and that carry the moment they were made at in their upper bits."""

    def __init__(self) -> None:
        self._last = 0

    def make(self, now: datetime) -> int:
        """The next id, for this moment; greater than each before it, even where the clock steps back."""
        moment = int(now.timestamp() * 1000) - EPOCH_MS
        # Ids of one millisecond differ in the lower bits, as Discord's worker and serial numbers do.
        self._last = max(moment << _MOMENT_SHIFT | (self._last + 1) & _SERIAL_MASK, self._last + 1)
        return self._last


def moment_of(snowflake: int) -> datetime:
    """When this id was made (UTC)."""
    return datetime.fromtimestamp(((snowflake >> _MOMENT_SHIFT) + EPOCH_MS) / 1000, UTC)
