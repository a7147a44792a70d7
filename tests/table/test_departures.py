"""Who leaves without asking: three missed rounds, or gone from the server."""

import pytest

from bot.games.gnau.rules import GnauRules
from bot.table.commands import (
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberLeft,
    RevealHand,
    Showdown,
    SitOut,
)
from bot.table.deadlines import DueAction
from bot.table.events import BankGivenUp, Event, HandsDealt, RoundOpened, SeatLeft, SeatTaken
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Departure, LeaveReason, Phase

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


def test_who_pressed_something_in_a_round_has_not_missed_it() -> None:
    table = banked()
    table.do(Join(BOB))
    rounds_missed_by_bob(table, 2)
    table.bet(ALICE, 10)
    table.do(Deal(MEI, stacked(NO_OX, NO_OX), present=frozenset({MEI, ALICE, BOB, CHAN})))
    (dealt,) = (event for event in table.record if isinstance(event, HandsDealt) and event.present)
    assert dealt.present == (BOB,), "only who else would have missed it"
    table.showdown()

    assert rounds_missed_by_bob(table, 2) == [BOB, ALICE]
    assert rounds_missed_by_bob(table, 1) == [ALICE]


def test_who_presses_something_after_the_deal_is_there_when_the_round_is_settled() -> None:
    table = banked(NO_LAST_CALL)
    table.do(Join(BOB))
    for last in (False, False, True):
        table.bet(ALICE, 10)
        table.wait(table.state.rules.betting_seconds)
        table.deal_when_due(NO_OX, NO_OX)
        table.wait(table.state.rules.arranging_seconds)
        table.do(Showdown(table.house, present=frozenset({BOB, MEI}) if last else frozenset()))

    assert [seat.party for seat in table.state.seats] == [BOB, ALICE]
    assert table.state.is_banker(MEI)


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


def without_the_banker(table: TrialTable, *commands: Command) -> Event:
    """Plays a round that the table deals and settles, with these commands after the deal; its last event."""
    table.bet(ALICE, 10)
    assert table.wait(0) is DueAction.DEAL
    table.deal_when_due(NO_OX, NO_OX)
    for command in commands:
        table.do(command)
    return table.showdown()[-1]


@pytest.mark.parametrize("players_act", [[], [RevealHand(ALICE)]])
def test_a_banker_who_misses_three_rounds_in_a_row_loses_the_bank(players_act: list[Command]) -> None:
    table = banked(NO_LAST_CALL)
    for missed in range(1, ROUNDS_MISSED_IN_A_ROW):
        assert without_the_banker(table, *players_act) == RoundOpened(missed + 1, table.house)

    assert without_the_banker(table, *players_act) == BankGivenUp(MEI, LeaveReason.IDLE)
    assert table.state.departures == (Departure(MEI, LeaveReason.IDLE, was_banker=True),)
    assert table.state.phase is Phase.OPEN
    assert table.holds == {}
    assert [seat.party for seat in table.state.seats] == [ALICE]
    table.bank(MEI)
    assert table.bank_now.rounds_missed == 0, "who takes the bank again has missed nothing"


@pytest.mark.parametrize("reveals", [False, True])
def test_any_action_of_the_banker_resets_the_count_of_missed_rounds(reveals: bool) -> None:
    table = banked(NO_LAST_CALL)
    for _ in range(3):
        without_the_banker(table)
        without_the_banker(table)
        if reveals:
            without_the_banker(table, RevealHand(MEI))
        else:
            table.play({ALICE: 10}, NO_OX, NO_OX)

    assert table.state.is_banker(MEI)
    without_the_banker(table)
    without_the_banker(table)
    assert without_the_banker(table) == BankGivenUp(MEI, LeaveReason.IDLE)


def test_an_idle_banker_who_gives_up_the_bank_in_time_left_on_request() -> None:
    table = banked(NO_LAST_CALL)
    without_the_banker(table)
    without_the_banker(table)
    assert without_the_banker(table, GiveUpBank(MEI)) == SeatTaken(2, MEI)
    assert not table.state.departures


BOB_LEFT_THE_SERVER = Departure(BOB, LeaveReason.GONE, was_banker=False)


def quick() -> TrialTable:
    """Mei is banker, for 10 to 100 chips, Alice and Bob have bet, and there is no last call."""
    return banked(GnauRules(last_call_seconds=0), bets={ALICE: 10, BOB: 10}, limits=(10, 100))


def test_a_departure_from_the_server_after_the_deal_is_remembered_when_the_round_is_over() -> None:
    table = quick()
    table.deal(NO_OX, NO_OX, NO_OX)
    table.do(MemberLeft(BOB))
    table.do(MemberLeft(MEI))
    assert not table.state.departures
    table.showdown()

    assert table.state.departures == (
        BOB_LEFT_THE_SERVER,
        Departure(MEI, LeaveReason.GONE, was_banker=True),
    )


def test_a_departure_of_a_player_without_a_hand_is_remembered_until_the_next_deal() -> None:
    table = banked()
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    table.deal(NO_OX, NO_OX)
    table.do(MemberLeft(BOB))
    assert table.state.departures == (BOB_LEFT_THE_SERVER,)
    table.showdown()
    assert table.state.departures == (BOB_LEFT_THE_SERVER,)
    table.bet(ALICE, 10)
    table.deal(NO_OX, NO_OX)
    assert not table.state.departures


@pytest.mark.parametrize("cards_out", [False, True])
def test_a_departure_on_request_is_not_remembered(cards_out: bool) -> None:
    table = quick()
    if cards_out:
        table.deal(NO_OX, NO_OX, NO_OX)
    table.do(Leave(BOB))
    table.do(Leave(MEI))
    for member in (BOB, MEI):
        assert table.do(MemberLeft(member)) == (), "the request came first"
    if cards_out:
        table.showdown()

    assert [seat.party for seat in table.state.seats] == [ALICE]
    assert table.state.bank is None
    assert not table.state.departures


def test_the_departure_of_a_member_who_is_back_is_forgotten() -> None:
    table = quick()
    table.join(CHAN)
    for member in (BOB, CHAN, MEI):
        table.do(MemberLeft(member))
    table.do(Join(MEI))
    table.bank(CHAN)

    assert table.state.departures == (BOB_LEFT_THE_SERVER,)
