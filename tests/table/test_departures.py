"""Who leaves without asking: three missed rounds, or gone from the server."""

from collections.abc import Callable

import pytest

from bot.games.gnau.rules import GnauRules
from bot.table.commands import Deal, GiveUpBank, Join, Leave, MemberLeft, RevealHand, SitOut
from bot.table.deadlines import DueAction
from bot.table.events import BankGivenUp, Event, RoundOpened, SeatLeft
from bot.table.seats import Departure, LeaveReason
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Phase

from .trial_table import ALICE, BOB, CHAN, MEI, NO_OX, TrialTable, banked, stacked

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

    assert table.bank_now.rounds_missed == 0
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


BOB_LEFT_THE_SERVER = Departure(BOB, LeaveReason.GONE, was_banker=False)


def quick(chips: int = 1000) -> TrialTable:
    """Mei is banker, for 10 to 100 chips, and there is no last call."""
    return banked(GnauRules(last_call_seconds=0), {MEI: chips}, limits=(10, 100))


def test_a_departure_from_the_server_after_the_deal_is_remembered_when_the_round_is_over() -> None:
    table = quick()
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.deal(NO_OX, NO_OX, NO_OX)
    table.do(MemberLeft(BOB))
    table.do(MemberLeft(MEI))
    assert not table.state.departures
    table.showdown()

    assert table.state.departures == (
        BOB_LEFT_THE_SERVER,
        Departure(MEI, LeaveReason.GONE, was_banker=True),
    )


def test_a_departure_of_a_player_without_a_hand_is_remembered_after_the_showdown() -> None:
    table = quick()
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    table.deal(NO_OX, NO_OX)
    table.do(MemberLeft(BOB))
    assert table.state.departures == (BOB_LEFT_THE_SERVER,)
    table.showdown()

    assert table.state.departures == (BOB_LEFT_THE_SERVER,)


@pytest.mark.parametrize("cards_out", [False, True])
def test_a_departure_on_request_is_not_remembered(cards_out: bool) -> None:
    table = quick()
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    if cards_out:
        table.deal(NO_OX, NO_OX, NO_OX)
    table.do(Leave(BOB))
    table.do(GiveUpBank(MEI))
    if cards_out:
        table.showdown()

    assert [seat.party for seat in table.state.seats] == [ALICE]
    assert table.state.bank is None
    assert not table.state.departures


def test_a_request_to_leave_comes_before_leaving_the_server() -> None:
    table = quick()
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.deal(NO_OX, NO_OX, NO_OX)
    table.do(Leave(BOB))
    table.do(MemberLeft(BOB))
    table.showdown()

    assert not table.state.departures


def test_departures_are_forgotten_at_the_next_deal() -> None:
    table = quick()
    table.do(Join(BOB))
    table.do(MemberLeft(BOB))
    table.bet(ALICE, 10)
    assert table.state.departures == (BOB_LEFT_THE_SERVER,)
    table.deal(NO_OX, NO_OX)

    assert not table.state.departures


def test_the_departure_of_a_member_who_is_back_is_forgotten() -> None:
    table = quick()
    table.join(ALICE, BOB, CHAN)
    for member in (BOB, CHAN, MEI):
        table.do(MemberLeft(member))
    table.do(Join(MEI))
    table.bank(CHAN)

    assert table.state.departures == (BOB_LEFT_THE_SERVER,)
