"""When a table acts automatically, and how its last call shortens the time to bet (B04, B06)."""

import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.house_rules import HouseRules
from bot.table.commands import (
    Command,
    Deal,
    FreeBank,
    Join,
    Leave,
    MemberLeft,
    PlaceBet,
    RevealHand,
    ShortenWait,
    Showdown,
    SitOut,
    WaitAgain,
    WaitForBackers,
    WindUp,
    WithdrawBet,
)
from bot.table.deadlines import Attention, DueAction, due_action, is_last_call, seconds_left
from bot.table.events import BankGivenUp, DeadlineSet, RoundCalledOff, TableClosed
from bot.table.refusals import Refusal
from bot.table.state import EMPTY_TABLE_SECONDS, Departure, LeaveReason, Phase

from .trial_table import ALICE, BOB, CHAN, MEI, NO_OX, NOON, TrialTable, banked, stacked

RULES = GnauRules(betting_seconds=60, last_call_seconds=3, arranging_seconds=30)
AT_ONCE = GnauRules(betting_seconds=60, last_call_seconds=0, arranging_seconds=30)
HANDS = stacked(NO_OX, NO_OX, NO_OX)


def waiting(rules: HouseRules = RULES) -> TrialTable:
    """A bank, and two players who have not bet."""
    table = banked(rules)
    table.join(ALICE, BOB)
    return table


def test_b04_the_first_bet_sets_the_deadline() -> None:
    table = waiting()
    assert table.state.deadline is None
    table.do(SitOut(ALICE))
    table.do(SitOut(BOB))
    assert table.wait(10_000) is None
    table.do(Join(CHAN))
    table.bet(ALICE, 10)

    due = table.now + 60
    assert table.record[-1] == DeadlineSet(due)
    assert table.state.deadline == due
    assert table.wait(59.9) is None
    assert table.wait(0.1) is DueAction.DEAL


@pytest.mark.parametrize("word", [WithdrawBet, SitOut, Leave])
def test_b04_the_deadline_goes_with_the_last_bet(word: type[WithdrawBet | SitOut | Leave]) -> None:
    table = waiting()
    table.bet(ALICE, 10)
    table.wait(40)
    table.do(word(ALICE))

    assert table.state.deadline is None
    table.wait(500)
    table.bet(ALICE, 10)
    assert table.state.deadline == table.now + 60


def test_b04_the_deal_sets_the_deadline_of_the_hands() -> None:
    table = waiting()
    table.bet(ALICE, 10)
    table.wait(25)
    table.do(Deal(MEI, HANDS))

    assert table.state.deadline == NOON + 25 + 30
    table.do(RevealHand(ALICE))
    table.do(Join(CHAN))
    table.do(Leave(BOB))
    assert table.state.deadline == NOON + 25 + 30
    assert table.wait(29.9) is None
    assert table.wait(0.1) is DueAction.SHOWDOWN


def test_without_a_last_call_the_deal_is_due_when_every_player_has_decided() -> None:
    table = waiting(AT_ONCE)
    table.bet(ALICE, 10)
    assert table.wait(0) is None
    table.do(SitOut(BOB))
    assert table.wait(0) is DueAction.DEAL
    table.do(Join(CHAN))
    assert table.wait(0) is DueAction.DEAL


def test_the_showdown_is_due_when_all_hands_are_revealed() -> None:
    table = waiting()
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.deal(NO_OX, NO_OX, NO_OX)
    table.do(Join(CHAN))

    for member in (ALICE, MEI):
        table.do(RevealHand(member))
        assert table.wait(0) is None
    table.do(RevealHand(BOB))
    assert table.wait(0) is DueAction.SHOWDOWN


def test_b06_an_empty_table_is_wound_up_in_time() -> None:
    table = TrialTable()

    assert table.state.deadline == NOON + EMPTY_TABLE_SECONDS
    assert table.wait(EMPTY_TABLE_SECONDS - 1) is None
    assert table.wait(1) is DueAction.WIND_UP
    assert table.do(WindUp(LeaveReason.DESERTED)) == (TableClosed(LeaveReason.DESERTED),)
    assert table.state.phase is Phase.CLOSED
    assert table.wait(10_000) is None


