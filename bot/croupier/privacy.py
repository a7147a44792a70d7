"""Privacy: everything that is stored about one member, and erasing members and servers.

What is hashed stays as it is: it names parties only. Each erasure is first noted beside the database, so that
a restored backup is erased again.
"""

import json
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from bot.clock import DAY_SECONDS
from bot.croupier.croupier import Croupier
from bot.croupier.houses import altered_json, parse_altered
from bot.croupier.open_tables import Locks
from bot.croupier.plans import PlanKind
from bot.croupier.stored_tournaments import StoredTournaments
from bot.ledger.changes import (
    Change,
    Erasure,
    Identity,
    OpeningsOutdated,
    Plan,
    ServerCleared,
    ServerErasure,
    tournament_key,
)
from bot.ledger.engine import Notification
from bot.ledger.errors import AlreadyDone, ChipsLeft, InsufficientChips, LedgerError, Overtaken
from bot.ledger.queries import Queries
from bot.table.accounts import HOUSE, Move, Reason, pot, wallet
from bot.table.state import THE_HOUSE
from bot.table.tournament import Tournament

log = logging.getLogger(__name__)

EVERY_ENTRY: Final = 1 << 31
"""More entries than anybody has."""
_ROLES: Final = ("party", "banker", "opener", "backed", "asked_by")
"""Where an event names a party."""


async def own_data(
    ledger: Queries, tournaments: StoredTournaments, identities: list[Identity]
) -> dict[str, Any]:
    """What is stored about a user.

    Ids are strings, since many programs round such long numbers. Times are in UTC.
    """
    user_id = identities[0].user_id
    direct = await ledger.direct_channel(user_id)
    return {
        "user_id": str(user_id),
        "direct_messages": None
        if direct is None
        else {
            "channel_id": None if direct.channel_id is None else str(direct.channel_id),
            "closed_since": None if direct.closed_since is None else _time(direct.closed_since),
        },
        "servers": [await _in_server(ledger, tournaments, identity) for identity in identities],
    }


async def _in_server(ledger: Queries, tournaments: StoredTournaments, identity: Identity) -> dict[str, Any]:
    server_id, party = identity.server_id, identity.party
    purse = await ledger.purse(server_id, party)
    return {
        "server_id": str(server_id),
        "party": str(party),
        "name": identity.name,
        "locale": identity.locale,
        "squeezes": identity.squeezes,
        "finds_ox": identity.finds_ox,
        "is_hidden": identity.is_hidden,
        "has_left": identity.has_left,
        "chips": purse.wallet,
        "points": purse.score,
        "held": [{"table": one.number, "chips": one.chips} for one in purse.held],
        "ledger": [
            {
                "at": _time(one.at),
                "chips": one.chips,
                "reason": one.reason,
                "table": one.table_number,
                "round": one.round_number,
                "note": one.note,
            }
            for one in await ledger.many_entries(server_id, party, EVERY_ENTRY)
        ],
        "standings": [
            {
                "period": one.period,
                "game": one.game,
                "rounds": one.rounds,
                "chips_won": one.net,
                "biggest_win": one.biggest,
                "best_hand": one.best,
                "points_won": one.points,
                "luck_rounds": one.luck_rounds,
                "luck": one.deviations,
                "last_at": _time(one.last_at),
            }
            for one in await ledger.standings_of(party)
        ],
        "achievements": [
            {
                "achievement": one.achievement,
                "at": _time(one.at),
                "table": one.table,
                "round": one.round_number,
            }
            for one in await ledger.reached_by(server_id, party)
        ],
        "seasons_with_a_role": [
            one.name
            for one in await ledger.seasons(server_id)
            if one.winners and party in json.loads(one.winners)
        ],
        "tournaments": list(_own_tournaments(await tournaments.all_in(server_id), party)),
        "tallies": [
            {"of": one.part, "item": one.item, "rounds": one.rounds, "won": one.won, "chips_won": one.net}
            for one in await ledger.tallies_of(server_id, party)
        ],
        "plans": [
            {
                "kind": one.kind,
                "channel_id": None if one.channel_id is None else str(one.channel_id),
                "at": None if one.at is None else _time(one.at),
                "what": one.what,
            }
            for one in await ledger.plans_of(party)
        ],
        "bans": [
            {
                "at": _time(one.at),
                "until": None if one.until is None else _time(one.until),
                "reason": one.words,
            }
            for one in await ledger.bans(server_id)
            if one.party == party
        ],
        "reasons_as_admin": await ledger.reasons_by(party),
        "words": [one.words for one in await ledger.words_of(party)],
        "house_changes": [
            {"at": _time(one.at), "changed": json.loads(altered_json(parse_altered(one.what)))}
            for one in await ledger.house_changes_by(server_id, party)
        ],
        "events": [
            {
                "at": _time(event.at),
                "table": number,
                "round": event.round_number,
                "kind": event.kind,
                "own": own,
            }
            for number, event in await ledger.events_naming(server_id, party)
            if (own := list(_own_parts(json.loads(event.body), party)))
        ],
    }


