"""The bot restarts in the middle of a round, and the round finishes normally."""

import pytest

from bot.table.state import Phase
from tests.e2e.evening import Evening, taken
from tests.sizes import sample


@pytest.mark.thorough
async def test_a_restart_between_betting_and_deal_costs_nobody_a_bet(evening: Evening) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    before = evening.table()
    await evening.restart()
    assert evening.table() == before
    assert await evening.chips(alice, bob, mei) == {"Alice": 1000, "Bob": 1000, "Mei": 1000}
    assert taken(await bob.click(board, "100"))
    await evening.board_says(board, "Showdown")
    for person in (alice, bob, mei):
        await person.click(board, "Reveal")
    await evening.board_says(board, "-# 🧾 1")
    assert sum((await evening.chips(alice, bob, mei)).values()) == 3000


async def test_a_restart_between_deal_and_showdown_keeps_the_cards(evening: Evening) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    await bob.click(board, "100")
    await evening.have_cards(alice, bob, mei)
    before = evening.table()
    await evening.restart()
    after = evening.table()
    assert after == before
    assert [seat.pieces for seat in after.seats] == [seat.pieces for seat in before.seats]
    await alice.click(alice.sees(alice.dm())[0], "Reveal")
    for person in (bob, mei):
        await person.click(board, "Reveal")
    await evening.board_says(board, "-# 🧾 1")
    result = evening.last_round()
    assert [player.pieces for player in result.players] == [seat.pieces for seat in before.seats]
    for person in (alice, bob, mei):
        assert len(person.sees(person.dm())) == 1, "no hand should be sent twice"


@pytest.mark.thorough
@pytest.mark.parametrize("phase", sample([Phase.DEALT, Phase.BETTING]))
async def test_deadlines_that_passed_while_the_bot_was_down_run_at_the_start(
    evening: Evening, phase: Phase
) -> None:
    evening.rules = evening.rules.model_copy(update={"betting_seconds": 1, "arranging_seconds": 1})
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    await evening.until(lambda: evening.table().phase is phase, f"the table is {phase}")
    await evening.restart()
    await evening.board_says(board, "-# 🧾 1")
    assert sum((await evening.chips(alice, bob, mei)).values()) == 3000


async def test_deadlines_alone_play_a_round(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"betting_seconds": 1, "arranging_seconds": 1})
    board, (_, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    await evening.board_says(board, "Betting closes <t:")
    await evening.board_says(board, "Showdown <t:")
    await evening.board_says(board, "-# 🧾 1")
    assert "deciding…" in board.text, "Bob did nothing, so the round should not wait"
