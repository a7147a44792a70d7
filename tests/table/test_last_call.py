import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.house_rules import HouseRules
from bot.table.commands import Deal, Join, Leave, MemberLeft, SitOut, WithdrawBet
from bot.table.deadlines import DueAction

from .trial_table import ALICE, BOB, CHAN, NO_OX, NOON, TrialTable, banked, stacked

RULES = GnauRules(betting_seconds=60, last_call_seconds=3)
HANDS = stacked(NO_OX, NO_OX, NO_OX)


def with_a_bank(rules: HouseRules = RULES) -> TrialTable:
    """A table with a bank and no players."""
    return banked(rules)


def at_the_last_call() -> TrialTable:
    """Alice and Bob have bet, 20 seconds after noon the last of them."""
    table = with_a_bank()
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    table.wait(20)
    table.bet(BOB, 10)
    return table


def test_b04_the_first_bet_at_a_new_table_leaves_others_time_to_join() -> None:
    table = with_a_bank()
    table.bet(ALICE, 10)
    assert table.state.deadline == NOON + 3
    assert table.wait(2.9) is None
    table.bet(BOB, 10)
    assert table.wait(0.1) is DueAction.DEAL
    table.do(Deal(None, HANDS))

    assert [seat.party for seat in table.state.seats if seat.pieces] == [ALICE, BOB]


@pytest.mark.parametrize("word", [SitOut, Leave, MemberLeft])
def test_b04_the_last_call_begins_when_everybody_has_decided(
    word: type[SitOut | Leave | MemberLeft],
) -> None:
    table = with_a_bank()
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    table.wait(20)
    table.do(word(BOB))

    assert table.state.deadline == NOON + 20 + 3
    assert table.wait(2.9) is None
    assert table.wait(0.1) is DueAction.DEAL


def test_b04_a_changed_or_new_bet_does_not_restart_the_last_call() -> None:
    table = at_the_last_call()
    table.wait(1)
    table.bet(ALICE, 30)
    table.wait(1)
    table.bet(CHAN, 10)
    table.do(SitOut(BOB))

    assert table.state.deadline == NOON + 20 + 3


def test_b04_the_last_call_never_lasts_longer_than_the_time_to_bet_that_is_left() -> None:
    table = with_a_bank()
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    table.wait(59)
    table.bet(BOB, 10)

    assert table.state.deadline == NOON + 60


def test_b04_the_first_bet_is_given_no_more_than_the_time_to_bet() -> None:
    table = with_a_bank(GnauRules(betting_seconds=5, last_call_seconds=60))
    table.bet(ALICE, 10)

    assert table.state.deadline == NOON + 5


def test_b04_a_player_who_sits_down_in_the_last_call_has_the_rest_of_it() -> None:
    table = at_the_last_call()
    table.wait(2)
    ends = table.state.deadline
    table.do(Join(CHAN))
    assert table.state.deadline == ends
    table.bet(CHAN, 10)
    assert table.state.deadline == ends


def test_b04_taking_a_bet_back_in_the_last_call_does_not_move_the_deadline() -> None:
    table = at_the_last_call()
    table.wait(2)
    table.do(WithdrawBet(BOB))
    assert table.state.deadline == NOON + 20 + 3
    table.bet(BOB, 30)
    assert table.state.deadline == NOON + 20 + 3
    table.do(WithdrawBet(BOB))

    assert table.wait(1) is DueAction.DEAL
