"""Deleted channels and servers without the bot hold nobody's chips (B06)."""

import logging
from collections.abc import Callable

import pytest

from bot.practice.person import Person
from bot.table.state import Phase
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening
from tests.sizes import sample


async def playing(evening: Evening) -> tuple[Person, Person, Person]:
    """A table with one bet, where Bob is still deciding."""
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    return alice, bob, mei


def delete_channel(evening: Evening) -> None:
    evening.discord.world.delete_channel(evening.channel)


def remove_bot(evening: Evening) -> None:
    evening.discord.world.leave(evening.server, evening.discord.world.bot)


@pytest.mark.parametrize("go", sample([delete_channel, remove_bot], 1))
async def test_b06_a_deleted_channel_or_a_removed_bot_returns_held_chips_and_is_logged(
    evening: Evening, caplog: pytest.LogCaptureFixture, go: Callable[[Evening], None]
) -> None:
    caplog.set_level(logging.INFO)
    people = alice, bob, mei = await playing(evening)
    table_id = evening.table().table_id
    evening.expect_fault(403, 404)
    await bob.click(mei.sees(evening.channel)[0], "20")
    await evening.have_cards(*people)
    hands = [person.sees(person.dm())[-1] for person in (alice, mei)]
    assert all(hand.buttons() for hand in hands)
    go(evening)
    await evening.until(lambda: not evening.bot.croupier.tables.all(), "the table is closed")
    assert await evening.chips(*people) == {"Alice": 1000, "Bob": 1000, "Mei": 1000}
    lines = [f"table {table_id} is closed: its channel or server is gone"]
    if go is remove_bot:
        lines.insert(0, f"server {evening.server.id} has removed the bot: it is erased in 30 days")
    assert [line for line in caplog.messages if "gone" in line or "removed" in line] == lines
    if go is delete_channel:
        await evening.until(lambda: not any(hand.buttons() for hand in hands), "the buttons are gone")
        assert all("This table is closed." in hand.text for hand in hands)
        assert not any("You have" in hand.text or "join again" in hand.text for hand in hands)


@pytest.mark.thorough
async def test_b06_a_channel_deleted_while_the_bot_is_down_returns_held_chips(evening: Evening) -> None:
    people = await playing(evening)
    evening.expect_fault(403, 404)
    await evening.stop_bot()
    delete_channel(evening)
    await evening.start_bot()
    await evening.until(lambda: not evening.bot.croupier.tables.all(), "the table is closed")
    assert await evening.chips(*people) == {"Alice": 1000, "Bob": 1000, "Mei": 1000}


async def test_b06_a_member_who_left_the_server_is_noticed_at_the_next_hand(evening: Evening) -> None:
    alice, bob, mei = await playing(evening)
    evening.expect_fault(403, 404)
    evening.discord.world.leave(evening.server, alice.user)
    board = mei.sees(evening.channel)[0]
    await bob.click(board, "20")

    def alice_is_going() -> bool:
        seat = evening.table().seat_of(evening.party(alice))
        return seat is not None and seat.leaves_after_round

    await evening.until(alice_is_going, "Alice is about to leave")
    assert evening.table().phase is Phase.DEALT, "her hand stays in until the showdown"


@pytest.mark.thorough
async def test_a_moderator_closes_a_table_but_a_member_may_not(evening: Evening) -> None:
    alice, _, _ = await playing(evening)
    zed = evening.person("Zed", manage_server=True)
    answer = message_of(await alice.slash(evening.channel, "table close"))
    assert answer.ephemeral
    assert evening.bot.croupier.tables.all()
    asked = message_of(await zed.slash(evening.channel, "table close"))
    await zed.click(asked, "Close the table")
    assert not evening.bot.croupier.tables.all()
    assert await evening.chips(alice) == {"Alice": 1000}
