"""Cogs reload while people play: no press is lost or counts twice, and every hand is sent."""

import pytest

from bot.rules.knobs import Dealing
from bot.table.state import Phase
from bot.ui.bot import cog_names
from tests.e2e.evening import Evening
from tests.sizes import sample


async def reload_all(evening: Evening) -> None:
    for name in cog_names():
        await evening.bot.reload_extension(name)
    evening.bot.router.check()


async def test_every_cog_can_be_reloaded_during_a_round(evening: Evening) -> None:
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    board = await evening.open_table(mei)
    await reload_all(evening)
    await evening.take_bank(mei, board)
    for player in (alice, bob):
        await evening.press(player, board, "Join")
    await evening.can_press(board, "20")
    await alice.click(board, "20")
    await reload_all(evening)
    # The cards are dealt once everybody has bet.
    await evening.can_press(board, "100")
    await bob.click(board, "100")
    await evening.have_cards(alice, bob, mei)
    await reload_all(evening)
    await evening.reveal(board, alice, bob, mei)
    await evening.settle_down()
    for person in (alice, bob, mei):
        assert len(person.sees(person.dm())) == 1, "a hand was sent twice or not at all"
    assert sum((await evening.chips(alice, bob, mei)).values()) == 3000


async def test_after_reloading_each_event_is_heard_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    await evening.open_table(mei)
    for _ in range(3):
        await reload_all(evening)
    counted: list[int] = []
    monkeypatch.setattr(evening.bot.boards, "count_message", lambda *ids: counted.append(ids[1]))
    said = await alice.write(evening.channel, "hello")
    await evening.until(lambda: counted, "the message arrived")
    await evening.settle_down()
    assert counted == [said.id]


async def test_a_press_during_a_reload_gets_a_reply_and_does_nothing(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    await evening.bot.unload_extension("cogs.tables")
    reply = await evening.press(alice, board, "Join")
    assert reply.message is not None
    assert reply.message.text == "The bot is being updated. Try again in a few seconds."
    assert not evening.table().seats
    await evening.bot.load_extension("cogs.tables")
    await evening.press(alice, board, "Join")
    assert evening.table().seats


@pytest.mark.parametrize("dealing", sample(Dealing))
async def test_hands_arrive_after_any_number_of_reloads(evening: Evening, dealing: Dealing) -> None:
    evening.rules = evening.rules.model_copy(update={"dealing": dealing})
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    await evening.press(alice, board, "Join")
    own = await evening.panel(alice, board)
    await reload_all(evening)
    await evening.can_press(board, "20")
    await alice.click(board, "20")
    assert evening.table().phase is Phase.DEALT
    if dealing is Dealing.MESSAGES:
        await evening.have_cards(alice, mei)
    else:
        await evening.until(lambda: own.gallery(), "the open panel shows the hand")
