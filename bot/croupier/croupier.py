"""The only door to a table: load, decide, commit events and chips, then notify listeners.

Each table has one lock. Listeners can fail, be late, or run twice; a commit cannot. A deadline is a row of
the ledger, armed again at start, so a restart costs nobody a turn or a bet.
"""

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from bot.croupier.dealing import with_pieces_and_dice
from bot.croupier.errors import ChannelNotAllowedError, ChannelTakenError, NoSuchTableError
from bot.croupier.listeners import Listener, Listeners
from bot.croupier.new_tables import NewTables
from bot.croupier.open_tables import OpenTables
from bot.croupier.recent_results import RecentResults
from bot.croupier.scheduling import Tasks, Timers
from bot.croupier.stored_tables import StoredTables
from bot.games.house import House
from bot.games.register import DEFAULT_GAME
from bot.ledger.errors import InsufficientChips, LedgerError
from bot.ledger.ledger import Ledger
from bot.ledger.records import Purse
from bot.log_context import set_log_context
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, Play
from bot.rules.shuffle import new_secret
from bot.table.commands import Command, Deal, OpenTable, Showdown, WindUp
from bot.table.commitment import Entropy
from bot.table.deadlines import DueAction, due_action
from bot.table.decide import decide, wallets_needed
from bot.table.refusals import Refused
from bot.table.seats import LeaveReason
from bot.table.state import Member, TableState

log = logging.getLogger(__name__)

TRIES: Final = 5
"""How often a command is decided again when another table took the chips that it needed."""


