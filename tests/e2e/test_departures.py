"""Deleted channels and servers without the bot hold nobody's chips (B06)."""

import pytest

from bot.practice.person import Person
from bot.table.state import Phase
from tests.e2e.evening import Evening
from tests.e2e.seated_tables import message_of
from tests.sizes import sample


async def playing(evening: Evening) -> tuple[Person, Person, Person]:
    """A table with one bet, where Bob is still deciding."""
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    return alice, bob, mei


@pytest.mark.parametrize("phase", sample([Phase.DEALT, Phase.BETTING]))
async def test_b06_a_deleted_channel_returns_held_chips(evening: Evening, phase: Phase) -> None:
    alice, bob, mei = await playing(evening)
    evening.expect_fault(403, 404)
    if phase is Phase.DEALT:
        await bob.click(mei.sees(evening.channel)[0], "20")
        assert evening.table().phase is Phase.DEALT
    evening.discord.world.delete_channel(evening.channel)
    await evening.until(lambda: not evening.bot.croupier.tables.all(), "the table is closed")
    assert await evening.chips(alice, bob, mei) == {"Alice": 1000, "Bob": 1000, "Mei": 1000}


async def test_b06_removing_the_bot_returns_held_chips(evening: Evening) -> None:
    alice, bob, mei = await playing(evening)
    evening.expect_fault(403, 404)
    evening.discord.world.leave(evening.server, evening.discord.world.bot)
    await evening.until(lambda: not evening.bot.croupier.tables.all(), "the table is closed")
    assert await evening.chips(alice, bob, mei) == {"Alice": 1000, "Bob": 1000, "Mei": 1000}


@pytest.mark.thorough
async def test_b06_a_channel_deleted_while_the_bot_is_down_returns_held_chips(evening: Evening) -> None:
    alice, bob, mei = await playing(evening)
    evening.expect_fault(403, 404)
    await evening.stop_bot()
    evening.discord.world.delete_channel(evening.channel)
    await evening.start_bot()
    await evening.until(lambda: not evening.bot.croupier.tables.all(), "the table is closed")
    assert await evening.chips(alice, bob, mei) == {"Alice": 1000, "Bob": 1000, "Mei": 1000}


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
async def test_a_deleted_board_comes_back(evening: Evening) -> None:
    alice, _, mei = await playing(evening)
    board = mei.sees(evening.channel)[0]
    evening.discord.world.delete_message(board)
    await evening.until(lambda: mei.sees(evening.channel), "there is a board again")
    again = mei.sees(evening.channel)[-1]
    assert again.id != board.id
    assert f"<@{alice.id}> · **20**" in again.text


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


async def test_b06_hands_of_a_round_that_a_deleted_channel_ends_have_no_buttons_any_more(
    evening: Evening,
) -> None:
    evening.expect_fault(403, 404)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.have_cards(alice, mei)
    hands = [person.sees(person.dm())[-1] for person in (alice, mei)]
    assert all(hand.buttons() for hand in hands)
    evening.discord.world.delete_channel(evening.channel)
    await evening.until(lambda: not any(hand.buttons() for hand in hands), "the buttons are gone")
    assert all("This table is closed." in hand.text for hand in hands)


async def test_a_channel_has_one_table(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    answer = message_of(await alice.slash(evening.channel, "table open"))
    assert answer.ephemeral
    assert str(board.id) in answer.text
    await evening.open_table(alice, evening.discord.add_thread(evening.channel, "a thread"))
    answer = message_of(await alice.slash(evening.channel, "table list"))
    assert "Table 1" in answer.text
    assert "Table 2" in answer.text


@pytest.mark.thorough
async def test_an_old_direct_message_does_not_seat_a_member_who_left(evening: Evening) -> None:
    alice, bob, mei = await playing(evening)
    board = mei.sees(evening.channel)[0]
    await bob.click(board, "20")
    await evening.have_cards(alice)
    own = alice.sees(alice.dm())[0]
    for person in (alice, bob, mei):
        await person.click(board, "Reveal")
    await evening.board_says(board, "-# 🧾 1")
    await evening.press(alice, board, "Leave the table")
    answer = message_of(await alice.press_raw(own, f"gnau:{evening.table().table_id}:0:bet:20"))
    assert "You are not at that table any more" in answer.text
    assert evening.table().seat_of(evening.party(alice)) is None
    assert evening.table().staked == 0


@pytest.mark.thorough
async def test_the_board_says_who_left_and_why(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"betting_seconds": 1})
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    for number in (1, 2, 3):
        await alice.click(board, "5")
        await evening.board_says(board, "Showdown")
        for person in (alice, mei):
            await person.click(board, "Reveal")
        await evening.board_says(board, f"-# 🧾 {number}")
    await evening.board_says(board, f"<@{bob.id}> was away for 3 rounds")
    assert evening.table().seat_of(evening.party(bob)) is None
