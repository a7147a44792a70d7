import pytest

from bot.games.gnau.rules import GnauRules
from bot.table.commands import Command, GiveUpBank, Join, Leave, MemberLeft, SitOut, TakeBank
from bot.table.events import (
    BankGivenUp,
    BankTaken,
    BetWithdrawn,
    LeaveRequested,
    RoundCalledOff,
    RoundOpened,
    SeatLeft,
    SeatTaken,
)
from bot.table.refusals import Refusal
from bot.table.state import Bank, LeaveReason, Phase
from tests.games.presets import WIKIPEDIA

from .trial_table import ALICE, BOB, CHAN, DORA, MEI, NO_OX, SINGLE_1, TrialTable, banked


def test_joining_takes_the_first_free_seat() -> None:
    table = TrialTable()

    assert table.do(Join(ALICE)) == (SeatTaken(1, ALICE),)
    assert table.do(Join(BOB)) == (SeatTaken(2, BOB),)
    table.do(Leave(ALICE))
    assert table.do(Join(CHAN)) == (SeatTaken(1, CHAN),)

    assert [(seat.number, seat.party) for seat in table.state.seats] == [(1, CHAN), (2, BOB)]


def test_b03_fewer_seats_remove_nobody_and_let_nobody_in() -> None:
    table = TrialTable(GnauRules(seats=4))
    table.join(ALICE, BOB, CHAN, DORA)
    table.do(Leave(ALICE))
    table.house = GnauRules(seats=3)
    table.bank(MEI)

    assert [seat.number for seat in table.state.seats] == [2, 3, 4]
    assert table.refused(Join(ALICE)) == (Refusal.TABLE_FULL, {"seats": 3})
    table.do(Leave(BOB))
    assert table.do(Join(ALICE)) == (SeatTaken(1, ALICE),)


def test_leaving_before_the_deal_returns_the_bet() -> None:
    table = banked(bets={ALICE: 10})

    assert table.do(Leave(ALICE)) == (
        BetWithdrawn(ALICE),
        SeatLeft(ALICE, LeaveReason.ASKED),
    )
    assert (table.wallet(ALICE), table.wallet(MEI), table.holds) == (1000, 1000, {})


def test_b01_who_leaves_to_back_a_player_keeps_their_seat_once_it_is_dealt() -> None:
    table = banked(bets={ALICE: 10})
    assert table.refused(Leave(ALICE, 0)) == (Refusal.ROUND_IS_OVER, {"meant": 0, "now": 1})
    table.deal(SINGLE_1, NO_OX)

    assert table.refused(Leave(ALICE, 1)) == (Refusal.ALREADY_DEALT, {})


def test_a_player_who_leaves_after_the_deal_plays_the_round_to_its_end() -> None:
    table = banked(bets={ALICE: 10})
    table.deal(SINGLE_1, NO_OX)

    assert table.do(Leave(ALICE)) == (LeaveRequested(ALICE, LeaveReason.ASKED),)
    assert table.held(ALICE) == 70
    assert table.do(Leave(ALICE)) == ()
    table.showdown()

    assert table.state.seats == ()
    assert table.wallet(ALICE) == 1010


def test_g03_a_member_takes_the_bank_and_betting_opens() -> None:
    table = TrialTable()

    assert table.do(TakeBank(MEI, 5, 100, WIKIPEDIA)) == (BankTaken(MEI, 5, 100), RoundOpened(1, WIKIPEDIA))
    assert table.state.phase is Phase.BETTING
    assert table.state.bank == Bank(MEI, 5, 100)


def test_a_player_who_takes_the_bank_leaves_the_seat() -> None:
    table = TrialTable()
    table.join(ALICE, BOB)

    events = table.do(TakeBank(ALICE, 5, 100, WIKIPEDIA))

    assert events[0] == SeatLeft(ALICE, LeaveReason.ASKED)
    assert [seat.party for seat in table.state.seats] == [BOB]
    assert table.state.is_banker(ALICE)


def test_a_bank_has_one_banker() -> None:
    table = banked()

    for member in (MEI, BOB):
        assert table.refused(TakeBank(member, 5, 100, WIKIPEDIA)) == (Refusal.BANK_TAKEN, {"banker": MEI})


