"""The log of a run: a hash that tells two runs apart, and the last lines."""

import re
from collections import Counter, deque
from collections.abc import Callable
from hashlib import sha256
from typing import Final

KEPT: Final = 150
"""The number of last lines that are kept."""
_FOLDER: Final = re.compile(r"/\S*/")


class Trace:
    """The event log of a run.

    Args:
        time: the virtual time, in seconds.
        kept: the number of last lines to keep.

    Attributes:
        counts: how often each kind of event happened.
    """

    def __init__(self, time: Callable[[], float], kept: int = KEPT) -> None:
        self.counts: Counter[str] = Counter()
        self._time = time
        self._hash = sha256()
        self._last: deque[str] = deque(maxlen=kept)

    def note(self, kind: str, *facts: object) -> None:
        """Records an event."""
        # Every run has a folder of its own.
        kind, *rest = (_FOLDER.sub("", str(one)) for one in (kind, *facts))
        self.counts[kind] += 1
        line = " ".join((f"{self._time():.4f}", kind, *rest))
        self._hash.update(line.encode())
        self._last.append(line)

    @property
    def digest(self) -> str:
        """A hash of everything that happened, with its times."""
        return self._hash.hexdigest()

    @property
    def last_lines(self) -> str:
        """The last lines."""
        return "\n".join(self._last)