class Croupier:
    """Hosts every table of the bot.

    Args:
        ledger: where tables and chips are stored; stays open as long as the croupier.
        house_of: the current house rules of a server, by its id.
        clock: seconds since the epoch, UTC.
        secret: makes a new secret for a shuffle, which nobody can know before.

    Attributes:
        ledger: as given.
        house_of: as given.
        now: the clock.
        tables: the open tables.
    """

    def __init__(
        self,
        ledger: Ledger,
        house_of: Callable[[int], House],
        clock: Callable[[], float] = time.time,
        secret: Callable[[], str] = new_secret,
    ) -> None:
        self.ledger = ledger
        self.house_of = house_of
        self.now = clock
        self._secret = secret
        self.tables = OpenTables()
        self._work = Tasks()
        self._timers = Timers(lambda table_id: self._work.start(self._go_on(table_id)))
        self._listeners = Listeners()
        self._stored = StoredTables(ledger, self.tables, self._timers, self._listeners, clock)
        self._recent: RecentResults[TableState | Refused] = RecentResults()
        self._new_tables = NewTables(ledger)
        self._closing = False

    async def load(self) -> None:
        """Loads every open table; logs and skips one that cannot be read."""
        await self._stored.load_open()

    async def go_on(self) -> None:
        """Arms every deadline again; what is overdue happens now."""
        for table in self.tables.all():
            # In a task of its own, since it sets its log context.
            await self._work.start(self._go_on(table.table_id))

    async def close(self) -> None:
        """Finishes work in progress, and stops acting on deadlines."""
        self._closing = True
        self._timers.stop()
        await self._work.finish()

    def listen(self, listener: Listener) -> None:
        """Notifies this listener of every commit from now on, in order."""
        self._listeners.add(listener)

    def rules_for(self, table: TableState) -> HouseRules:
        """The house rules for this table's next round (B03)."""
        return self.house_of(table.server_id).rules(table.rules.game, table.rules.play)

    async def open_table(
        self,
        server_id: int,
        channel_id: int,
        opener: Member,
        key: int,
        game: GameName = DEFAULT_GAME,
        play: Play = Play.CHIPS,
        *,
        parent_id: int | None = None,
    ) -> TableState:
        """Opens a table under the house rules.

        Args:
            server_id: Discord's id of the server.
            channel_id: Discord's id of the channel or thread, which may have one table.
            opener: the member who opens it.
            key: unique to the request, such as Discord's interaction id; becomes the table's id.
            game: the game.
            play: for chips or points.
            parent_id: the channel of a thread; a house that allows the channel allows its threads.

        Raises:
            ChannelNotAllowedError: if the house allows tables in other channels only.
            ChannelTakenError: if the channel has an open table.
            NoSuchTableError: if the key opened a table before, which is closed by now.
            LedgerError: if the write failed, as far as is known; the table is then read again.
        """
        rules = self.house_of(server_id).rules(game, play)
        if rules.channels and not {channel_id, parent_id} & set(rules.channels):
            raise ChannelNotAllowedError(rules.channels)
        return await self._work.run_to_end(self._open_table(server_id, channel_id, opener, key, rules))

    async def ask(
        self, table_id: int, command: Command, member_id: int | None, key: str
    ) -> TableState | Refused:
        """Carries out a command at a table, and everything that is due after it.

        Args:
            table_id: the table's id.
            command: what is asked; the pieces of a `Deal` and the dice of a `RollForBank` are replaced.
            member_id: the member who asks, who gets a wallet; None if no member does.
            key: unique to the request, such as Discord's interaction id: it happens once.

        Returns:
            The table after it, or why it is refused.

        Raises:
            NoSuchTableError: if no such table is open.
            LedgerError: if the write failed, as far as is known; the table is then read again.
        """
        return await self._work.run_to_end(self._ask(table_id, command, member_id, key))

    async def wind_up(self, tables: Iterable[TableState], why: LeaveReason = LeaveReason.GONE) -> None:
        """Closes these tables in any phase, and returns every bet (B06)."""
        for table in tables:
            # Several callers can find out at once; the second one has nothing left to do.
            with suppress(NoSuchTableError):
                await self.ask(table.table_id, WindUp(why), None, f"{table.table_id}:{why}")

    async def open_wallet(self, server_id: int, member_id: int) -> None:
        """Opens a member's wallet with the server's opening chips, unless it is open."""
        chips = self.house_of(server_id).rules().opening_chips
        await self.ledger.ensure_wallet(server_id, member_id, chips, self.now())

    async def purse(self, server_id: int, member_id: int) -> Purse:
        """A member's chips in a server; opens their wallet first."""
        await self.open_wallet(server_id, member_id)
        purse = await self.ledger.purse(server_id, member_id)
        assert purse is not None
        return purse

    async def free_chips(self, table: TableState, member_id: int) -> dict[int, int]:
        """The chips that a member and the banker have free, by member; opens the member's wallet first."""
        await self.open_wallet(table.server_id, member_id)
        bank = [] if table.bank is None else [table.bank.member.member_id]
        return await self.ledger.wallets(table.server_id, [member_id, *bank])

    async def _open_table(
        self, server_id: int, channel_id: int, opener: Member, key: int, rules: HouseRules
    ) -> TableState:
        async with self._new_tables.channel_lock(channel_id):
            if table := self.tables.get(key):
                return table
            if table := await self._table_in(channel_id):
                raise ChannelTakenError(table)
            async with self._new_tables.number(server_id) as number, self.tables.lock(key):
                command = OpenTable(key, server_id, channel_id, number, opener, rules)
                decided = await self._carry_out(None, command, str(key), None)
            assert not isinstance(decided, Refused)
            return decided

    async def _table_in(self, channel_id: int) -> TableState | None:
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
        self, table_id: int, command: Command, member_id: int | None, key: str
    ) -> TableState | Refused:
        async with self.tables.lock(table_id):
            if (answer := self._recent.get(key)) is not None:
                return answer if isinstance(answer, Refused) else self.tables.get(table_id) or answer
            state = await self._stored.load(table_id)
            if member_id is not None and not state.has(member_id):
                await self.open_wallet(state.server_id, member_id)
            decided = await self._carry_out(state, with_pieces_and_dice(state, command, key), key, member_id)
            if isinstance(decided, Refused) and await self.ledger.was_done(key):
                # The same request was carried out before the last start: do not refuse it now.
                decided = state
            if not isinstance(decided, Refused):
                decided = await self._gone_on(decided)
            self._recent.add(key, decided)
            return decided

    async def _carry_out(
        self, state: TableState | None, command: Command, key: str, member_id: int | None
    ) -> TableState | Refused:
        """Decides and commits; decides again if another table took chips that it needed."""
        for _ in range(TRIES):
            now = self.now()
            wallets = (
                {}
                if state is None
                else await self.ledger.wallets(state.server_id, wallets_needed(state, command, member_id))
            )
            decided = decide(state, command, now, wallets, Entropy(self._secret(), key))
            if isinstance(decided, Refused):
                return decided
            if not decided.events:
                return decided.state
            try:
                return await self._stored.commit(state, decided, key, now)
            except InsufficientChips as short:
                log.info("deciding again: %s", short)
        raise LedgerError(f"{type(command).__name__} found other chips at each of {TRIES} tries")

    async def _gone_on(self, state: TableState) -> TableState:
        """Does what is due after a command; a failure here does not fail the command."""
        try:
            return await self._whatever_is_due(state)
        except Exception as failed:
            self._stored.try_again(state.table_id, failed)
            return self.tables.get(state.table_id) or state

    async def _whatever_is_due(self, state: TableState) -> TableState:
        """Does everything that is due at the table."""
        while not self._closing and (what := due_action(state, self.now())) is not None:
            key = f"{state.table_id}:{state.sequence}:{what}"
            command = with_pieces_and_dice(state, self._due_command(state, what), key)
            decided = await self._carry_out(state, command, key, None)
            if isinstance(decided, Refused):
                raise RuntimeError(f"table {state.table_id} refused its own {what}: {decided}")
            state = decided
        return state

    def _due_command(self, state: TableState, what: DueAction) -> Command:
        match what:
            case DueAction.DEAL:
                return Deal(None)
            case DueAction.SHOWDOWN:
                return Showdown(self.rules_for(state))
            case DueAction.WIND_UP:
                return WindUp(LeaveReason.DESERTED)

    async def _go_on(self, table_id: int) -> None:
        """Does what is due when time is up, or the bot starts; tries again if that fails."""
        try:
            async with self.tables.lock(table_id):
                state = await self._stored.load(table_id)
                # A timer inherits the context of the command that set it.
                set_log_context(server=state.server_id, table=table_id, round=state.round_number)
                self._stored.keep(await self._whatever_is_due(state))
        except NoSuchTableError:
            return
        except Exception as failed:
            self._stored.try_again(table_id, failed)
