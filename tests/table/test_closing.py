from collections.abc import Callable

import pytest

from bot.table.commands import CloseTable, Join, KeepOpen, MemberLeft, OpenTable, RevealHand
from bot.table.decide import decide
from bot.table.events import (
    BankGivenUp,
    BetWithdrawn,
    ClosingSet,
    LeaveRequested,
    RoundCalledOff,
    RoundSettled,
    SeatLeft,
    TableClosed,
    TableOpened,
)
from bot.table.evolve import evolve, fold
from bot.table.refusals import Refusal
from bot.table.state import LeaveReason, Phase
from tests.games.presets import WIKIPEDIA

from .trial_table import ALICE, BOB, CHAN, MEI, NO_OX, NOON, SEALED, SINGLE_1, TrialTable


def empty() -> TrialTable:
    """A new table."""
    return TrialTable()


def betting() -> TrialTable:
    """Bob is banker, and Alice has bet."""
    table = TrialTable()
    table.bank(BOB)
    table.bet(ALICE, 10)
    return table


def dealt() -> TrialTable:
    """Alice wins against Bob, with the hands dealt; Chan has a seat and no bet."""
    table = betting()
    table.do(Join(CHAN))
    table.deal(SINGLE_1, NO_OX)
    return table


def settled() -> TrialTable:
    """Alice has won 10 chips from Bob."""
    table = dealt()
    table.showdown()
    return table


def opening() -> OpenTable:
    return OpenTable(70, 8, 9, 3, MEI, WIKIPEDIA)


def test_a_table_is_opened_once_and_before_anything_else() -> None:
    table = empty()
    assert table.record[0] == TableOpened(70, 8, 9, 3, MEI, WIKIPEDIA)
    assert (table.state.phase, table.state.empty, table.state.round_number) == (Phase.OPEN, True, 0)

    with pytest.raises(ValueError, match="does not go with a table"):
        decide(table.state, opening(), NOON, {}, SEALED)
    with pytest.raises(ValueError, match="does not go with no table"):
        decide(None, Join(ALICE), NOON, {}, SEALED)
    with pytest.raises(ValueError, match="begins with TableOpened"):
        evolve(None, RoundCalledOff())
    with pytest.raises(ValueError, match="without events"):
        fold(None, ())


@pytest.mark.parametrize(
    ("command", "may"),
    [
        (CloseTable(MEI, manages=False), True),
        (CloseTable(BOB, manages=False), True),
        (CloseTable(CHAN, manages=True), True),
        (CloseTable(ALICE, manages=False), False),
        (CloseTable(CHAN, manages=False), False),
    ],
)
def test_opener_banker_and_server_managers_may_close(command: CloseTable, may: bool) -> None:
    table = betting()

    if may:
        by_admin = command.party == CHAN
        why = LeaveReason.BY_ADMIN if by_admin else LeaveReason.ASKED
        assert table.do(command) == (RoundCalledOff(), TableClosed(why))
        assert table.state.closed_by_admin is by_admin
    else:
        assert table.refused(command) == (Refusal.MAY_NOT_CLOSE, {"opener": MEI})


@pytest.mark.parametrize("with_bets", [False, True])
@pytest.mark.parametrize("by_admin", [False, True])
def test_after_the_deal_a_table_closes_once_the_round_is_settled(with_bets: bool, by_admin: bool) -> None:
    table = dealt()
    close = CloseTable(CHAN if by_admin else BOB, manages=by_admin, with_bets=with_bets)

    assert table.do(close) == (ClosingSet(closes=True, by_admin=by_admin),)
    assert table.do(close) == ()
    assert table.refused(Join(MEI)) == (Refusal.TABLE_CLOSES, {})
    table.do(RevealHand(ALICE))
    settled, *after = table.showdown()

    assert isinstance(settled, RoundSettled)
    assert after == [TableClosed(LeaveReason.BY_ADMIN if by_admin else LeaveReason.ASKED)]
    assert table.state.closed_by_admin is by_admin
    assert (table.wallet(BOB), table.wallet(ALICE), table.holds) == (990, 1010, {})
    assert table.state.last is not None


