"""What happened in a run, line by line: a hash that tells two runs apart, and the last lines."""

from collections import Counter, deque
from collections.abc import Callable
from hashlib import sha256
from typing import Final

KEPT: Final = 150
"""So many of the last lines are kept to be shown."""


class Trace:
    """The event log of a run.

    Args:
        time: the virtual time, in seconds.
        kept: how many of the last lines are kept to be shown.

    Attributes:
        counts: how often each kind of thing happened.
    """

    def __init__(self, time: Callable[[], float], kept: int = KEPT) -> None:
        self.counts: Counter[str] = Counter()
        self._time = time
        self._hash = sha256()
        self._last: deque[str] = deque(maxlen=kept)

    def note(self, kind: str, *facts: object) -> None:
        """Takes down that something happened."""
        self.counts[kind] += 1
        line = " ".join(map(str, (f"{self._time():.4f}", kind, *facts)))
        self._hash.update(line.encode())
        self._last.append(line)

    @property
    def digest(self) -> str:
        """The same for two runs in which the same happened at the same times."""
        return self._hash.hexdigest()

    @property
    def last_lines(self) -> str:
        """What happened last."""
        return "\n".join(self._last)