@pytest.mark.parametrize(("lowest", "highest"), [(0, 100), (-5, 100), (101, 100)])
def test_limits_start_at_one_chip(lowest: int, highest: int) -> None:
    table = TrialTable()

    refused = table.refused(TakeBank(MEI, lowest, highest, WIKIPEDIA))

    assert refused == (Refusal.LIMITS_CROSSED, {"lowest": lowest, "highest": highest})


def test_b02_a_bank_covers_the_lowest_stake_at_the_largest_multiple() -> None:
    table = TrialTable(chips={MEI: 70, BOB: 20})

    assert table.refused(TakeBank(MEI, 11, 100, WIKIPEDIA)) == (
        Refusal.BANK_TOO_POOR,
        {"lowest": 11, "needed": 77, "wallet": 70, "most": 10},
    )
    assert table.refused(TakeBank(BOB, 5, 100, GnauRules(lowest_stake=5))) == (
        Refusal.PLAYER_TOO_POOR,
        {"lowest": 5, "needed": 35, "wallet": 20},
    )
    table.bank(MEI, 10, 100)


def test_b02_a_new_bank_must_cover_the_rules_of_its_own_round() -> None:
    table = TrialTable(chips={MEI: 70})

    dearer = GnauRules(multiple_five_dukes=20)

    assert table.refused(TakeBank(MEI, 4, 100, dearer))[0] is Refusal.BANK_TOO_POOR
    table.do(TakeBank(MEI, 3, 100, dearer))


def test_every_bet_is_returned_when_the_banker_leaves_before_the_deal() -> None:
    table = banked(bets={ALICE: 10, BOB: 20})

    assert table.do(GiveUpBank(MEI)) == (
        RoundCalledOff(),
        BankGivenUp(MEI, LeaveReason.ASKED),
        SeatTaken(3, MEI),
    )
    assert table.state.phase is Phase.OPEN
    assert [seat.stake for seat in table.state.seats] == [None, None, None]
    assert [table.wallet(member) for member in (MEI, ALICE, BOB)] == [1000, 1000, 1000]
    assert table.holds == {}
    table.bank(BOB)
    assert table.do(Leave(BOB)) == (BankGivenUp(BOB, LeaveReason.ASKED),), "no round is called off"


@pytest.mark.parametrize(
    ("commands", "seats"),
    [
        ([GiveUpBank(MEI)], 2),
        ([GiveUpBank(MEI)], 1),
        ([Leave(MEI), GiveUpBank(MEI)], 2),
        ([GiveUpBank(MEI), Leave(MEI)], 2),
        ([GiveUpBank(MEI), MemberLeft(MEI, LeaveReason.REMOVED)], 2),
    ],
)
def test_a_banker_settles_the_round_and_then_keeps_a_free_seat_or_leaves_as_they_asked(
    commands: list[Command], seats: int
) -> None:
    table = banked(GnauRules(seats=seats), bets={ALICE: 10})
    table.deal(NO_OX, SINGLE_1)
    for command in commands:
        table.do(command)
        assert table.do(command) == ()
    assert table.held(MEI) == 70
    why = LeaveReason.REMOVED if isinstance(commands[-1], MemberLeft) else LeaveReason.ASKED
    keeps = seats > 1 and commands == [GiveUpBank(MEI)]
    assert table.showdown()[1:] == (BankGivenUp(MEI, why), *([SeatTaken(2, MEI)] if keeps else []))

    assert (table.state.phase, table.state.bank) == (Phase.OPEN, None)
    assert table.wallet(MEI) == 1010
    table.bank(MEI)
    assert table.state.bank == Bank(MEI, 5, 100)


def test_a_player_who_left_after_a_round_may_sit_down_again_and_stays() -> None:
    table = banked(bets={ALICE: 10})
    table.deal(NO_OX, SINGLE_1)
    table.do(Leave(ALICE))
    table.showdown()
    table.play({ALICE: 10}, NO_OX, SINGLE_1)

    assert table.seat(ALICE).leaves_after_round is False


def test_sitting_out_ends_with_a_round_that_is_called_off() -> None:
    table = banked()
    table.do(Join(ALICE))
    table.do(SitOut(ALICE))
    table.do(GiveUpBank(MEI))
    assert table.seat(ALICE).sitting_out is False

    table.bank(BOB)
    table.bet(CHAN, 10)

    assert table.wait(0) is None