def test_who_may_close_a_table_can_take_it_back_until_the_round_is_settled() -> None:
    table = dealt()
    keep = KeepOpen(MEI, manages=False)

    assert table.do(keep) == ()
    table.do(CloseTable(BOB, manages=False))
    assert table.refused(KeepOpen(CHAN, manages=False)) == (Refusal.MAY_NOT_CLOSE, {"opener": MEI})
    assert table.do(keep) == (ClosingSet(closes=False),)
    table.showdown()

    assert table.state.phase is Phase.BETTING


def test_nobody_else_closes_a_table_after_the_deal() -> None:
    assert dealt().refused(CloseTable(CHAN, manages=False))[0] is Refusal.MAY_NOT_CLOSE


@pytest.mark.parametrize(
    ("stands", "bank", "alice"),
    [(empty, 1000, 1000), (betting, 1000, 1000), (dealt, 1000, 1000), (settled, 990, 1010)],
)
def test_b06_winding_up_returns_every_hold_in_every_phase(
    stands: Callable[[], TrialTable], bank: int, alice: int
) -> None:
    table = stands()
    bets = bool(table.state.bets)

    events = table.wind_up(LeaveReason.GONE)

    assert events == ((RoundCalledOff(),) if bets else ()) + (TableClosed(LeaveReason.GONE),)
    assert (table.wallet(BOB), table.wallet(ALICE), table.holds) == (bank, alice, {})
    assert (table.state.phase, table.state.empty, table.state.deadline) == (Phase.CLOSED, True, None)


def test_b06_a_player_who_left_the_server_loses_the_seat_and_gets_the_bet_back() -> None:
    table = betting()

    assert table.do(MemberLeft(ALICE)) == (
        BetWithdrawn(ALICE),
        SeatLeft(ALICE, LeaveReason.GONE),
    )
    assert (table.wallet(ALICE), table.holds) == (1000, {})


def test_b06_a_banker_who_left_the_server_loses_the_bank_and_every_bet_is_returned() -> None:
    table = betting()

    assert table.do(MemberLeft(BOB)) == (
        RoundCalledOff(),
        BankGivenUp(BOB, LeaveReason.GONE),
    )
    assert (table.wallet(ALICE), table.wallet(BOB), table.holds) == (1000, 1000, {})
    assert table.state.phase is Phase.OPEN


def test_b06_the_last_to_leave_the_server_closes_the_table() -> None:
    table = betting()
    table.do(MemberLeft(BOB))

    assert table.do(MemberLeft(ALICE)) == (
        SeatLeft(ALICE, LeaveReason.GONE),
        TableClosed(LeaveReason.GONE),
    )


def test_b06_a_member_who_left_the_server_after_the_deal_plays_the_round_to_its_end() -> None:
    table = dealt()

    assert table.do(MemberLeft(ALICE)) == (LeaveRequested(ALICE, LeaveReason.GONE),)
    assert table.do(MemberLeft(BOB)) == (LeaveRequested(BOB, LeaveReason.GONE),)
    assert table.do(MemberLeft(BOB)) == ()
    assert table.do(MemberLeft(CHAN)) == (SeatLeft(CHAN, LeaveReason.GONE),)
    assert table.holds == {ALICE: 70, BOB: 70}
    events = table.showdown()

    assert SeatLeft(ALICE, LeaveReason.GONE) in events
    assert BankGivenUp(BOB, LeaveReason.GONE) in events
    assert (table.wallet(ALICE), table.wallet(BOB), table.holds) == (1010, 990, {})
    assert table.state.empty


def test_b06_nothing_happens_when_somebody_from_elsewhere_leaves_the_server() -> None:
    for table in (empty(), betting()):
        assert table.do(MemberLeft(CHAN)) == ()
