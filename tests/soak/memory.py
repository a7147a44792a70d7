"""How the memory of the bot grows, each of its processes for itself."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

WARM_SECONDS: Final = 120.0
"""The age at which a process has loaded everything, and made every kind of picture: until then it grows."""
MOST_GROWTH: Final = 1.25
"""How much a process may have, compared with when it was warm.

Nothing that it keeps grows without end, but some caches fill only later. Of about 220 MB, SQLite's pages are
5 to 8 MB then, and 24 MB at most: 16 for the connection that writes, 2 for each of four that read. Hands,
numbers and known interactions come to 7 MB more, and faults leave 10 to 15 MB of free space between them.
That is up to a fifth. The rest is for a machine on which the memory is more fragmented.
"""
SETTLED_SECONDS: Final = 300.0
"""The age at which caches are full and the allocator has what peaks need: only a leak grows from here on."""
MOST_LATE_GROWTH: Final = 1.1
"""How much a process may have at most in the second half of its life, compared with the middle of it."""
LEVEL_SAMPLES: Final = 20
"""How many samples the level is the lowest of, so that a peak is no growth."""


@dataclass(slots=True)
class _Life:
    """The memory of one process.

    Attributes:
        levels: its age in seconds and its megabytes, from when it was warm.
    """

    pid: int
    begins: float
    newest: deque[float] = field(default_factory=lambda: deque(maxlen=LEVEL_SAMPLES))
    levels: list[tuple[float, float]] = field(default_factory=list)

    @property
    def late_growth(self) -> tuple[float, float] | None:
        """Its megabytes in the middle of its life and at most later; None if it had not settled by then."""
        if not self.levels or self.levels[-1][0] < 2 * SETTLED_SECONDS:
            return None
        middle = self.levels[-1][0] / 2
        late = [megabytes for age, megabytes in self.levels if age >= middle]
        return late[0], max(late)


class Memory:
    """Follows the memory of one process after the other.

    Attributes:
        growth: of the process that grew the most since it was warm: its megabytes then, and at most later;
            None if no process got that old.
    """

    def __init__(self) -> None:
        self.growth: tuple[float, float] | None = None
        self._late_growth: tuple[float, float] | None = None
        self._life: _Life | None = None

    @property
    def late_growth(self) -> tuple[float, float] | None:
        """Of the newest process that had settled: its megabytes in the middle of its life and at most later.

        None if none had.
        """
        return (self._life and self._life.late_growth) or self._late_growth

    def note(self, pid: int, megabytes: float, at: float) -> None:
        """Takes a sample, one a second: which process, how much, and when in seconds."""
        life = self._life
        if life is None or life.pid != pid:
            self._late_growth = self.late_growth
            # Another process starts small, whatever the one before had.
            life = self._life = _Life(pid, at)
        life.newest.append(megabytes)
        if at - life.begins < WARM_SECONDS or len(life.newest) < LEVEL_SAMPLES:
            return
        level = min(life.newest)
        life.levels.append((at - life.begins, level))
        warm = life.levels[0][1]
        if self.growth is None or level / warm > self.growth[1] / self.growth[0]:
            self.growth = warm, level
