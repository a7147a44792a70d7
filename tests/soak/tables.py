"""Tables and the members at them: they play, and do what people do by mistake."""

import asyncio
import random
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from bot.practice.changes import Change
from bot.practice.gateway_events import SHARD_SHIFT
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players.board_reader import Board, own_hand, read_board
from bot.practice.players.moves import make_move
from bot.practice.players.strategy import AT_ONCE, Habit, Strategy, TableMemory
from bot.practice.replies import NotPossibleError
from bot.practice.servers import Channel
from bot.practice.world import World
from bot.rules.knobs import MOST_CHIPS
from tests.stand_in import StandIn

TABLES_A_SERVER: Final = 4
THINK_SECONDS: Final = 0.6
"""How long a member thinks before each move, on average."""
FORGET_SECONDS: Final = 8.0
"""How long a member remembers refusals: what failed is tried again."""
MODEST: Final = 3
"""From how many of the smallest amounts a member chooses, so that the bank can cover the others too."""
GIVES_UP: Final = 0.02
"""How often a banker who could give up the bank does."""
KEPT_MESSAGES: Final = 40
"""How many messages stay in a channel."""
HABITS: Final = {
    "plays": 840,
    "presses twice": 30,
    "presses an old button": 30,
    "types a command": 30,
    "looks at the hand": 39,
    "gives chips": 30,
    "closes the table": 1,
}
"""How often members do what, in a thousand."""
COMMANDS: Final = ("wallet", "leaderboard", "profile", "table list", "round verify", "round show", "ledger")
DIRECT_COMMANDS: Final = ("wallet", "ledger", "hand", "bet", "privacy show")
GIVE: Final = "give"
MOST_GIVEN: Final = 24
"""A larger gift costs its giver relief, and is asked about first."""
TOO_MANY: Final = 999_999_999
"""More chips than anybody has."""
GIVES_TOO_MANY: Final = 0.1
"""How often somebody tries to."""
GIFTS_APART_SECONDS: Final = 0.01
SETTINGS: Final = {
    "opening_chips": "1000000",
    "gifts_per_day": str(MOST_CHIPS),
    "betting_seconds": "5",
    "last_call_seconds": "0",
    "arranging_seconds": "5",
}
"""House rules under which rounds are short, and nobody is ever broke."""


@dataclass(slots=True, eq=False)
class Table:
    """One table, through all its closings.

    Attributes:
        channel: where it is.
        game: what is played, as `/table open` names it.
        admin: closes it now and then.
        members: who plays there; the last one only watches.
        message: its newest board; None before the first.
        old_buttons: buttons of earlier boards.
        known: the members whom the bot has heard of.
    """

    channel: Channel
    game: str
    admin: Person
    members: list[Person]
    message: Message | None = None
    old_buttons: deque[tuple[Message, str]] = field(default_factory=lambda: deque(maxlen=500))
    known: set[Person] = field(default_factory=set)
    _board: Board | None = None

    def hear(self, change: Change) -> None:
        """Takes note of a change of its channel."""
        message = change.message
        if message is None or not message.author.bot or message.ephemeral:
            return
        if change.kind == "message_deleted":
            if message is self.message:
                self.message = self._board = None
        elif message is self.message:
            self._board = None
        elif (self.message is None or message.id > self.message.id) and read_board(message) is not None:
            self.message, self._board = message, None

    async def give_chips(self, giver: Person, chance: random.Random) -> None:
        """Gives another member chips, if the bot knows one."""
        receivers = [one for one in self.members if one in self.known and one is not giver]
        if receivers:
            chips = TOO_MANY if chance.random() < GIVES_TOO_MANY else chance.randint(1, MOST_GIVEN)
            await giver.slash(self.channel, GIVE, member=chance.choice(receivers), amount=chips)

    def board(self) -> Board | None:
        """What its board shows; None if no table is open."""
        if self._board is None and self.message is not None:
            self._board = read_board(self.message)
            if self._board is not None:
                ids = (custom_id for one in self._board.buttons.values() for custom_id in one)
                self.old_buttons.extend((self.message, custom_id) for custom_id in ids)
        return self._board if self._board is not None and self._board.buttons else None


