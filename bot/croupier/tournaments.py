"""Tournaments: entering, starting, and what follows from the record of their tables and the clock.

Whatever happens is stored first, so a kill between two steps loses nothing.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeVar

from bot.croupier.croupier import Croupier
from bot.croupier.decisions import TRIES
from bot.croupier.open_tables import ChannelTakenError, ChipsMoved, Locks, MemberErasedError, NoSuchTableError
from bot.croupier.operation import NoNewRoundsError
from bot.games.register import DEFAULT_GAME
from bot.ledger.changes import Change, NotAfter, TournamentChanged, TournamentRow, tournament_key
from bot.ledger.errors import AlreadyDone, InsufficientChips, LedgerError, MemberErased, Overtaken, Unstorable
from bot.table.accounts import Move, Reason, pot, wallet
from bot.table.state import THE_HOUSE, LeaveReason, Phase, TableState, parse_state
from bot.table.tournament import (
    MOST_ENTRANTS,
    CancelReason,
    Group,
    Progress,
    Tournament,
    cancel,
    finish_stage,
    paid_prizes,
    parse_tournament,
    returns,
    start,
    tournament_json,
    tournament_rules,
)

log = logging.getLogger(__name__)

THREAD_SECONDS: Final = 900.0
"""A tournament is cancelled if one of its tables is missing for so long while Discord is there."""

CLAIM_SECONDS: Final = 60.0
"""How long a process has to make the next thread of a stage, before another one may, or it tries again."""

MakeThread = Callable[[Tournament, int], Awaitable[int | None]]
"""Finds or makes the thread for a table of a stage, by its number; None if there is none yet."""


_Decided = tuple[Tournament, tuple[Move, ...]]
"""A tournament after a change, and the chips that it moves; the tournament as it is if nothing changes."""

_Refusal = TypeVar("_Refusal")


class NotEntered(StrEnum):
    """Why a member cannot enter a tournament, or leave it; or an admin cannot start it."""

    STARTED = "started"
    FULL = "full"
    TOO_POOR = "too_poor"
    OWN_LIMIT = "own_limit"
    TOO_FEW = "too_few"
    """Fewer than two who may play have entered."""


class UnreadableTournamentError(Exception):
    """A tournament cannot be read; or, to cancel it, nobody knows whose the chips in its pot are."""


@dataclass(frozen=True, slots=True)
class EntryRefused:
    """A refused entry or start; nothing changed.

    Attributes:
        free: the chips that the member has, or may still lose today.
    """

    code: NotEntered
    free: int = 0


class Tournaments:
    """Changes tournaments, each by one process at a time."""

    def __init__(self, croupier: Croupier) -> None:
        self._croupier = croupier
        self._ledger = croupier.ledger
        self._locks: Locks[int] = Locks()
        # Since when a tournament lacks a table, as far as this process knows.
        self._missing_since: dict[int, float] = {}

    async def get(self, tournament_id: int) -> Tournament | None:
        """A tournament; None if there is none.

        Raises:
            UnreadableTournamentError: it cannot be read.
        """
        row = await self._ledger.tournament(tournament_id)
        return None if row is None else _read(row)

    async def to_cancel(self, tournament_id: int) -> Tournament | None:
        """A tournament, to cancel it: one that cannot be read is rebuilt from its entries and open tables.

        Raises:
            UnreadableTournamentError: it cannot be rebuilt, so nobody can cancel it.
        """
        row = await self._ledger.tournament(tournament_id)
        return None if row is None else await self._read_or_rebuilt(row)

    async def unreadable_to_cancel(self, server_id: int) -> list[Tournament]:
        """Those of a server that cannot be read, rebuilt to cancel them; logs and skips what cannot be."""
        found = []
        for tournament_id in sorted(await self._croupier.stored_tournaments.unreadable_in(server_id)):
            try:
                one = await self.to_cancel(tournament_id)
            except UnreadableTournamentError as failed:
                log.warning("tournament %s cannot be cancelled: %s", tournament_id, failed)
            else:
                found += [] if one is None else [one]
        return found

    async def open(self, tournament: Tournament) -> Tournament | None:
        """Stores a new tournament, once; returns None if its channel has another one."""
        try:
            await self._ledger.record(TournamentChanged(None, _row(tournament)))
        except (Overtaken, Unstorable):
            return await self.get(tournament.tournament_id)
        return tournament

    async def note(self, before: Tournament, after: Tournament) -> bool:
        """Notes what moves no chips; returns False if the tournament has changed meanwhile."""
        row = await self._ledger.tournament(before.tournament_id)
        # The row itself may say it in the words of an earlier version.
        if row is None or tournament_json(_read(row)) != tournament_json(before):
            return False
        try:
            await self._ledger.record(TournamentChanged(row, _row(after)))
        except (Overtaken, Unstorable) as other:
            log.info("tournament %s has changed meanwhile: %s", before.tournament_id, other)
            return False
        return True

    async def enter(
        self, tournament_id: int, party: int, key: str, not_after: NotAfter | None = None
    ) -> Tournament | EntryRefused:
        """Enters a member, who pays the entry; changes nothing if they are in.

        Raises:
            BarredError: if they may not play.
            SeasonEndsError: while the server's season waits for its end, and resets chips then.
        """
        await self._croupier.barred.refuse(party)

        async def entering(before: Tournament) -> _Decided | EntryRefused:
            if party in before.entrants:
                return before, ()
            self._croupier.seasons.refuse_new_entry(before.server_id)
            if refused := await self._refused(before, party):
                return refused
            after = replace(before, entrants=(*before.entrants, party))
            return after, (Move(wallet(party), pot(tournament_id), before.entry, Reason.ENTRY),)

        async with self._locks[tournament_id], self._croupier.barred.one_at_a_time([party]):
            try:
                return await self._change(tournament_id, entering, f"enter:{key}", not_after)
            except InsufficientChips as short:
                return EntryRefused(NotEntered.TOO_POOR, short.balance)

    async def leave(
        self, tournament_id: int, party: int, key: str, not_after: NotAfter | None = None
    ) -> Tournament | EntryRefused:
        """Has a member leave before the start, and gives the entry back; changes nothing if they are out."""

        async def leaving(before: Tournament) -> _Decided | EntryRefused:
            if party not in before.entrants:
                return before, ()
            if before.progress is not Progress.ENTERING:
                return EntryRefused(NotEntered.STARTED)
            staying = tuple(one for one in before.entrants if one != party)
            back = Move(pot(tournament_id), wallet(party), before.entry, Reason.ENTRY_RETURNED)
            return replace(before, entrants=staying), (back,)

        async with self._locks[tournament_id]:
            return await self._change(tournament_id, leaving, f"leave:{key}", not_after)

    async def cancel(self, tournament_id: int, why: CancelReason, moment: tuple[int, int]) -> Tournament:
        """Cancels a tournament that is not over; everybody gets their entry back, and its tables close.

        One that cannot be read is cancelled too, as `to_cancel` has it.

        Args:
            moment: `Tournament.moment` when that was decided; at any other, nothing changes.

        Raises:
            UnreadableTournamentError: as `to_cancel`.
        """
        async with self._locks[tournament_id]:
            return await self._cancel(tournament_id, why, moment)

    async def tables(self, one: Tournament) -> dict[int, TableState]:
        """The tables of this stage as they are now, closed ones too, by their ids."""
        found = {}
        for table_id in (group.table_id for group in one.groups if group.table_id is not None):
            state = self._croupier.tables.get(table_id)
            if state is None and (row := await self._ledger.table(table_id)) is not None:
                state = parse_state(row.state)
            if state is not None:
                found[table_id] = state
        return found

    async def go_on(self, tournament: Tournament, make_thread: MakeThread) -> Tournament:
        """Does what is due in a tournament now; returns it as it is then."""
        async with self._locks[tournament.tournament_id]:
            before = await self._certain(tournament.tournament_id)
            # Who is erased while their prize is paid wins nothing the next time.
            with suppress(NoNewRoundsError, MemberErasedError):
                match before.progress:
                    case Progress.ENTERING if before.starts_at <= self._croupier.now():
                        self._croupier.operation.refuse_new_round(before.server_id)
                        return await self._start(before.tournament_id)
                    case Progress.PLAYING:
                        return await self._play(before, make_thread)
                    case Progress.CANCELLED:
                        await self._close_tables(before)
            return before

    async def start_early(
        self, tournament_id: int, not_after: NotAfter | None = None
    ) -> Tournament | EntryRefused:
        """Starts a tournament before its time, which is now then; `go_on` opens its tables.

        Raises:
            NoNewRoundsError: while no round may begin.
        """

        async def starting(before: Tournament) -> _Decided | EntryRefused:
            if before.progress is not Progress.ENTERING:
                return EntryRefused(NotEntered.STARTED)
            self._croupier.operation.refuse_new_round(before.server_id)
            after, moves = await self._started(replace(before, starts_at=self._croupier.now()))
            return (after, moves) if after.is_running else EntryRefused(NotEntered.TOO_FEW)

        async with self._locks[tournament_id]:
            return await self._change(tournament_id, starting, "start", not_after)

    async def _start(self, tournament_id: int) -> Tournament:
        async def starting(before: Tournament) -> _Decided:
            is_due = before.progress is Progress.ENTERING
            return await self._started(before) if is_due else (before, ())

        return await self._change(tournament_id, starting, "start")

    async def _started(self, before: Tournament) -> _Decided:
        """Starts a tournament; who may not play any more, or has left the server, gets the entry back."""
        known = await self._ledger.identities(before.entrants)
        barred = self._croupier.barred
        out = {party for party, one in known.items() if one.has_left or await barred.is_barred(party)}
        paid = replace(before, entrants=tuple(one for one in before.entrants if one not in out))
        back = replace(before, entrants=tuple(one for one in before.entrants if one in out))
        after = start(paid, known.keys() - out)
        moves = returns(back, known)
        if after.progress is Progress.CANCELLED:
            moves += returns(after, known)
        return after, moves

    async def _play(self, before: Tournament, make_thread: MakeThread) -> Tournament:
        """Opens the tables of a stage; once all of them are over, goes on with the next.

        A table that closed before, as its thread was deleted, has no winner: that cancels the tournament.
        """
        threads = await self._with_threads(before, make_thread)
        before = await self._with_tables(threads)
        if before != threads and not await self.note(threads, before):
            return threads
        if any(group.table_id is None for group in before.groups):
            if not self._misses_tables_too_long(before):
                return before
            log.warning("tournament %s gets no tables: it is cancelled", before.tournament_id)
            return await self._cancel(before.tournament_id, CancelReason.NO_TABLES)
        self._missing_since.pop(before.tournament_id, None)
        rows = [await self._ledger.table(group.table_id or 0) for group in before.groups]
        heats = [parse_state(row.state).heat for row in rows if row is not None and not row.is_open]
        if any(heat is None or not heat.is_over for heat in heats):
            log.warning("a table of tournament %s is gone: it is cancelled", before.tournament_id)
            return await self._cancel(before.tournament_id, CancelReason.TABLE_GONE)
        if len(heats) < len(before.groups):
            return before
        able = await self._able(before)
        left = [[one for one in heat.contenders if one.party in able] for heat in heats if heat is not None]
        after = finish_stage(before, left)
        if after.progress is not Progress.OVER:
            return after if await self.note(before, after) else before

        async def paying(now: Tournament) -> _Decided:
            if now != before:
                return now, ()
            # Who is erased or banned meanwhile wins nothing.
            able = await self._able(before)
            over = replace(after, ranking=tuple(one for one in after.ranking if one.party in able))
            return over, paid_prizes(over)

        return await self._change(before.tournament_id, paying, "prizes")

    async def _able(self, one: Tournament) -> set[int]:
        """Those who may win, neither erased nor banned; before the final, those who may play on."""
        known, barred = await self._ledger.identities(one.entrants), self._croupier.barred
        if not one.is_final:
            return {party for party in known if not await barred.is_barred(party)}
        return {party for party, who in known.items() if not await barred.ban_of(who.server_id, who.user_id)}

    async def _with_threads(self, one: Tournament, make_thread: MakeThread) -> Tournament:
        """The tournament with the threads that can be made now.

        Discord makes a second thread for a table if two processes ask it at once: so one claims them first,
        and claims the rest again with each that it notes.
        """
        now, at = self._croupier.now(), one.threads_claimed_at
        is_claimed = at is not None and 0 <= now - at < CLAIM_SECONDS
        if is_claimed or all(group.table_id is not None for group in one.groups):
            return one
        self._croupier.operation.refuse_new_round(one.server_id)
        claimed = replace(one, threads_claimed_at=now)
        if not await self.note(one, claimed):
            return one
        for number, group in enumerate(one.groups):
            if group.table_id is None and (made := await make_thread(one, number)) is not None:
                groups = list(claimed.groups)
                groups[number] = replace(group, table_id=made)
                is_done = all(group.table_id is not None for group in groups)
                at = None if is_done else self._croupier.now()
                after = replace(claimed, groups=tuple(groups), threads_claimed_at=at)
                if not await self.note(claimed, after):
                    return one
                claimed = after
        return claimed

    async def _with_tables(self, one: Tournament) -> Tournament:
        """Opens the tables in noted threads; the tournament without those threads that have another table."""
        groups = []
        for number, group in enumerate(one.groups):
            if group.table_id is not None and await self._ledger.table(group.table_id) is None:
                self._croupier.operation.refuse_new_round(one.server_id)
                where, heat = (one.server_id, group.table_id), one.heat(number)
                try:
                    await self._croupier.open_heat(*where, one.opener, one.rules, heat)
                except ChannelTakenError as taken:
                    log.warning("tournament %s needs another thread: %s", one.tournament_id, taken)
                    group = replace(group, table_id=None)
            groups.append(group)
        return replace(one, groups=tuple(groups))

    def _misses_tables_too_long(self, one: Tournament) -> bool:
        if self._croupier.is_away(one.server_id):
            self._missing_since.pop(one.tournament_id, None)
            return False
        now = self._croupier.now()
        return self._missing_since.setdefault(one.tournament_id, now) + THREAD_SECONDS < now

    async def _cancel(
        self, tournament_id: int, why: CancelReason, moment: tuple[int, int] | None = None
    ) -> Tournament:
        async def cancelling(before: Tournament) -> _Decided:
            if not before.is_running or moment not in (None, before.moment):
                return before, ()
            return cancel(before, why), returns(before, await self._ledger.identities(before.entrants))

        after = await self._change(tournament_id, cancelling, "cancel", rebuilds=True)
        self._missing_since.pop(tournament_id, None)
        if after.progress is Progress.CANCELLED:
            await self._close_tables(after)
        return after

    async def _close_tables(self, cancelled: Tournament) -> None:
        for group in cancelled.groups:
            with suppress(NoSuchTableError):
                if group.table_id is not None:
                    table = await self._croupier.table(group.table_id)
                    if table.phase is not Phase.CLOSED:
                        await self._croupier.wind_up([table], LeaveReason.HEAT_CANCELLED)

    async def _refused(self, tournament: Tournament, party: int) -> EntryRefused | None:
        if tournament.progress is not Progress.ENTERING:
            return EntryRefused(NotEntered.STARTED)
        if len(tournament.entrants) >= MOST_ENTRANTS:
            return EntryRefused(NotEntered.FULL)
        stack = await self._croupier.wallets.stack(tournament.server_id, party)
        if stack.free < tournament.entry:
            return EntryRefused(NotEntered.TOO_POOR, stack.free)
        left = await self._croupier.barred.left(tournament.server_id, party, stack)
        if left is not None and left < tournament.entry:
            return EntryRefused(NotEntered.OWN_LIMIT, left)
        return None

    async def _read_or_rebuilt(self, row: TournamentRow) -> Tournament:
        """A tournament; one that cannot be read, from its entries and open tables: enough to cancel it.

        Raises:
            UnreadableTournamentError: the chips in its pot are not the entries, also as prizes are paid.
        """
        with suppress(UnreadableTournamentError):
            return _read(row)
        server_id, tournament_id = row.server_id, row.tournament_id
        left = (await self._ledger.pots(server_id)).get(tournament_id, 0)
        entries = await self._ledger.entries_in(server_id, tournament_id)
        if sum(entries.values()) != left or len({*entries.values()}) > 1:
            raise UnreadableTournamentError(
                f"the pot of tournament {tournament_id} has {left} chips, not those of its entries"
            )
        tables = [
            (table, heat)
            for table in self._croupier.tables.of_server(server_id)
            if (heat := table.heat) is not None and heat.tournament_id == tournament_id
        ]
        house = self._croupier.house_of(server_id)
        return Tournament(
            tournament_id,
            server_id,
            row.channel_id,
            opener=THE_HOUSE,
            rules=tables[0][0].rules if tables else tournament_rules(house, DEFAULT_GAME, 1, 0),
            entry=max(entries.values(), default=0),
            chips=1,
            rounds=1,
            starts_at=self._croupier.now(),
            progress=Progress.PLAYING if tables else Progress.ENTERING,
            entrants=tuple(entries),
            stage=max((heat.stage for _, heat in tables), default=0),
            groups=tuple(
                Group(tuple(one.party for one in heat.contenders), table.table_id) for table, heat in tables
            ),
        )

    async def _certain(self, tournament_id: int) -> Tournament:
        return _read(await self._row(tournament_id))

    async def _row(self, tournament_id: int) -> TournamentRow:
        row = await self._ledger.tournament(tournament_id)
        if row is None:
            raise LedgerError(f"there is no tournament {tournament_id}")
        return row

    async def _change(
        self,
        tournament_id: int,
        changing: Callable[[Tournament], Awaitable[_Decided | _Refusal]],
        what: str,
        not_after: NotAfter | None = None,
        *,
        rebuilds: bool = False,
    ) -> Tournament | _Refusal:
        """Stores a change and moves its chips, once; decides it again if another process was faster.

        Args:
            rebuilds: whether it changes one that cannot be read too, as it is rebuilt.

        Raises:
            UnreadableTournamentError: it cannot be read, or be rebuilt.
        """
        croupier = self._croupier
        for _ in range(TRIES):
            row = await self._row(tournament_id)
            key = tournament_key(tournament_id, what)
            try:
                before = _read(row)
            except UnreadableTournamentError:
                if not rebuilds:
                    raise
                # A key of its own: it may have been cancelled before, when it could be read.
                before, key = await self._read_or_rebuilt(row), f"{key}_unreadable"
            decided = await changing(before)
            if not isinstance(decided, tuple):
                return decided
            after, moves = decided
            if after == before:
                return before
            server_id = before.server_id
            changed = TournamentChanged(row, _row(after))
            change = Change(key, server_id, croupier.now(), moves, tournament=changed, not_after=not_after)
            try:
                await self._ledger.commit(change)
            except MemberErased:
                raise MemberErasedError from None
            except AlreadyDone:
                return await self._certain(tournament_id)
            except Overtaken:
                continue
            moved: dict[int, int] = {}
            for move in moves:
                for account, chips in ((move.source, -move.chips), (move.target, move.chips)):
                    if account.party is not None:
                        moved[account.party] = moved.get(account.party, 0) + chips
            croupier.listeners.notify_of_chips(ChipsMoved(server_id, moved))
            return after
        raise LedgerError(f"tournament {tournament_id} changed at each of {TRIES} tries")


def _read(row: TournamentRow) -> Tournament:
    try:
        return parse_tournament(row.state)
    except ValueError as outdated:
        raise UnreadableTournamentError(f"tournament {row.tournament_id} cannot be read") from outdated


def _row(tournament: Tournament) -> TournamentRow:
    is_over = not tournament.is_running and tournament.is_told
    where = tournament.tournament_id, tournament.server_id, tournament.channel_id
    return TournamentRow(*where, is_over, tournament_json(tournament))
