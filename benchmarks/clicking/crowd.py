"""The people at the tables of one bot: they sit down, play rounds, and press what boards offer."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from bot.practice.changes import Change
from bot.practice.gateway_events import SHARD_SHIFT
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Reply
from bot.practice.servers import Channel, Server
from clicking.board import (
    AGAIN,
    BANK,
    BET,
    JOIN,
    LOOK,
    OTHER_BET,
    REVEAL,
    Action,
    Button,
    buttons,
    round_shown,
    to_press,
)
from tests.stand_in import StandIn

TABLES_PER_SERVER: Final = 5
SEATING_AT_ONCE: Final = 16
PATIENCE: Final = 60.0
"""How many seconds the crowd waits for a board before it gives up."""
AGAIN_SECONDS: Final = 10.0
"""How long it waits for the end of a round before everybody reveals again."""
FORM_SECONDS: Final = 0.05
"""What a person takes to fill in a form."""
BETTING_MIX: Final = {"bet": 65, "bet again": 15, "open a form": 8, "outdated bet": 12}
DEALT_MIX: Final = {"my hand": 85, "outdated bet": 15}
"""What single clicks are, in percent, at a table that takes bets, and at one whose hands are dealt. The bot
refuses the outdated bet, which comes from a board of an earlier round."""

Press = Callable[[Person, Message, str], Awaitable[Reply]]
"""Presses a button until it is answered, and measures that."""


class StuckError(Exception):
    """A table did not go on; its text says where it stands."""


@dataclass(slots=True, eq=False)
class Table:
    """One table.

    Attributes:
        channel: where it is.
        banker: who banks.
        players: the others, by seat.
        board: its newest board.
        outdated: the custom_id of a bet in an earlier round.
        stirred: set whenever the board changes.
    """

    channel: Channel
    banker: Person
    players: list[Person]
    board: Message | None = None
    outdated: str = ""
    stirred: asyncio.Event = field(default_factory=asyncio.Event)
    _read: list[Button] | None = None

    @property
    def shown(self) -> Message:
        """Its board, which must have been posted."""
        assert self.board is not None
        return self.board

    @property
    def round_number(self) -> int:
        """The round that its board is about."""
        return round_shown(self._buttons())

    def offers(self, action: Action, *, with_argument: bool = False) -> list[str]:
        """The custom_ids on its board that do this."""
        return to_press(self._buttons(), action, with_argument=with_argument)

    def hear(self, message: Message) -> None:
        """Takes note of a board that was posted or edited."""
        if self.board is None or message.id > self.board.id:
            self.board = message
        self._read = None
        self.stirred.set()

    def _buttons(self) -> list[Button]:
        if self._read is None:
            self._read = buttons(self.shown)
        return self._read


class Crowd:
    """Everybody at the tables of one bot.

    Args:
        discord: where they are; not started yet.
        tables: how many.
        seats: how many players sit at each, beside the banker.
        plays: whether the bot plays rounds. Where it does not, its board always offers everything, and
            nobody waits for it to change.
        shards: into how many shards the servers are divided, all alike.

    Attributes:
        tables: the tables.
        plays: as given.
    """

    def __init__(self, discord: StandIn, tables: int, seats: int, *, plays: bool, shards: int = 1) -> None:
        self.plays = plays
        self.tables: list[Table] = []
        servers: list[Server] = []
        while len(servers) < -(-tables // TABLES_PER_SERVER):
            server = discord.add_server(f"Server {len(servers)}")
            if (server.id >> SHARD_SHIFT) % shards == len(servers) % shards:
                servers.append(server)
        for number in range(tables):
            server = servers[number // TABLES_PER_SERVER]
            people = [discord.add_person(f"Player {number}-{seat}", [server]) for seat in range(seats + 1)]
            for person in people:
                person.reaction_seconds = 0.0
            channel = discord.add_channel(server, f"table-{number}")
            self.tables.append(Table(channel, people[0], people[1:]))
        self._by_channel = {table.channel.id: table for table in self.tables}
        self._bot = discord.world.bot
        discord.world.on_change(self._hear)

    def _hear(self, change: Change) -> None:
        """Takes note of the boards that are posted and edited."""
        message = change.message
        if message is None or change.kind == "message_deleted" or message.ephemeral:
            return
        table = self._by_channel.get(message.channel.id)
        # The greeting of a server is no board.
        if table is not None and message.author is self._bot and buttons(message):
            table.hear(message)

    async def sit_down(self) -> None:
        """Opens every table, seats the players, and has the banker take the bank."""
        gate = asyncio.Semaphore(SEATING_AT_ONCE)

        async def sit(table: Table) -> None:
            async with gate:
                await self._sit_down_at(table)

        await asyncio.gather(*map(sit, self.tables))

    async def _sit_down_at(self, table: Table) -> None:
        if not self.plays:
            await self._until(table, lambda: table.board is not None, "is posted")
            table.outdated = table.offers(BET, with_argument=True)[0]
            return
        await table.banker.slash(table.channel, "table open")
        for player in table.players:
            await self._until(
                table, lambda: table.board is not None and bool(table.offers(JOIN)), "offers seats"
            )
            await player.press_raw(table.shown, table.offers(JOIN)[0])
        form = (await table.banker.press_raw(table.shown, table.offers(BANK)[0])).modal
        if form is None:
            raise StuckError(f"no form opened to take the bank; the board says: {table.shown.text}")
        await asyncio.sleep(FORM_SECONDS)
        await table.banker.submit(form)
        await self._until(table, lambda: bool(table.offers(BET, with_argument=True)), "takes bets")

    # Whole rounds

    async def play_round(self, table: Table, press: Press, chance: random.Random) -> None:
        """Plays one round: all bet, look at their hands and reveal them, and the next round opens."""
        await self.bet(table, press, chance)
        everybody = [table.banker, *table.players]
        await self._all(table, everybody, LOOK, press)
        await self.reveal(table, press)

    async def bet(self, table: Table, press: Press, chance: random.Random) -> None:
        """Has all players bet, the last one last: at that the hands are dealt."""
        board, amounts = table.shown, table.offers(BET, with_argument=True)
        *most, last = table.players
        await asyncio.gather(*(press(player, board, chance.choice(amounts)) for player in most))
        await press(last, board, chance.choice(amounts))
        if self.plays:
            await self._until(table, lambda: bool(table.offers(REVEAL) and table.offers(LOOK)), "has hands")
            table.outdated = amounts[0]

    async def reveal(self, table: Table, press: Press) -> None:
        """Has everybody reveal: the round is settled, and the next one takes bets."""
        number, everybody = table.round_number, [table.banker, *table.players]

        def is_over() -> bool:
            return table.round_number > number and bool(table.offers(BET, with_argument=True))

        await self._all(table, everybody, REVEAL, press)
        if self.plays:
            # On a busy machine, one may have been told in time that it was too late.
            with suppress(StuckError):
                await self._until(table, is_over, "takes bets again", AGAIN_SECONDS)
            if not is_over():
                await self._all(table, everybody, REVEAL, press)
                await self._until(table, is_over, "takes bets again")

    async def _all(self, table: Table, people: Sequence[Person], action: Action, press: Press) -> None:
        board, (custom_id, *_) = table.shown, table.offers(action)
        await asyncio.gather(*(press(person, board, custom_id) for person in people))

    async def _until(
        self, table: Table, ready: Callable[[], bool], what: str, seconds: float = PATIENCE
    ) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not ready():
                    table.stirred.clear()
                    await table.stirred.wait()
        except TimeoutError:
            says = "nothing" if table.board is None else table.board.text
            raise StuckError(
                f"the board in {table.channel.name} never {what} in {seconds:g} s; it says: {says}"
            ) from None

    # Single clicks

    def dealt_tables(self) -> list[Table]:
        """Every third table: its hands are dealt while single clicks are measured."""
        return self.tables[2::3]

    def who_clicks(self) -> list[tuple[Table, Person]]:
        """Who presses single buttons: all players, but the last where bets are open: nothing is dealt."""
        dealt = set(self.dealt_tables())
        return [
            (table, player)
            for table in self.tables
            for player in (table.players if table in dealt else table.players[:-1])
        ]

    def pick(self, table: Table, chance: random.Random) -> tuple[str, str]:
        """What to press at a table, out of what its board offers: its name, and the custom_id.

        Raises:
            StuckError: if the board lacks a button of the mix, so that the bots' loads would differ.
        """
        dealt = table in self.dealt_tables()
        offered = {
            "bet": table.offers(BET, with_argument=True),
            "bet again": table.offers(AGAIN),
            "open a form": table.offers(OTHER_BET),
            "my hand": table.offers(LOOK),
            "outdated bet": [table.outdated],
        }
        mix = DEALT_MIX if dealt else BETTING_MIX
        if lacking := [name for name in mix if not offered[name]]:
            raise StuckError(f"the board has no button for: {', '.join(lacking)}")
        (name,) = chance.choices(list(mix), list(mix.values()))
        return name, chance.choice(offered[name])
