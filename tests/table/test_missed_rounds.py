from collections.abc import Callable

import pytest

from bot.games.gnau.rules import GnauRules
from bot.table.commands import Deal, GiveUpBank, Join, Leave, RevealHand, SitOut
from bot.table.deadlines import DueAction
from bot.table.events import (
    BankGivenUp,
    Event,
    RoundOpened,
    SeatLeft,
)
from bot.table.seats import Departure, LeaveReason
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Phase

from .trial_table import ALICE, BOB, MEI, NO_OX, TrialTable, banked, stacked

NO_LAST_CALL = GnauRules(last_call_seconds=0)


def rounds_missed_by_bob(table: TrialTable, rounds: int) -> list[int]:
    """The players who have a seat after these rounds: Alice bets, Bob does nothing."""
    for _ in range(rounds):
        table.play({ALICE: 10}, NO_OX, NO_OX)
    return [seat.party for seat in table.state.seats]


def test_a_player_who_misses_three_rounds_in_a_row_loses_the_seat() -> None:
    table = banked()
    table.do(Join(BOB))

    assert rounds_missed_by_bob(table, 2) == [BOB, ALICE]
    events = table.play({ALICE: 10}, NO_OX, NO_OX)

    assert SeatLeft(BOB, LeaveReason.IDLE) in events
    assert table.state.departures == (Departure(BOB, LeaveReason.IDLE, was_banker=False),)
    assert [seat.party for seat in table.state.seats] == [ALICE]


@pytest.mark.parametrize("word", ["bets", "sits out"])
def test_any_action_resets_the_count_of_missed_rounds(word: str) -> None:
    table = banked()
    table.do(Join(BOB))
    rounds_missed_by_bob(table, 2)
    if word == "bets":
        table.bet(BOB, 10)
        table.play({ALICE: 10}, NO_OX, NO_OX, NO_OX)
    else:
        table.do(SitOut(BOB))
        rounds_missed_by_bob(table, 1)

    assert rounds_missed_by_bob(table, 2) == [BOB, ALICE]
    assert rounds_missed_by_bob(table, 1) == [ALICE]


def test_a_round_called_off_is_missed_by_nobody() -> None:
    table = TrialTable()
    table.do(Join(BOB))
    for _ in range(4):
        table.bank(MEI)
        table.bet(ALICE, 10)
        table.do(Leave(MEI))

    assert table.seat(BOB).rounds_missed == 0


def test_a_player_who_sits_down_after_the_deal_has_not_missed_that_round() -> None:
    table = banked(bets={ALICE: 10})
    table.do(Deal(MEI, stacked(NO_OX, NO_OX)))
    table.do(Join(BOB))
    table.showdown()

    assert table.seat(BOB).rounds_missed == 0
    assert rounds_missed_by_bob(table, 2) == [ALICE, BOB]
    assert rounds_missed_by_bob(table, 1) == [ALICE]


def without_the_banker(table: TrialTable) -> tuple[Event, ...]:
    """Plays a round that the table deals and settles."""
    table.bet(ALICE, 10)
    assert table.wait(0) is DueAction.DEAL
    table.do(Deal(None, stacked(NO_OX, NO_OX)))
    return table.showdown()


def deals(table: TrialTable) -> None:
    """Plays a round that the banker deals, without another action of the banker."""
    table.play({ALICE: 10}, NO_OX, NO_OX)


def turns_up(table: TrialTable) -> None:
    """Plays a round that the table deals, and in which the banker reveals."""
    table.bet(ALICE, 10)
    table.do(Deal(None, stacked(NO_OX, NO_OX)))
    table.do(RevealHand(MEI))
    table.showdown()


def test_a_banker_who_misses_three_rounds_in_a_row_loses_the_bank() -> None:
    table = banked(NO_LAST_CALL)
    for missed in range(1, ROUNDS_MISSED_IN_A_ROW):
        assert without_the_banker(table)[-1] == RoundOpened(missed + 1, table.house)

    assert without_the_banker(table)[-1] == BankGivenUp(MEI, LeaveReason.IDLE)
    assert table.state.departures == (Departure(MEI, LeaveReason.IDLE, was_banker=True),)
    assert table.state.phase is Phase.OPEN
    assert table.holds == {}
    assert [seat.party for seat in table.state.seats] == [ALICE]


@pytest.mark.parametrize("does", [deals, turns_up])
def test_any_action_of_the_banker_resets_the_count_of_missed_rounds(
    does: Callable[[TrialTable], None],
) -> None:
    table = banked(NO_LAST_CALL)
    for _ in range(3):
        without_the_banker(table)
        without_the_banker(table)
        does(table)

    assert table.state.is_banker(MEI)
    without_the_banker(table)
    without_the_banker(table)
    assert without_the_banker(table)[-1] == BankGivenUp(MEI, LeaveReason.IDLE)


def test_actions_of_players_do_not_count_for_the_banker() -> None:
    table = banked(NO_LAST_CALL)
    for _ in range(ROUNDS_MISSED_IN_A_ROW):
        table.bet(ALICE, 10)
        table.do(Deal(None, stacked(NO_OX, NO_OX)))
        table.do(RevealHand(ALICE))
        table.showdown()

    assert table.state.bank is None


def test_a_banker_who_takes_the_bank_again_has_missed_nothing() -> None:
    table = banked(NO_LAST_CALL)
    for _ in range(ROUNDS_MISSED_IN_A_ROW):
        without_the_banker(table)
    table.bank(MEI)

    assert table.state.bank is not None
    assert table.state.bank.rounds_missed == 0
    without_the_banker(table)
    assert table.state.is_banker(MEI)


def test_an_idle_banker_who_gives_up_the_bank_in_time_left_on_request() -> None:
    table = banked(NO_LAST_CALL)
    without_the_banker(table)
    without_the_banker(table)
    table.bet(ALICE, 10)
    table.do(Deal(None, stacked(NO_OX, NO_OX)))
    table.do(GiveUpBank(MEI))

    assert table.showdown()[-1] == BankGivenUp(MEI, LeaveReason.ASKED)
