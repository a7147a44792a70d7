"""Rounds of Tau Ngau at the trial table."""

import pytest

from bot.games.hands import evaluate
from bot.games.settle import Outcome
from bot.games.tau_ngau.rules import TauNgauClass
from bot.rules.tiles import parse_tiles, woodpile
from bot.table.commands import Deal, Join
from bot.table.deadlines import DueAction
from bot.table.events import BankPassed
from bot.table.refusals import Refusal
from bot.table.state import Phase
from tests.games.presets import TAU_NGAU_PRESET

from .trial_table import ALICE, BOB, CHAN, COMPANY, DORA, MEI, TrialTable

STUCK = "5-5 6-2 6-5 3-3 4-1"
SCORE_0 = "6-4 4-4 6-6 5-4 6-5"
SCORE_5 = "3-3 5-1 4-4 3-1 6-5"
SCORE_8 = "3-1 3-3 5-5 6-5 6-1"
SCORE_9 = "6-2 3-1 4-4 6-1 1-1"


def table_of(*members: int) -> TrialTable:
    """Mei won the bank by dice; these players sit on from her left."""
    table = TrialTable(TAU_NGAU_PRESET)
    for member in (MEI, *members):
        table.do(Join(member))
    table.roll(MEI, 6, 6, *[1, 1] * len(members))
    return table


def played(banker: str, *players: str) -> TrialTable:
    """Each of these hands is settled against the banker's, for 10 chips."""
    members = (ALICE, BOB, CHAN, DORA)[: len(players)]
    table = table_of(*members)
    table.play(dict.fromkeys(members, 10), *players, banker)
    return table


def outcomes(table: TrialTable) -> list[tuple[Outcome, int]]:
    assert table.state.last is not None
    return [(player.outcome, player.chips) for player in table.state.last.players]


def test_the_hands_of_these_trials_are_what_they_are_called() -> None:
    named = {
        STUCK: (TauNgauClass.STUCK, 0),
        SCORE_0: (TauNgauClass.SCORE, 0),
        SCORE_5: (TauNgauClass.SCORE, 5),
        SCORE_8: (TauNgauClass.SCORE, 8),
        SCORE_9: (TauNgauClass.SCORE, 9),
    }
    hands = {text: evaluate(parse_tiles(text), TAU_NGAU_PRESET) for text in named}
    assert {text: (hand.hand_class, hand.value) for text, hand in hands.items()} == named


def test_t06_a_player_without_a_discard_loses_the_bet_if_the_banker_has_one() -> None:
    assert outcomes(played(SCORE_0, STUCK, SCORE_9)) == [(Outcome.BANKER, -10), (Outcome.PLAYER, 10)]


def test_t07_a_banker_without_a_discard_pays_players_with_one_and_the_others_push() -> None:
    table = played(STUCK, SCORE_0, STUCK, SCORE_9)
    assert outcomes(table) == [(Outcome.PLAYER, 10), (Outcome.PUSH, 0), (Outcome.PLAYER, 10)]
    assert [table.wallet(member) for member in COMPANY[:4]] == [980, 1010, 1000, 1010]
    assert table.holds == {}


def test_t09_a_single_chip_is_held_lost_and_won_as_any_other_stake() -> None:
    table = table_of(ALICE, BOB)
    for member in (ALICE, BOB):
        table.bet(member, 1)
    assert table.holds == {MEI: 2, ALICE: 1, BOB: 1}
    table.deal(SCORE_9, SCORE_0, SCORE_5)
    table.showdown()
    assert outcomes(table) == [(Outcome.PLAYER, 1), (Outcome.BANKER, -1)]
    assert [table.wallet(member) for member in (MEI, ALICE, BOB)] == [1000, 1001, 999]
    assert table.holds == {}


def test_t08_t09_the_higher_score_wins_and_equal_scores_push() -> None:
    table = played(SCORE_5, SCORE_0, SCORE_5, SCORE_8, SCORE_9)
    won = [(Outcome.BANKER, -10), (Outcome.PUSH, 0), (Outcome.PLAYER, 10), (Outcome.PLAYER, 10)]
    assert outcomes(table) == won
    assert table.wallet(MEI) == 990


