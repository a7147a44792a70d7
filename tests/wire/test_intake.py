"""The oldest press is next, or the newest once the oldest has waited long; what is hopeless is dropped."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import discord
import pytest

from bot.wire import intake as intake_module
from bot.wire.intake import HOPELESS_SECONDS, IN_A_TURN, OVERLOAD_SECONDS, Intake


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
        self._gates: dict[int, asyncio.Event] = {}

    async def carry_out(self, press: Any) -> None:
        self.begun.append(press)
        await self._gates.setdefault(press, asyncio.Event()).wait()
        self.ended.append(press)

    def wait(self, *presses: int, user: str | None = None) -> None:
        """Takes presses in; each begins in some later turn."""
        for press in presses:
            self.intake.take({"id": press, "type": 3, "user": {"id": user or str(press)}})

    async def take(self, *presses: int) -> None:
        self.wait(*presses)
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


async def test_presses_start_in_the_order_they_came_and_a_few_in_each_turn(presses: Presses) -> None:
    presses.wait(*range(20))
    for turns in range(1, 4):
        await asyncio.sleep(0)
        assert len(presses.begun) <= turns * IN_A_TURN
    await some_turns()
    assert presses.begun == list(range(20))


async def test_once_the_oldest_has_waited_the_newest_is_next_and_a_members_own_keep_their_order(
    presses: Presses, later: Callable[[float], None]
) -> None:
    presses.wait(1)
    presses.wait(2, user="Alice")
    later(OVERLOAD_SECONDS + 0.1)
    presses.wait(3, 4)
    presses.wait(5, user="Alice")
    await some_turns()
    assert presses.begun == [2, 5, 4, 3, 1]


async def test_presses_that_waited_too_long_are_dropped_though_newer_ones_come(
    presses: Presses, later: Callable[[float], None], caplog: pytest.LogCaptureFixture
) -> None:
    presses.wait(1, 2)
    later(HOPELESS_SECONDS - 0.1)
    presses.wait(3)
    later(0.2)
    presses.wait(4)
    await some_turns()
    assert "2 presses were dropped" in caplog.text
    assert presses.begun == [3, 4]
    await presses.take(5)
    assert presses.begun[-1] == 5, "it goes on"


async def test_no_more_than_so_many_presses_wait(presses: Presses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake_module, "MOST_WAITING", 3)
    await presses.take(*range(1, 11))
    assert presses.begun == [8, 9, 10]


async def test_other_work_stands_back_while_presses_wait_and_for_some_seconds_only(
    presses: Presses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_module, "PATIENCE_SECONDS", 600.0)
    async with asyncio.timeout(60):
        await presses.intake.until_nobody_waits()
        presses.wait(*range(20))
        standing_back = asyncio.create_task(presses.intake.until_nobody_waits())
        await some_turns(2)
        assert not standing_back.done()
        await standing_back
        monkeypatch.setattr(intake_module, "IN_A_TURN", 0)
        monkeypatch.setattr(intake_module, "PATIENCE_SECONDS", 0.01)
        presses.wait(30)
        await presses.intake.until_nobody_waits()


async def test_closing_waits_for_replies_that_are_being_made_and_drops_the_rest(
    presses: Presses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_module, "CLOSING_SECONDS", 0.05)
    await presses.take(1, 2)
    closing = asyncio.create_task(presses.intake.close())
    presses.wait(3)
    await presses.let_go(1, 3, 4)
    await closing
    await presses.take(4)
    await presses.let_go(2)
    assert presses.ended == [1], "the second took too long"


async def test_a_press_that_cannot_be_parsed_takes_nobodys_turn(
    presses: Presses, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(40):
        presses.intake.take({"type": 3, "user": {"id": "7"}})
    presses.wait(1)
    await some_turns(3)
    assert "skipped a press" in caplog.text
    assert presses.begun == [1]


async def test_of_an_interaction_only_the_first_is_taken(presses: Presses) -> None:
    commands: list[Any] = []
    parsers = presses.client._connection.parsers
    parsers["INTERACTION_CREATE"] = commands.append
    presses.intake.install()
    deliver = parsers["INTERACTION_CREATE"]
    for number in (1, 2, 1, 3, 1, None, None):
        deliver({"type": 3, "user": {"id": "7"}} | ({} if number is None else {"id": number}))
        await presses.let_go(number or 0)
    assert presses.begun == [1, 2, 3]
    command = {"type": 2, "id": 5}
    for _ in range(2):
        deliver(command)
    assert commands == [command]


async def test_what_two_processes_hand_on_is_taken_once(presses: Presses) -> None:
    presses.intake.install()
    for number in (1, 2, 1):
        presses.intake.take_handed_on({"id": number, "type": 3, "user": {"id": "7"}})
        await presses.let_go(number)
    assert presses.begun == [1, 2]