def _own_tournaments(of_server: Iterable[Tournament], party: int) -> Iterator[dict[str, Any]]:
    """The tournaments that a member opened or entered, and their place at the last table."""
    for one in of_server:
        if party == one.opener or party in one.entrants:
            yield {
                "starts_at": _time(one.starts_at),
                "entry": one.entry,
                "opened": one.opener == party,
                "entered": party in one.entrants,
                "place": one.final_place(party),
                "chips": next((player.chips for player in one.ranking if player.party == party), None),
            }


def _own_parts(value: Any, party: int) -> Iterator[dict[str, Any]]:
    """The parts of an event that are about a party: nobody else's hands, and no secret."""
    if isinstance(value, list):
        for part in value:
            yield from _own_parts(part, party)
    elif isinstance(value, dict):
        roles = [role for role in _ROLES if value.get(role) == party]
        roles += ["present"] if party in value.get("present", ()) else []
        if "party" in roles:
            yield {name: part for name, part in value.items() if name not in ("party", "kind", "backed")}
        elif "banker" in roles:
            yield {"role": "banker", "pieces": value["pieces"], "declared_ox": value["declared_ox"]}
        else:
            yield from ({"role": role} for role in roles)
        for part in value.values():
            yield from _own_parts(part, party)


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


OPENING_SECONDS: Final = 90 * DAY_SECONDS
"""How long a keyed hash says that an erased member had opening chips: erasing is no way to more chips."""
SERVER_SECONDS: Final = 30 * DAY_SECONDS
"""How long a server is kept after the bot was removed from it."""
AT_ONCE: Final = 100
"""The most members erased in one transaction."""


TRIES: Final = 20
"""How often it is looked again at tables and chips that changed before a member was erased."""


class NotErasable(StrEnum):
    """Why a member cannot be erased now; `words` has a sentence for each."""

    NOTHING_STORED = "nothing_stored"
    AT_A_TABLE = "at_a_table"
    LATER = "later"
    """The ledger failed, and the erasure is noted or may be: it is finished within the hour."""
    NOT_NOW = "not_now"
    """The ledger failed, and the erasure is not noted."""


@dataclass(frozen=True, slots=True)
class ErasureRefused:
    """A refused erasure; nothing changed."""

    code: NotErasable
    tables: tuple[int, ...] = ()


class Erased(NamedTuple):
    """What became of a user, by server: the chips that went to the house, or the tables to leave first."""

    chips: list[tuple[int, int]]
    tables: list[tuple[int, list[int]]]


def forgotten(erased: Identity) -> Notification:
    """What the other processes are told of who is erased."""
    body = {"party": erased.party, "user_id": erased.user_id}
    return Notification(erased.server_id, "forgotten", json.dumps(body))