def test_b06_a_new_player_removes_that_deadline_and_the_last_to_leave_sets_it_again() -> None:
    table = TrialTable()
    table.wait(400)
    table.do(Join(ALICE))
    assert table.state.deadline is None
    table.wait(1000)
    table.do(Leave(ALICE))

    assert table.state.deadline == table.now + EMPTY_TABLE_SECONDS


def test_what_is_overdue_is_still_due() -> None:
    table = waiting()
    table.bet(ALICE, 10)

    assert table.wait(1_000_000) is DueAction.DEAL
    table.do(Deal(None, HANDS))
    assert table.wait(0) is None
    assert due_action(table.state, table.now + 1_000_000) is DueAction.SHOWDOWN


def test_the_whole_time_runs_again_after_an_outage_of_discord() -> None:
    table = waiting()
    assert table.ask(WaitAgain()) == ()
    table.bet(ALICE, 10)
    table.wait(RULES.betting_seconds - 1)
    assert table.ask(WaitAgain()) == (DeadlineSet(table.now + RULES.betting_seconds),)


@pytest.mark.parametrize("back", [1, 172_800])
def test_after_the_clock_is_set_back_a_table_waits_no_longer_than_its_rules_say(back: int) -> None:
    table = waiting()
    table.bet(ALICE, 10)
    assert table.wait(-back) is DueAction.SHORTEN_WAIT
    assert seconds_left(table.state, table.now) == RULES.betting_seconds
    assert table.ask(ShortenWait()) == (DeadlineSet(table.now + RULES.betting_seconds),)
    assert table.wait(0) is None
    assert table.ask(ShortenWait()) == ()

    assert table.wait(RULES.betting_seconds) is DueAction.DEAL
    table.do(Deal(None, HANDS))
    table.wait(-back)
    table.do(RevealHand(ALICE))
    assert table.state.deadline == table.now + RULES.arranging_seconds, "any other command does it too"


def at_the_last_call() -> TrialTable:
    """Alice and Bob have bet, 20 seconds after noon the last of them."""
    table = banked(RULES)
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    table.wait(20)
    table.bet(BOB, 10)
    return table


def test_b04_the_first_bet_at_a_new_table_leaves_others_time_to_join() -> None:
    table = banked(RULES)
    table.bet(ALICE, 10)
    assert table.state.deadline == NOON + 3
    assert table.wait(2.9) is None
    table.bet(BOB, 10)
    assert table.wait(0.1) is DueAction.DEAL
    table.do(Deal(None, HANDS))

    assert [seat.party for seat in table.state.seats if seat.pieces] == [ALICE, BOB]


@pytest.mark.parametrize("word", [SitOut, Leave, MemberLeft])
def test_b04_the_last_call_begins_when_everybody_has_decided(
    word: type[SitOut | Leave | MemberLeft],
) -> None:
    table = banked(RULES)
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    table.wait(20)
    table.do(word(BOB))

    assert table.state.deadline == NOON + 20 + 3
    assert table.wait(2.9) is None
    assert table.wait(0.1) is DueAction.DEAL


def test_b04_nothing_moves_the_end_of_the_last_call() -> None:
    table = at_the_last_call()
    ends = NOON + 20 + 3
    steps: list[tuple[float, list[Command]]] = [
        (1.0, [PlaceBet(ALICE, 30), WithdrawBet(BOB), PlaceBet(BOB, 30), WithdrawBet(BOB)]),
        (1.0, [Join(CHAN), PlaceBet(CHAN, 10), SitOut(BOB)]),
    ]
    for seconds, commands in steps:
        assert table.wait(seconds) is None
        for command in commands:
            table.do(command)
            assert table.state.deadline == ends
    assert table.wait(1) is DueAction.DEAL


