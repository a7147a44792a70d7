"""Checks what members are promised about erasing, at any instant and across restarts of the bot."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.croupier import Croupier, ErasureRefused, MemberErasedError, NotErasable, User
from tests.simulation.discord_model import DiscordModel, Member
from tests.simulation.disk import Disk
from tests.simulation.stored_members import StoredMembers, chips_moved, marks_on_disk, stored_members

SMALL: Final = 1 << 20
"""The bytes up to which a database is searched after each erasure, and not only now and then."""


@dataclass(slots=True, eq=False)
class Request:
    """A member who asks to be erased.

    Attributes:
        member: the member.
        party: who they were at that moment; None if nothing was stored of them.
        alone: whether they asked no second time meanwhile, which may have another outcome.
    """

    member: Member
    party: int | None
    alone: bool = True


class ErasureCheck:
    """Knows who each party is, and what members were told of their erasure.

    Args:
        database: the file of the database.
        disk: its disk.
        discord: knows members and their names.

    Attributes:
        broken: every broken promise.
        searched: how often the files were searched for what is left of erased members.
    """

    def __init__(self, database: Path, disk: Disk, discord: DiscordModel) -> None:
        self.broken: list[str] = []
        self.searched = 0
        self._database = database
        self._disk = disk
        self._discord = discord
        self._owners: dict[int, Member] = {}
        self._told: set[int] = set()
        self._chips_told: Counter[Member] = Counter()
        self._uncertain: set[int] = set()
        self._open: Counter[Member] = Counter()
        self._requests: defaultdict[Member, list[Request]] = defaultdict(list)
        self._asked: set[Member] = set()
        self._names_in_use: Counter[str] = Counter()
        self._names_erased: set[str] = set()
        self._users_erased: set[int] = set()

    @contextmanager
    def press_by(self, member: Member) -> Iterator[User]:
        """A member as the bot sees them while it looks up their party, and may store their name."""
        user = self._discord.users[member]
        self._names_in_use[user.name] += 1
        try:
            yield user
        except MemberErasedError:
            self._names_in_use[user.name] -= 1
            raise
        # After any other error, the name may still be written.
        self._names_in_use[user.name] -= 1

    def met(self, member: Member, party: int) -> None:
        """Hears which party the bot found for a member."""
        is_new = party not in self._owners
        if self._owners.setdefault(party, member) != member:
            self.broken.append(f"party {party} is {self._owners[party]} and {member}")
        if is_new and member in self._asked:
            # They may have been erased before this was heard.
            self._uncertain.add(party)
            self._uncertain -= {party} & self._stored().members.keys()

    @contextmanager
    def request(self, member: Member) -> Iterator[Request]:
        """A request in progress, until its outcome is heard; ended by an error, its outcome is uncertain."""
        request = Request(member, self._stored().party_of(member))
        self._asked.add(member)
        others = self._requests[member]
        for other in others:
            other.alone = request.alone = False
        others.append(request)
        self._open[member] += 1
        try:
            yield request
        except BaseException:
            self.uncertain(request)
            raise
        finally:
            others.remove(request)
            self._open[member] -= 1

    def uncertain(self, request: Request) -> None:
        """Hears of a request that failed: the member may be erased, or may be later."""
        self._stored()
        self._uncertain |= self._parties_of(request.member)

    def acknowledged(self, request: Request, chips: int, croupier: Croupier) -> None:
        """Checks an erasure that the member is told of."""
        stored, party = self._stored(), request.party
        self._chips_told[request.member] += chips
        if party is not None:
            self._told.add(party)
            if croupier.tables.concerning(request.member[0], party):
                self.broken.append(f"party {party} was erased, and is at a table")
            if party not in stored.noted:
                self.broken.append(f"party {party} was erased, and nothing was noted")
        self._erased(request.member, stored)
        self.broken += self._wrong_in(stored, croupier)
        if self._database.stat().st_size <= SMALL:
            self.broken += self._left_of_erased(self._stored())

    def refused(self, request: Request, refusal: ErasureRefused, croupier: Croupier) -> None:
        """Checks that a refused erasure changed nothing."""
        stored, party = self._stored(), request.party
        if refusal.code is NotErasable.NOTHING_STORED:
            if party in stored.members:
                self.broken.append(f"nothing was stored of {request.member}, and yet party {party} is")
            self._erased(request.member, stored)
        elif party is not None and request.alone and party not in self._uncertain:
            if party not in stored.members or party in stored.noted:
                self.broken.append(f"the erasure of party {party} was refused, and yet happened")
            if croupier.identities.is_closed(party):
                self.broken.append(f"the erasure of party {party} was refused, and they cannot act")
        self.broken += self._wrong_in(stored, croupier)

    def started(self) -> None:
        """Checks that nothing is left of noted parties after a start, before anybody presses."""
        stored = self._stored()
        for party in stored.noted:
            if party in stored.members or party in stored.free:
                self.broken.append(f"party {party} was noted as erased, and something is left after a start")
        for party in self._uncertain & self._owners.keys() - stored.members.keys():
            self._erased(self._owners[party], stored)
        self._uncertain &= stored.noted

    def wrong(self, croupier: Croupier | None) -> list[str]:
        """What is wrong now.

        Args:
            croupier: the running bot's; None while the bot is down.
        """
        stored = self._stored()
        return [*self._wrong_in(stored, croupier), *self._left_of_erased(stored)]

    def wrong_when_quiet(self, croupier: Croupier) -> list[str]:
        """What is wrong some time after all trouble, when the bot has seen everybody at the tables again."""
        stored = self._stored()
        wrong = [*self._wrong_in(stored, croupier), *self._left_of_erased(stored)]
        if not self._disk.calm:
            wrong.append("the WAL was never emptied")
        left = stored.noted & (stored.members.keys() | stored.free.keys())
        wrong += [f"party {party} is noted as erased, and never was" for party in left]
        for party in {party for table in croupier.tables.all() for party in table.parties}:
            known, there = croupier.identities.get(party), stored.members.get(party)
            if known != there:
                wrong += [f"party {party} is {there} on disk, and {known} in memory"]
        return wrong

    def wrong_in_books(self) -> list[str]:
        """What is wrong with any chips that were ever moved for erasures and openings."""
        wrong = []
        to_house: Counter[int] = Counter()
        for party, chips in chips_moved(self._database, "erased"):
            to_house[party] += chips
        for member, chips in self._chips_told.items():
            got = sum(to_house[party] for party in self._parties_of(member))
            if got < chips:
                wrong.append(f"{member} was told of {chips} chips, the house got {got}")
        opened = Counter(self._owners.get(party) for party, _ in chips_moved(self._database, "opening_chips"))
        for owner, times in opened.items():
            if owner is not None and times > 1:
                wrong.append(f"{owner} got opening chips {times} times")
        return wrong

    def _stored(self) -> StoredMembers:
        """What is stored now; checks that nobody is erased who did not ask for it."""
        stored = stored_members(self._database)
        for party, one in stored.members.items():
            member = one.server_id, one.user_id
            if self._owners.setdefault(party, member) != member:
                self.broken.append(f"party {party} is {self._owners[party]} and {member}")
        for party in self._owners.keys() - stored.members.keys():
            if not self._may_be_gone(party):
                self.broken.append(f"party {party} is gone, and did not ask for it")
        return stored

    def _parties_of(self, member: Member) -> set[int]:
        return {party for party, owner in self._owners.items() if owner == member}

    def _may_be_gone(self, party: int) -> bool:
        asks = self._open[self._owners[party]] if party in self._owners else True
        return bool(asks) or party in self._told or party in self._uncertain

    def _erased(self, member: Member, stored: StoredMembers) -> None:
        """Everything about a member is erased: their names must not be found, unless they are in use."""
        self._uncertain |= self._parties_of(member) - stored.members.keys() - self._told
        self._users_erased.add(member[1])
        if stored.party_of(member) is not None:
            # They pressed again meanwhile: a name that they had since then is not erased.
            return
        names = {name for name in self._discord.names[member] if not self._names_in_use[name]}
        self._names_erased |= names - stored.marks.names
        self._discord.start_over(member)

    def _wrong_in(self, stored: StoredMembers, croupier: Croupier | None) -> Iterator[str]:
        for party in self._told:
            if party in stored.members:
                yield f"party {party} was erased, and is stored"
            if party in stored.free or party in stored.held:
                yield f"party {party} was erased, and has chips"
        for party in stored.noted:
            if not self._may_be_gone(party):
                yield f"party {party} is noted as erased, and did not ask for it"
        if croupier is not None:
            yield from self._wrong_in_memory(stored, croupier)

    def _wrong_in_memory(self, stored: StoredMembers, croupier: Croupier) -> Iterator[str]:
        """Where the identities in memory and on disk disagree."""
        identities = croupier.identities
        for party, owner in self._owners.items():
            closed, known = identities.is_closed(party), identities.get(party)
            being_erased = closed and (self._open[owner] or party in self._uncertain)
            if being_erased:
                continue
            if known is not None and (known.server_id, known.user_id) != stored.owner_of(party):
                yield f"party {party} is {stored.owner_of(party)} on disk, and {known} in memory"
            if closed and party in stored.members:
                yield f"party {party} of {owner} cannot act, and nobody erases them"
        for party in {party for table in croupier.tables.all() for party in table.parties}:
            there = stored.members.get(party)
            if there is None or identities.is_closed(party):
                continue
            if identities.get(party) is None or identities.known(there.server_id, there.user_id) != party:
                yield f"party {party} is at a table and not in memory, on disk they are {there}"

    def _left_of_erased(self, stored: StoredMembers) -> Iterator[str]:
        """What the bytes of the files still have of erased members, if there was time to overwrite it."""
        if not self._disk.calm:
            return
        self.searched += 1
        there = stored.marks
        for file, found in marks_on_disk(self._database).items():
            left = [
                *(found.names & self._names_erased - there.names),
                *(found.user_ids & self._users_erased - there.user_ids),
                *(found.words - there.words),
            ]
            if left:
                yield f"{file} still has {left}"
