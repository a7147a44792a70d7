import pytest

from bot.table.commands import Deal, GiveUpBank, Join
from bot.table.obstacles import Action, obstacle
from bot.table.refusals import Refusal

from .trial_table import ALICE, BOB, MEI, NO_OX, TrialTable


def stands_in_the_way(table: TrialTable) -> dict[Action, Refusal]:
    """Each action that nobody can do now, and why."""
    refused = {action: obstacle(table.state, action) for action in Action}
    return {action: why.code for action, why in refused.items() if why}


def test_at_an_open_table_one_can_sit_down_or_take_the_bank() -> None:
    assert stands_in_the_way(TrialTable()) == {
        Action.BET: Refusal.NO_BANK,
        Action.SIDE_BET: Refusal.NO_BANK,
        Action.DEAL: Refusal.NO_BANK,
        Action.SHOW: Refusal.NO_CARDS_OUT,
    }


def test_while_bets_are_taken_one_can_bet_and_deal_once_somebody_has() -> None:
    table = TrialTable()
    table.bank(MEI)
    stands = {Action.TAKE_BANK: Refusal.BANK_TAKEN, Action.SHOW: Refusal.NO_CARDS_OUT}

    assert stands_in_the_way(table) == {
        **stands,
        Action.SIDE_BET: Refusal.NOBODY_HAS_BET,
        Action.DEAL: Refusal.NOBODY_HAS_BET,
    }
    table.bet(ALICE, 10)
    assert stands_in_the_way(table) == stands


def test_while_the_cards_are_out_one_can_sit_down_and_turn_up() -> None:
    table = TrialTable()
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.deal(NO_OX, NO_OX)

    assert stands_in_the_way(table) == {
        Action.TAKE_BANK: Refusal.BANK_TAKEN,
        Action.BET: Refusal.CARDS_ARE_OUT,
        Action.SIDE_BET: Refusal.CARDS_ARE_OUT,
        Action.DEAL: Refusal.CARDS_ARE_OUT,
    }


def test_at_a_full_table_nobody_can_sit_down() -> None:
    table = TrialTable(TrialTable().house.model_copy(update={"seats": 1}))
    table.do(Join(ALICE))

    assert stands_in_the_way(table)[Action.JOIN] is Refusal.TABLE_FULL


@pytest.mark.parametrize("action", Action)
def test_at_a_closed_table_nobody_can_do_anything(action: Action) -> None:
    table = TrialTable()
    table.bank(BOB)
    table.wind_up()

    assert stands_in_the_way(table)[action] is Refusal.TABLE_CLOSED


def test_what_stands_in_the_way_goes_with_the_round() -> None:
    table = TrialTable()
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.do(GiveUpBank(MEI.member_id))

    assert table.refused(Deal(MEI.member_id, ()))[0] is Refusal.NO_BANK
    assert Action.TAKE_BANK not in stands_in_the_way(table)
