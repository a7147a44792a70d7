"""The only door to a table: load, decide, commit events and money together, then tell who listens.

One lock a table. What is told can fail, come late, or come twice; what is committed cannot. A deadline is a
row of the ledger, armed again at start, so a restart costs nobody a turn or a stake.
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
from bot.ledger.errors import InsufficientChips, LedgerError
from bot.ledger.ledger import Ledger
from bot.ledger.records import Purse
from bot.rules.house import House
from bot.rules.knobs import GameName, HouseRules, Play
from bot.rules.shuffle import new_secret
from bot.table.clock import Due, due
from bot.table.commands import Command, Deal, OpenTable, Showdown, WindUp
from bot.table.commitment import Fresh
from bot.table.decide import concerned, decide
from bot.table.events import LeaveReason
from bot.table.refusals import Refused
from bot.table.state import Member, TableState

log = logging.getLogger(__name__)

TRIES: Final = 5
"""How often a command is decided anew when another table took the chips it counted on."""


class Croupier:
    """Hosts every table of the bot.

    Args:
        ledger: where tables and chips are kept; stays open as long as the croupier.
        house_of: the house of a server, by its id, as it is now.
        clock: seconds since the epoch, UTC.
        secret: draws a secret for a shuffle, which nobody can know before.

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
        self._alarms = Timers(lambda table_id: self._work.start(self._go_on(table_id)))
        self._listeners = Listeners()
        self._stored = StoredTables(ledger, self.tables, self._alarms, self._listeners, clock)
        self._answers: RecentResults[TableState | Refused] = RecentResults()
        self._openings = NewTables(ledger)
        self._closing = False

    async def load(self) -> None:
        """Takes up every open table where it stands; one that nothing tells any more is reported and left."""
        await self._stored.load_open()

    async def go_on(self) -> None:
        """Arms every deadline again; what became due meanwhile happens now."""
        for table in self.tables.all():
            await self._go_on(table.table_id)

    async def close(self) -> None:
        """Lets what is under way end, and does nothing by itself any more."""
        self._closing = True
        self._alarms.stop()
        await self._work.finish()

    def listen(self, listener: Listener) -> None:
        """Tells this listener whatever happens from now on, in order, once it is committed."""
        self._listeners.add(listener)

    def rules_for(self, table: TableState) -> HouseRules:
        """The rules of its house by which this table's next round is played (B03)."""
        return self.house_of(table.server_id).rules(table.rules.game, table.rules.play)

    async def open_table(
        self,
        server_id: int,
        channel_id: int,
        opener: Member,
        key: int,
        game: GameName = GameName.GNAU,
        play: Play = Play.CHIPS,
        *,
        parent_id: int | None = None,
    ) -> TableState:
        """Opens a table under the house's rules.

        Args:
            server_id: in which server.
            channel_id: in which channel or thread; one table each.
            opener: who opens it.
            key: what makes the request unique, such as Discord's interaction id; the table's identity too.
            game: what is played there.
            play: what for.
            parent_id: the channel of a thread: where the house allows the one, it allows the other.

        Raises:
            ChannelNotAllowedError: where the house holds its tables elsewhere.
            ChannelTakenError: where one is open there.
            NoSuchTableError: where the key opened a table before that is closed by now.
            LedgerError: where it could not be written, as far as is known; the table finds out by itself.
        """
        rules = self.house_of(server_id).rules(game, play)
        if rules.channels and not {channel_id, parent_id} & set(rules.channels):
            raise ChannelNotAllowedError(rules.channels)
        return await self._work.run_to_end(self._open_table(server_id, channel_id, opener, key, rules))

    async def ask(
        self, table_id: int, command: Command, member_id: int | None, key: str
    ) -> TableState | Refused:
        """Has a table do what is asked, and whatever then is due.

        Args:
            table_id: which table.
            command: what is asked; the pieces of a `Deal` and the dice of a `RollForBank` are drawn here,
                whatever it brings.
            member_id: who asks, so that he gets a wallet if he has none; None where no member does.
            key: what makes the request unique, such as Discord's interaction id: it happens once.

        Returns:
            The table as it is now, or why it refuses.

        Raises:
            NoSuchTableError: where no such table is open.
            LedgerError: where it could not be written, as far as is known; the table finds out by itself.
        """
        return await self._work.run_to_end(self._ask(table_id, command, member_id, key))

    async def wind_up(self, tables: Iterable[TableState], why: LeaveReason = LeaveReason.GONE) -> None:
        """Ends these tables wherever they stand, and gives back what is held (B06)."""
        for table in tables:
            # Several may find out at once that it is gone: whoever comes second has nothing left to do.
            with suppress(NoSuchTableError):
                await self.ask(table.table_id, WindUp(why), None, f"{table.table_id}:{why}")

    async def open_wallet(self, server_id: int, member_id: int) -> None:
        """Gives a member his wallet with the server's opening chips, unless he has it."""
        chips = self.house_of(server_id).rules().opening_chips
        await self.ledger.ensure_wallet(server_id, member_id, chips, self.now())

    async def purse(self, server_id: int, member_id: int) -> Purse:
        """What a member has in a server; his wallet is opened where he has none."""
        await self.open_wallet(server_id, member_id)
        purse = await self.ledger.purse(server_id, member_id)
        assert purse is not None
        return purse

    async def _open_table(
        self, server_id: int, channel_id: int, opener: Member, key: int, rules: HouseRules
    ) -> TableState:
        async with self._openings.channel_lock(channel_id):
            if table := self.tables.get(key):
                return table
            if table := await self._table_in(channel_id):
                raise ChannelTakenError(table)
            async with self._openings.number(server_id) as number, self.tables.lock(key):
                command = OpenTable(key, server_id, channel_id, number, opener, rules)
                decided = await self._carry_out(None, command, str(key), None)
            assert not isinstance(decided, Refused)
            return decided

    async def _table_in(self, channel_id: int) -> TableState | None:
        """The table that is open in a channel, as the ledger has it: what failed there may be on disk."""
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
            if (answer := self._answers.get(key)) is not None:
                return answer if isinstance(answer, Refused) else self.tables.get(table_id) or answer
            state = await self._stored.load(table_id)
            if member_id is not None and not state.has(member_id):
                await self.open_wallet(state.server_id, member_id)
            decided = await self._carry_out(state, with_pieces_and_dice(state, command, key), key, member_id)
            if isinstance(decided, Refused) and await self.ledger.was_done(key):
                # It came before the bot was last started, and was done: that is no reason to refuse it now.
                decided = state
            if not isinstance(decided, Refused):
                decided = await self._gone_on(decided)
            self._answers.add(key, decided)
            return decided

    async def _carry_out(
        self, state: TableState | None, command: Command, key: str, member_id: int | None
    ) -> TableState | Refused:
        """Decides and commits; decides anew where chips that it counted on went elsewhere meanwhile."""
        for _ in range(TRIES):
            now = self.now()
            wallets = (
                {}
                if state is None
                else await self.ledger.wallets(state.server_id, concerned(state, command, member_id))
            )
            decided = decide(state, command, now, wallets, Fresh(self._secret(), key))
            if isinstance(decided, Refused):
                return decided
            if not decided:
                assert state is not None
                return state
            try:
                return await self._stored.commit(state, decided, key, now)
            except InsufficientChips as short:
                log.info("decided anew: %s", short)
        raise LedgerError(f"{type(command).__name__} found other chips at each of {TRIES} tries")

    async def _gone_on(self, state: TableState) -> TableState:
        """Goes on after a command; what was asked is done, so a ledger that fails now is not its failure."""
        try:
            return await self._whatever_is_due(state)
        except LedgerError as failed:
            self._stored.try_again(state.table_id, failed)
            return self.tables.get(state.table_id) or state

    async def _whatever_is_due(self, state: TableState) -> TableState:
        """Goes on as long as the table does so by itself."""
        while not self._closing and (what := due(state, self.now())) is not None:
            key = f"{state.table_id}:{state.sequence}:{what}"
            command = with_pieces_and_dice(state, self._due_command(state, what), key)
            decided = await self._carry_out(state, command, key, None)
            if isinstance(decided, Refused):
                raise RuntimeError(f"table {state.table_id} refused its own {what}: {decided}")
            state = decided
        return state

    def _due_command(self, state: TableState, what: Due) -> Command:
        match what:
            case Due.DEAL:
                return Deal(None)
            case Due.SHOWDOWN:
                return Showdown(self.rules_for(state))
            case Due.WIND_UP:
                return WindUp(LeaveReason.DESERTED)

    async def _go_on(self, table_id: int) -> None:
        """What a table does when its time is up, or the bot starts; tried again where that fails."""
        try:
            async with self.tables.lock(table_id):
                state = await self._stored.load(table_id)
                self._stored.keep(await self._whatever_is_due(state))
        except NoSuchTableError:
            return
        except Exception as failed:
            self._stored.try_again(table_id, failed)
