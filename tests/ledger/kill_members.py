"""Members of evenings that can be killed: new ones come, change their names, and some are erased.

Everything that a member does or hears is in a log, a `Told` a line, before the bot hears of it or right after
the bot told them. So the log is right whenever its process is killed.
"""

import json
import os
import random
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Final

from bot.croupier import Croupier, ErasureRefused, Privacy, User
from bot.ledger.changes import DirectChannel
from tests.simulation.discord_model import Member
from tests.simulation.marks import new_name, new_user_id

RENAMED: Final = 0.02
"""The share of requests at which a member has a new name."""
SHOWN, KNOWN, ASKS, ERASED = "shown", "known", "asks", "erased"


@dataclass(frozen=True)
class Told:
    """A line of the log.

    Attributes:
        what: `shown` if the bot is about to see their name, `known` if it told who they are, `asks` if they
            are about to be erased, `erased` if they were told that they are.
        server_id: where.
        user_id: who.
        party: who they are there, if that is known.
        name: their name, if the bot sees it.
    """

    what: str
    server_id: int
    user_id: int
    party: int = 0
    name: str = ""


@dataclass
class History:
    """What happened to a member.

    Attributes:
        names: every name that the bot may have seen.
        parties: the parties that the bot said they are.
        asked: whether they asked to be erased.
        erased: whether they were told that they are.
    """

    names: set[str] = field(default_factory=set)
    parties: set[int] = field(default_factory=set)
    asked: bool = False
    erased: bool = False


def log_of_members(log: Path) -> Path:
    """The log of members, beside that of commands."""
    return log.with_suffix(".members")


def histories_in(log: Path) -> dict[Member, History]:
    """What happened to each member; an incomplete last line did not happen."""
    path = log_of_members(log)
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    found: dict[Member, History] = {}
    for line in lines:
        if not line.endswith("\n"):
            continue
        told = Told(*json.loads(line))
        history = found.setdefault((told.server_id, told.user_id), History())
        match told.what:
            case "shown":
                history.names.add(told.name)
            case "known":
                history.parties.add(told.party)
            case "asks":
                history.asked = True
            case "erased":
                history.erased = True
    return found


class Members:
    """Everybody who asks something of the bot in one evening.

    Args:
        croupier: hosts the tables.
        log: the log of commands.
    """

    def __init__(self, croupier: Croupier, log: Path) -> None:
        self._croupier = croupier
        self._privacy = Privacy(croupier)
        self._random = random.Random()
        self._names: dict[Member, str] = {}
        self._known: set[Member] = set()
        self._asked = {member for member, history in histories_in(log).items() if history.asked}
        self._log = os.open(log_of_members(log), os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    async def start(self) -> None:
        """Erases everybody whose erasure was noted before the last kill, as the bot does at its start."""
        await self._privacy.erase_noted()

    def stranger(self, server_id: int) -> Member:
        """A member whom the bot never met."""
        return server_id, new_user_id(self._random)

    def first_of(self, server_id: int, user_ids: Iterable[int]) -> Member:
        """The member with the first of these ids who did not ask to be erased, in any evening."""
        members = ((server_id, user_id) for user_id in user_ids)
        return next(member for member in members if member not in self._asked)

    async def party_of(self, member: Member) -> int:
        """Who a member is, whom the bot sees under a new name now and then."""
        if member not in self._names or self._random.random() < RENAMED:
            self._names[member] = new_name(self._random)
            self._tell(Told(SHOWN, *member, name=self._names[member]))
        user = User(member[1], self._names[member], "en-US")
        party = await self._croupier.identities.party_of(member[0], user)
        if member not in self._known:
            self._known.add(member)
            self._tell(Told(KNOWN, *member, party=party))
        return party

    async def write_to(self, member: Member) -> None:
        """Notes how to reach a member by direct message."""
        await self._croupier.ledger.record(DirectChannel(member[1], self._random.getrandbits(50)))

    async def erase(self, member: Member) -> bool:
        """Erases a member; returns whether it was not refused."""
        self._asked.add(member)
        self._tell(Told(ASKS, *member))
        if isinstance(await self._privacy.erase(*member), ErasureRefused):
            return False
        self._tell(Told(ERASED, *member))
        return True

    def _tell(self, told: Told) -> None:
        os.write(self._log, f"{json.dumps(astuple(told))}\n".encode())
