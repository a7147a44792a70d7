"""Tables without a bot, in virtual time: they do what is pressed, and note who pressed what and when."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from itertools import count
from random import Random
from typing import Any, Final

from bot.practice.component_tree import walk
from bot.practice.interactions import CallbackKind, Interaction
from bot.practice.limits import Limits
from bot.practice.messages import Flag, Message
from bot.practice.person import Person
from bot.practice.players.player import PracticePlayer
from bot.practice.players.strategy import AT_ONCE, TEMPERAMENTS, Habit, Pace, Temperament
from bot.practice.servers import Channel, User
from bot.practice.world import World
from tests.simulation.loop import VirtualLoop

Json = dict[str, Any]

CHIPS: Final = (5, 10, 20, 50)
COUNTDOWN: Final = 60.0
"""Seconds from the first bet until a table deals."""


@dataclass
class Press:
    """A press: who, what, in which round, at which second, and whether it was refused."""

    who: str
    action: str
    argument: str | None
    round: int
    at: float
    refused: bool


@dataclass(eq=False)
class Table:
    """A table: seats, banker, bets, and who has revealed their hand (None before the deal)."""

    number: int
    board: Message
    round: int = 1
    bank: int | None = None
    next_banker: int | None = None
    seats: list[int] = field(default_factory=list)
    bets: dict[int, int] = field(default_factory=dict)
    out: set[int] = field(default_factory=set)
    shown: set[int] | None = None
    told: str = ""
    countdown: asyncio.Task[None] | None = None
    dealt: asyncio.Event = field(default_factory=asyncio.Event)
    dealt_by_countdown: bool = False

    def components(self) -> list[Json]:
        """What the board shows."""
        players = [seat for seat in self.seats if seat != self.bank]
        bank = f"👑 <@{self.bank}> banks" if self.bank else "👑 No banker yet"
        bank += f" · next: <@{self.next_banker}>" if self.next_banker else ""
        seats = [f"`{number}` {self._seat(who)}" for number, who in enumerate(players, start=1)]
        deadline = ["Betting closes <t:1790000000:R>"] * (bool(self.bets) and self.shown is None)
        lines = [f"## Table {self.number} · Round {self.round}", bank, *seats, *deadline]
        texts = [_text("\n".join(lines)), *[_text(self.told)] * bool(self.told)]
        return _numbered([*texts, *_rows([self._button(action) for action in self._offered()]), self._menu()])

    def panel(self) -> list[Json]:
        """What the banker sees of their own."""
        return _numbered(_rows([self._button("deal"), self._button("give_up")]))

    def hand(self) -> list[Json]:
        """What a message with a hand offers that is not revealed yet."""
        return _numbered(_rows([self._button("reveal")]))

    def _offered(self) -> Iterator[str]:
        if self.shown is None:
            yield "join"
        else:
            yield "reveal"
        if self.bank is None:
            yield "bank"
        elif self.shown is None:
            yield from (*(f"bet:{chips}" for chips in CHIPS), "other_bet")

    def _seat(self, who: int) -> str:
        if self.shown is not None and who in self.bets:
            return f"<@{who}> · **{self.bets[who]}** · {'Ox of 7' if who in self.shown else '🂠 deciding…'}"
        if who in self.bets:
            return f"<@{who}> · **{self.bets[who]}** · ✓"
        return f"<@{who}> · {'💤 sitting out' if who in self.out else 'deciding…'}"

    def _button(self, action: str) -> Json:
        return {"type": 2, "style": 1, "label": action, "custom_id": self._custom_id(action)}

    def _menu(self) -> Json:
        options = [{"label": value, "value": value} for value in ("hand", "sit_out")]
        return {
            "type": 1,
            "components": [{"type": 3, "custom_id": self._custom_id("more"), "options": options}],
        }

    def _custom_id(self, action: str) -> str:
        return f"gnau:{self.number}:{self.round}:{action}"

    def fits(self, who: int, action: str) -> bool:
        """Whether the table can carry this out."""
        match action:
            case "bet" | "sit_out":
                return who != self.bank and self.shown is None and who not in self.bets
            case "bank":
                return self.bank is None
            case "deal" | "give_up":
                return who == self.bank
            case "reveal":
                return self.shown is not None and who not in self.shown
        return who not in self.seats

    def carry_out(self, who: int, action: str, argument: str | None) -> None:
        """Changes the table; settles the round once everybody has revealed."""
        match action:
            case "join":
                self.seats.append(who)
            case "bank":
                self.bank = who
            case "give_up":
                self.bank = None
            case "bet":
                self.bets[who] = int(argument or 0)
            case "sit_out":
                self.out.add(who)
            case "deal":
                self.deal()
            case "reveal" if self.shown is not None:
                self.shown.add(who)
        if self.shown is not None and self.shown >= {*self.bets, self.bank}:
            paid = f"-# 👑 <@{self.bank}> pays **−{sum(self.bets.values())}**"
            won = (f"▲ <@{seat}> wins **+{chips}**" for seat, chips in self.bets.items())
            self.told = "\n".join((paid, *won, f"-# 🧾 {self.round} · RECEIPT"))
            self.round += 1
            self.bets, self.out, self.shown = {}, set(), None

    def deal(self) -> None:
        if self.countdown is not None:
            self.countdown.cancel()
            self.countdown = None
        self.shown = set()
        self.dealt.set()


class Room:
    """A server with channels, tables, and people and practice players at them.

    Attributes:
        refuses: whether a press is refused.
        silent: the actions that get no reply.
        presses: every press so far.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.world = World()
        self.server = self.world.add_server("Practice")
        self.channel, self.second = (self.world.add_channel(self.server, name) for name in ("one", "two"))
        self.refuses: Callable[[Press], bool] = lambda press: False
        self.silent: set[str] = set()
        self.presses: list[Press] = []
        self.tables: dict[int, Table] = {}
        self._numbers = count(1)
        self._players: list[asyncio.Task[None]] = []
        self._practice_players: set[int] = set()

    def person(self, name: str) -> Person:
        """Adds a member."""
        user = self.world.add_user(name)
        self.world.join(self.server, user)
        return Person(self.world, user, Limits(), self._answer)

    def play(
        self,
        name: str,
        habit: Habit = Habit.PLAYS,
        pace: Pace = AT_ONCE,
        temperament: Temperament = TEMPERAMENTS[0],
    ) -> Person:
        """Adds a practice player, who plays from now on and waits for members who are none."""
        person = self.person(name)
        self._practice_players.add(person.id)
        player = PracticePlayer(
            person,
            pace,
            habit=habit,
            temperament=temperament,
            practice_players=self._practice_players,
            chance=Random(f"{self.seed} {name}"),
        )
        self._players.append(asyncio.create_task(player.play()))
        return person

    def open(self, channel: Channel | None = None, **has: Any) -> Table:
        """Opens a table."""
        table = Table(next(self._numbers), self.post(channel or self.channel, []), **has)
        self.tables[table.number] = table
        self.show(table)
        return table

    def close(self, table: Table) -> None:
        """Closes a table."""
        self.world.delete_message(self.tables.pop(table.number).board)

    def show(self, table: Table) -> None:
        """Has the board show the table as it is now."""
        self.world.edit(table.board, lambda board: setattr(board, "components", table.components()))

    def pressed(self, action: str, who: str | None = None, *, refused: bool = False) -> list[Press]:
        """The presses of this action, optionally by this person."""
        return [
            press
            for press in self.presses
            if press.action == action and who in (None, press.who) and press.refused == refused
        ]

    async def until(self, look: Callable[[], object], seconds: float = 600.0) -> None:
        """Waits until a condition is true; checks at each change of the world."""
        await self.world.wait_for(look, seconds)

    async def leave(self) -> None:
        """Ends the players and the countdowns."""
        tasks = [*self._players, *filter(None, (table.countdown for table in self.tables.values()))]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _answer(self, interaction: Interaction) -> None:
        """Carries out what somebody pressed, as a bot does."""
        _, number, _, action, *argument = interaction.data["custom_id"].split(":")
        action = interaction.data["values"][0] if action == "more" else action
        who, table = interaction.user, self.tables[int(number)]
        interaction.callback, interaction.original = CallbackKind.UPDATE, interaction.message
        if action == "hand":
            interaction.callback = CallbackKind.MESSAGE
            interaction.original = self.post(interaction.channel, table.panel(), only_for=who)
        else:
            now = asyncio.get_running_loop().time()
            press = Press(
                who.display_name, action, "".join(argument) or None, table.round, now, refused=False
            )
            press.refused = self.refuses(press) or not table.fits(who.id, action)
            self.presses.append(press)
            if press.refused:
                interaction.callback = CallbackKind.MESSAGE
                interaction.original = self.post(interaction.channel, [], only_for=who)
            elif action not in self.silent:
                table.carry_out(who.id, action, press.argument)
                if table.bets and table.shown is None and table.countdown is None:
                    table.countdown = asyncio.create_task(self._count_down(table))
                self.show(table)
        if action not in self.silent:
            interaction.replied.set()

    async def _count_down(self, table: Table) -> None:
        await asyncio.sleep(COUNTDOWN)
        table.dealt_by_countdown, table.countdown = True, None
        table.deal()
        self.show(table)

    def post(self, channel: Channel, components: list[Json], only_for: User | None = None) -> Message:
        """Sends a message of the bot."""
        world = self.world
        message = Message(world.new_id(), channel, world.bot, world.now(), flags=Flag.COMPONENTS_V2)
        message.components, message.ephemeral_for = components, only_for
        return world.post(message)


def in_virtual_time(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Runs a test of a `room` in virtual time; it ends with the test."""

    @wraps(test)
    def run(room: Room, **others: Any) -> None:
        async def evening() -> None:
            try:
                await test(room=room, **others)
            finally:
                await room.leave()

        loop = VirtualLoop(Random(room.seed))  # type: ignore[abstract]  # has what is used here of a loop
        loop.run_until_complete(evening())
        assert not loop.complaints

    return run


def _text(content: str) -> Json:
    return {"type": 10, "content": content}


def _rows(buttons: list[Json]) -> list[Json]:
    return [{"type": 1, "components": buttons[at : at + 5]} for at in range(0, len(buttons), 5)]


def _numbered(components: list[Json]) -> list[Json]:
    for number, part in enumerate(walk(components), start=1):
        part["id"] = number
    return components
