import pytest

from bot.table.commands import (
    CloseTable,
    Command,
    GiveUpBank,
    Join,
    Leave,
    MemberLeft,
    PlaceBet,
    SitOut,
    WindUp,
    WithdrawBet,
)
from bot.table.events import BetWithdrawn, RoundCalledOff, SeatLeft, SideBetWithdrawn
from bot.table.seats import LeaveReason, SideBet

from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    CHIPS,
    DORA,
    DOUBLE_8,
    LARGEST_MULTIPLE,
    MEI,
    SINGLE_9,
    table_with_side_bet,
)


@pytest.mark.parametrize(
    ("command", "last"),
    [
        (WithdrawBet(ALICE), BetWithdrawn(ALICE)),
        (SitOut(ALICE), None),
        (Leave(ALICE), SeatLeft(ALICE, LeaveReason.ASKED)),
        (MemberLeft(ALICE), SeatLeft(ALICE, LeaveReason.GONE)),
    ],
)
def test_b01_a_side_bet_is_returned_with_the_bet_that_it_backs(command: Command, last: object) -> None:
    table = table_with_side_bet()
    table.bet(BOB, 10)
    table.back(CHAN, BOB, 15)

    events = table.do(command)

    back_with_it = (SideBetWithdrawn(CHAN, ALICE), BetWithdrawn(ALICE))
    assert events[:2] == back_with_it
    assert last is None or events[-1] == last
    assert table.state.side_bets == (SideBet(CHAN, BOB, 15),)
    assert (table.held(CHAN), table.held(MEI)) == (15 * LARGEST_MULTIPLE, 25 * LARGEST_MULTIPLE)


@pytest.mark.parametrize(
    "command",
    [Join(CHAN), PlaceBet(CHAN, 5), MemberLeft(CHAN)],
    ids=["sits down", "sits down with a bet", "is gone"],
)
def test_b01_side_bets_are_returned_when_the_backer_sits_down_or_is_gone(command: Command) -> None:
    table = table_with_side_bet()
    table.bet(BOB, 10)
    table.back(CHAN, BOB, 15)
    table.back(DORA, BOB, 15)

    events = table.do(command)

    assert events[:2] == (
        SideBetWithdrawn(CHAN, ALICE),
        SideBetWithdrawn(CHAN, BOB),
    )
    assert table.state.side_bets == (SideBet(DORA, BOB, 15),)


@pytest.mark.parametrize("command", [Join(CHAN), MemberLeft(CHAN)], ids=["sits down", "is gone"])
def test_b01_a_side_bet_stays_after_the_deal_whatever_its_backer_does(command: Command) -> None:
    table = table_with_side_bet(20)
    table.deal(DOUBLE_8, SINGLE_9)
    table.ask(command)

    table.showdown()

    assert table.wallet(CHAN) == CHIPS + 60
    assert table.state.side_bets == ()


@pytest.mark.parametrize(
    "end",
    [
        GiveUpBank(MEI),
        MemberLeft(MEI),
        CloseTable(MEI, manages=False),
        WindUp(LeaveReason.GONE),
    ],
)
def test_b06_side_bets_are_returned_if_the_round_is_called_off(end: Command) -> None:
    table = table_with_side_bet()

    assert RoundCalledOff() in table.do(end)

    assert table.state.side_bets == ()
    assert not table.holds
    assert table.wallet(CHAN) == CHIPS


def test_b06_side_bets_are_returned_if_the_table_closes_after_the_deal() -> None:
    table = table_with_side_bet()
    table.deal(DOUBLE_8, SINGLE_9)
    table.wind_up()
    assert (table.wallet(CHAN), table.wallet(MEI), table.holds) == (CHIPS, CHIPS, {})


def test_b01_a_backer_who_takes_the_bank_has_no_side_bets() -> None:
    table = table_with_side_bet()
    table.do(GiveUpBank(MEI))
    table.bank(CHAN)
    assert table.state.side_bets == ()
    assert table.wallet(CHAN) == CHIPS
