from typing import Any

import pytest

from bot.table.commands import (
    Command,
    Join,
    Leave,
    MemberLeft,
    PlaceBet,
    PlaceSideBet,
    SetLimits,
    SitOut,
    TakeBank,
    WithdrawBet,
)
from bot.table.decide import decide
from bot.table.events import BetPlaced, BetWithdrawn, SatOut, SeatTaken
from bot.table.refusals import Refusal

from .trial_table import ALICE, BOB, CHAN, MEI, NO_OX, SEALED, SINGLE_1, banked


def test_a_bet_takes_a_seat() -> None:
    table = banked()

    assert table.do(PlaceBet(ALICE, 20)) == (SeatTaken(1, ALICE), BetPlaced(ALICE, 20))


def test_a_bet_from_a_direct_message_takes_no_new_seat_and_hears_the_reason() -> None:
    table = banked()
    bet, banks = PlaceBet(ALICE, 20, 1, takes_seat=False), PlaceBet(MEI, 20, takes_seat=False)
    assert table.refused(bet) == (Refusal.NOT_SEATED, {})
    assert table.refused(banks) == table.refused(SitOut(MEI)) == (Refusal.HOLDS_THE_BANK, {})
    assert table.refused(SitOut(BOB)) == (Refusal.NOT_SEATED, {})
    table.do(Join(ALICE))
    assert table.do(bet) == (BetPlaced(ALICE, 20),)
    table.do(MemberLeft(ALICE))
    assert table.refused(bet) == (Refusal.NOT_SEATED, {})
    table.bet(ALICE, 20)
    table.deal(NO_OX, NO_OX)
    assert table.refused(bet) == (Refusal.ALREADY_DEALT, {})
    assert table.refused(PlaceBet(BOB, 20, takes_seat=False)) == (Refusal.NOT_SEATED, {})


def test_the_same_bet_again_changes_nothing() -> None:
    table = banked(bets={ALICE: 20})
    before = table.state

    assert table.do(PlaceBet(ALICE, 20)) == ()
    assert table.state is before


@pytest.mark.parametrize("stake", [4, 0, -20])
def test_a_stake_below_the_lowest_is_refused(stake: int) -> None:
    table = banked()

    facts = {"stake": stake, "lowest": 5, "highest": 100}
    assert table.refused(PlaceBet(ALICE, stake)) == (Refusal.STAKE_BELOW_LOWEST, facts)


def test_a_stake_above_the_highest_is_refused() -> None:
    table = banked()

    facts: dict[str, int | str] = {"stake": 101, "lowest": 5, "highest": 100}
    assert table.refused(PlaceBet(ALICE, 101)) == (Refusal.STAKE_ABOVE_HIGHEST, facts)
    table.bet(ALICE, 100)


def test_nothing_is_bet_changed_or_taken_back_after_the_deal() -> None:
    table = banked()
    table.do(Join(BOB))
    table.bet(ALICE, 20)
    table.do(SitOut(BOB))
    table.deal(SINGLE_1, NO_OX)

    for command in (
        PlaceBet(ALICE, 20),
        PlaceBet(ALICE, 30),
        PlaceBet(BOB, 20),
        PlaceBet(CHAN, 20),
        WithdrawBet(ALICE),
        SitOut(ALICE),
        SitOut(BOB),
    ):
        assert table.refused(command) == (Refusal.ALREADY_DEALT, {})


def test_a_bet_taken_back_frees_what_it_held() -> None:
    table = banked(bets={ALICE: 20, BOB: 30})

    assert table.do(WithdrawBet(ALICE)) == (BetWithdrawn(ALICE),)

    assert table.holds == {BOB: 210, MEI: 210}
    assert (table.wallet(ALICE), table.seat(ALICE).stake) == (1000, None)


def test_only_a_bet_can_be_taken_back() -> None:
    table = banked()
    table.do(Join(ALICE))

    for member in (ALICE, BOB, MEI):
        assert table.refused(WithdrawBet(member)) == (Refusal.NO_BET_OF_YOURS, {})


def test_sitting_out_returns_the_bet_and_ends_with_the_next() -> None:
    table = banked(bets={ALICE: 20})

    assert table.do(SitOut(ALICE)) == (BetWithdrawn(ALICE), SatOut(ALICE))
    assert (table.seat(ALICE).sitting_out, table.holds) == (True, {})
    assert table.do(SitOut(ALICE)) == ()
    table.bet(ALICE, 20)
    assert (table.seat(ALICE).sitting_out, table.seat(ALICE).stake) == (False, 20)


def test_last_stake_is_the_previous_bet_under_any_banker() -> None:
    table = banked()
    table.bet(ALICE, 20)
    table.bet(ALICE, 30)
    table.do(WithdrawBet(ALICE))
    table.do(Leave(MEI))
    table.bank(BOB, 5, 10)

    assert table.seat(ALICE).last_stake == 30
    assert table.refused(PlaceBet(ALICE, 30))[0] is Refusal.STAKE_ABOVE_HIGHEST


@pytest.mark.parametrize(
    "timely",
    [PlaceBet(ALICE, 20, 1), WithdrawBet(ALICE, 1), SitOut(ALICE, 1)],
)
def test_a_bet_for_this_round_is_accepted(timely: PlaceBet | WithdrawBet | SitOut) -> None:
    table = banked(bets={ALICE: 10})

    assert table.do(timely)


@pytest.mark.parametrize("amount", [10.5, 10.0, True, "10"], ids=repr)
def test_an_amount_that_is_not_a_whole_number_is_an_error(amount: Any) -> None:
    table = banked()
    commands: list[Command] = [
        PlaceBet(ALICE, amount),
        PlaceSideBet(BOB, ALICE, amount),
        SetLimits(MEI, amount, 100),
        SetLimits(MEI, 5, amount),
        TakeBank(ALICE, amount, 100, table.house),
    ]
    for command in commands:
        with pytest.raises(ValueError, match="whole number"):
            decide(table.state, command, table.now, {}, SEALED)
