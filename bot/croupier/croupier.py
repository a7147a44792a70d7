"""The only door to a table: load, decide, commit events and chips, then notify listeners.

Each table has one lock. Listeners can fail, be late, or run twice; a commit cannot. A deadline is a row of
the ledger, armed again at start, so a restart costs nobody a turn or a bet.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import Final

from cachetools import LRUCache
from pydantic import ValidationError

from bot.croupier.attention import AttentionKeeper
from bot.croupier.bank_handover import BankHandover
from bot.croupier.bank_queue import BankQueue
from bot.croupier.barred import Barred
from bot.croupier.decisions import Decisions
from bot.croupier.identities import Identities
from bot.croupier.open_tables import (
    ChannelNotAllowedError,
    ChannelTakenError,
    Listeners,
    Locks,
    MemberErasedError,
    NoSuchTableError,
    OpenedLatelyError,
    OpenTables,
    RoleNeededError,
    TableChanged,
    Tasks,
    Timers,
)
from bot.croupier.operation import NoNewRoundsError, Operation
from bot.croupier.seasons import Seasons
from bot.croupier.standings import Standings
from bot.croupier.stored_tables import RETRY_SECONDS, StoredTables, Stories
from bot.croupier.stored_tournaments import StoredTournaments
from bot.croupier.wallets import Wallets
from bot.games.house import House
from bot.games.register import DEFAULT_GAME
from bot.ledger.changes import NotAfter, refuse_late
from bot.ledger.errors import (
    LedgerError,
    LedgerUnavailable,
    StaleTable,
    Unstorable,
)
from bot.ledger.ledger import Ledger
from bot.ledger.records import is_recent
from bot.log_context import set_log_context
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, Play
from bot.rules.server_settings import role_id
from bot.rules.shuffle import new_secret
from bot.shards import EVERY_SHARD, Shards
from bot.table.commands import (
    BetLowest,
    Command,
    Deal,
    FreeBank,
    Leave,
    MemberLeft,
    OpenTable,
    PlaceBet,
    PlayHouse,
    RollForBank,
    ShortenWait,
    Showdown,
    TakeBank,
    WaitAgain,
    WaitForBackers,
    WindUp,
    WithdrawSideBet,
)
from bot.table.commitment import with_salt
from bot.table.deadlines import DueAction, due_action
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import THE_HOUSE, Heat, LeaveReason, Phase, TableState, parse_state

log = logging.getLogger(__name__)

RESULTS_KEPT: Final = 1024
"""Results of recent requests, refusals included, to reply to repeats as before: they come within seconds."""
_BEGINNINGS: Final = (PlaceBet, PlayHouse, RollForBank, TakeBank)
"""With these a round begins, if nobody has bet yet."""


class Croupier:
    """Hosts the tables of the bot.

    Args:
        hosts: the shards whose tables this process hosts. Other processes host the others.

    Attributes:
        is_away: whether Discord is away for the members of a server now. No time of theirs runs out then.
    """

    def __init__(
        self,
        ledger: Ledger,
        house_of: Callable[[int], House],
        clock: Callable[[], float] = time.time,
        secret: Callable[[], str] = new_secret,
        hosts: Shards = EVERY_SHARD,
    ) -> None:
        self.ledger = ledger
        self.house_of = house_of
        self.now = clock
        self._secret = secret
        self._hosts = hosts
        self.is_away: Callable[[int], bool] = lambda _: False
        self._held_up: set[int] = set()
        self.operation = Operation(ledger, lambda: self.now())
        self.seasons = Seasons(ledger, lambda: self.now())
        self.tables = OpenTables()
        self.identities = Identities(ledger, self._parties_at_tables)
        self.barred = Barred(ledger, lambda: self.now(), self.identities.get)
        self.wallets = Wallets(ledger, house_of, lambda: self.now(), self.barred)
        ledger.on_erased = self.identities.forget
        self._work = Tasks()
        self._timers = Timers(lambda table_id: self._work.start(self._go_on(table_id)))
        self.listeners = Listeners()
        self._stored = StoredTables(
            ledger, self.tables, self._timers, self.listeners, clock, self.identities.load, hosts
        )
        self.stories = Stories(ledger, lambda: self.now())
        self.listeners.add(self.stories.follow)
        self.stored_tournaments = StoredTournaments(ledger)
        self.standings = Standings(ledger)
        self.listeners.add(self.standings.follow)
        self.bank_queue = BankQueue(ledger, self.tables, lambda: self.now(), hosts, self._work, self._go_on)
        self.listeners.add(self.bank_queue.follow)
        self.identities.on_forget(lambda erased: self.bank_queue.forget(erased.party))
        self.identities.on_forget(lambda erased: self.barred.forget(erased.party))
        self._recent: LRUCache[str, TableState | Refused] = LRUCache(RESULTS_KEPT)
        self.attention = AttentionKeeper(
            lambda: self.now(), lambda table_id: self._work.start(self._heard_of_banker(table_id))
        )
        self.listeners.add(self.attention.follow)
        self._decisions = Decisions(
            self._stored,
            self.wallets,
            self.barred,
            self.attention,
            self.bank_refused,
            secret,
            lambda: self.now(),
        )
        self._bank_handover = BankHandover(
            self.bank_queue, self._stored, self._decisions, self.wallets, self.bank_refused, self.rules_for
        )
        # One table of a server is opened after another: no two have the same number, or the same channel.
        self._openings: Locks[int] = Locks()
        self._closing = False

    async def load(self) -> None:
        """Loads the open tables that are hosted here; logs and skips one that cannot be read."""
        await self.ledger.look_for_others(self._hosts)
        await self.operation.load()
        await self.barred.load()
        await self.seasons.load()
        await self._stored.load_open()
        await self.bank_queue.load()
        await self.identities.load(self._parties_at_tables())
        await self.identities.load_choices()
        tables = self.tables.all()
        parties = {(table.server_id, party) for table in tables for party in table.parties}
        # Computer players bet its chips, wherever they sit.
        parties |= {(table.server_id, THE_HOUSE) for table in tables if table.rules.computer_players}
        await self.ledger.stacks.load(parties)
        known = filter(None, map(self.identities.get, self._parties_at_tables()))
        await self.ledger.direct_channels.load(identity.user_id for identity in known)
        self._work.start(self._load_evenings())

    async def go_on(self) -> None:
        """Arms every deadline again; what is overdue happens now."""
        for table in self.tables.all():
            # In a task of its own, since it sets its log context.
            await self._work.start(self._go_on(table.table_id))

    async def look_for_others(self) -> set[int]:
        """Reads again what another process has changed, as one does that takes over or is being replaced.

        Returns:
            The servers to which another process wrote, or may have.
        """
        queues = set[int]()
        try:
            # Before the tables: who waits at one that is newer is tidied away, and not the other way round.
            if queues := await self.bank_queue.look_for_others():
                await self.identities.load(self.bank_queue.parties)
        except LedgerError as failed:
            log.debug("who waits for a bank could not be read: %s", failed)
        moved, changed = await self._stored.look_for_others()
        for table_id in changed | queues:
            await self._work.start(self._go_on(table_id))
        return moved

    async def catch_up(self, server_id: int) -> None:
        """Drops what is in memory of a server if another process wrote to it."""
        await self._stored.was_behind(server_id)

    @property
    def unreadable_tables(self) -> Collection[int]:
        """The open tables that were skipped at the start; chips stay held at them until they are mended."""
        return self._stored.unreadable

    async def close(self) -> None:
        """Finishes work in progress, and stops acting on deadlines."""
        self._closing = True
        self._timers.stop()
        await self._work.finish()

    def _parties_at_tables(self) -> Iterator[int]:
        yield from (party for table in self.tables.all() for party in table.parties)
        yield from self.bank_queue.parties

    async def _load_evenings(self) -> None:
        """Reads the stories of tables and the evenings of members there, which takes a while for many."""
        # What cannot be read now is read when somebody looks.
        with suppress(LedgerError):
            for table in self.tables.all():
                if self._closing:
                    return
                async with self.tables.lock(table.table_id):
                    await self.stories.load(table.table_id)
                # The house plays on and on: its evening is as long as its ledger, and nobody looks at it.
                members = table.parties - {THE_HOUSE}
                await self.ledger.evenings.load((table.server_id, party) for party in members)

    async def last_game_in(self, server_id: int, channel_id: int) -> GameName | None:
        """The game of the newest table of a channel or thread; None without one, or if it cannot be read."""
        newest = await self.ledger.newest_table_in(server_id, channel_id)
        try:
            return None if newest is None else parse_state(newest.state).rules.game
        except ValidationError:
            return None

    async def tables_concerning(self, parties: Mapping[int, int]) -> list[TableState]:
        """The open tables, of any process, where these members sit or back a player; a party by server."""
        if self.ledger.processes is None:
            return [table for place in parties.items() for table in self.tables.concerning(*place)]
        return await self._stored.concerning(parties)

    async def table(self, table_id: int) -> TableState:
        """An open table, also one that another process has just opened.

        Raises:
            NoSuchTableError: if it is not open.
        """
        if self.ledger.processes is None or self.tables.get(table_id) is not None:
            return self.tables[table_id]
        async with self.tables.lock(table_id):
            return await self._stored.load(table_id)

    async def table_in(self, channel_id: int) -> TableState | None:
        """The open table in a channel, as the ledger has it: a failed write may be on disk."""
        at_hand = self.tables.in_channel(channel_id)
        if at_hand is not None and self.tables.certain(at_hand.table_id):
            return at_hand
        stored = await self.ledger.table_open_in(channel_id)
        for table_id in {table.table_id for table in (at_hand, stored) if table is not None}:
            with suppress(NoSuchTableError):
                async with self.tables.lock(table_id):
                    await self._stored.load(table_id)
        return self.tables.in_channel(channel_id)

    def rules_for(self, table: TableState) -> HouseRules:
        """The house rules for this table's next round (B03); a tournament keeps its own."""
        if table.heat is not None:
            return table.rules
        rules = self.house_of(table.server_id).rules(table.rules.game, table.rules.play)
        if self.seasons.is_ending(table.server_id):
            # They would bet again and again, and the season would never end.
            return rules.model_copy(update={"computer_players": 0})
        return rules

    def bank_refused(self, server_id: int, party: int) -> Refused | None:
        """Why a member may not bank in a server, as far as roles say; None if they may."""
        role = role_id(self.house_of(server_id).server.bank_role)
        if role is None or self.identities.has_role(party, role):
            return None
        if not self.identities.knows_roles(party):
            return refuse(Refusal.BANK_ROLE_NOT_KNOWN)
        return refuse(Refusal.BANK_NEEDS_ROLE, role=role)

    async def open_table(
        self,
        server_id: int,
        channel_id: int,
        opener: int,
        key: int,
        game: GameName = DEFAULT_GAME,
        play: Play = Play.CHIPS,
        *,
        parent_id: int | None = None,
        waits: bool = False,
        not_after: NotAfter | None = None,
    ) -> TableState:
        """Opens a table under the house rules.

        Args:
            key: unique to the request, such as Discord's interaction id; becomes the table's id.
            parent_id: the channel of a thread; a house that allows the channel allows its threads.
            waits: whether the opener needs the role for it, and may have to wait after another of theirs.

        Raises:
            ChannelNotAllowedError: if the house allows tables in other channels only.
            ChannelTakenError: if the channel has an open table.
            NoNewRoundsError: if the owner of the bot lets none begin.
            OpenedLatelyError: if they have to wait now.
            RoleNeededError: if they lack the role.
            NoSuchTableError: if the key opened a table before, which is closed by now.
        """
        rules = self.rules_to_open(server_id, channel_id, game, play, parent_id)

        async def opened() -> TableState:
            try:
                return await opened_once()
            except (Unstorable, StaleTable):
                if self.ledger.processes is None:
                    raise
                # Another process has opened a table with this number, or in this channel, or this very one.
                return await opened_once()

        async def opened_once() -> TableState:
            async with self._openings[server_id]:
                if table := self.tables.get(key):
                    return table
                if table := await self.table_in(channel_id):
                    raise ChannelTakenError(table)
                number = await self.ledger.next_table_number(server_id)
                if waits:
                    await self.refuse_opener(server_id, opener)
                async with self.tables.lock(key):
                    command = OpenTable(key, server_id, channel_id, number, opener, rules)
                    decided = await self._decisions.carry_out(None, command, str(key), opener, not_after)
                assert not isinstance(decided, Refused)
                if decided.phase is Phase.CLOSED:
                    raise NoSuchTableError(f"table {key} is closed")
                return decided

        return await self._work.run_to_end(opened())

    async def open_heat(
        self, server_id: int, thread_id: int, opener: int, rules: HouseRules, heat: Heat
    ) -> TableState:
        """Opens a table of a tournament in a thread of its own, which gives it its id.

        Returns:
            The table as it is now, if it was opened before.

        Raises:
            ChannelTakenError: if the thread has another open table.
        """

        async def opened() -> TableState:
            async with self._openings[server_id], AsyncExitStack() as locked:
                other = await self.table_in(thread_id)
                if other is not None and other.table_id != thread_id:
                    raise ChannelTakenError(other)
                await locked.enter_async_context(self.tables.lock(thread_id))
                with suppress(NoSuchTableError):
                    return await self._stored.load(thread_id)
                number = await self.ledger.next_table_number(server_id)
                command = OpenTable(thread_id, server_id, thread_id, number, opener, rules, heat)
                decided = await self._decisions.carry_out(None, command, str(thread_id), None)
                assert not isinstance(decided, Refused)
                return await self._gone_on(decided)

        return await self._work.run_to_end(opened())

    def rules_to_open(
        self, server_id: int, channel_id: int, game: GameName, play: Play, parent_id: int | None = None
    ) -> HouseRules:
        """The house rules of a table that is opened now.

        Raises:
            ChannelNotAllowedError: if the house allows tables in other channels only.
            NoNewRoundsError: if the owner of the bot lets none begin.
        """
        self.operation.refuse_new_round(server_id)
        rules = self.house_of(server_id).rules(game, play)
        if rules.channels and not {channel_id, parent_id} & set(rules.channels):
            raise ChannelNotAllowedError(rules.channels)
        return rules

    async def refuse_opener(self, server_id: int, opener: int) -> None:
        """Refuses a member who does not manage the server, and may open no table now.

        Raises:
            OpenedLatelyError: if they have to wait after another of theirs.
            RoleNeededError: if they lack the role.
        """
        settings, now = self.house_of(server_id).server, self.now()
        role = role_id(settings.open_role)
        if role is not None and not self.identities.has_role(opener, role):
            raise RoleNeededError(role)
        seconds, number = 60 * settings.table_minutes, await self.ledger.next_table_number(server_id)
        while seconds and (number := number - 1):
            table = await self.ledger.table_numbered(server_id, number)
            if table is None or not is_recent(table.opened_at, seconds, now):
                return
            with suppress(ValidationError):
                if parse_state(table.state).opener == opener:
                    raise OpenedLatelyError(table.opened_at + seconds)

    async def ask(
        self,
        table_id: int,
        command: Command,
        party: int | None,
        key: str,
        not_after: NotAfter | None = None,
    ) -> TableState | Refused:
        """Carries out a command at a table, and everything that is due after it.

        Args:
            command: what is asked; the pieces of a `Deal` and the dice of a `RollForBank` are replaced.
            party: the member who asks, who gets a wallet; None if no member does.
            key: unique to the request, such as Discord's interaction id: it happens once.

        Raises:
            NoNewRoundsError: if it would begin a round, and the owner of the bot lets none begin.
            SeasonEndsError: the same while the server's season waits for its end.
        """
        return await self._work.run_to_end(self._ask(table_id, command, party, key, not_after))

    async def _ask(
        self, table_id: int, command: Command, party: int | None, key: str, not_after: NotAfter | None
    ) -> TableState | Refused:
        async with self.tables.lock(table_id):
            if (answer := self._recent.get(key)) is not None:
                return answer if isinstance(answer, Refused) else self.tables.get(table_id) or answer
            state = await self._stored.load(table_id)
            # Mostly that is done; if not, what a command changes would hide that it is to be done.
            await self.bank_queue.tidy(state)
            if party is not None and self.identities.is_closed(party):
                raise MemberErasedError
            if isinstance(command, _BEGINNINGS) and state.phase is not Phase.DEALT and not state.bets:
                self.operation.refuse_new_round(state.server_id)
                if state.heat is None:
                    # A tournament is of no season.
                    self.seasons.refuse_new_round(state.server_id)
            if party is not None and not state.has(party):
                await self.wallets.open(state.server_id, party)
                # Read now, so that looking at a panel reads no disk; without it the panel only says less.
                with suppress(LedgerUnavailable):
                    await self.ledger.evenings.of((state.server_id, party))
            if party is not None:
                self.attention.note_press(table_id, party)
            command = with_salt(command, self._secret)
            if isinstance(command, MemberLeft) and command.party in self.bank_queue.waiting(table_id):
                # Before the seat: if that fails, the next try finds it, and a bank that is free by then goes
                # to somebody else. Once they have left the queue, it is not too late for the seat.
                refuse_late(not_after, key)
                await self.bank_queue.leave(table_id, command.party)
                not_after = None
            if isinstance(command, TakeBank):
                decided = await self._bank_handover.take(state, command, key, not_after)
            else:
                decided = await self._decisions.carry_out(state, command, key, party, not_after)
            if isinstance(decided, Refused) and self._stored.was_done(table_id, key):
                # The same request was carried out: do not refuse it now.
                decided = self.tables.get(table_id) or state
            if not isinstance(decided, Refused):
                decided = await self._gone_on(decided)
            self._recent[key] = decided
            return decided

    async def take_leave(self, server_id: int, party: int, key: str) -> None:
        """Has a member who may not play any more leave the tables of a server, and the queues for a bank.

        Bets before the deal go back to them; after it, they leave once the round is played out.
        """
        await self.bank_queue.leave_all(party)
        for table in self.tables.concerning(server_id, party):
            backed = [bet.backed for bet in table.side_bets_of(party)]
            asked: list[Command] = [Leave(party), *(WithdrawSideBet(party, one) for one in backed)]
            for number, command in enumerate(asked):
                with suppress(NoSuchTableError):
                    await self.ask(table.table_id, command, party, f"{key}:{table.table_id}:{number}")

    async def wind_up(self, tables: Iterable[TableState], why: LeaveReason = LeaveReason.GONE) -> None:
        """Closes these tables in any phase, and returns every bet (B06)."""
        for table in tables:
            # Several callers can find out at once; the second one has nothing left to do.
            with suppress(NoSuchTableError):
                await self.ask(table.table_id, WindUp(why), None, f"{table.table_id}:{why}")

    async def wait_for_backer(self, table: TableState, party: int, key: str) -> None:
        """Leaves a spectator who looks at side bets time to choose, once a round; fails for nobody."""
        if not self.attention.note_choosing(table, party, self.now()):
            return
        try:
            await self.ask(table.table_id, WaitForBackers(), None, f"{key}:choosing")
        except (LedgerError, NoSuchTableError) as failed:
            log.info("table %s does not wait for who chooses a side bet: %s", table.table_id, failed)

    async def _heard_of_banker(self, table_id: int) -> None:
        """Stops waiting for a banker to whom the bank came, and shows that if nothing else changes by it."""
        with suppress(LedgerError, NoSuchTableError):
            before = self.tables[table_id]
            await self.ask(table_id, ShortenWait(), None, f"{table_id}:{before.round_number}:heard")
            # What is there now: nobody may be told of less than they were told already.
            after = self.tables[table_id]
            if after.sequence == before.sequence:
                self.listeners.notify(TableChanged(after, (), after, ()))

    async def nothing_in_progress(self, server_id: int) -> None:
        """Returns when whatever is being decided at the server's tables now is committed or refused."""
        for table in self.tables.of_server(server_id):
            async with self.tables.lock(table.table_id):
                pass

    async def offer_bank(self, table_id: int) -> None:
        """Gives a free bank to who waits for it, now that their roles are known."""
        if (table := self.tables.get(table_id)) is not None and self._bank_handover.next_banker(
            table
        ) is not None:
            await self._work.start(self._go_on(table_id))

    async def _go_on(self, table_id: int) -> None:
        """Does what is due when time is up, or the bot starts; tries again if that fails."""
        try:
            async with self.tables.lock(table_id):
                state = await self._stored.load(table_id)
                # A timer inherits the context of the command that set it.
                set_log_context(server=state.server_id, table=table_id, round=state.round_number)
                state = await self._whatever_is_due(state)
                self._stored.keep(state)
                if state.deadline is not None and (self.is_away(state.server_id) or self._rests(state)):
                    self._timers.set(table_id, RETRY_SECONDS)
        except NoSuchTableError:
            return
        except Exception as failed:
            self._stored.try_again(table_id, failed)

    async def _gone_on(self, state: TableState) -> TableState:
        """Does what is due after a command; a failure here does not fail the command."""
        try:
            return await self._whatever_is_due(state)
        except NoSuchTableError:
            # Another process has done what was due, and the table is closed.
            return self.tables.get(state.table_id) or state
        except Exception as failed:
            self._stored.try_again(state.table_id, failed)
            return self.tables.get(state.table_id) or state

    async def _whatever_is_due(self, state: TableState) -> TableState:
        """Does everything that is due at the table."""
        while not self._closing:
            await self.bank_queue.tidy(state)
            if (what := self._due_action(state)) is not None:
                key = f"{state.table_id}:{state.sequence}:{what}"
                decided = await self._decisions.carry_out(state, self._due_command(state, what), key, None)
                if isinstance(decided, Refused):
                    before, state = state, await self._stored.load(state.table_id)
                    if state.sequence != before.sequence:
                        # Another process has done what was due.
                        continue
                    raise RuntimeError(f"table {state.table_id} refused its own {what}: {decided}")
                if what is DueAction.WAIT_AGAIN:
                    self._held_up.discard(state.table_id)
                state = decided
            elif (place := self._bank_handover.next_banker(state)) is not None:
                state = await self._bank_handover.hand_over(state, place)
            elif (stated := self.bank_queue.limits_to_set(state)) is not None:
                state = await self._bank_handover.set_limits(state, *stated)
            else:
                break
        return state

    def _due_action(self, state: TableState) -> DueAction | None:
        """What the table does now; only what its members have asked for, while Discord is away."""
        now = self.now()
        if self.is_away(state.server_id) or self._rests(state):
            self._held_up.add(state.table_id)
            return due_action(replace(state, deadline=None), now)
        if state.deadline is not None and state.table_id in self._held_up:
            return DueAction.WAIT_AGAIN
        return due_action(state, now, self.attention.of(state.table_id))

    def _rests(self, state: TableState) -> bool:
        """Whether a tournament waits until the owner of the bot lets rounds begin again."""
        if state.heat is None or state.phase is not Phase.BETTING or state.bets:
            return False
        try:
            self.operation.refuse_new_round(state.server_id)
        except NoNewRoundsError:
            return True
        return False

    def _due_command(self, state: TableState, what: DueAction) -> Command:
        match what:
            case DueAction.DEAL:
                return Deal(None)
            case DueAction.SHOWDOWN:
                return Showdown(self.rules_for(state))
            case DueAction.FREE_BANK:
                assert state.bank is not None
                return FreeBank(state.bank.party)
            case DueAction.BET_LOWEST:
                return BetLowest()
            case DueAction.WIND_UP:
                return WindUp(LeaveReason.DESERTED)
            case DueAction.SHORTEN_WAIT:
                return ShortenWait()
            case DueAction.WAIT_AGAIN:
                return WaitAgain()
