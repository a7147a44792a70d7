"""The only door to a table: load, decide, commit events and money together, then tell who listens.

One lock a table. What is told can fail, come late, or come twice; what is committed cannot. A deadline is a
row of the ledger, armed again at start, so a restart costs nobody a turn or a stake.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bot.ledger.changes import Change, EventRow, TableRow
from bot.ledger.errors import AlreadyDone, InsufficientChips, LedgerError
from bot.ledger.ledger import Ledger
from bot.ledger.records import Purse
from bot.rules.cards import Card
from bot.rules.knobs import HouseRules
from bot.rules.shuffle import shuffled_cards
from bot.table.clock import Due, due
from bot.table.commands import Command, Deal, OpenTable, ShowDown, WindUp
from bot.table.decide import decide
from bot.table.events import Event, Farewell, event_json
from bot.table.evolve import fold
from bot.table.moves import moves_of
from bot.table.play import hands_to_deal
from bot.table.refusals import Refused
from bot.table.state import Member, Phase, TableState, parse_state, state_json

log = logging.getLogger(__name__)

GAME: Final = "gnau"
TRIES: Final = 5
"""How often a command is decided anew when another table took the chips it counted on."""
RETRY_SECONDS: Final = 5.0
"""How long a table waits before it goes on, when the ledger could not be written."""


@dataclass(frozen=True, slots=True)
class News:
    """What listeners are told: a table changed, and how.

    Attributes:
        before: the table before; None where it was just opened.
        events: what happened, in order.
        after: the table now.
    """

    before: TableState | None
    events: tuple[Event, ...]
    after: TableState


Listener = Callable[[News], None]
Result = TypeVar("Result")


class ChannelTakenError(Exception):
    """A table is open in the channel already.

    Attributes:
        table: that table.
    """

    def __init__(self, table: TableState) -> None:
        super().__init__(f"table {table.number} is open in channel {table.channel_id}")
        self.table = table


class Croupier:
    """Hosts every table of the bot.

    Args:
        ledger: where tables and chips are kept; stays open as long as the croupier.
        rules_of: the house rules of a server, by its id, as they are now.
        clock: seconds since the epoch, UTC.
    """

    def __init__(
        self,
        ledger: Ledger,
        rules_of: Callable[[int], HouseRules],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.ledger = ledger
        self.rules_of = rules_of
        self.now = clock
        self._tables: dict[int, TableState] = {}
        self._table_locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._opening = asyncio.Lock()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._listeners: list[Listener] = []
        self._work: set[asyncio.Task[Any]] = set()
        self._closing = False

    async def load(self) -> None:
        """Takes up every open table where it stands."""
        for row in await self.ledger.open_tables():
            self._tables[row.table_id] = parse_state(row.state)

    async def go_on(self) -> None:
        """Arms every deadline again; what became due meanwhile happens now."""
        for table_id in list(self._tables):
            await self._go_on(table_id)

    async def close(self) -> None:
        """Lets what is under way end, and does nothing by itself any more."""
        self._closing = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        await asyncio.gather(*self._work, return_exceptions=True)

    def listen(self, listener: Listener) -> None:
        """Tells this listener whatever happens from now on, in order, once it is committed."""
        self._listeners.append(listener)

    @property
    def tables(self) -> list[TableState]:
        """Every open table."""
        return list(self._tables.values())

    def table(self, table_id: int) -> TableState | None:
        """The open table of that identity."""
        return self._tables.get(table_id)

    def table_in(self, channel_id: int) -> TableState | None:
        """The open table of that channel."""
        return next((table for table in self._tables.values() if table.channel_id == channel_id), None)

    def tables_of_server(self, server_id: int) -> list[TableState]:
        """The open tables of a server, by their numbers."""
        tables = (table for table in self._tables.values() if table.server_id == server_id)
        return sorted(tables, key=lambda table: table.number)

    def tables_of_member(self, member_id: int) -> list[TableState]:
        """The open tables where the member sits, the one opened last first."""
        tables = (table for table in self._tables.values() if table.has(member_id))
        return sorted(tables, key=lambda table: table.table_id, reverse=True)

    async def open_table(
        self, server_id: int, channel_id: int, opener: Member, key: int, rules: HouseRules | None = None
    ) -> TableState:
        """Opens a table.

        Args:
            server_id: in which server.
            channel_id: in which channel or thread; one table each.
            opener: who opens it.
            key: what makes the request unique, such as Discord's interaction id; the table's identity too.
            rules: the rules it begins with; the house's where none are given.

        Raises:
            ChannelTakenError: where one is open there.
            LedgerError: where it could not be written; then nothing happened.
        """
        return await self._whole(self._open_table(server_id, channel_id, opener, key, rules))

    async def _open_table(
        self, server_id: int, channel_id: int, opener: Member, key: int, rules: HouseRules | None
    ) -> TableState:
        async with self._opening:
            if table := self._tables.get(key):
                return table
            if table := self.table_in(channel_id):
                raise ChannelTakenError(table)
            number = await self.ledger.next_table_number(server_id)
            command = OpenTable(
                key, server_id, channel_id, number, opener, GAME, rules or self.rules_of(server_id)
            )
            async with self._table_locks[key]:
                decided = await self._carry_out(None, command, str(key), ())
            assert not isinstance(decided, Refused)
            return decided

    async def ask(self, table_id: int, command: Command, member_id: int, key: str) -> TableState | Refused:
        """Has a table do what a member asks, and whatever then is due.

        Args:
            table_id: which table.
            command: what is asked.
            member_id: who asks; his wallet is opened where he has none.
            key: what makes the request unique, such as Discord's interaction id: it happens once.

        Returns:
            The table as it is now, or why it refuses.

        Raises:
            LookupError: where no such table is open.
            LedgerError: where it could not be written; then nothing happened.
        """
        return await self._whole(self._ask(table_id, command, member_id, key))

    async def _ask(self, table_id: int, command: Command, member_id: int, key: str) -> TableState | Refused:
        async with self._table_locks[table_id]:
            state = await self._loaded(table_id)
            if not state.has(member_id):
                await self.open_wallet(state.server_id, member_id)
            decided = await self._carry_out(state, command, key, (member_id,))
            if isinstance(decided, Refused):
                return decided
            return await self._whatever_is_due(decided)

    async def open_wallet(self, server_id: int, member_id: int) -> None:
        """Gives a member his wallet with the server's opening chips, unless he has it."""
        chips = self.rules_of(server_id).opening_chips
        await self.ledger.ensure_wallet(server_id, member_id, chips, self.now())

    async def purse(self, server_id: int, member_id: int) -> Purse:
        """What a member has in a server; his wallet is opened where he has none."""
        await self.open_wallet(server_id, member_id)
        purse = await self.ledger.purse(server_id, member_id)
        assert purse is not None
        return purse

    async def wind_up(self, tables: Iterable[TableState], why: Farewell = Farewell.GONE) -> None:
        """Ends these tables wherever they stand, and gives back what is held (B06)."""
        for table in tables:
            # Several may find out at once that it is gone: whoever comes second has nothing left to do.
            with suppress(LookupError):
                await self.ask(table.table_id, WindUp(why), table.opener.member_id, f"{table.table_id}:{why}")

    async def _carry_out(
        self, state: TableState | None, command: Command, key: str, members: tuple[int, ...]
    ) -> TableState | Refused:
        """Decides and commits; decides anew where chips that it counted on went elsewhere meanwhile."""
        for _ in range(TRIES):
            now = self.now()
            decided = decide(state, command, now, await self._wallets(state, members))
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
        first = after.sequence - len(events) + 1
        change = Change(
            key=key,
            server_id=after.server_id,
            at=now,
            moves=moves_of(before, events),
            table=TableRow(
                table_id=after.table_id,
                server_id=after.server_id,
                channel_id=after.channel_id,
                number=after.number,
                is_open=after.phase is not Phase.CLOSED,
                is_playing=bool(after.held),
                state=state_json(after),
                sequence=after.sequence,
            ),
            events=tuple(
                EventRow(sequence, event.kind, event_json(event), after.round_number)
                for sequence, event in enumerate(events, first)
            ),
            deadline=after.deadline,
        )
        try:
            await self.ledger.commit(change)
        except AlreadyDone:
            return await self._reloaded(after.table_id)
        except InsufficientChips:
            raise
        except BaseException:
            # Whether it is on disk is not known: what is kept in memory may be behind it.
            self._tables.pop(after.table_id, None)
            raise
        self._keep(after)
        self._tell(News(before, events, after))
        return after

    async def _whatever_is_due(self, state: TableState) -> TableState:
        """Goes on as long as the table does so by itself."""
        while not self._closing and (what := due(state, self.now())) is not None:
            command = self._due_command(state, what)
            decided = await self._carry_out(state, command, f"{state.table_id}:{state.sequence}:{what}", ())
            if isinstance(decided, Refused):
                log.error("table %s refused its own %s: %s", state.table_id, what, decided)
                break
            state = decided
        return state

    def _due_command(self, state: TableState, what: Due) -> Command:
        match what:
            case Due.DEAL:
                return Deal(None, self.shuffled_for(state))
            case Due.SHOW_DOWN:
                return ShowDown(self.rules_of(state.server_id))
            case Due.WIND_UP:
                return WindUp(Farewell.DESERTED)

    def shuffled_for(self, state: TableState) -> tuple[Card, ...]:
        """Freshly shuffled cards, enough for everybody who has bet."""
        return shuffled_cards(hands_to_deal(state), state.rules.decks)

    async def _go_on(self, table_id: int) -> None:
        """What a table does when its time is up, or the bot starts; tried again where the ledger fails."""
        try:
            async with self._table_locks[table_id]:
                state = await self._loaded(table_id)
                self._keep(await self._whatever_is_due(state))
        except LookupError:
            return
        except LedgerError:
            log.exception("table %s could not go on; tried again in %s s", table_id, RETRY_SECONDS)
            self._arm(table_id, RETRY_SECONDS)

    async def _wallets(self, state: TableState | None, members: tuple[int, ...]) -> dict[int, int]:
        if state is None:
            return {}
        concerned = {*members, *([state.bank.member.member_id] if state.bank else [])}
        return await self.ledger.wallets(state.server_id, concerned)

    async def _loaded(self, table_id: int) -> TableState:
        return self._tables.get(table_id) or await self._reloaded(table_id)

    async def _reloaded(self, table_id: int) -> TableState:
        row = await self.ledger.table(table_id)
        if row is None or not row.is_open:
            raise LookupError(f"no open table {table_id}")
        state = parse_state(row.state)
        self._keep(state)
        return state

    def _keep(self, state: TableState) -> None:
        if state.phase is Phase.CLOSED:
            self._tables.pop(state.table_id, None)
        else:
            self._tables[state.table_id] = state
        if timer := self._timers.pop(state.table_id, None):
            timer.cancel()
        if state.deadline is not None:
            self._arm(state.table_id, state.deadline - self.now())

    def _arm(self, table_id: int, seconds: float) -> None:
        if self._closing:
            return
        loop = asyncio.get_running_loop()
        self._timers[table_id] = loop.call_later(max(seconds, 0), self._ring, table_id)

    def _ring(self, table_id: int) -> None:
        self._timers.pop(table_id, None)
        self._spawn(self._go_on(table_id))

    def _tell(self, news: News) -> None:
        for listener in self._listeners:
            try:
                listener(news)
            except Exception:
                log.exception("a listener failed at table %s", news.after.table_id)

    async def _whole(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Carries work to its end even where who asked for it goes away."""
        return await asyncio.shield(self._spawn(work))

    def _spawn(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task
