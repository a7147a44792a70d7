"""The only door to a table: load, decide, commit events and chips, then notify listeners.

Each table has one lock. Listeners can fail, be late, or run twice; a commit cannot. A deadline is a row of
the ledger, armed again at start, so a restart costs nobody a turn or a bet.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from cachetools import LRUCache
from pydantic import ValidationError

from bot.croupier.attention import AttentionKeeper
from bot.croupier.bank_queue import BankQueue, Candidate
from bot.croupier.barred import Barred, BarredError
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
    Tasks,
    Timers,
)
from bot.croupier.operation import Operation
from bot.croupier.seasons import Seasons
from bot.croupier.standings import Standings
from bot.croupier.stored_tables import RETRY_SECONDS, StoredTables, Stories, seed_words
from bot.games.house import House
from bot.games.register import DEFAULT_GAME
from bot.games.settle import largest_multiple
from bot.ledger.changes import NotAfter
from bot.ledger.errors import (
    InsufficientChips,
    LedgerError,
    LedgerUnavailable,
    MemberErased,
    StaleTable,
    Unstorable,
)
from bot.ledger.ledger import Ledger
from bot.ledger.records import Purse, Stack, is_recent
from bot.log_context import set_log_context
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, Play
from bot.rules.server_settings import role_id
from bot.rules.shuffle import new_secret
from bot.shards import EVERY_SHARD, Shards
from bot.table.bank import default_limits
from bot.table.commands import (
    Command,
    Deal,
    Leave,
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
from bot.table.commitment import Entropy, with_pieces_and_dice, with_salt
from bot.table.deadlines import NOTHING_NOTED, DueAction, due_action
from bot.table.dealing import round_result
from bot.table.decide import decide, wallets_needed
from bot.table.refusals import OF_CHIPS, Refusal, Refused, refuse
from bot.table.state import THE_HOUSE, LeaveReason, Phase, TableState, parse_state

log = logging.getLogger(__name__)

HOUSE_CHIPS: Final = 10_000
"""The bankroll of a house until its admin sets another (B07)."""
RESULTS_KEPT: Final = 1024
"""Results of recent requests, refusals included, to reply to repeats as before: they come within seconds."""
_BEGINNINGS: Final = (PlaceBet, PlayHouse, RollForBank, TakeBank)
"""With these a round begins, if nobody has bet yet."""
TRIES: Final = 5
"""How often a command is decided again when another table took the chips that it needed."""


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
        ledger.on_erased = self.identities.forget
        self._work = Tasks()
        self._timers = Timers(lambda table_id: self._work.start(self._go_on(table_id)))
        self.listeners = Listeners()
        self._stored = StoredTables(
            ledger, self.tables, self._timers, self.listeners, clock, self.identities.load, hosts
        )
        self.stories = Stories(ledger)
        self.listeners.add(self.stories.follow)
        self.standings = Standings(ledger)
        self.listeners.add(self.standings.follow)
        self.bank_queue = BankQueue(lambda table_id: self._work.start(self._go_on(table_id)))
        self.listeners.add(self.bank_queue.follow)
        self.identities.on_forget(lambda erased: self.bank_queue.forget(erased.party))
        self.identities.on_forget(lambda erased: self.barred.forget(erased.party))
        self._recent: LRUCache[str, TableState | Refused] = LRUCache(RESULTS_KEPT)
        self.attention = AttentionKeeper()
        self.listeners.add(self.attention.follow)
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
        moved, changed = await self._stored.look_for_others()
        for table_id in changed:
            await self._work.start(self._go_on(table_id))
        return moved

    async def catch_up(self, server_id: int) -> None:
        """Drops what is in memory of a server if another process wrote to it."""
        await self._stored.was_behind(server_id)

    async def close(self) -> None:
        """Finishes work in progress, and stops acting on deadlines."""
        self._closing = True
        self._timers.stop()
        await self._work.finish()

    def _parties_at_tables(self) -> Iterator[int]:
        return (party for table in self.tables.all() for party in table.parties)

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

    async def wait_for_backer(self, table: TableState, party: int, key: str) -> None:
        """Leaves a spectator who looks at side bets time to choose, once a round; fails for nobody."""
        if not self.attention.note_choosing(table, party, self.now()):
            return
        try:
            await self.ask(table.table_id, WaitForBackers(), None, f"{key}:choosing")
        except (LedgerError, NoSuchTableError) as failed:
            log.info("table %s does not wait for who chooses a side bet: %s", table.table_id, failed)

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

    def rules_for(self, table: TableState) -> HouseRules:
        """The house rules for this table's next round (B03)."""
        rules = self.house_of(table.server_id).rules(table.rules.game, table.rules.play)
        if self.seasons.is_ending(table.server_id):
            # They would bet again and again, and the season would never end.
            return rules.model_copy(update={"computer_players": 0})
        return rules

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
        self.operation.refuse_new_round(server_id)
        rules = self.house_of(server_id).rules(game, play)
        if rules.channels and not {channel_id, parent_id} & set(rules.channels):
            raise ChannelNotAllowedError(rules.channels)

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
                    role = role_id(self.house_of(server_id).server.open_role)
                    if role is not None and not self.identities.has_role(opener, role):
                        raise RoleNeededError(role)
                    await self._refuse_opened_lately(server_id, opener, number)
                async with self.tables.lock(key):
                    command = OpenTable(key, server_id, channel_id, number, opener, rules)
                    decided = await self._carry_out(None, command, str(key), opener, not_after)
                assert not isinstance(decided, Refused)
                if decided.phase is Phase.CLOSED:
                    raise NoSuchTableError(f"table {key} is closed")
                return decided

        return await self._work.run_to_end(opened())

    async def _refuse_opened_lately(self, server_id: int, opener: int, number: int) -> None:
        """Raises OpenedLatelyError if the opener must wait after a table before the one with this number."""
        seconds, now = 60 * self.house_of(server_id).server.table_minutes, self.now()
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

    def bank_refused(self, server_id: int, party: int) -> Refused | None:
        """Why a member may not bank in a server, as far as roles say; None if they may."""
        role = role_id(self.house_of(server_id).server.bank_role)
        if role is None or self.identities.has_role(party, role):
            return None
        if not self.identities.knows_roles(party):
            return refuse(Refusal.BANK_ROLE_NOT_KNOWN)
        return refuse(Refusal.BANK_NEEDS_ROLE, role=role)

    async def take_leave(self, server_id: int, party: int, key: str) -> None:
        """Has a member who may not play any more leave the tables of a server, and the queues for a bank.

        Bets before the deal go back to them; after it, they leave once the round is played out.
        """
        self.bank_queue.forget(party)
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

    async def open_wallet(self, server_id: int, party: int) -> None:
        """Opens a member's wallet with the server's opening chips, or the house's, unless it is open."""
        if (await self.ledger.stacks.of((server_id, party))).no_opening_before > self.now():
            return
        chips = HOUSE_CHIPS if party == THE_HOUSE else self.house_of(server_id).rules().opening_chips
        await self.ledger.ensure_wallet(server_id, party, chips, self.now())

    async def purse(self, server_id: int, party: int) -> Purse:
        """A member's chips in a server; opens their wallet first."""
        await self.open_wallet(server_id, party)
        return await self.ledger.purse(server_id, party)

    async def stack(self, server_id: int, party: int) -> Stack:
        """What a member has to play with in a server; opens their wallet first."""
        await self.open_wallet(server_id, party)
        return await self.ledger.stacks.of((server_id, party))

    async def free_chips(self, table: TableState, party: int) -> dict[int, int]:
        """The chips that a member and the banker have free and may lose, by member.

        It opens the member's wallet first.
        """
        await self.open_wallet(table.server_id, party)
        bank = [] if table.bank is None else [table.bank.party]
        return await self.may_lose(table.server_id, [party, *bank])

    async def may_lose(
        self, server_id: int, parties: Iterable[int], settles: TableState | None = None
    ) -> dict[int, int]:
        """The free chips of several members that they may lose; those without a wallet are omitted.

        Args:
            settles: the table whose round is being settled: with what comes back to them, it is what they may
                lose then.
        """
        stacks = await self.ledger.stacks.of_all(server_id, parties)
        free = {party: stack.wallet for party, stack in stacks.items() if stack.wallet is not None}
        if limited := [party for party in free if self.barred.limit(party)]:
            gains, held = Counter[int](), {} if settles is None else settles.held
            for party, chips in () if settles is None else round_result(settles).gains:
                gains[party] += chips
            for party in limited:
                gained, returned = gains[party], held.get(party, 0)
                left = await self.barred.left(server_id, party, stacks[party], gained, returned)
                if left is not None:
                    free[party] = min(free[party], left - gained - returned)
        return free

    async def _limited(self, server_id: int, may_lose: Mapping[int, int]) -> frozenset[int]:
        """Who has more chips free than they may lose."""
        stacks = await self.ledger.stacks.of_all(server_id, filter(self.barred.limit, may_lose))
        return frozenset(party for party, stack in stacks.items() if stack.free > may_lose[party])

    async def explained(self, refused: Refused, table: TableState, party: int) -> Refused:
        """The refusal, or what a member's limit of loss leaves them if they have the chips for more."""
        if refused.code not in OF_CHIPS:
            return refused
        stack = await self.ledger.stacks.of((table.server_id, party))
        left = await self.barred.left(table.server_id, party, stack)
        if left is None or left >= stack.free:
            return refused
        until, multiple = int(self.barred.tomorrow), largest_multiple(table.rules)
        return refuse(Refusal.OWN_LIMIT, left=left, times=multiple, until=until)

    async def nothing_in_progress(self, server_id: int) -> None:
        """Returns when whatever is being decided at the server's tables now is committed or refused."""
        for table in self.tables.of_server(server_id):
            async with self.tables.lock(table.table_id):
                pass

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

    async def _ask(
        self, table_id: int, command: Command, party: int | None, key: str, not_after: NotAfter | None
    ) -> TableState | Refused:
        async with self.tables.lock(table_id):
            if (answer := self._recent.get(key)) is not None:
                return answer if isinstance(answer, Refused) else self.tables.get(table_id) or answer
            state = await self._stored.load(table_id)
            if party is not None and self.identities.is_closed(party):
                raise MemberErasedError
            if isinstance(command, _BEGINNINGS) and state.phase is not Phase.DEALT and not state.bets:
                self.operation.refuse_new_round(state.server_id)
                self.seasons.refuse_new_round(state.server_id)
            if party is not None and not state.has(party):
                await self.open_wallet(state.server_id, party)
                # Read now, so that looking at a panel reads no disk; without it the panel only says less.
                with suppress(LedgerUnavailable):
                    await self.ledger.evenings.of((state.server_id, party))
            if party is not None:
                self.attention.note_press(table_id, party)
            command = with_salt(command, self._secret)
            decided = await self._carry_out(state, command, key, party, not_after)
            if isinstance(decided, Refused) and self._stored.was_done(table_id, key):
                # The same request was carried out: do not refuse it now.
                decided = self.tables.get(table_id) or state
            if not isinstance(decided, Refused):
                decided = await self._gone_on(decided)
            self._recent[key] = decided
            return decided

    async def _carry_out(
        self,
        state: TableState | None,
        command: Command,
        key: str,
        party: int | None,
        not_after: NotAfter | None = None,
        *,
        client_seed: str | None = None,
    ) -> TableState | Refused:
        """Decides and commits; decides again if another table took chips that it needed.

        It also decides again if another process changed the table, whatever it would have decided.

        Args:
            client_seed: what the member contributes; None for the key.
        """
        concerned = () if state is None else wallets_needed(state, command, party)
        async with self.barred.one_at_a_time(concerned):
            return await self._decide_and_commit(state, command, key, party, not_after, client_seed or key)

    async def _decide_and_commit(
        self,
        state: TableState | None,
        command: Command,
        key: str,
        party: int | None,
        not_after: NotAfter | None,
        client_seed: str,
    ) -> TableState | Refused:
        for tries_left in reversed(range(TRIES)):
            if party is not None:
                await self.barred.refuse(party, command)
            now = self.now()
            wallets: dict[int, int] = {}
            attention = NOTHING_NOTED if state is None else self.attention.of(state.table_id)
            if state is not None:
                needed = wallets_needed(state, command, party)
                if THE_HOUSE in needed:
                    await self.open_wallet(state.server_id, THE_HOUSE)
                is_settled = isinstance(command, Showdown) and state.phase is Phase.DEALT
                settles = state if is_settled and not state.for_points else None
                wallets = await self.may_lose(state.server_id, needed, settles)
                if isinstance(command, TakeBank | RollForBank) and party is not None:
                    refused = self.bank_refused(state.server_id, party)
                    if refused is not None:
                        return refused
                if isinstance(command, RollForBank | Showdown):
                    parties = (seat.party for seat in state.members)
                    unfit = frozenset(one for one in parties if self.bank_refused(state.server_id, one))
                    command = replace(command, unfit=unfit)
                command = with_pieces_and_dice(state, command, key, wallets)
                if isinstance(command, Deal | Showdown):
                    command = replace(command, present=attention.present)
                if isinstance(command, Showdown):
                    command = replace(command, limited=await self._limited(state.server_id, wallets))
            entropy = Entropy(self._secret(), client_seed)
            decided = decide(state, command, now, wallets, entropy, attention)
            if isinstance(decided, Refused):
                if tries_left and state is not None and await self._stored.was_behind(state.server_id):
                    state = await self._stored.load(state.table_id)
                    continue
                return decided
            if not decided.events:
                return decided.state
            try:
                return await self._stored.commit(
                    state, decided, key, now, party, seed_words(command, decided), not_after
                )
            except InsufficientChips as short:
                log.info("deciding again: %s", short)
            except StaleTable as stale:
                if state is None:
                    raise
                log.info("deciding again, another process was faster: %s", stale)
                state = await self._stored.load(state.table_id)
        raise LedgerError(f"{type(command).__name__} found other chips or events at each of {TRIES} tries")

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
            if (what := self._due_action(state)) is not None:
                key = f"{state.table_id}:{state.sequence}:{what}"
                decided = await self._carry_out(state, self._due_command(state, what), key, None)
                if isinstance(decided, Refused):
                    before, state = state, await self._stored.load(state.table_id)
                    if state.sequence != before.sequence:
                        # Another process has done what was due.
                        continue
                    raise RuntimeError(f"table {state.table_id} refused its own {what}: {decided}")
                if what is DueAction.WAIT_AGAIN:
                    self._held_up.discard(state.table_id)
                state = decided
            elif (candidate := self.bank_queue.next_banker(state)) is not None:
                state = await self._hand_over(state, candidate)
            elif (limits := self.bank_queue.limits_to_set(state)) is not None:
                decided = await self._carry_out(
                    state, limits, f"{state.table_id}:{state.sequence}:limits", None
                )
                state = state if isinstance(decided, Refused) else decided
            else:
                break
        return state

    async def _hand_over(self, state: TableState, candidate: Candidate) -> TableState:
        """Gives the free bank to who asked for it first; who cannot take it now waits no longer."""
        party, rules = candidate.party, self.rules_for(state)
        seed = candidate.client_seed
        try:
            chips = (await self.free_chips(state, party)).get(party, 0)
            take = TakeBank(party, *(candidate.limits or default_limits(rules, chips)), rules)
            taken = await self._carry_out(state, take, f"{seed}:bank", party, client_seed=seed)
        except (BarredError, MemberErased, MemberErasedError):
            self.bank_queue.leave(state.table_id, party)
            return state
        self.bank_queue.leave(state.table_id, party)
        if isinstance(taken, Refused):
            log.info("table %s: %s cannot take the bank: %s", state.table_id, party, taken.code)
            candidate.tell(taken)
            return state
        candidate.tell(None)
        return taken

    def _due_action(self, state: TableState) -> DueAction | None:
        """What the table does now; only what its members have asked for, while Discord is away."""
        now = self.now()
        if self.is_away(state.server_id):
            self._held_up.add(state.table_id)
            return due_action(replace(state, deadline=None), now)
        if state.deadline is not None and state.table_id in self._held_up:
            return DueAction.WAIT_AGAIN
        return due_action(state, now, is_choosing=self.attention.is_choosing(state, now))

    def _due_command(self, state: TableState, what: DueAction) -> Command:
        match what:
            case DueAction.DEAL:
                return Deal(None)
            case DueAction.SHOWDOWN:
                return Showdown(self.rules_for(state))
            case DueAction.WIND_UP:
                return WindUp(LeaveReason.DESERTED)
            case DueAction.SHORTEN_WAIT:
                return ShortenWait()
            case DueAction.WAIT_AGAIN:
                return WaitAgain()

    async def _go_on(self, table_id: int) -> None:
        """Does what is due when time is up, or the bot starts; tries again if that fails."""
        try:
            async with self.tables.lock(table_id):
                state = await self._stored.load(table_id)
                # A timer inherits the context of the command that set it.
                set_log_context(server=state.server_id, table=table_id, round=state.round_number)
                state = await self._whatever_is_due(state)
                self._stored.keep(state)
                if state.deadline is not None and self.is_away(state.server_id):
                    self._timers.set(table_id, RETRY_SECONDS)
        except NoSuchTableError:
            return
        except Exception as failed:
            self._stored.try_again(table_id, failed)
