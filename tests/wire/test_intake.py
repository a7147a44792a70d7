"""Some presses are carried out at once; of the others the newest is next, and none that is hopeless."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import discord
import pytest

from bot.wire import intake as intake_module
from bot.wire.intake import AT_ONCE, IN_A_TURN, MOST_WAITING, Intake, Waiting
from bot.wire.slots import give_back_slot


class Presses:
    """Takes presses, and finishes each when it is let go.

    Attributes:
        client: the connection.
        intake: takes them in.
        begun: the presses that were begun, in order.
        ended: those that were finished.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(intake_module, "PressInteraction", lambda data, state: data["id"])
        self.client = discord.Client(intents=discord.Intents(guilds=True))
        self.intake = Intake(self.client, self.carry_out)
        self.begun: list[int] = []
        self.ended: list[int] = []
        self.asks_discord = False
        self._gates: dict[int, asyncio.Event] = {}

    async def carry_out(self, press: Any) -> None:
        self.begun.append(press)
        if self.asks_discord:
            give_back_slot()
        await self._gates.setdefault(press, asyncio.Event()).wait()
        self.ended.append(press)

    async def take(self, *presses: int, user: str | None = None) -> None:
        for press in presses:
            self.intake.take({"id": press, "type": 3, "user": {"id": user or str(press)}})
        await some_turns()

    async def let_go(self, *presses: int) -> None:
        for press in presses:
            self._gates.setdefault(press, asyncio.Event()).set()
        await some_turns()


async def some_turns(turns: int = 30) -> None:
    """Lets the event loop go on."""
    for _ in range(turns):
        await asyncio.sleep(0)


@pytest.fixture
async def presses(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Presses]:
    presses = Presses(monkeypatch)
    yield presses
    monkeypatch.setattr(intake_module, "CLOSING_SECONDS", 0.0)
    await presses.intake.close()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets seconds go by for the intake, though no timer ends."""
    passed = 0.0

    def go_by(seconds: float) -> None:
        nonlocal passed
        passed += seconds
        loop = asyncio.get_running_loop()
        real = type(loop).time
        monkeypatch.setattr(loop, "time", lambda: real(loop) + passed)

    return go_by


FIRST = range(AT_ONCE)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slots are given back only by who has them."""
    monkeypatch.setattr(intake_module, "SLOT_SECONDS", 3600.0)


@pytest.mark.usefixtures("patient")
async def test_some_presses_are_carried_out_at_once_and_of_the_others_the_newest_is_next(
    presses: Presses,
) -> None:
    for press in FIRST:
        await presses.take(press)
    assert presses.begun == list(FIRST)
    await presses.take(1001, 1002, 1003)
    assert presses.begun == list(FIRST), "no more at once"

    await presses.let_go(5)
    assert presses.begun[AT_ONCE:] == [1003]
    await presses.let_go(1003, 6)
    assert presses.begun[AT_ONCE:] == [1003, 1002, 1001]


@pytest.mark.usefixtures("patient")
async def test_a_few_presses_are_started_in_each_turn_of_the_event_loop(presses: Presses) -> None:
    for press in FIRST:
        presses.intake.take({"id": press, "type": 3, "user": {"id": str(press)}})
    for turns in range(1, 4):
        await asyncio.sleep(0)
        assert len(presses.begun) <= turns * IN_A_TURN
    await some_turns()
    assert sorted(presses.begun) == list(FIRST)


@pytest.mark.usefixtures("patient")
async def test_a_members_own_presses_keep_their_order(presses: Presses) -> None:
    await presses.take(*FIRST)
    await presses.take(1, 2, user="Alice")
    await presses.take(3, user="Bob")
    await presses.take(4, user="Alice")
    for press in (0, 3, 1, 2):
        await presses.let_go(press)
    assert presses.begun[AT_ONCE:] == [3, 1, 2, 4]


@pytest.mark.usefixtures("patient")
async def test_a_press_that_only_waits_for_discord_holds_up_nobody(presses: Presses) -> None:
    presses.asks_discord = True
    await presses.take(*range(10 * AT_ONCE))
    await some_turns(200)
    assert len(presses.begun) == 10 * AT_ONCE
    assert presses.ended == []
    await presses.let_go(*range(10 * AT_ONCE))
    presses.asks_discord = False
    await presses.take(*range(1000, 1000 + 2 * AT_ONCE))
    assert len(presses.begun) == 11 * AT_ONCE, "each gave back its slot once"


async def test_slow_presses_hold_up_the_others_for_a_while_only(
    presses: Presses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_module, "SLOT_SECONDS", 0.01)
    await presses.take(*FIRST)
    await presses.take(1001)
    async with asyncio.timeout(30):
        while 1001 not in presses.begun:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
    assert presses.ended == []


