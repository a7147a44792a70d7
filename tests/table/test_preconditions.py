from bot.games.gnau.rules import GnauRules
from bot.rules.knobs import Arrange
from bot.table.commands import Join
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal
from tests.games.presets import TAU_NGAU_PRESET

from .trial_table import ALICE, BOB, MEI, NO_OX, TrialTable, banked

ASSISTED = GnauRules(arrange=Arrange.ASSISTED)


def stands_in_the_way(table: TrialTable) -> dict[Action, Refusal]:
    """Each unmet precondition, by action."""
    refused = {action: unmet_precondition(table.state, action) for action in Action}
    return {action: why.code for action, why in refused.items() if why}


def test_at_an_open_table_a_member_can_sit_down_or_take_the_bank() -> None:
    assert stands_in_the_way(TrialTable(ASSISTED)) == {
        Action.BET: Refusal.NO_BANK,
        Action.SIDE_BET: Refusal.NO_BANK,
        Action.DEAL: Refusal.NO_BANK,
        Action.LIMITS: Refusal.NO_BANK,
        Action.ROLL: Refusal.NO_DICE_FOR_BANK,
        Action.ARRANGE: Refusal.NOT_DEALT,
        Action.REVEAL: Refusal.NOT_DEALT,
    }


def test_while_bets_are_open_a_member_can_bet_and_the_banker_deal_after_a_bet() -> None:
    table = banked(ASSISTED)
    stands = {
        Action.TAKE_BANK: Refusal.BANK_TAKEN,
        Action.PLAY_HOUSE: Refusal.BANK_TAKEN,
        Action.ROLL: Refusal.BANK_TAKEN,
        Action.ARRANGE: Refusal.NOT_DEALT,
        Action.REVEAL: Refusal.NOT_DEALT,
    }

    assert stands_in_the_way(table) == {
        **stands,
        Action.SIDE_BET: Refusal.NOBODY_HAS_BET,
        Action.DEAL: Refusal.NOBODY_HAS_BET,
    }
    table.bet(ALICE, 10)
    assert stands_in_the_way(table) == {**stands, Action.LIMITS: Refusal.BETS_ALREADY_PLACED}


def test_after_the_deal_a_member_can_sit_down_arrange_and_reveal_and_nothing_at_a_closed_table() -> None:
    table = banked(ASSISTED, bets={ALICE: 10})
    table.deal(NO_OX, NO_OX)
    held, dealt = (Action.TAKE_BANK, Action.PLAY_HOUSE, Action.ROLL), Refusal.ALREADY_DEALT
    assert stands_in_the_way(table) == {
        **dict.fromkeys(held, Refusal.BANK_TAKEN),
        **dict.fromkeys((Action.LIMITS, Action.BET, Action.SIDE_BET, Action.DEAL), dealt),
    }
    table.wind_up()
    assert stands_in_the_way(table) == dict.fromkeys(Action, Refusal.TABLE_CLOSED)


def test_nobody_takes_the_bank_if_dice_pick_the_banker() -> None:
    table = TrialTable(TAU_NGAU_PRESET)
    assert stands_in_the_way(table)[Action.TAKE_BANK] is Refusal.DICE_PICK_BANKER
    assert stands_in_the_way(table)[Action.ROLL] is Refusal.TOO_FEW_SEATED
    for member in (MEI, ALICE, BOB):
        table.do(Join(member))
    assert Action.ROLL not in stands_in_the_way(table)
    table.roll(MEI, 6, 6, 1, 1, 1, 1)
    assert stands_in_the_way(table)[Action.ROLL] is Refusal.BANK_TAKEN