class Member:
    """Somebody at a table, who plays until cancelled."""

    def __init__(
        self, person: Person, table: Table, habit: Habit, chance: random.Random, *, direct: bool = False
    ) -> None:
        self._person = person
        self._direct = direct
        self._table = table
        self._habit = habit
        self._chance = chance
        self._strategy = Strategy(person.id, habit, AT_ONCE, None)
        self._memory = TableMemory()
        self._remembers_since = 0.0

    async def play(self) -> None:
        """Plays until cancelled."""
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / THINK_SECONDS))
            try:
                await self._act()
            except NotPossibleError:
                # The board has changed in the meantime.
                continue

    async def _act(self) -> None:
        board, chance, person = self._table.board(), self._chance, self._person
        if board is None:
            if person is self._table.members[0]:
                await person.slash(self._table.channel, "table open", game=self._table.game)
            return
        match chance.choices(list(HABITS), list(HABITS.values()))[0]:
            case "presses twice":
                await self._press_twice(board)
            case "presses an old button" if self._table.old_buttons:
                await person.press_raw(*chance.choice(self._table.old_buttons))
            case "types a command" if self._direct and chance.random() < 0.5:
                await self._write_directly()
            case "types a command":
                await person.slash(self._table.channel, chance.choice(COMMANDS))
            case "looks at the hand" if "hand" in board.buttons:
                await person.click(board.message, board.buttons["hand"][0])
            case "gives chips":
                await self._table.give_chips(person, chance)
            case "closes the table":
                await self._table.admin.slash(self._table.channel, "table close")
            case _:
                await self._move(board)
        self._table.known.add(person)

    async def _write_directly(self) -> None:
        command, channel = self._chance.choice(DIRECT_COMMANDS), self._person.dm()
        await self._person.slash(channel, command, **({"amount": 5} if command == "bet" else {}))

    async def _press_twice(self, board: Board) -> None:
        custom_id = self._chance.choice([one for ids in board.buttons.values() for one in ids])
        await asyncio.gather(*(self._person.press_raw(board.message, custom_id) for _ in range(2)))

    async def _move(self, board: Board) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._remembers_since > FORGET_SECONDS:
            self._memory, self._remembers_since = TableMemory(), now
        memory = self._memory
        memory.joined = self._person.id in board.mentioned or board.banker == self._person.id
        bets = board.buttons.get("bet", ())
        bet = self._chance.choice(bets[:MODEST]) if bets else ""
        moves = [
            move
            for move in self._strategy.moves(board, memory, bet, own_hand(self._person, board))
            if not memory.is_refused(move) and (move.action != "give_up" or self._chance.random() < GIVES_UP)
        ]
        if not moves:
            return
        move = self._chance.choice(moves)
        if await make_move(self._person, move, self._chance, AT_ONCE):
            memory.note_refused(move)
        else:
            memory.note_done(move)


class Crowd:
    """Everybody at all tables.

    Args:
        discord: where they are.
        tables: how many tables.
        games: which games are played, in turn.
        chance: the source of random choices.
        shards: how many shards the bot has; each gets a server, and members also write directly then.

    Attributes:
        tables: the tables.
        people: all members.
    """

    PLAYERS: Final = 3

    def __init__(
        self, discord: StandIn, tables: int, games: list[str], chance: random.Random, shards: int = 1
    ) -> None:
        self._world: World = discord.world
        self._chance = chance
        self.tables: list[Table] = []
        self._admins: dict[Person, Channel] = {}
        self._direct = shards > 1
        tables_a_server = TABLES_A_SERVER if shards == 1 else -(-tables // shards)
        for number in range(tables):
            if number % tables_a_server == 0:
                server = discord.add_server(f"Server {number}")
                # Each in a shard of its own.
                while (server.id >> SHARD_SHIFT) % shards != number // tables_a_server % shards:
                    time.sleep(0.001)
                    server = discord.add_server(f"Server {number}")
                admin = discord.add_person(f"Admin {number}", [server], manage_server=True)
            channel = discord.add_channel(server, f"table-{number}")
            members = [discord.add_person(f"Member {number}-{n}", [server]) for n in range(self.PLAYERS + 1)]
            self._admins.setdefault(admin, channel)
            self.tables.append(Table(channel, games[number % len(games)], admin, members))
        self.people = [person for table in self.tables for person in table.members]
        by_channel = {table.channel: table for table in self.tables}

        def hear(change: Change) -> None:
            if change.channel in by_channel:
                by_channel[change.channel].hear(change)

        self._world.on_change(hear)

    async def set_house_rules(self) -> None:
        """Has every admin make rounds short.

        Raises:
            AssertionError: the bot does not do it.
        """
        for admin, channel in self._admins.items():
            for knob, value in SETTINGS.items():
                shown = (await admin.slash(channel, "house set", rule=knob, value=value)).message
                assert shown is not None, f"no preview of {knob} came"
                confirm = shown.button("Confirm")
                assert confirm is not None, f"{knob} cannot be {value}: {shown.text}"
                await admin.click(shown, confirm)

    def sit_down(self) -> list[asyncio.Task[None]]:
        """Starts to play: one task for each member, to be cancelled."""
        habits = [Habit.BANKS] * self.PLAYERS + [Habit.WATCHES]
        return [
            asyncio.create_task(
                Member(
                    person, table, habit, random.Random(self._chance.random()), direct=self._direct
                ).play(),
                name=person.name,
            )
            for table in self.tables
            for person, habit in zip(table.members, habits, strict=True)
        ]

    async def give_often(self) -> None:
        """Lets members give chips, many at once, until cancelled."""
        async with asyncio.TaskGroup() as gifts:
            while True:
                table = self._chance.choice(self.tables)
                gifts.create_task(table.give_chips(self._chance.choice(table.members), self._chance))
                await asyncio.sleep(GIFTS_APART_SECONDS)

    def tidy_up(self) -> None:
        """Deletes old messages, which nobody looks at any more: a long run must not fill this process."""
        boards = {table.message for table in self.tables}
        for channel in list(self._world.channels.values()):
            for message_id in channel.message_ids[:-KEPT_MESSAGES]:
                message = self._world.messages[message_id]
                if message not in boards:
                    self._world.delete_message(message)