@pytest.mark.usefixtures("patient")
async def test_presses_that_waited_too_long_are_dropped_though_newer_ones_come(
    presses: Presses, later: Callable[[float], None], caplog: pytest.LogCaptureFixture
) -> None:
    await presses.take(*FIRST)
    await presses.take(1001, 1002)
    later(2.4)
    with caplog.at_level(logging.WARNING):
        await presses.take(1003)
        assert "dropped" not in caplog.text
        later(0.2)
        await presses.take(1004)
    assert "2 presses were dropped" in caplog.text
    await presses.let_go(*FIRST, 1003, 1004)
    assert presses.begun[AT_ONCE:] == [1004, 1003]
    await presses.take(1005)
    assert presses.begun[-1] == 1005, "it goes on"


@pytest.mark.usefixtures("patient")
async def test_no_more_than_so_many_presses_wait(presses: Presses, monkeypatch: pytest.MonkeyPatch) -> None:
    await presses.take(*FIRST)
    monkeypatch.setattr(intake_module, "MOST_WAITING", 3)
    await presses.take(*range(1001, 1011))
    await presses.let_go(*FIRST)
    assert presses.begun[AT_ONCE:] == [1010, 1009, 1008]


@pytest.mark.usefixtures("patient")
async def test_other_work_stands_back_until_nobody_waits(presses: Presses) -> None:
    await asyncio.wait_for(presses.intake.until_nobody_waits(), 0.1)
    await presses.take(*FIRST)
    await asyncio.wait_for(presses.intake.until_nobody_waits(), 0.1)
    await presses.take(1001)
    standing_back = asyncio.create_task(presses.intake.until_nobody_waits())
    await asyncio.sleep(0.01)
    assert not standing_back.done()
    await presses.let_go(0)
    await asyncio.wait_for(standing_back, 1.0)


@pytest.mark.usefixtures("patient")
async def test_other_work_stands_back_for_some_seconds_only(
    presses: Presses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_module, "PATIENCE_SECONDS", 0.01)
    await presses.take(*FIRST)
    await presses.take(1001)
    await asyncio.wait_for(presses.intake.until_nobody_waits(), 1.0)


@pytest.mark.usefixtures("patient")
async def test_closing_waits_for_replies_that_are_being_made_and_drops_the_rest(
    presses: Presses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_module, "CLOSING_SECONDS", 0.05)
    await presses.take(*FIRST)
    await presses.take(1001)
    closing = asyncio.create_task(presses.intake.close())
    await presses.let_go(*FIRST[:-1], 1001, 1002)
    await closing
    await presses.take(1002)
    await presses.let_go(FIRST[-1])
    assert presses.ended == list(FIRST[:-1]), "the last one took too long"


@pytest.mark.usefixtures("patient")
async def test_a_press_that_cannot_be_parsed_takes_nobodys_turn(
    presses: Presses, caplog: pytest.LogCaptureFixture
) -> None:
    await presses.take(*FIRST)
    for _ in range(40):
        presses.intake.take({"type": 3, "user": {"id": "7"}})
    await presses.take(1001)
    for _ in range(40):
        presses.intake.take({"type": 3, "user": {"id": "8"}})
    await presses.let_go(0)
    assert "skipped a press" in caplog.text
    assert presses.begun[AT_ONCE:] == [1001]


async def test_of_an_interaction_only_the_first_is_taken(
    presses: Presses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_module, "REMEMBERED", 3)
    commands: list[Any] = []
    parsers = presses.client._connection.parsers
    parsers["INTERACTION_CREATE"] = commands.append
    presses.intake.install()
    deliver = parsers["INTERACTION_CREATE"]
    for number in (1, 2, 1, 3, 1, 4, 1, None, None):
        deliver({"type": 3, "user": {"id": "7"}} | ({} if number is None else {"id": number}))
        await presses.let_go(number or 0)
    assert presses.begun == [1, 2, 3, 4, 1], "of so many it knows the newest"
    command = {"type": 2, "id": 5}
    for _ in range(2):
        deliver(command)
    assert commands == [command]


def test_presses_that_wait_come_out_once_each_and_nothing_of_those_dropped_stays() -> None:
    chance, waiting = random.Random(5), Waiting()
    there: dict[int, list[int]] = {}
    for number in range(20_000):
        user = chance.randrange(50)
        waiting.add(user, float(number), number)
        there.setdefault(user, []).append(number)
        if chance.random() < 0.3:
            taken = waiting.next()
            assert taken == max(own[0] for own in there.values() if own)
            there[taken_by(there, taken)].remove(taken)
        dropped = waiting.drop_before(number - 99.0)
        for own in there.values():
            while own and own[0] < number - 99:
                own.pop(0)
                dropped -= 1
        assert dropped == 0
        assert len(waiting) == sum(map(len, there.values())) <= 100
    assert len(waiting._firsts) <= MOST_WAITING + 200


def taken_by(there: dict[int, list[int]], press: int) -> int:
    """Whose press it is."""
    return next(user for user, own in there.items() if press in own)
