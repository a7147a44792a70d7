"""Counts what happens in the event loop: plain numbers, because every press pays for them.

Only the event loop changes them. Another thread may copy a dictionary or a list meanwhile: that is one step
of the interpreter.
"""

import logging
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from bot.croupier.open_tables import TableChanged
from bot.ledger.batch import Batch
from bot.table.events import RoundSettled
from bot.table.state import is_member
from bot.ui.bot import GnauBot
from bot.ui.press.errors import Outcome

ANSWERING: Final = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0)
"""Bounds of the time that an interaction takes, in seconds: after three, Discord has given up."""
REQUESTING: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
WRITING: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
BATCHES: Final = (1, 2, 4, 8, 16, 32, 64)
LAGGING: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_KNOWN: Final = frozenset(
    {
        *("@me", "@original", "applications", "bot", "bulk-delete", "callback", "channels", "commands"),
        *("gateway", "guilds", "interactions", "members", "messages", "oauth2", "users", "webhooks"),
    }
)
"""The words of a route; all else in an address is an id, a token or a version."""
_MOST_WORDS: Final = 4
_CALLBACK: Final = "/callback"
UNKNOWN: Final = "unknown"
SCOPES: Final = ("user", "global", "shared", UNKNOWN)
LEVELS: Final = ("warning", "error", "critical")


class Tally:
    """How often a number was at most each of some bounds, and the sum of all.

    Attributes:
        counts: how often it was above the bound before and at most this one; the last is above all.
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, number: float) -> None:
        """Counts a number."""
        self.counts[bisect_left(self.bounds, number)] += 1
        self.sum += number


class Figures:
    """What happened since the start.

    Attributes:
        interactions: how many there were, by action, kind of outcome and code.
        answering: how long they took, by action.
        requests: how many requests to Discord, by method, route and status.
        limits: how many were refused as too many, by the scope of the limit.
        chips: how many moved, by reason.
        rounds: how many were settled, by game.
        players: who had a place in one of them, since the log said how many.
    """

    def __init__(self) -> None:
        self.interactions: Counter[tuple[str, str, str]] = Counter()
        self.answering: defaultdict[str, Tally] = defaultdict(lambda: Tally(ANSWERING))
        self.requests: Counter[tuple[str, int | None]] = Counter()
        self.requesting = Tally(REQUESTING)
        # Prometheus sees that something grows only if it was there before.
        self.limits: Counter[str] = Counter(dict.fromkeys(SCOPES, 0))
        self.chips: Counter[str] = Counter()
        self.rounds: Counter[str] = Counter()
        self.players: set[int] = set()
        self.batches = Tally(BATCHES)
        self.writing = Tally(WRITING)
        self.lag = Tally(LAGGING)
        self.log_records: Counter[str] = Counter(dict.fromkeys(LEVELS, 0))
        self.backups_failed = 0
        self.backup_copied: bool | None = None

    def listen(self, bot: GnauBot) -> None:
        """Counts what happens in this bot from now on."""
        bot.arrivals.on_finished = self.finished
        bot.outage.on_answer = self.answered
        bot.croupier.ledger.writer.on_written = self.written
        bot.croupier.listeners.add(self.settled, of=(RoundSettled,))

    def finished(self, action: str, outcome: Outcome, seconds: float) -> None:
        """Counts an interaction."""
        kind, name = outcome
        # The log says the name of an error before its code.
        code = "" if kind == "done" else name.rpartition(" ")[2]
        self.interactions[action, kind, code] += 1
        self.answering[action].add(seconds)

    def answered(self, method: str, path: str, status: int | None, seconds: float, scope: str) -> None:
        """Counts a request to Discord."""
        route = "POST interactions/callback" if path.endswith(_CALLBACK) else _route(method, path)
        self.requests[route, status] += 1
        self.requesting.add(seconds)
        if status == 429:
            self.limits[scope if scope in SCOPES else UNKNOWN] += 1

    def written(self, batch: Batch, seconds: float) -> None:
        """Counts a batch that is on disk."""
        self.batches.add(len(batch.outcomes))
        self.writing.add(seconds)
        chips = self.chips
        for _, _, _, _, _, _, count, reason, *_ in batch.transfers:
            chips[reason] += count

    def settled(self, change: TableChanged) -> None:
        """Counts a round and its members."""
        self.rounds[change.after.game.name] += 1
        if change.after.last is not None:
            self.players.update(filter(is_member, change.after.last.parties))

    def tried_backup(self, backup: Path | None) -> None:
        """Counts a backup that could not be made."""
        self.backups_failed += backup is None


class LogCounter(logging.Handler):
    """Counts warnings and errors of the log."""

    def __init__(self, figures: Figures) -> None:
        super().__init__(logging.WARNING)
        self._figures = figures

    def emit(self, record: logging.LogRecord) -> None:
        """Counts a record."""
        self._figures.log_records[record.levelname.lower()] += 1


@lru_cache(4096)
def _route(method: str, path: str) -> str:
    """What a request is for: its method, and the words of its path without ids and tokens."""
    words = [word for word in path.split("/") if word in _KNOWN]
    return f"{method} {'/'.join(words[:_MOST_WORDS])}"
