"""A hand that waits for its turn when its round is over is not sent any more."""

import asyncio
from collections.abc import Callable

import pytest

from bot.table.state import Phase
from bot.ui.hand import delivery as hand_delivery
from tests.e2e.evening import Evening
from tests.sizes import sample

MESSAGES = "/channels/{channel_id}/messages"
LONG = 60.0
"""Longer than the test waits."""


def until_nobody_presses(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = iter((0.0, LONG, 0.0))
    monkeypatch.setattr(evening.bot.delivery, "stand_back", lambda: asyncio.sleep(next(turns, 0.0)))


def for_a_channel(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.discord.faults.hold(LONG, route="/users/@me/channels")


def for_a_rate_limit(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.discord.faults.respond(429, method="POST", route=MESSAGES, retry_after=LONG)


def for_a_retry(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_delivery, "RETRY_SECONDS", (LONG,))
    evening.discord.faults.drop_connection(method="POST", route=MESSAGES)


Wait = Callable[[Evening, pytest.MonkeyPatch], None]
WAITS: list[Wait] = [until_nobody_presses, for_a_channel, for_a_rate_limit, for_a_retry]


@pytest.mark.parametrize("how_it_ends", sample(["settled", "closed"], 2))
@pytest.mark.parametrize("wait", sample(WAITS, 2))
async def test_a_hand_that_waits_is_not_sent_after_its_round(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, wait: Wait, how_it_ends: str
) -> None:
    # Of the deleted channel, the board cannot be edited.
    evening.expect_fault(0, 404, 429)
    mei, alice, bob = everybody = evening.persons("Mei", "Alice", "Bob")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for player in (alice, bob):
        await evening.press(player, board, "Join")
    monkeypatch.setattr(hand_delivery, "GRACE_SECONDS", 0.5)
    wait(evening, monkeypatch)
    for player in (alice, bob):
        await player.click(board, "20")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")

    def hands() -> int:
        return sum(len(person.sees(person.dm())) for person in everybody)

    def on_the_way() -> list[asyncio.Task[object]]:
        return [task for task in asyncio.all_tasks() if task.get_name() == "hand-delivery"]

    # Channels are opened one after another.
    few = 0 if wait is for_a_channel else 2
    await evening.until(lambda: (hands(), len(on_the_way())) == (few, 3 - few), "the others have their hands")
    waiting = on_the_way()
    if how_it_ends == "settled":
        await evening.reveal(board, *everybody)
        assert evening.table().round_number == 2
    else:
        evening.discord.world.delete_channel(evening.channel)
    await evening.until(lambda: not on_the_way(), "it is withdrawn")
    assert all(task.cancelled() for task in waiting)
    assert hands() == few
