import pytest

from bot.games.gnau.rules import GnauRules
from bot.table.commands import GiveUpBank, Join, Leave, MemberLeft
from bot.table.seats import Departure, LeaveReason

from .trial_table import ALICE, BOB, CHAN, MEI, NO_OX, TrialTable, banked

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
    for member in (ALICE, BOB, CHAN):
        table.do(Join(member))
    for member in (BOB, CHAN, MEI):
        table.do(MemberLeft(member))
    table.do(Join(MEI))
    table.bank(CHAN)

    assert table.state.departures == (BOB_LEFT_THE_SERVER,)
