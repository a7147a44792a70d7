"""Tau Ngau through real discord.py: dice, limits, tiles, side bets, and a bank that passes."""

import pytest

from bot.games.hands import evaluate
from bot.games.settle import settle
from bot.games.tau_ngau.rules import TauNgauClass
from bot.practice.person import Person
from bot.table.state import TableState
from bot.words.hands import hand_name, hand_words
from bot.words.translation import signed
from tests.e2e.evening import Evening

GAME = "tau-ngau"
MOST_ROUNDS = 40
"""Enough rounds for a side bet to win and lose, and a bank to stay and pass; fails once in a million."""


def gain(evening: Evening, table: TableState, player: Person) -> int:
    """The gain per chip of the player whose hand is dealt."""
    assert table.bank is not None
    own = evaluate(table.pieces_of(evening.party(player)), table.rules)
    return settle(own, evaluate(table.bank.pieces, table.rules), table.rules).units


async def test_a_round_of_tau_ngau_moves_the_right_chips(evening: Evening) -> None:
    board, banker, players = await evening.seated_table(GAME, "Alice", "Bob", "Chan", "Mei")
    zed = evening.person("Zed")
    for player, stake in zip(players, (20, 50, 10), strict=True):
        if player is players[-1]:
            await evening.back(zed, board, players[1], 30)
            await evening.board_says(board, f"backed by <@{zed.id}> (30)")
        await player.slash(evening.channel, "bet", amount=stake)
    await evening.have_cards(banker, *players)
    table = evening.table()
    for person in (banker, *players):
        hand = evaluate(table.pieces_of(evening.party(person)), table.rules)
        shown = evening.shown_hand(person)
        assert hand_name(hand) in shown.text
        assert hand_words(hand) in shown.text
        assert len(shown.gallery()) == 1
    assert not zed.sees(zed.dm())
    await evening.reveal(board, banker, *players)
    owned = await evening.chips(banker, *players, zed)
    moved = {
        player.name: gain(evening, table, player) * stake
        for player, stake in zip(players, (20, 50, 10), strict=True)
    }
    moved["Zed"] = gain(evening, table, players[1]) * 30
    moved[banker.name] = -sum(moved.values())
    assert owned == {name: 1000 + chips for name, chips in moved.items()}
    assert f"<@{zed.id}> on <@{players[1].id}> · **{signed(moved['Zed'])}**" in board.text
    assert len(board.gallery()) == 1


@pytest.mark.thorough
async def test_t10_the_bank_passes_to_the_right_after_a_discard_and_side_bets_win_and_lose(
    evening: Evening,
) -> None:
    evening.expect_haste()
    board, *_ = await evening.seated_table(GAME, "Alice", "Bob", "Chan")
    zed, seen = evening.person("Zed"), set[str]()
    for number in range(1, MOST_ROUNDS + 1):
        banker, players = evening.banker_and_players()
        chips = (await evening.chips(zed))["Zed"]
        for player in players:
            await player.slash(evening.channel, "bet", amount=5)
            if player is players[0]:
                await evening.back(zed, board, player, 7)
        await evening.until(lambda: evening.table().pieces_of(evening.party(banker)), "the tiles are dealt")  # noqa: B023 - at once
        table = evening.table()
        await evening.reveal(board, banker, *players)
        side = gain(evening, table, players[0])
        assert (await evening.chips(zed))["Zed"] == chips + 7 * side
        seen.add(f"side bets {'won' if side > 0 else 'lost' if side < 0 else 'pushed'}")
        stuck = evaluate(table.pieces_of(evening.party(banker)), table.rules).hand_class is TauNgauClass.STUCK
        heir = banker if stuck else players[-1]
        assert evening.banker_and_players()[0] is heir, f"round {number}"
        seen.add(f"the bank {'stayed' if stuck else 'passed'}")
        if not stuck:
            await evening.board_says(board, f"Now: 👑 <@{heir.id}> banks")
        if seen >= {"side bets won", "side bets lost", "the bank stayed", "the bank passed"}:
            return
    pytest.fail(f"in {MOST_ROUNDS} rounds there was only {seen}")
