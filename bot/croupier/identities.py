"""Who is who: the parties that stand for members in the ledger, and the members behind them.

Everything at a table names parties, which are random numbers. This is the only way from a Discord user to
their party and back. What was looked up stays in memory, and everybody at an open table always is.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.croupier.open_tables import Locks, MemberErasedError
from bot.ledger.changes import Identity, LocaleChosen, NotAfter
from bot.ledger.errors import LedgerError, Unstorable
from bot.ledger.ledger import Ledger
from bot.table.state import NOBODY
from bot.words.po_files import DEFAULT_LOCALE, chosen_locale

log = logging.getLogger(__name__)

MAX_CACHED: Final = 100_000
"""The most parties in memory: at that many, only those at open tables stay."""


MANAGER: Final = 0
"""What stands among the roles of who manages the server, and may do what any role may."""


@dataclass(frozen=True, slots=True)
class User:
    """A user of Discord, as they are seen in a server.

    Attributes:
        locale: the language of their Discord, such as `en-US`; what they have chosen is stored in its place.
            None while they do not act themselves, since Discord tells it with what they do.
        by_message: whether they act by direct message, where Discord tells no nickname: a stored name stays.
        roles: the ids of their roles in the server, and `MANAGER` if they manage it; None if not known.
    """

    user_id: int
    name: str
    locale: str | None
    by_message: bool = False
    roles: frozenset[int] | None = None


class Identities:
    """The mapping of parties and users.

    Args:
        at_tables: the parties that open tables name, which always stay in memory.
    """

    def __init__(self, ledger: Ledger, at_tables: Callable[[], Iterable[int]]) -> None:
        self._ledger = ledger
        self._at_tables = at_tables
        self._by_party: dict[int, Identity] = {}
        self._by_user: dict[tuple[int, int], int] = {}
        # The locale that a user has chosen, under each party that stands for them.
        self._chosen: dict[int, dict[int, str]] = {}
        # As they came with the last press or command, or at first from Discord: in memory only.
        self._roles: dict[int, frozenset[int]] = {}
        self._closed: set[int] = set()
        self._listeners: list[Callable[[Identity], None]] = []
        self._choice_listeners: list[Callable[[int], None]] = []
        # One for each user, because what a user chooses is stored in all their servers.
        self._locks: Locks[int] = Locks()

    async def party_of(self, server_id: int, user: User) -> int:
        """The party that stands for a user in a server; a new one is stored at once.

        Also stores the user's name and language if they have changed. Somebody who does not act themselves
        keeps their language, and as a newcomer gets the default one until they act.

        Raises:
            MemberErasedError: the user is being erased; soon after, they get a new party.
        """
        async with self._locks[user.user_id]:
            known = await self._find(server_id, user.user_id)
            if known is None:
                try:
                    return self._with_roles(await self._admit(server_id, user), user)
                except Unstorable:
                    # Another process has just stored one.
                    known = await self._find(server_id, user.user_id)
                    if known is None:
                        raise
            if self.is_closed(known.party):
                raise MemberErasedError
            name = known.name if user.by_message else user.name
            # What they chose counts in every server. It stays as it is while nothing else is known.
            locale = self.chosen(user.user_id) or user.locale or known.locale
            # Who acts here is a member of the server.
            seen = replace(known, name=name, locale=locale, has_left=False)
            if seen != known:
                try:
                    await self._ledger.record(seen)
                    self._keep(seen)
                except LedgerError as failed:
                    log.warning("the new name of party %s could not be stored: %s", known.party, failed)
            return self._with_roles(known.party, user)

    def _with_roles(self, party: int, user: User) -> int:
        if user.roles is not None:
            self._roles[party] = user.roles
        return party

    def learn_roles(self, party: int, roles: frozenset[int]) -> None:
        """Notes the roles of a member who has not acted in the server yet, as in `User`."""
        self._roles.setdefault(party, roles)

    def has_role(self, party: int, role: int) -> bool:
        """Whether a member had a role when they acted last, or managed the server; False if not known."""
        return not self._roles.get(party, frozenset()).isdisjoint((role, MANAGER))

    def knows_roles(self, party: int) -> bool:
        """Whether a member has acted in the server since the start, or Discord was asked for their roles."""
        return party in self._roles

    async def _admit(self, server_id: int, user: User) -> int:
        """Stores a new party for a user, and waits for that even if it is cancelled.

        Otherwise the next press finds nobody while the party is on its way to the disk, and stores another.
        """
        # Zero is nobody's, and with 62 bits it is never the house's.
        party = secrets.randbits(62) or 1
        locale = self.chosen(user.user_id) or user.locale or DEFAULT_LOCALE
        identity = Identity(party, server_id, user.user_id, user.name, locale)
        storing = asyncio.ensure_future(self._ledger.record(identity))
        try:
            await asyncio.shield(storing)
        except asyncio.CancelledError:
            # The lock is held until that is decided: the next press then reads what is stored.
            await asyncio.wait([storing])
            if not storing.cancelled():
                # Nobody else retrieves it.
                storing.exception()
            raise
        self._keep(identity)
        return party

    async def set_squeezes(self, party: int, *, squeezes: bool) -> None:
        """Stores whether a member sees the last piece of their hands by a press of their own."""
        await self._change(party, lambda known: replace(known, squeezes=squeezes))

    async def set_finds_ox(self, party: int, *, finds_ox: bool) -> None:
        """Stores whether a member finds the ox of their hands themselves."""
        await self._change(party, lambda known: replace(known, finds_ox=finds_ox))

    async def set_hidden(self, party: int, *, is_hidden: bool) -> None:
        """Stores whether a member is on no leaderboard of the server."""
        await self._change(party, lambda known: replace(known, is_hidden=is_hidden))

    async def set_left(self, party: int) -> None:
        """Stores that a member has left the server; if they act there again, that counts no more."""
        await self._change(party, lambda known: replace(known, has_left=True))

    async def _change(self, party: int, change: Callable[[Identity], Identity]) -> None:
        known = self._by_party.get(party)
        if known is None or self.is_closed(party):
            raise MemberErasedError
        async with self._locks[known.user_id]:
            changed = change(self._by_party.get(party, known))
            await self._ledger.record(changed)
            self._keep(changed)

    async def load_choices(self) -> None:
        """Reads into memory which languages members have chosen."""
        found = await self._ledger.identities_with_locale_ending(chosen_locale(""))
        self._chosen.clear()
        for one in found:
            self._chosen.setdefault(one.user_id, {})[one.party] = one.locale

    def chosen(self, user_id: int) -> str | None:
        """The locale that a user has chosen; None if they leave it to their Discord."""
        return next(iter(self._chosen.get(user_id, {}).values()), None)

    async def choose(
        self, user_id: int, language: str | None, discord_locale: str, not_after: NotAfter | None = None
    ) -> bool:
        """Stores the language that a user chooses, in every server where something is stored of them.

        Args:
            language: such as `ms`; None for the language of their Discord.

        Returns:
            Whether there is such a server; if not, nothing is stored.
        """
        locale = discord_locale if language is None else chosen_locale(language)
        async with self._locks[user_id]:
            identities = await self._ledger.identities_of(user_id)
            if not identities:
                return False
            await self._ledger.record(LocaleChosen(user_id, locale, not_after))
            self._chosen.pop(user_id, None)
            # They may have been erased meanwhile.
            left = [one.party for one in identities if not self.is_closed(one.party)]
            if language is not None and left:
                self._chosen[user_id] = dict.fromkeys(left, locale)
            for party in [one.party for one in identities if one.party in self._by_party]:
                self._by_party[party] = replace(self._by_party[party], locale=locale)
        for listener in self._choice_listeners:
            listener(user_id)
        return True

    def on_choice(self, listener: Callable[[int], None]) -> None:
        """Has this called with every user who chooses a language; it must not raise."""
        self._choice_listeners.append(listener)

    async def reload_choice(self, user_id: int) -> None:
        """Reads again which language a user has chosen, as another process stored it."""
        async with self._locks[user_id]:
            self._chosen.pop(user_id, None)
            for one in await self._ledger.identities_of(user_id):
                if self.is_closed(one.party):
                    continue
                if one.locale.endswith(chosen_locale("")):
                    self._chosen.setdefault(user_id, {})[one.party] = one.locale
                if one.party in self._by_party:
                    self._by_party[one.party] = one

    async def find(self, server_id: int, user_id: int) -> int:
        """The party that stands for a user in a server; `NOBODY` if there is none yet."""
        identity = await self._find(server_id, user_id)
        return NOBODY if identity is None else identity.party

    def known(self, server_id: int, user_id: int) -> int:
        """The user's party in a server, if it is in memory, as for all at open tables; else `NOBODY`."""
        return self._by_user.get((server_id, user_id), NOBODY)

    def get(self, party: int) -> Identity | None:
        """The member behind a party, if that is in memory; None also if they were erased."""
        return self._by_party.get(party)

    async def load(self, parties: Iterable[int]) -> None:
        """Reads the members behind these parties into memory."""
        missing = [party for party in set(parties) if party not in self._by_party]
        if missing:
            for identity in (await self._ledger.identities(missing)).values():
                self._keep(identity)

    def close(self, party: int) -> None:
        """Lets nobody act as this party any more, because it is being erased."""
        self._closed.add(party)

    def reopen(self, party: int) -> None:
        """Lets its member act as this party again, because it is not erased after all."""
        self._closed.discard(party)

    def is_closed(self, party: int) -> bool:
        """Whether nobody may act as this party any more."""
        return party in self._closed

    def forget(self, party: int, user_id: int | None = None) -> None:
        """Drops a party from memory, because it is erased, and tells those who listen."""
        identity = self._by_party.get(party)
        self._closed.add(party)
        self._drop(party)
        if identity is not None:
            user_id = identity.user_id
            for listener in self._listeners:
                listener(identity)
        if user_id in self._chosen:
            # In another server they are still answered in the language that they chose.
            self._chosen[user_id].pop(party, None)
            if not self._chosen[user_id]:
                del self._chosen[user_id]

    def on_forget(self, listener: Callable[[Identity], None]) -> None:
        """Has this called with everybody who is erased, as far as they are in memory; it must not raise."""
        self._listeners.append(listener)

    def _drop(self, party: int) -> None:
        self._roles.pop(party, None)
        identity = self._by_party.pop(party, None)
        if identity is not None:
            self._by_user.pop((identity.server_id, identity.user_id), None)

    async def _find(self, server_id: int, user_id: int) -> Identity | None:
        if party := self._by_user.get((server_id, user_id)):
            return self._by_party[party]
        identity = await self._ledger.identity_of(server_id, user_id)
        if identity is not None:
            self._keep(identity)
        return identity

    def _keep(self, identity: Identity) -> None:
        if self.is_closed(identity.party):
            # It was read, or written, while it was being erased.
            return
        if len(self._by_party) >= MAX_CACHED:
            staying = set(self._at_tables())
            for party in [party for party in self._by_party if party not in staying]:
                self._drop(party)
        self._by_party[identity.party] = identity
        self._by_user[identity.server_id, identity.user_id] = identity.party
        if (chosen := self.chosen(identity.user_id)) is not None:
            self._chosen[identity.user_id][identity.party] = chosen
