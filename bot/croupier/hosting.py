"""The only door to a table: load, decide, commit events and money together, then tell who listens.

One lock a table. What is told can fail, come late, or come twice; what is committed cannot. A deadline is a
row of the ledger, armed again at start, so a restart costs nobody a turn or a stake.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from bot.croupier.alarms import Alarms
from bot.croupier.answers import Answers
from bot.croupier.chance import with_chance
from bot.croupier.effect import change_of
from bot.croupier.errors import ChannelNotAllowedError, ChannelTakenError, NoSuchTableError
from bot.croupier.news import Listener, Listeners, News
from bot.croupier.open_tables import OpenTables
from bot.croupier.openings import Openings
from bot.ledger.errors import AlreadyDone, InsufficientChips, LedgerError
from bot.ledger.ledger import Ledger
from bot.ledger.records import Purse
from bot.rules.house import House
from bot.rules.knobs import GameName, HouseRules, PassedOver, Play
from bot.rules.shuffle import new_secret
from bot.table.clock import Due, due
from bot.table.commands import Command, Deal, OpenTable, ShowDown, WindUp
from bot.table.decide import concerned, decide
from bot.table.events import Event, Farewell, parse_event
from bot.table.evolve import fold
from bot.table.refusals import Refused
from bot.table.sealing import Fresh
from bot.table.state import Member, TableState, parse_state

log = logging.getLogger(__name__)

TRIES: Final = 5
"""How often a command is decided anew when another table took the chips it counted on."""
RETRY_SECONDS: Final = 5.0
"""How long a table waits before it goes on, when the ledger could not be written."""

Result = TypeVar("Result")


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
        self._alarms = Alarms(lambda table_id: self._spawn(self._go_on(table_id)))
        self._listeners = Listeners()
        self._answers: Answers[TableState | Refused] = Answers()
        self._openings = Openings(ledger)
        self._work: set[asyncio.Task[Any]] = set()
        self._closing = False

    async def load(self) -> None:
        """Takes up every open table where it stands; one that cannot be read is reported, and left alone."""
        for row in await self.ledger.open_tables():
            passed_over = PassedOver()
            try:
                self.tables.keep(parse_state(row.state, passed_over))
            except ValidationError:
                log.exception("table %s in server %s cannot be read", row.table_id, row.server_id)
            for note in passed_over.notes:
                log.warning("table %s in server %s: %s", row.table_id, row.server_id, note)

    async def go_on(self) -> None:
        """Arms every deadline again; what became due meanwhile happens now."""
        for table in self.tables.all():
            await self._go_on(table.table_id)

    async def close(self) -> None:
        """Lets what is under way end, and does nothing by itself any more."""
        self._closing = True
        self._alarms.stop()
        await asyncio.gather(*self._work, return_exceptions=True)

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
        return await self._whole(self._open_table(server_id, channel_id, opener, key, rules))

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
        return await self._whole(self._ask(table_id, command, member_id, key))

    async def wind_up(self, tables: Iterable[TableState], why: Farewell = Farewell.GONE) -> None:
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
        async with self._openings.alone_in(channel_id):
            if table := self.tables.get(key):
                return table
            if table := self.tables.in_channel(channel_id):
                raise ChannelTakenError(table)
            async with self._openings.number(server_id) as number, self.tables.lock(key):
                command = OpenTable(key, server_id, channel_id, number, opener, rules)
                decided = await self._carry_out(None, command, str(key), None)
            assert not isinstance(decided, Refused)
            return decided

    async def _ask(
        self, table_id: int, command: Command, member_id: int | None, key: str
    ) -> TableState | Refused:
        async with self.tables.lock(table_id):
            if (answer := self._answers.get(key)) is not None:
                return answer if isinstance(answer, Refused) else self.tables.get(table_id) or answer
            state = await self._loaded(table_id)
            if member_id is not None and not state.has(member_id):
                await self.open_wallet(state.server_id, member_id)
            decided = await self._carry_out(state, with_chance(state, command, key), key, member_id)
            if isinstance(decided, Refused) and await self.ledger.was_done(key):
                # It came before the bot was last started, and was done: that is no reason to refuse it now.
                decided = state
            if not isinstance(decided, Refused):
                decided = await self._gone_on(decided)
            self._answers.keep(key, decided)
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
                return await self._commit(state, decided, key, now)
            except InsufficientChips as short:
                log.info("decided anew: %s", short)
        raise LedgerError(f"{type(command).__name__} found other chips at each of {TRIES} tries")

    async def _commit(
        self, before: TableState | None, events: tuple[Event, ...], key: str, now: float
    ) -> TableState:
        after = fold(before, events)
        try:
            await self.ledger.commit(change_of(before, events, after, key, now))
        except InsufficientChips:
            raise
        except AlreadyDone:
            self.tables.doubt(after.table_id)
            return await self._loaded(after.table_id)
        except BaseException:
            # Whether it is on disk is not known: the alarm looks again.
            self.tables.doubt(after.table_id)
            self._alarms.set(after.table_id, RETRY_SECONDS)
            raise
        self._keep(after)
        self._listeners.tell(News(before, events, after))
        return after

    async def _gone_on(self, state: TableState) -> TableState:
        """Goes on after a command; what was asked is done, so a ledger that fails now is not its failure."""
        try:
            return await self._whatever_is_due(state)
        except LedgerError as failed:
            log.error("table %s goes on in %s s: %s", state.table_id, RETRY_SECONDS, failed)
            self._alarms.set(state.table_id, RETRY_SECONDS)
            return self.tables.get(state.table_id) or state

    async def _whatever_is_due(self, state: TableState) -> TableState:
        """Goes on as long as the table does so by itself."""
        while not self._closing and (what := due(state, self.now())) is not None:
            key = f"{state.table_id}:{state.sequence}:{what}"
            command = with_chance(state, self._due_command(state, what), key)
            decided = await self._carry_out(state, command, key, None)
            if isinstance(decided, Refused):
                raise RuntimeError(f"table {state.table_id} refused its own {what}: {decided}")
            state = decided
        return state

    def _due_command(self, state: TableState, what: Due) -> Command:
        match what:
            case Due.DEAL:
                return Deal(None)
            case Due.SHOW_DOWN:
                return ShowDown(self.rules_for(state))
            case Due.WIND_UP:
                return WindUp(Farewell.DESERTED)

    async def _go_on(self, table_id: int) -> None:
        """What a table does when its time is up, or the bot starts; tried again where that fails."""
        try:
            async with self.tables.lock(table_id):
                state = await self._loaded(table_id)
                self._keep(await self._whatever_is_due(state))
        except NoSuchTableError:
            return
        except LedgerError as failed:
            log.error("table %s goes on in %s s: %s", table_id, RETRY_SECONDS, failed)
            self._alarms.set(table_id, RETRY_SECONDS)
        except Exception:
            log.exception("table %s could not go on; tried again in %s s", table_id, RETRY_SECONDS)
            self._alarms.set(table_id, RETRY_SECONDS)

    async def _loaded(self, table_id: int) -> TableState:
        """The table as the ledger has it: read again where it is in doubt, and what was missed is told."""
        if (state := self.tables.certain(table_id)) is not None:
            return state
        known = self.tables.get(table_id)
        row = await self.ledger.table(table_id)
        if row is None:
            raise NoSuchTableError(f"there is no table {table_id}")
        state = parse_state(row.state)
        told = 0 if known is None else known.sequence
        rows = await self.ledger.events(table_id)
        missed = tuple(parse_event(event.body) for event in rows if event.sequence > told)
        # Kept and told in one breath: a table out of doubt of which something was never told stays untold.
        self._keep(state)
        if missed and (known is not None or row.is_open):
            self._listeners.tell(News(known, missed, state))
        if not row.is_open:
            raise NoSuchTableError(f"table {table_id} is closed")
        return state

    def _keep(self, state: TableState) -> None:
        self.tables.keep(state)
        self._alarms.set(state.table_id, None if state.deadline is None else state.deadline - self.now())

    async def _whole(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Carries work to its end even where who asked for it goes away."""
        return await asyncio.shield(self._spawn(work))

    def _spawn(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._work.discard(task)
        if not task.cancelled():
            # Where who asked has gone away, nobody else looks at how it failed.
            task.exception()
