"""The bot restarts in the middle of dice, side bets, arranging and points; nothing changes."""

import pytest

from bot.games.hands import evaluate
from bot.games.settle import settle
from bot.rules.knobs import Arrange
from bot.table.state import Phase
from bot.words.hands import hand_name
from tests.e2e.evening import Evening
from tests.sizes import sample


async def restart(evening: Evening) -> None:
    """Restarts the bot, and checks that the table is the same."""
    before = evening.table()
    await evening.restart()
    assert evening.table() == before


async def test_a_restart_at_every_step_of_a_round_with_dice_and_a_side_bet(evening: Evening) -> None:
    *people, last = evening.persons("Alice", "Bob", "Chan")
    board = await evening.open_table(last, game="tau-ngau")
    for person in people:
        await evening.press(person, board, "Join")
    await restart(evening)
    banker, players = await evening.roll_dice(board, last)
    await restart(evening)
    assert evening.table().throws
    zed = evening.person("Zed")
    await players[0].click(board, "20")
    own = await evening.back(zed, board, players[0], 30)
    await restart(evening)
    assert [side.stake for side in evening.table().side_bets] == [30]
    await zed.click(own, "5")
    assert [side.stake for side in evening.table().side_bets] == [5], "the old menu should still work"
    await players[1].click(board, "20")
    await evening.board_says(board, "Showdown")
    await evening.have_cards(banker, *players)
    await restart(evening)
    table = evening.table()
    await evening.reveal(board, banker, *players)
    for person in (banker, *players):
        # The banker is told by message too that the bank has come to them.
        hands = [one for one in person.sees(person.dm()) if one.attachments]
        assert len(hands) == 1, "no hand is sent twice"
    units = settle(
        evaluate(table.pieces_of(evening.party(players[0])), table.rules),
        evaluate(table.pieces_of(evening.party(banker)), table.rules),
        table.rules,
    ).units
    assert await evening.chips(zed) == {"Zed": 1000 + 5 * units}
    await restart(evening)
    assert sum((await evening.chips(zed, banker, *players)).values()) == 4000


@pytest.mark.parametrize("down_in", sample([Phase.BETTING, Phase.DEALT]))
async def test_b04_deadlines_alone_play_a_round_also_those_that_passed_while_the_bot_was_down(
    evening: Evening, down_in: Phase
) -> None:
    update = {"arrange": Arrange.STRICT, "betting_seconds": 1, "arranging_seconds": 2}
    evening.rules = evening.rules.model_copy(update=update)
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    # A stall may last longer than a phase.
    await evening.until(
        lambda: evening.table().phase is down_in or evening.table().last, f"the table is {down_in}"
    )
    await evening.restart()
    await evening.board_says(board, "-# 🧾 receipt 1", "deciding…")
    dealt = evening.last_round()
    for pieces in (dealt.pieces, *(player.pieces for player in dealt.players)):
        assert hand_name(evaluate(pieces, dealt.rules)) in board.text, "arranged the strongest way"
    assert sum((await evening.chips(alice, bob, mei)).values()) == 3000