def test_b04_the_last_call_never_lasts_longer_than_the_time_to_bet_that_is_left() -> None:
    table = banked(RULES)
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    table.wait(59)
    table.bet(BOB, 10)

    assert table.state.deadline == NOON + 60


def test_b04_the_first_bet_is_given_no_more_than_the_time_to_bet() -> None:
    table = banked(GnauRules(betting_seconds=5, last_call_seconds=60))
    table.bet(ALICE, 10)

    assert table.state.deadline == NOON + 5


@pytest.mark.parametrize("pressed", [False, True])
def test_b04_who_missed_the_last_round_is_not_waited_for_unless_they_pressed_something_since(
    pressed: bool,
) -> None:
    table = banked(RULES)
    table.do(Join(BOB))
    table.play({ALICE: 10}, NO_OX, NO_OX)
    assert table.seat(BOB).rounds_missed == 1
    table.attention = Attention(present=frozenset({BOB} if pressed else ()))
    table.bet(ALICE, 10)

    assert table.state.deadline == table.now + (60 if pressed else 3)
    assert table.wait(2.9) is None
    table.bet(BOB, 10)
    table.deal(NO_OX, NO_OX, NO_OX)
    assert table.state.pieces_of(BOB), "there was time to be back"


def test_b07_the_house_leaves_who_missed_the_last_round_the_last_call() -> None:
    table = TrialTable(RULES)
    table.play_house(ALICE, chips=100_000)
    table.join(BOB)
    table.bet(ALICE, 10)
    table.wait(60)
    table.deal_when_due(NO_OX, NO_OX)
    table.do(RevealHand(ALICE))
    table.do(Showdown(RULES))
    table.bet(ALICE, 10)

    assert table.wait(2.9) is None
    assert table.wait(0.1) is DueAction.DEAL


@pytest.mark.parametrize("pressed", [False, True])
def test_b04_the_hand_of_a_banker_who_did_nothing_in_the_last_round_is_not_waited_for_in_full(
    pressed: bool,
) -> None:
    table = banked(RULES)
    for seconds in (30, 30 if pressed else 3):
        table.bet(ALICE, 10)
        table.wait(3)
        table.deal_when_due(NO_OX, NO_OX)
        dealt_at = table.now
        assert table.state.deadline == dealt_at + 30, "others have a hand to reveal"
        table.attention = Attention(present=frozenset({MEI} if pressed else ()))
        table.wait(1)
        table.do(RevealHand(ALICE))
        assert table.state.deadline == min(dealt_at + 30, table.now + seconds)
        table.wait(30)
        table.do(Showdown(RULES))


@pytest.mark.parametrize(("pressed", "last_call", "left"), [(True, 3, 28), (False, 3, 15), (False, 20, 20)])
def test_b04_half_the_time_is_left_for_who_left_their_hand_in_the_last_round_once_all_others_have_revealed(
    pressed: bool, last_call: int, left: int
) -> None:
    rules = GnauRules(betting_seconds=60, last_call_seconds=last_call, arranging_seconds=30)
    table = banked(rules, bets={ALICE: 10, BOB: 10})
    table.deal(NO_OX, NO_OX, NO_OX)
    table.attention = Attention(frozenset({BOB} if pressed else ()), left_hands=frozenset({BOB}))
    for member in (ALICE, MEI):
        assert table.state.deadline == NOON + 30
        table.wait(1)
        table.do(RevealHand(member))

    assert table.state.deadline == table.now + left
    assert is_last_call(table.state, table.attention) is not pressed


@pytest.mark.parametrize("house_banks", [False, True])
def test_b01_who_leaves_to_back_a_player_is_waited_for_until_they_have(house_banks: bool) -> None:
    table = TrialTable(RULES)
    if house_banks:
        table.play_house(chips=100_000)
    else:
        table.bank()
    table.join(ALICE, BOB)
    table.bet(ALICE, 10)
    table.wait(20)
    table.attention = Attention(left_to_back=frozenset({BOB}))
    table.do(Leave(BOB))

    assert table.state.deadline == NOON + 60
    assert due_action(table.state, table.now, Attention(choosing=frozenset({BOB}))) is None
    assert not is_last_call(table.state, table.attention)
    table.do(Join(CHAN))
    table.do(SitOut(CHAN))
    assert table.state.deadline == NOON + 60, "as if they were still to bet"
    table.back(BOB, ALICE, 10)
    assert table.state.deadline == table.now + 3


