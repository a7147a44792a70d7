"""What the owner of the bot decided: maintenance, blocked servers, an announcement.

It is stored beside the books. Every process reads it again and again, so that it holds in all of them.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Final

from bot.ledger.changes import OwnerNote
from bot.ledger.ledger import Ledger

ANNOUNCED_SECONDS: Final = 86_400.0
"""How long an announcement is posted at most: a bot that was down longer posts no old news."""
_DECIDED: Final = "decided "
_MAINTENANCE: Final = f"{_DECIDED}maintenance"
_ANNOUNCEMENT: Final = f"{_DECIDED}announcement"
_BLOCKED: Final = f"{_DECIDED}block "
_ANNOUNCED: Final = "announced "


class NoNewRoundsError(Exception):
    """No round may begin in a server now.

    Attributes:
        until: when the maintenance ends; None if the server is blocked.
    """

    def __init__(self, until: float | None) -> None:
        super().__init__("the server is blocked" if until is None else "there is maintenance")
        self.until = until


@dataclass(frozen=True, slots=True)
class Announcement:
    """A message to every server, from a time on."""

    at: float
    text: str

    @property
    def code(self) -> str:
        """What tells it from others; the same text is the same announcement."""
        return sha256(self.text.encode()).hexdigest()[:16]


class Operation:
    """What the owner decided, in memory for reading.

    Attributes:
        announced: the servers that have the announcement, or are about to.
    """

    def __init__(self, ledger: Ledger, now: Callable[[], float]) -> None:
        self._ledger = ledger
        self._now = now
        self._decided: dict[str, str] = {}
        self.announced: set[int] = set()

    async def load(self) -> None:
        """Reads what is decided."""
        before = self.announcement
        self._decided = await self._ledger.owner_notes(_DECIDED)
        if self.announcement != before:
            self.announced = set()

    async def load_announced(self) -> None:
        """Reads which servers have the announcement."""
        news = self.announcement
        told = {} if news is None else await self._ledger.owner_notes(_ANNOUNCED)
        self.announced = {
            _id_in(name) for name, code in told.items() if news is not None and code == news.code
        }

    async def _decide(self, name: str, text: str | None) -> None:
        await self._ledger.record(OwnerNote(name, text))
        await self.load()

    @property
    def maintenance_until(self) -> float | None:
        """When the maintenance ends that is on now; None without one."""
        until = float(self._decided.get(_MAINTENANCE, 0.0))
        return until if until > self._now() else None

    @property
    def blocked(self) -> list[int]:
        """The servers that the bot leaves."""
        return sorted(_id_in(name) for name in self._decided if name.startswith(_BLOCKED))

    @property
    def announcement(self) -> Announcement | None:
        """The announcement that is posted now; None without one."""
        stored = self._decided.get(_ANNOUNCEMENT)
        news = None if stored is None else Announcement(**json.loads(stored))
        return None if news is None or news.at + ANNOUNCED_SECONDS < self._now() else news

    def refuse_new_round(self, server_id: int) -> None:
        """Raises NoNewRoundsError if none may begin in a server."""
        if server_id in self.blocked:
            raise NoNewRoundsError(None)
        if (until := self.maintenance_until) is not None:
            raise NoNewRoundsError(until)

    async def decide(self, what: str, fact: Any = None) -> dict[str, Any]:
        """Does what a command asks for, if anything, and returns what holds from then on."""
        match what:
            case "maintain":
                # The fact is how many seconds; 0 ends it.
                await self._decide(_MAINTENANCE, str(self._now() + fact) if fact else None)
            case "block":
                await self._decide(f"{_BLOCKED}{fact}", "")
            case "unblock":
                await self._decide(f"{_BLOCKED}{fact}", None)
            case "announce":
                # An empty text ends it; a server that has the same one does not get it again.
                news = json.dumps(asdict(Announcement(self._now(), fact))) if fact else None
                await self._decide(_ANNOUNCEMENT, news)
            case _:
                await self.load()
        await self.load_announced()
        return {
            "maintenance_until": self.maintenance_until,
            "blocked": self.blocked,
            "announced": None if self.announcement is None else len(self.announced),
        }

    async def note_announced(self, server_id: int, news: Announcement) -> None:
        """Notes that a server gets the announcement: first, so that none gets it twice."""
        await self._ledger.record(OwnerNote(f"{_ANNOUNCED}{server_id}", news.code))
        self.announced.add(server_id)


def _id_in(name: str) -> int:
    return int(name.rpartition(" ")[2])
