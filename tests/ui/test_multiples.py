"""The multiple beside the hand that won: with the bet, it tells what was paid."""

import re

import pytest

from bot.games.settle import Outcome
from bot.rules.knobs import Play
from bot.table.state import RoundResult
from bot.ui.board.results import ResultText, own_result
from tests.sizes import sized
from tests.ui.sample_tables import NAMES, random_evening

TIMES = re.compile(r" ×(\d+)\b")


def rounds_of(seed: int) -> list[RoundResult]:
    """The rounds of an evening in which members do random things."""
    results = {state.last.receipt: state.last for state in random_evening(seed) if state.last is not None}
    assert results
    return list(results.values())


@pytest.mark.parametrize("seed", range(sized(6, 40)))
def test_g17_a_hand_that_won_says_how_many_times_the_bet_it_won_and_no_other_does(seed: int) -> None:
    for result in rounds_of(seed):
        told, is_points = ResultText(result, NAMES), result.rules.play is Play.POINTS
        shown = {party: TIMES.findall(told.line(party, with_hand=True)) for party in told.places}
        for player in result.players:
            times = 1 if is_points else abs(player.chips) // player.stake
            expected = [str(times)] if times > 1 else []
            winner = result.banker if player.outcome is Outcome.BANKER else player.party
            if player.outcome is not Outcome.PLAYER:
                assert shown[player.party] == []
            if player.outcome is not Outcome.PUSH:
                assert shown[winner] == expected
            own = own_result(result, NAMES, player.party) or ""
            hand, _, bankers = own.partition(NAMES.mention(result.banker))
            said = {Outcome.PLAYER: hand, Outcome.BANKER: bankers}
            for outcome, words in said.items():
                assert TIMES.findall(words) == (expected if player.outcome is outcome else [])
        if all(player.outcome is not Outcome.BANKER for player in result.players):
            assert shown[result.banker] == []