def test_b07_who_plays_the_house_alone_has_the_whole_time_for_their_hand() -> None:
    table = TrialTable(RULES)
    table.play_house(ALICE, chips=100_000)
    table.attention = Attention(left_hands=frozenset({ALICE}))
    table.bet(ALICE, 10)
    table.deal_when_due(NO_OX, NO_OX)

    assert table.state.deadline == NOON + 30


def test_b01_who_chooses_a_side_bet_has_time_to_until_they_have() -> None:
    table = at_the_last_call()
    until = NOON + 20 + 2 + 6
    table.attention = Attention(choosing=frozenset({CHAN}), choose_until=until)
    table.wait(2)
    table.do(WaitForBackers())

    assert table.state.deadline == until
    table.bet(ALICE, 30)
    assert table.state.deadline == until
    table.back(CHAN, ALICE, 10)
    assert table.state.deadline == NOON + 20 + 2 + 3
    table.deal(NO_OX, NO_OX, NO_OX)
    assert table.ask(WaitForBackers()) == ()


def test_b01_who_chooses_a_side_bet_shortens_nothing() -> None:
    table = waiting()
    assert table.ask(WaitForBackers()) == ()
    table.bet(ALICE, 10)

    assert table.ask(WaitForBackers()) == ()
    assert table.state.deadline == NOON + 60


def test_b01_the_house_deals_not_at_once_while_a_spectator_chooses_a_side_bet() -> None:
    table = TrialTable(RULES)
    table.play_house(ALICE, chips=100_000)
    table.bet(ALICE, 10)

    at_page = Attention(choosing=frozenset({CHAN}))
    assert due_action(table.state, table.now, at_page) is None
    assert due_action(table.state, table.now + 3, at_page) is DueAction.DEAL
    assert due_action(table.state, table.now, Attention(choosing=frozenset({ALICE}))) is DueAction.DEAL


@pytest.mark.parametrize(
    ("attention", "is_awaited"),
    [
        (Attention(bank_came_to=MEI), True),
        (Attention(bank_came_to=MEI, present=frozenset({MEI})), False),
        (Attention(bank_came_to=BOB), False),
        (Attention(), False),
    ],
)
def test_b05_a_bank_that_came_to_who_is_away_deals_nothing_and_is_free_when_the_time_to_bet_is_up(
    attention: Attention, is_awaited: bool
) -> None:
    table = banked(RULES)
    table.attention = attention
    table.join(ALICE)
    table.bet(ALICE, 10)
    table.back(CHAN, ALICE, 10)
    assert is_last_call(table.state, attention) is not is_awaited
    assert table.state.deadline == NOON + (60 if is_awaited else 3)
    table.wait(60)
    due = due_action(table.state, table.now, attention)
    assert due is (DueAction.FREE_BANK if is_awaited else DueAction.DEAL)


def test_b05_a_bank_that_is_free_returns_every_bet() -> None:
    table = banked(RULES, bets={ALICE: 10})
    table.back(CHAN, ALICE, 10)
    assert table.refused(FreeBank(MEI)) == (Refusal.NOT_DUE, {})
    table.wait(60)
    assert table.refused(FreeBank(ALICE)) == (Refusal.NOT_DUE, {})
    assert table.do(FreeBank(MEI)) == (RoundCalledOff(), BankGivenUp(MEI, LeaveReason.AWAY))
    assert table.holds == {}
    assert table.state.phase is Phase.OPEN
    assert table.state.departures == (Departure(MEI, LeaveReason.AWAY, was_banker=True),)
    assert table.refused(FreeBank(MEI)) == (Refusal.NOT_DUE, {})
