import pytest

from bot.table.accounts import HOUSE, MINT, Move, Reason, hold, wallet
from bot.table.commands import MemberLeft, PlaceBet, TakeBank, WithdrawBet
from bot.table.events import RoundSettled
from bot.table.evolve import moves_of
from bot.table.refusals import Refused

from .trial_table import ALICE, BOB, CHAN, DOUBLE_8, MEI, NO_OX, SINGLE_1, SINGLE_9, TrialTable, banked

MEIS, ALICES, BOBS, CHANS = (wallet(member) for member in (MEI, ALICE, BOB, CHAN))
MEIS_HOLD, ALICES_HOLD, BOBS_HOLD, CHANS_HOLD = (hold(70, member) for member in (MEI, ALICE, BOB, CHAN))


def moved(table: TrialTable, command: PlaceBet | WithdrawBet | TakeBank | MemberLeft) -> tuple[Move, ...]:
    """The chips that a command moves, once it is carried out."""
    decided = table.decided(command)
    assert not isinstance(decided, Refused)
    table.do(command)
    return decided.moves


def test_the_accounts_of_a_server_have_names() -> None:
    assert [str(account) for account in (wallet(7), hold(3, 7), HOUSE, MINT)] == [
        "wallet:7",
        "hold:3:7",
        "house",
        "mint",
    ]


@pytest.mark.parametrize("chips", [0, -1])
def test_a_move_is_of_one_chip_or_more(chips: int) -> None:
    with pytest.raises(ValueError, match="one chip or more"):
        Move(wallet(7), HOUSE, chips, Reason.BET_HELD)


def test_a_move_has_two_different_accounts() -> None:
    with pytest.raises(ValueError, match="from wallet:7 to itself"):
        Move(wallet(7), wallet(7), 1, Reason.BET_HELD)


def test_b02_a_bet_moves_into_two_holds_and_a_changed_one_the_difference() -> None:
    table = banked()

    assert moved(table, PlaceBet(ALICE, 10)) == (
        Move(MEIS, MEIS_HOLD, 70, Reason.BANK_HELD, 1),
        Move(ALICES, ALICES_HOLD, 70, Reason.BET_HELD, 1),
    )
    assert moved(table, PlaceBet(ALICE, 15)) == (
        Move(MEIS, MEIS_HOLD, 35, Reason.BANK_HELD, 1),
        Move(ALICES, ALICES_HOLD, 35, Reason.BET_HELD, 1),
    )
    assert moved(table, PlaceBet(ALICE, 12)) == (
        Move(MEIS_HOLD, MEIS, 21, Reason.BANK_RETURNED, 1),
        Move(ALICES_HOLD, ALICES, 21, Reason.BET_RETURNED, 1),
    )
    assert moved(table, WithdrawBet(ALICE)) == (
        Move(MEIS_HOLD, MEIS, 84, Reason.BANK_RETURNED, 1),
        Move(ALICES_HOLD, ALICES, 84, Reason.BET_RETURNED, 1),
    )


def test_a_round_that_is_called_off_returns_everything() -> None:
    table = banked(bets={ALICE: 10, BOB: 20})

    assert moved(table, MemberLeft(MEI)) == (
        Move(MEIS_HOLD, MEIS, 210, Reason.BANK_RETURNED, 1),
        Move(ALICES_HOLD, ALICES, 70, Reason.BET_RETURNED, 1),
        Move(BOBS_HOLD, BOBS, 140, Reason.BET_RETURNED, 1),
    )


def test_g17_what_is_won_comes_out_of_the_losers_hold_and_the_rest_of_each_hold_goes_back() -> None:
    table = banked()
    table.bet_all(10, ALICE, BOB, CHAN)
    table.deal(DOUBLE_8, NO_OX, SINGLE_9, SINGLE_1)
    before = table.state
    settled = next(event for event in table.showdown() if isinstance(event, RoundSettled))

    assert moves_of(before, (settled,)) == (
        Move(MEIS_HOLD, ALICES, 30, Reason.PLAYER_WON, 1),
        Move(BOBS_HOLD, MEIS, 10, Reason.BANKER_WON, 1),
        Move(MEIS_HOLD, CHANS, 10, Reason.PLAYER_WON, 1),
        Move(ALICES_HOLD, ALICES, 70, Reason.BET_RETURNED, 1),
        Move(BOBS_HOLD, BOBS, 60, Reason.BET_RETURNED, 1),
        Move(CHANS_HOLD, CHANS, 70, Reason.BET_RETURNED, 1),
        Move(MEIS_HOLD, MEIS, 170, Reason.BANK_RETURNED, 1),
    )


def test_a_push_only_returns_the_bet() -> None:
    table = banked(bets={ALICE: 10})
    table.deal(NO_OX, NO_OX)
    before = table.state

    assert moves_of(before, table.showdown()) == (
        Move(ALICES_HOLD, ALICES, 70, Reason.BET_RETURNED, 1),
        Move(MEIS_HOLD, MEIS, 70, Reason.BANK_RETURNED, 1),
    )
