import pytest

from bot.games.gnau.rules import GnauRules
from bot.table.commands import Deal, GiveUpBank, Join, Leave, MemberLeft
from bot.table.seats import Departure, LeaveReason
from bot.table.state import ROUNDS_MISSED_IN_A_ROW

from .trial_table import ALICE, BOB, CHAN, MEI, NO_OX, SINGLE_9, TrialTable, banked, stacked

BOB_LEFT_THE_SERVER = Departure(BOB, LeaveReason.GONE, was_banker=False)


def quick(chips: int = 1000) -> TrialTable:
    """Mei is banker, for 10 to 100 chips, and there is no last call."""
    return banked(GnauRules(last_call_seconds=0), {MEI: chips}, limits=(10, 100))


def without_the_banker(table: TrialTable) -> None:
    """Plays a round in which Alice bets, and the table deals and settles."""
    table.bet(ALICE, 10)
    table.do(Deal(None, stacked(NO_OX, NO_OX)))
    table.showdown()


def test_the_departure_of_an_idle_player_is_remembered() -> None:
    table = quick()
    table.do(Join(BOB))
    for _ in range(ROUNDS_MISSED_IN_A_ROW):
        assert not table.state.departures
        table.play({ALICE: 10}, NO_OX, NO_OX)

    assert table.state.departures == (Departure(BOB, LeaveReason.IDLE, was_banker=False),)


def test_the_departure_of_an_idle_banker_is_remembered() -> None:
    table = quick()
    for _ in range(ROUNDS_MISSED_IN_A_ROW):
        without_the_banker(table)

    assert table.state.departures == (Departure(MEI, LeaveReason.IDLE, was_banker=True),)


def test_the_departure_of_a_banker_who_cannot_cover_is_remembered() -> None:
    table = quick(chips=79)
    table.play({ALICE: 10}, SINGLE_9, NO_OX)

    assert table.state.departures == (Departure(MEI, LeaveReason.CANNOT_COVER, was_banker=True),)


def test_departures_from_the_server_are_remembered_in_order() -> None:
    table = quick()
    table.do(Join(ALICE))
    table.bet(BOB, 10)
    table.do(MemberLeft(BOB))
    table.do(MemberLeft(MEI))

    assert table.state.departures == (
        BOB_LEFT_THE_SERVER,
        Departure(MEI, LeaveReason.GONE, was_banker=True),
    )


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
    for member in (ALICE, BOB, CHAN):
        table.do(Join(member))
    for member in (BOB, CHAN, MEI):
        table.do(MemberLeft(member))
    table.do(Join(MEI))
    table.bank(CHAN)

    assert table.state.departures == (BOB_LEFT_THE_SERVER,)
