"""Practice players at a person's pace, in virtual time, at a table without a bot."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from bot.practice.component_tree import walk
from bot.practice.interactions import CallbackKind, Interaction
from bot.practice.limits import Limits
from bot.practice.messages import Flag, Message
from bot.practice.person import Person
from bot.practice.players.player import PracticePlayer
from bot.practice.players.strategy import AT_ONCE, FAST, Habit, Pace
from bot.practice.servers import User
from bot.practice.world import World
from tests.practice.dealer_bot import CHIPS, Table
from tests.simulation.loop import VirtualLoop
from tests.sizes import sample

COUNTDOWN: Final = 60.0
"""The seconds of a table's deadline."""
PLAYING: Final = 60.0 * 60.0


class PacedTable:
    """A table that deals when its countdown ends, and notes who pressed what and when.

    Attributes:
        pressed: who, the action, and the seconds since the start.
        dealt_by_countdown: whether nobody dealt in time.
    """

    def __init__(self, pace: Pace, seed: int) -> None:
        self._world, self._pace, self._random = World(), pace, Random(seed)
        self._server = self._world.add_server("Practice")
        self._channel = self._world.add_channel(self._server, "table")
        self._table = Table(1, round=1)
        self._board: Message | None = None
        self._countdown: asyncio.Task[None] | None = None
        self._practice_players: dict[Person, Habit] = {}
        self.pressed: list[tuple[str, str, float]] = []
        self.dealt = asyncio.Event()
        self.dealt_by_countdown = False

    def seat(self, name: str, *, banks: bool = False) -> Person:
        """Adds a human who sits there."""
        user = self._world.add_user(name)
        self._world.join(self._server, user)
        if banks:
            self._table.bank = user.id
        self._table.seats.append(user.id)
        return Person(self._world, user, Limits(), self._answer)

    def practice_player(self, name: str, *, banks: bool = False) -> Person:
        """Adds a practice player who sits there."""
        person = self.seat(name, banks=banks)
        self._practice_players[person] = Habit.PLAYS
        return person

    async def play(self) -> None:
        """Lets the practice players play until the deal, or for an hour."""
        self._show()
        ids = {person.id for person in self._practice_players}
        tasks = [
            asyncio.create_task(
                PracticePlayer(
                    person,
                    self._pace,
                    habit=habit,
                    practice_players=ids,
                    chance=Random(self._random.random()),
                ).play()
            )
            for person, habit in self._practice_players.items()
        ]
        await asyncio.wait([asyncio.create_task(self.dealt.wait())], timeout=PLAYING)
        tasks += [self._countdown] if self._countdown is not None else []
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    def when(self, action: str) -> list[float]:
        """The seconds at which this was pressed."""
        return [at for _, what, at in self.pressed if what == action]

    async def bet(self, human: Person) -> None:
        """A human bets."""
        assert self._board is not None
        await human.click(self._board, f"gnau:1:1:bet:{CHIPS[0]}")

    def sit_out(self, human: Person) -> None:
        """A human sits this round out."""
        self._table.out.add(human.id)
        self._show()

    async def _end(self) -> None:
        await asyncio.sleep(COUNTDOWN)
        self.dealt_by_countdown = True
        self.dealt.set()

    def _answer(self, interaction: Interaction) -> None:
        """Carries out what somebody pressed, as a bot does."""
        _, _, _, action, *argument = interaction.data["custom_id"].split(":")
        action = interaction.data["values"][0] if action == "more" else action
        who, table = interaction.user, self._table
        now = asyncio.get_running_loop().time()
        if action != "hand":
            self.pressed.append((who.display_name, action, now))
        match action:
            case "hand":
                interaction.original = self._post(table.panel(), only_for=who)
            case "bet":
                table.bets[who.id] = int(argument[0])
                self._countdown = self._countdown or asyncio.create_task(self._end())
            case "deal":
                self.dealt.set()
            case "give_up":
                table.bank = None
        interaction.callback = CallbackKind.MESSAGE if action == "hand" else CallbackKind.UPDATE
        interaction.replied.set()
        if action != "hand":
            self._show()

    def _show(self) -> None:
        view = self._table.view()
        if self._board is None:
            self._board = self._post(view)
        else:
            self._world.edit(self._board, lambda board: setattr(board, "components", _components(view)))

    def _post(self, view: Any, *, only_for: User | None = None) -> Message:
        world = self._world
        message = Message(world.new_id(), self._channel, world.bot, world.now(), flags=Flag.COMPONENTS_V2)
        message.components, message.ephemeral_for = _components(view), only_for
        return world.post(message)