def test_t10_a_banker_with_a_discard_passes_the_bank_to_the_right() -> None:
    table = played(SCORE_0, STUCK, STUCK)
    assert table.state.is_banker(BOB)
    assert [seat.party for seat in table.state.seats] == [MEI, ALICE]
    assert BankPassed(BOB) in table.record


def test_t10_a_banker_without_a_discard_keeps_the_bank() -> None:
    table = played(STUCK, SCORE_9, SCORE_9)
    assert table.state.is_banker(MEI)
    assert table.state.phase is Phase.BETTING


def test_t11_6_5_and_6_1_left_over_score_8() -> None:
    hand = evaluate(parse_tiles(SCORE_8), TAU_NGAU_PRESET)
    assert (hand.power, hand.value) == (parse_tiles("6-5 6-1"), 8)


def test_b02_no_more_than_the_stake_is_held_for_even_money() -> None:
    table = table_of(ALICE, BOB)
    table.bet(ALICE, 10)
    table.bet(BOB, 30)
    assert table.holds == {MEI: 40, ALICE: 10, BOB: 30}


def test_t02_a_deal_needs_two_bets_and_a_banker() -> None:
    table = table_of(ALICE, BOB)
    table.bet(ALICE, 10)
    refused = table.refused(Deal(MEI, woodpile()))
    assert refused == (Refusal.TOO_FEW_BETS, {"fewest": 2, "bets": 1})
    assert table.state.deadline is None
    assert table.wait(table.state.rules.betting_seconds) is None
    table.bet(BOB, 10)
    table.deal(STUCK, SCORE_9, SCORE_0)
    assert table.state.phase is Phase.DEALT


def test_t02_the_deadline_of_betting_is_set_by_the_second_bet() -> None:
    table = table_of(ALICE, BOB, CHAN)
    table.bet(ALICE, 10)
    table.wait(30)
    table.bet(BOB, 10)
    assert table.state.deadline == table.now + table.state.rules.betting_seconds
    table.bet(CHAN, 10)
    assert table.state.deadline == table.now + table.state.rules.last_call_seconds
    assert table.wait(table.state.rules.last_call_seconds) is DueAction.DEAL


@pytest.mark.parametrize(("allowed", "seats"), [(9, 5), (19, 5), (4, 4)])
def test_t02_five_players_sit_round_the_banker_and_no_more(allowed: int, seats: int) -> None:
    """The banker is the sixth member, with a player's seat until the dice pick one."""
    rules = TAU_NGAU_PRESET.model_copy(update={"seats": allowed})
    members = list(range(1, seats + 2))
    table = TrialTable(rules, dict.fromkeys(members, 1000))
    for member in members:
        table.do(Join(member))
    assert table.refused(Join(99)) == (Refusal.TABLE_FULL, {"seats": seats + 1})
    table.roll(members[0], 6, 6, *(1, 1) * seats)
    assert [seat.party for seat in table.state.seats] == members[1:]
    assert table.refused(Join(99)) == (Refusal.TABLE_FULL, {"seats": seats})


@pytest.mark.parametrize("allowed", [1, 2])
def test_t02_a_house_with_few_seats_has_as_many_as_the_game_needs(allowed: int) -> None:
    table = TrialTable(TAU_NGAU_PRESET.model_copy(update={"seats": allowed}))
    for member in (MEI, ALICE, BOB):
        table.do(Join(member))
    assert table.refused(Join(CHAN)) == (Refusal.TABLE_FULL, {"seats": 3})
    table.roll(MEI, 6, 6, 1, 1, 1, 1)
    assert table.state.is_banker(MEI)
    assert table.refused(Join(CHAN)) == (Refusal.TABLE_FULL, {"seats": 2})
    table.bet(ALICE, 5)
    table.bet(BOB, 5)
    assert table.state.can_be_dealt


def test_t04_everybody_with_a_bet_gets_five_tiles_and_the_banker_last() -> None:
    table = table_of(ALICE, BOB, CHAN)
    table.bet(ALICE, 10)
    table.bet(CHAN, 10)
    table.deal(SCORE_5, SCORE_8, STUCK)
    hands = {member: table.state.pieces_of(member) for member in (ALICE, BOB, CHAN, MEI)}
    assert hands == {
        ALICE: parse_tiles(SCORE_5),
        BOB: (),
        CHAN: parse_tiles(SCORE_8),
        MEI: parse_tiles(STUCK),
    }
