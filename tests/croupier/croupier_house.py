"""A house for tests of the croupier: a ledger in a real file, a clock that stands still, and members."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Self

import pytest

from bot.croupier.croupier import Croupier
from bot.croupier.gifts import Gift, GiftRefused, Gifts
from bot.croupier.identities import User
from bot.croupier.open_tables import TableChanged
from bot.croupier.replay import verify_tables
from bot.games.gnau.rules import GnauRules
from bot.games.register import DEFAULT_GAME
from bot.ledger.audit import audit
from bot.ledger.changes import Identity
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger, open_ledger
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import MOST_CHIPS, GameName, Play
from bot.rules.shuffle import new_secret
from bot.table.commands import Command, Join, PlaceBet, TakeBank
from bot.table.refusals import Refused
from bot.table.state import NOBODY, TableState, parse_state
from tests.databases import create_database
from tests.houses import house_with

NOON = 1_790_000_000.0
SERVER, OTHER_SERVER = 8, 9
MEI, ALICE, BOB, CHAN = range(1, 5)
COMPANY = (MEI, ALICE, BOB, CHAN)
PATIENCE = 60.0
DISK_ERROR = LedgerUnavailable("disk I/O error")

# No number of a table, which members type, is the id of another one.
_numbers = count(1_000_000)


class House:
    """Runs a croupier, and checks its memory against the ledger.

    Attributes:
        rules: the house rules; may be replaced at any time.
        settings: the settings of the server that differ from its defaults; gifts have no limit.
        now: what the clock says, in seconds since the epoch, UTC.
        changes: what a listener was notified of, in order.

    Args:
        database: the file of its ledger, or its address on a PostgreSQL server.
        secret: draws the secrets of its shuffles.
        numbers: what its requests are numbered by.
    """

    def __init__(
        self, database: Path | str, secret: Callable[[], str] = new_secret, numbers: Iterator[int] = _numbers
    ) -> None:
        self.rules: HouseRules = GnauRules(last_call_seconds=0)
        self.settings: dict[str, object] = {"gifts_per_day": MOST_CHIPS}
        self.now = NOON
        self.changes: list[TableChanged] = []
        self.ledger: Ledger
        self.croupier: Croupier
        self.gifts: Gifts
        self._address = database if isinstance(database, str) else f"sqlite:///{create_database(database)}"
        self._secret = secret
        self._numbers = numbers
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self, *, go_on: bool = True) -> None:
        """Opens the ledger and loads the tables; `go_on` says whether to arm their deadlines too."""
        self.ledger = await self._stack.enter_async_context(open_ledger(self._address))
        house_of, clock = (lambda _: house_with(self.rules, **self.settings)), (lambda: self.now)
        self.croupier = Croupier(self.ledger, house_of, clock, self._secret)
        self.gifts = Gifts(self.croupier)
        self._stack.push_async_callback(self.croupier.close)
        self.croupier.listeners.add(self.changes.append)
        await self.croupier.load()
        if go_on:
            await self.croupier.go_on()

    async def stop(self) -> None:
        """Closes croupier and ledger."""
        await self._stack.aclose()

    async def restart(self, *, go_on: bool = True) -> None:
        """Stops and starts again, with nothing but what is on disk."""
        await self.stop()
        await self.start(go_on=go_on)

    def fresh(self) -> int:
        """A unique number for a request."""
        return next(self._numbers)

    async def open(
        self,
        opener: int = MEI,
        *,
        channel_id: int | None = None,
        server_id: int = SERVER,
        game: GameName = DEFAULT_GAME,
        play: Play = Play.CHIPS,
    ) -> TableState:
        """Opens a table, in a new channel by default."""
        key = self.fresh()
        return await self.croupier.open_table(server_id, channel_id or key + 5000, opener, key, game, play)

    async def open_with_bank(
        self, banker: int = MEI, lowest: int = 5, highest: int = 100, *, players: Iterable[int] = ()
    ) -> int:
        """Opens a table with a banker and seated players; returns its id."""
        table = await self.open(banker)
        await self.do(table.table_id, TakeBank(banker, lowest, highest, self.rules), banker)
        await self.join(table.table_id, *players)
        return table.table_id

    async def ask(
        self, table_id: int, command: Command, member: int, key: str | None = None
    ) -> TableState | Refused:
        """Asks as a member."""
        return await self.croupier.ask(table_id, command, member, key or str(self.fresh()))

    async def do(self, table_id: int, command: Command, member: int, key: str | None = None) -> TableState:
        """Asks as a member; fails if it is refused."""
        done = await self.ask(table_id, command, member, key)
        assert not isinstance(done, Refused), done
        return done

    async def join(self, table_id: int, *members: int) -> None:
        """Sits members down."""
        for member in members:
            await self.do(table_id, Join(member), member)

    async def bet(self, table_id: int, member: int, stake: int) -> TableState:
        """Bets; fails if it is refused."""
        return await self.do(table_id, PlaceBet(member, stake), member)

    async def gift(self, giver: int, receiver: int, chips: int, server_id: int = SERVER) -> Gift:
        """A gift to a party, behind whom there is a user from now on."""
        user = User(receiver, f"Member {receiver}", locale=None)
        if await self.croupier.identities.find(server_id, receiver) == NOBODY:
            await self.ledger.record(Identity(receiver, server_id, receiver, user.name, "en-US"))
            await self.croupier.identities.load([receiver])
        return Gift(server_id, giver, user, chips)

    async def give(self, giver: int, receiver: int, chips: int, key: str | None = None) -> int | GiftRefused:
        """Makes such a gift."""
        return await self.gifts.give(await self.gift(giver, receiver, chips), key or str(self.fresh()))

    def table(self, table_id: int) -> TableState:
        """The table in the croupier's memory."""
        table = self.croupier.tables.get(table_id)
        assert table is not None
        return table

    async def until(self, condition: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Waits until the condition is true."""
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110 - what is waited for sets no event
                await asyncio.sleep(0.005)

    async def check(self) -> None:
        """Checks that memory and disk agree, and that audit and replay find nothing."""
        stored = {row.table_id: parse_state(row.state) for row in await self.ledger.open_tables()}
        assert {table.table_id: table for table in self.croupier.tables.all()} == stored
        waiting = {table_id: table.deadline for table_id, table in stored.items()}
        assert await self.ledger.deadlines() == {id_: at for id_, at in waiting.items() if at is not None}
        assert await audit(self.ledger) == []
        assert await verify_tables(self.ledger) == []


@contextmanager
def failing(
    room: object, *names: str, done: bool = False, error: BaseException = DISK_ERROR
) -> Iterator[None]:
    """Lets these methods of a room fail for now.

    Args:
        done: whether what they are asked for is done all the same.
    """

    def failing_as(really: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[None]]:
        async def fail(*asked: object) -> None:
            if done:
                await really(*asked)
            raise error

        return fail

    with pytest.MonkeyPatch.context() as at_fault:
        for name in names:
            at_fault.setattr(room, name, failing_as(getattr(room, name)))
        yield


FailAt = Callable[[int], None]
"""Makes the n-th change of a table from now on fail, counted from 1."""


def times_notified(house: House, kind: type) -> int:
    """How often listeners were notified of an event of this kind."""
    return sum(isinstance(event, kind) for change in house.changes for event in change.events)


def fresh() -> int:
    """A unique number, like the id of a Discord interaction."""
    return next(_numbers)