class Privacy:
    """Erases members and servers.

    Attributes:
        take_roles: is called with each member who is erased, and the roles that they had from the bot, of
            which nothing is noted any more; with none where the bot has left the server. It must not raise.
    """

    def __init__(self, croupier: Croupier) -> None:
        self._croupier = croupier
        self._ledger = croupier.ledger
        self._locks: Locks[tuple[int, int]] = Locks()
        self.take_roles: Callable[[Identity, Sequence[Plan]], None] = lambda _, __: None
        self._listeners: list[Callable[[Identity], None]] = []
        # Parties whose note failed and may be on disk all the same: it is to be written again.
        self._to_note: set[int] = set()

    def on_erased(self, listener: Callable[[Identity], None]) -> None:
        """Has this called with everybody who is erased; it must not raise."""
        self._listeners.append(listener)

    async def erase(self, server_id: int, user_id: int) -> int | ErasureRefused:
        """Erases a member of a server.

        Returns:
            The chips that went to the house, or why nothing changed.

        Raises:
            LedgerError: it could not be written. If it is noted by then, or may be, nobody can act as this
                member any more, and `erase_noted` finishes it.
        """
        async with self._locks[server_id, user_id]:
            identity = await self._ledger.identity_of(server_id, user_id)
            identities = self._croupier.identities
            if identity is None:
                # An erasure that failed, as far as was known, may have been written.
                party = identities.known(server_id, user_id)
                # Somebody who is not closed came just now, after the ledger was read.
                if identities.is_closed(party):
                    identities.forget(party)
                return ErasureRefused(NotErasable.NOTHING_STORED)
            if tables := await self.tables_to_leave(identity):
                return ErasureRefused(NotErasable.AT_A_TABLE, tables)
            # They are closed already if an erasure of theirs failed that may be noted.
            if not identities.is_closed(identity.party):
                await self._close(identity)
            if tables := await self._note(identity):
                return ErasureRefused(NotErasable.AT_A_TABLE, tables)
            return await self._erase(server_id, [identity.party], [identity])

    async def erase_everywhere(self, user_id: int) -> Erased:
        """Erases a user in every server where that is possible now; raises as `erase` does."""
        done = Erased([], [])
        for identity in await self._ledger.identities_of(user_id):
            result = await self.erase(identity.server_id, user_id)
            if not isinstance(result, ErasureRefused):
                done.chips.append((identity.server_id, result))
            elif result.tables:
                done.tables.append((identity.server_id, list(result.tables)))
        return done

    async def _close(self, identity: Identity) -> None:
        """Lets nobody act as a member any more."""
        identities = self._croupier.identities
        identities.close(identity.party)
        try:
            # What they asked for before is decided by now, and nothing follows it.
            await self._croupier.nothing_in_progress(identity.server_id)
        except BaseException:
            identities.reopen(identity.party)
            raise

    async def _note(self, identity: Identity) -> tuple[int, ...]:
        """Notes the erasure of a closed member, unless they must leave tables first; their numbers.

        Reopens the member if the note is not there.
        """
        party, server_id = identity.party, identity.server_id
        noting = False
        try:
            for _ in range(TRIES):
                noting = False
                head = await self._ledger.head(server_id)
                if tables := await self.tables_to_leave(identity):
                    break
                with suppress(Overtaken):
                    # At another process they may have sat down since. From the note on, nobody writes that.
                    noting = True
                    await self._ledger.note_erasures([party], (server_id, head and head[1]))
                    self._to_note.discard(party)
                    return ()
            else:
                raise LedgerError(f"something happened in server {server_id} at each of {TRIES} tries")
        except BaseException as failed:
            # What is promised stays so. To cancel the wait for a note does not cancel the note.
            goes_on = noting and not isinstance(failed, LedgerError)
            if party in self._to_note or goes_on or await self._may_be_noted(party):
                self._to_note.add(party)
            else:
                self._croupier.identities.reopen(party)
            raise
        if party not in self._to_note:
            self._croupier.identities.reopen(party)
        return tables

    async def _may_be_noted(self, party: int) -> bool:
        try:
            return party in await self._ledger.noted_erasures()
        except LedgerError:
            return True

    async def tables_to_leave(self, identity: Identity) -> tuple[int, ...]:
        """The numbers of the tables where a member sits, backs a player, or has chips held: not erasable."""
        at = await self._croupier.tables_concerning({identity.server_id: identity.party})
        purse = await self._ledger.purse(identity.server_id, identity.party)
        return tuple(sorted({table.number for table in at} | {one.number for one in purse.held}))

    async def erase_noted(self) -> None:
        """Erases everybody who is noted: again, if a backup was restored, or at last, if that failed before.

        Raises:
            LedgerError: it may not have been written; the next call does it.
        """
        if self._to_note:
            left = await self._ledger.identities(self._to_note)
            self._to_note &= left.keys()
            for identity in left.values():
                await self._note(identity)
        noted = await self._ledger.noted_erasures()
        for start in range(0, len(noted), AT_ONCE):
            parties = noted[start : start + AT_ONCE]
            found = list((await self._ledger.identities(parties)).values())
            for party in set(parties) - {one.party for one in found}:
                self._croupier.identities.forget(party)
            # Bets that were open in the backup return chips to wallets that nobody owns.
            stray = await self._ledger.chips_of(parties)
            for server_id in {one.server_id for one in found} | {server for server, _ in stray}:
                there = [one for one in found if one.server_id == server_id]
                if there:
                    log.warning("members erased again after a restored backup, or at last: %s", len(there))
                chips = [party for server, party in stray if server == server_id]
                await self._erase(server_id, chips, there)

    async def server_left(self, server_id: int) -> None:
        """Plans to erase a server that the bot is not in any more."""
        if server_id not in await self._ledger.server_erasures():
            at = self._croupier.now() + SERVER_SECONDS
            await self._ledger.record(ServerErasure(server_id, at))

    async def server_joined(self, server_id: int) -> None:
        """Keeps a server that the bot is in again."""
        if server_id in await self._ledger.server_erasures():
            await self._ledger.record(ServerErasure(server_id, None))

    async def servers_due(self) -> list[int]:
        """The servers that the bot left 30 days ago, and that are not erased yet."""
        now, due = self._croupier.now(), []
        for server_id, at in (await self._ledger.server_erasures()).items():
            if at > now + SERVER_SECONDS:
                # The bot left it while the clock was ahead.
                await self._ledger.record(ServerErasure(server_id, now + SERVER_SECONDS))
            elif at <= now:
                due.append(server_id)
        return due

    async def erase_server(self, server_id: int) -> None:
        """Erases the members of a server, its seasons, which admins have named, and its tournaments."""
        while members := await self._ledger.members_of(server_id, AT_ONCE):
            await self._ledger.note_erasures([one.party for one in members])
            await self._erase(server_id, [one.party for one in members], members)
        for ban in await self._ledger.bans(server_id):
            await self._croupier.barred.lift_ban(server_id, ban.digest)
        await self._empty_pots(server_id)
        await self._ledger.record(ServerCleared(server_id))
        await self._croupier.seasons.load()
        await self._ledger.record(ServerErasure(server_id, None))
        log.info("server %s is erased: the bot left it 30 days ago", server_id)

    async def _empty_pots(self, server_id: int) -> None:
        """Gives the entries of a server's tournaments to the house, as nobody is left who entered."""
        for tournament_id, chips in (await self._ledger.pots(server_id)).items():
            key = tournament_key(tournament_id, "erased")
            move = Move(pot(tournament_id), wallet(THE_HOUSE), chips, Reason.PRIZE)
            await self._ledger.commit(Change(key, server_id, self._croupier.now(), (move,)))

    async def delete_outdated_hashes(self) -> None:
        """Deletes the hashes of erased members that were kept for 90 days, and keeps none for longer.

        It also deletes bans that are over.
        """
        now = self._croupier.now()
        latest = now + OPENING_SECONDS
        if await self._ledger.has_outdated_openings(now, latest):
            await self._ledger.record(OpeningsOutdated(now, latest))

    async def _erase(self, server_id: int, parties: Sequence[int], members: Sequence[Identity]) -> int:
        """Moves the free chips of parties to the house, and erases members, in one transaction.

        Returns:
            The chips that went to the house.
        """
        for one in members:
            self._croupier.identities.close(one.party)
        is_left = server_id in await self._ledger.server_erasures()
        roles = [] if is_left else await self._ledger.plans_in(server_id, PlanKind.ROLE)
        for _ in range(TRIES):
            now = self._croupier.now()
            free = await self._ledger.wallets(server_id, parties)
            moves = tuple(
                Move(wallet(party), HOUSE, chips, Reason.ERASED) for party, chips in free.items() if chips
            )
            erasures = tuple([await self._erasure(one, now) for one in members])
            if not moves and not erasures:
                return 0
            change = Change(f"erased:{secrets.token_hex(8)}", server_id, now, moves, erasures=erasures)
            try:
                # Its key is new: if it is there already, this was written though the disk reported a failure.
                with suppress(AlreadyDone):
                    await self._ledger.commit(change)
            except (ChipsLeft, InsufficientChips) as moved:
                # A gift arrived, or left, after the chips were counted.
                log.info("erasing again: %s", moved)
                continue
            for one in members:
                self._croupier.identities.forget(one.party, one.user_id)
                for listener in self._listeners:
                    listener(one)
                self.take_roles(one, [role for role in roles if role.party == one.party])
            return sum(move.chips for move in moves)
        raise LedgerError(
            f"the chips of {len(parties)} members changed at each of {TRIES} tries to erase them"
        )

    async def _erasure(self, identity: Identity, now: float) -> Erasure:
        digest = await self._ledger.opening_digest(identity.server_id, identity.user_id)
        return Erasure(identity.party, identity.user_id, digest, now + OPENING_SECONDS)