def _components(view: Any) -> list[dict[str, Any]]:
    components: list[dict[str, Any]] = view.to_components()
    for number, part in enumerate(walk(components), start=1):
        part["id"] = number
    return components


def in_virtual_time(evening: Callable[[], Any], seed: int = 0) -> None:
    loop = VirtualLoop(Random(seed))  # type: ignore[abstract]  # has what is used here of a loop
    loop.run_until_complete(evening())
    assert not loop.complaints


SEEDS = sample(range(20))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_countdown_deals_while_a_human_has_not_bet(seed: int) -> None:
    async def evening() -> None:
        table = PacedTable(Pace(), seed)
        table.seat("Human")
        table.practice_player("Beng", banks=True)
        table.practice_player("Siti")
        await table.play()
        assert len(table.when("bet")) == 1
        assert table.dealt_by_countdown
        assert not table.when("deal")
        assert not table.when("give_up")

    in_virtual_time(evening, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_banker_deals_soon_after_the_last_human_has_bet(seed: int) -> None:
    async def evening() -> None:
        table = PacedTable(Pace(), seed)
        human = table.seat("Human")
        table.practice_player("Beng", banks=True)
        table.practice_player("Siti")
        playing = asyncio.create_task(table.play())
        await asyncio.sleep(30)
        await table.bet(human)
        await playing
        assert not table.dealt_by_countdown
        (dealt,) = table.when("deal")
        assert 30 < dealt <= 30 + 2 * Pace().deal

    in_virtual_time(evening, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_banker_does_not_wait_for_a_human_who_sits_out(seed: int) -> None:
    async def evening() -> None:
        table = PacedTable(Pace(), seed)
        human = table.seat("Human")
        table.practice_player("Beng", banks=True)
        table.practice_player("Siti")
        playing = asyncio.create_task(table.play())
        await asyncio.sleep(30)
        table.sit_out(human)
        await playing
        assert not table.dealt_by_countdown
        assert len(table.when("deal")) == 1

    in_virtual_time(evening, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_without_humans_the_banker_deals_once_everybody_has_bet(seed: int) -> None:
    async def evening() -> None:
        table = PacedTable(Pace(), seed)
        for name in ("Beng", "Siti", "Kumar"):
            table.practice_player(name, banks=name == "Beng")
        await table.play()
        assert not table.dealt_by_countdown
        assert len(table.when("bet")) == 2
        assert max(table.when("bet")) < table.when("deal")[0]

    in_virtual_time(evening, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_practice_players_think_like_people_each_as_long_as_they_like(seed: int) -> None:
    async def evening() -> None:
        table = PacedTable(Pace(), seed)
        table.seat("Human")
        table.practice_player("Beng", banks=True)
        for name in ("Siti", "Kumar", "Devi"):
            table.practice_player(name)
        await table.play()
        bets = table.when("bet")
        assert len(set(bets)) == 3
        assert min(bets) > 1

    in_virtual_time(evening, seed)


def test_a_bank_is_given_up_later_while_a_human_has_not_bet() -> None:
    given_up = {}

    def alone(*, with_human: bool) -> None:
        async def evening() -> None:
            table = PacedTable(replace(Pace(), spread=0), 0)
            if with_human:
                table.seat("Human")
            table.practice_player("Beng", banks=True)
            await table.play()
            (given_up[with_human],) = table.when("give_up")

        in_virtual_time(evening)

    alone(with_human=True)
    alone(with_human=False)
    assert given_up[True] > given_up[False] >= COUNTDOWN


@pytest.mark.parametrize("pace", [FAST, AT_ONCE], ids=["fast", "at once"])
def test_a_fast_banker_waits_for_nobody(pace: Pace) -> None:
    async def evening() -> None:
        table = PacedTable(pace, 0)
        table.seat("Human")
        table.practice_player("Beng", banks=True)
        table.practice_player("Siti")
        await table.play()
        assert not table.dealt_by_countdown
        assert len(table.when("deal")) == 1

    in_virtual_time(evening)
