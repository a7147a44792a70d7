"""Computer players keep members company, with chips of the house (B07)."""

from typing import Any

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.tau_ngau.rules import TauNgauRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import BankPasses, HouseBank, Play
from bot.rules.shuffle import SECRET_SIZE
from bot.table.accounts import payer, wallet
from bot.table.commands import (
    Command,
    GiveUpBank,
    Join,
    Leave,
    MemberLeft,
    PlaceBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetLimits,
    SitOut,
    WithdrawBet,
)
from bot.table.commitment import Entropy
from bot.table.deadlines import DueAction, due_action
from bot.table.decide import wallets_needed
from bot.table.events import BankGivenUp, BankPassed, ClientSeedSet, HandRevealed, TableClosed
from bot.table.refusals import Refusal
from bot.table.round_record import NO_SEED, seeds_on
from bot.table.state import (
    COMPUTERS,
    EMPTY_TABLE_SECONDS,
    ROUNDS_MISSED_IN_A_ROW,
    THE_HOUSE,
    LeaveReason,
    computer_number,
    is_computer,
)

from .test_tau_ngau import SCORE_5, SCORE_9, STUCK
from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    DORA,
    DOUBLE_8,
    LARGEST_MULTIPLE,
    MEI,
    NO_OX,
    SINGLE_1,
    SINGLE_9,
    TrialTable,
)

BANKROLL = 10_000
ONE, TWO, THREE = COMPUTERS
WITH_THREE = GnauRules(computer_players=3)
TAU_NGAU_WITH_ONE = TauNgauRules(computer_players=1)


def with_computers(rules: GnauRules | TauNgauRules = WITH_THREE, chips: int = BANKROLL) -> TrialTable:
    """A table where computer players keep company; the house has these chips."""
    return TrialTable(rules, {THE_HOUSE: chips})


def stakes(table: TrialTable) -> dict[int, int | None]:
    """What each computer player at the table has bet."""
    return {seat.party: seat.stake for seat in table.state.computers}


def test_no_member_can_be_a_computer_player_or_the_house() -> None:
    assert COMPUTERS == (THE_HOUSE + 1, THE_HOUSE + 2, THE_HOUSE + 3)
    assert [computer_number(party) for party in COMPUTERS] == [1, 2, 3]
    assert not is_computer(THE_HOUSE)
    # Members' parties have 62 bits, and what is stored has 63.
    assert 2**62 < THE_HOUSE < THREE < 2**63


def test_b07_without_the_knob_nobody_comes() -> None:
    table = TrialTable(chips={THE_HOUSE: BANKROLL})
    table.do(Join(ALICE))
    assert not table.state.computers
    assert wallets_needed(table.state, Join(BOB), BOB) == {BOB}


def test_b07_computer_players_sit_down_with_the_first_member_and_leave_with_the_last() -> None:
    table = with_computers()
    assert not table.state.computers
    table.do(Join(ALICE))
    assert [(seat.number, seat.party) for seat in table.state.seats] == [
        (1, ALICE),
        (2, ONE),
        (3, TWO),
        (4, THREE),
    ]
    table.do(Join(BOB))
    table.do(Leave(ALICE))
    assert [seat.party for seat in table.state.computers] == list(COMPUTERS)
    table.do(Leave(BOB))
    assert not table.state.seats
    assert not table.state.departures


def test_b07_a_seat_stays_free_for_a_member() -> None:
    table = with_computers(GnauRules(computer_players=3, seats=4))
    table.do(Join(ALICE))
    assert [seat.party for seat in table.state.computers] == [ONE, TWO]
    table.do(Join(BOB))
    assert [seat.party for seat in table.state.computers] == [ONE]
    table.do(Join(CHAN))
    assert not table.state.computers
    assert table.state.free_seat is not None


def test_b07_computer_players_with_bets_give_up_their_seats_when_the_next_round_opens() -> None:
    table = with_computers(GnauRules(computer_players=3, seats=4))
    table.play_house(ALICE)
    table.bet(ALICE, 10)
    table.do(Join(BOB))
    assert [seat.party for seat in table.state.computers] == [ONE, TWO]
    assert table.refused(Join(CHAN))[0] is Refusal.TABLE_FULL
    table.do(SitOut(BOB))
    table.deal_when_due(SINGLE_9, NO_OX, NO_OX, SINGLE_1)
    table.showdown()
    assert [seat.party for seat in table.state.computers] == [ONE]
    table.do(Join(CHAN))


def test_b07_b03_a_change_of_the_knob_starts_with_the_next_round() -> None:
    table = with_computers(GnauRules())
    table.play_house(ALICE)
    table.house = WITH_THREE
    table.bet(ALICE, 10)
    assert not table.state.computers
    table.deal_when_due(SINGLE_9, NO_OX)
    table.showdown()
    assert len(table.state.computers) == 3
    table.house = GnauRules(computer_players=1)
    table.bet(ALICE, 10)
    assert len(table.state.bets) == 4
    table.deal_when_due(SINGLE_9, NO_OX, NO_OX, NO_OX, SINGLE_1)
    table.showdown()
    assert [seat.party for seat in table.state.computers] == [ONE]


def test_b07_they_bet_against_the_house_as_soon_as_a_member_has_bet() -> None:
    table = with_computers()
    table.do(Join(ALICE))
    table.play_house(ALICE)
    assert stakes(table) == {ONE: None, TWO: None, THREE: None}
    table.do(SitOut(ALICE))
    assert stakes(table) == {ONE: None, TWO: None, THREE: None}
    assert due_action(table.state, table.now) is None, "they never play the house alone"
    table.bet(ALICE, 50)
    assert stakes(table) == {ONE: 1, TWO: 2, THREE: 3}
    table.bet(ALICE, 60)
    assert stakes(table) == {ONE: 1, TWO: 2, THREE: 3}


def test_b07_b04_a_lone_banker_has_the_whole_time_to_bet_and_members_the_last_call() -> None:
    table = with_computers()
    table.bank(MEI)
    rules = table.house
    assert table.state.deadline == table.now + rules.betting_seconds
    table.wait(10)
    table.bet(ALICE, 10)
    assert table.state.deadline == table.now + rules.last_call_seconds


@pytest.mark.parametrize(
    "comes", [[Join(ALICE), SetLimits(MEI, 6, 100)], [PlaceBet(ALICE, 5), WithdrawBet(ALICE)]]
)
def test_b07_b04_the_time_to_bet_of_a_lone_banker_runs_on_while_others_come(comes: list[Command]) -> None:
    table = with_computers()
    table.bank(MEI)
    end = table.state.deadline
    table.wait(10)
    for command in comes:
        table.do(command)
    assert len(table.state.bets) == 3
    assert table.state.deadline is not None
    assert end is not None
    assert table.state.deadline <= end
    assert table.wait(60) is DueAction.DEAL


def test_b07_b04_a_seat_without_a_bet_stops_no_banker_in_the_next_round() -> None:
    table = with_computers()
    table.bank(MEI)
    table.do(Join(ALICE))
    for _ in range(2):
        table.wait(table.house.betting_seconds)
        table.deal_when_due(SINGLE_9, NO_OX, NO_OX, SINGLE_1)
        table.showdown()
        assert stakes(table) == {ONE: 5, TWO: 10, THREE: 15}
        assert table.state.deadline == table.now + table.house.betting_seconds


@pytest.mark.parametrize("goes", [WithdrawBet(ALICE), SitOut(ALICE), Leave(ALICE), MemberLeft(ALICE)])
def test_b07_their_bets_go_back_with_the_last_bet_of_a_member(goes: WithdrawBet) -> None:
    table = with_computers()
    table.play_house(ALICE)
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    table.back(CHAN, TWO, 3)
    assert len(table.state.bets) == 4
    table.do(goes)
    assert not table.state.bets
    assert not table.state.side_bets
    assert table.state.held == {}
    assert table.wallet(THE_HOUSE) == BANKROLL


def test_b07_t02_nobody_waits_for_a_computer_player_and_it_misses_no_round() -> None:
    table = with_computers(chips=0)
    table.play_house(ALICE, 7 * 60)
    table.accounts[wallet(THE_HOUSE)] = 7 * 41
    for _ in range(ROUNDS_MISSED_IN_A_ROW + 1):
        table.accounts[wallet(THE_HOUSE)] = 7 * 41
        table.bet(ALICE, 40)
        # One chip is left to cover a newcomer's bet, and none for a computer player.
        assert set(stakes(table).values()) == {None}
        assert due_action(table.state, table.now) is DueAction.DEAL
        table.deal_when_due(NO_OX, NO_OX)
        table.showdown()
    assert len(table.state.computers) == 3


def test_b07_b02_the_house_pays_both_sides_of_a_bet_against_itself_and_spends_no_chip_twice() -> None:
    table = with_computers(GnauRules(computer_players=3))
    table.play_house(ALICE, 7 * 10)
    table.bet(ALICE, 1)
    # 63 chips are 9 bets of 1: one for a newcomer, two sides of 1, two sides of 2, two sides of 1 left.
    assert stakes(table) == {ONE: 1, TWO: 2, THREE: 1}
    assert table.wallet(THE_HOUSE) == 7
    assert table.held(ONE) == 7
    assert table.held(THE_HOUSE) == 7 * 5


@pytest.mark.parametrize(
    ("knobs", "chips", "limits", "bets"),
    [
        # Each bets its number times the lowest bet.
        ({}, BANKROLL, (5, 100), [5, 10, 15]),
        ({"house_bank": HouseBank.OFF}, 7 * 6, (1, 2), [1, 2, 2]),
        ({"house_bank": HouseBank.OFF}, 7 * 12, (5, 100), [5, 7, None]),
        # A house that banks keeps enough to bank elsewhere.
        ({"house_highest": 50}, 7 * (50 + 12), (5, 100), [5, 7, None]),
        ({"house_highest": 50}, 7 * 30, (5, 100), [None] * 3),
        # No computer player bets more than the house takes.
        ({"house_highest": 12}, BANKROLL, (5, 100), [5, 10, 12]),
        ({"house_highest": 12}, BANKROLL, (13, 100), [None] * 3),
    ],
)
def test_b07_b02_what_they_bet_at_a_members_bank_is_within_its_limits_and_what_the_house_can_spare(
    knobs: dict[str, Any], chips: int, limits: tuple[int, int], bets: list[int | None]
) -> None:
    table = with_computers(GnauRules(computer_players=3, **knobs), chips)
    table.bank(MEI, *limits)
    assert list(stakes(table).values()) == bets
    table.bet(ALICE, limits[0])
    table.do(WithdrawBet(ALICE))
    assert list(stakes(table).values()) == bets, "they stay whatever members do"
    assert table.wallet(THE_HOUSE) == chips - 7 * sum(stake or 0 for stake in bets)


def test_b07_b02_the_bank_still_covers_the_lowest_bet_of_each_who_decides_and_of_one_more() -> None:
    table = with_computers()
    table.join(ALICE, BOB, CHAN)
    table.accounts[wallet(MEI)] = 7 * (5 * 4 + 12)
    table.bank(MEI, 5, 100)
    assert stakes(table) == {ONE: 5, TWO: 7, THREE: None}
    table.bet(ALICE, 5)
    table.bet_all(5, BOB, CHAN, DORA)
    assert table.wallet(MEI) == 0


def test_b07_a_computer_player_that_could_not_bet_does_when_less_is_kept_for_others() -> None:
    table = with_computers(GnauRules(computer_players=1))
    table.join(ALICE, BOB)
    table.accounts[wallet(MEI)] = 7 * (5 + 10)
    table.bank(MEI, 5, 100)
    assert stakes(table) == {ONE: None}
    table.do(SitOut(BOB))
    assert stakes(table) == {ONE: 5}


def test_b07_the_chips_of_a_computer_player_are_the_houses() -> None:
    assert [payer(party) for party in (ONE, THE_HOUSE, ALICE)] == [THE_HOUSE, THE_HOUSE, ALICE]
    table = with_computers()
    table.bank(MEI)
    assert table.wallet(THE_HOUSE) == BANKROLL - LARGEST_MULTIPLE * 30
    assert [table.held(party) for party in COMPUTERS] == [35, 70, 105]
    table.deal(SINGLE_9, NO_OX, DOUBLE_8, SINGLE_1)
    table.showdown()
    # One won 5 and three won 3 × 15; two lost 10.
    assert table.wallet(MEI) + table.held(MEI) == 1000 - 40
    assert table.wallet(THE_HOUSE) + sum(map(table.held, COMPUTERS)) == BANKROLL + 40


def test_b07_b04_they_reveal_at_once_the_strongest_way() -> None:
    rules = GnauRules(computer_players=1, arrange=ArrangedBy.STRICT)
    table = with_computers(rules)
    table.bank(MEI)
    table.deal(DOUBLE_8, SINGLE_9)
    assert table.record[-2] == HandRevealed(ONE)
    assert due_action(table.state, table.now) is None
    table.do(RevealHand(MEI))
    assert due_action(table.state, table.now) is DueAction.SHOWDOWN
    table.showdown()
    assert table.last.players[0].declared_ox is None
    assert table.last.players[0].chips == 15


def test_b07_neither_they_nor_the_house_bring_anything_to_the_shuffle() -> None:
    table = TrialTable(WITH_THREE, {THE_HOUSE: BANKROLL}, lambda: Entropy("ab" * SECRET_SIZE, "1100220033"))
    table.play_house(ALICE)
    assert not any(isinstance(event, ClientSeedSet) for event in table.record)
    table.bet(ALICE, 10)
    assert {event.party for event in table.record if isinstance(event, ClientSeedSet)} == {ALICE}
    table.deal_when_due(NO_OX, NO_OX, NO_OX, NO_OX, SINGLE_9)
    assert table.state.sheet is not None
    none = [(party, NO_SEED) for party in COMPUTERS]
    assert seeds_on(table.state.sheet) == [(THE_HOUSE, NO_SEED), (ALICE, "1100220033"), *none]


def test_b07_a_banker_sets_limits_until_a_member_bets_and_computer_players_bet_again() -> None:
    table = with_computers()
    table.bank(MEI, 5, 100)
    table.do(SetLimits(MEI, 10, 25))
    assert stakes(table) == {ONE: 10, TWO: 20, THREE: 25}
    assert table.do(SetLimits(MEI, 10, 25)) == ()
    free = table.wallet(MEI) + table.held(MEI)
    assert table.refused(SetLimits(MEI, 500, 500))[1]["wallet"] == free == 1000
    table.back(CHAN, ONE, 10)
    assert table.refused(SetLimits(MEI, 5, 25))[0] is Refusal.BETS_ALREADY_PLACED


def test_b07_points_are_played_with_points_of_their_own() -> None:
    table = with_computers(GnauRules(computer_players=2, play=Play.POINTS), chips=0)
    table.bank(MEI)
    assert stakes(table) == {ONE: 1, TWO: 1}
    table.deal(DOUBLE_8, NO_OX, SINGLE_1)
    table.showdown()
    assert (table.score(ONE), table.score(TWO), table.score(MEI)) == (3, -1, -2)


@pytest.mark.parametrize("play", Play)
def test_t02_b07_they_count_for_the_fewest_players_and_at_the_dice_but_never_roll(play: Play) -> None:
    table = with_computers(TauNgauRules(computer_players=1, play=play))
    table.do(Join(ALICE))
    assert table.refused(RollForBank(ALICE, (6,) * 60, table.house))[0] is Refusal.TOO_FEW_SEATED
    table.do(Join(BOB))
    table.roll(ALICE, 1, 1, 6, 6, 1, 1)
    assert [throw.party for throw in table.state.throws] == [ALICE, BOB]
    assert table.state.is_banker(BOB)
    table.bet(ALICE, 10)
    assert table.state.can_be_dealt
    assert stakes(table) == {ONE: 1}


def test_t02_b07_where_no_member_can_bank_no_computer_player_does() -> None:
    table = with_computers(TAU_NGAU_WITH_ONE)
    table.accounts[wallet(ALICE)] = table.accounts[wallet(BOB)] = 0
    table.join(ALICE, BOB)
    assert table.refused(RollForBank(ALICE, (6,) * 60, table.house))[0] is Refusal.NOBODY_CAN_BANK


@pytest.mark.parametrize("play", Play)
def test_t10_b07_the_bank_passes_to_the_next_member_on_the_right(play: Play) -> None:
    table = with_computers(TauNgauRules(computer_players=2, play=play))
    table.join(ALICE, BOB)
    table.roll(BOB, 1, 1, 6, 6)
    assert table.state.is_banker(BOB)
    assert [seat.party for seat in table.state.seats] == [ALICE, ONE, TWO]
    table.bet(ALICE, 10)
    table.deal(SCORE_9, SCORE_9, SCORE_9, SCORE_5)
    assert BankPassed(ALICE) in table.showdown()


def test_t10_b07_a_banker_who_plays_computer_players_only_keeps_the_bank() -> None:
    table = with_computers(TauNgauRules(computer_players=3))
    table.do(Join(ALICE))
    table.roll(ALICE, 6, 6)
    assert len(table.state.bets) == 3
    for hand in (SCORE_5, STUCK):
        table.deal(SCORE_9, SCORE_9, SCORE_9, hand)
        table.showdown()
        assert table.state.is_banker(ALICE)


@pytest.mark.parametrize("when", BankPasses)
def test_b05_b07_a_lone_banker_who_cannot_cover_the_lowest_bet_leaves(when: BankPasses) -> None:
    table = with_computers(GnauRules(computer_players=1, bank_passes=when))
    table.accounts[wallet(MEI)] = 7 * 10
    table.bank(MEI, 5, 5)
    table.deal(SINGLE_9, SINGLE_1)
    table.accounts[wallet(MEI)] = 0
    assert BankGivenUp(MEI, LeaveReason.CANNOT_COVER) in table.showdown()


def test_t10_b05_b07_where_no_member_can_cover_the_bank_ends_as_without_computer_players() -> None:
    table = with_computers(TAU_NGAU_WITH_ONE)
    table.join(ALICE, BOB)
    table.roll(ALICE, 1, 1, 6, 6)
    table.bet(ALICE, 1)
    table.accounts[wallet(ALICE)] = 0
    table.deal(SCORE_5, SCORE_5, SCORE_9)
    assert BankGivenUp(BOB, LeaveReason.NO_SUCCESSOR) in table.showdown()


def test_b06_b07_a_banker_who_is_away_loses_the_bank_and_the_table_closes() -> None:
    table = with_computers()
    table.bank(MEI)
    for _ in range(ROUNDS_MISSED_IN_A_ROW):
        assert table.wait(table.house.betting_seconds - 1) is None
        assert table.wait(1) is DueAction.DEAL
        table.deal_when_due(SINGLE_1, SINGLE_1, SINGLE_1, SINGLE_1)
        events = table.showdown()
    assert BankGivenUp(MEI, LeaveReason.IDLE) in events
    assert table.state.seats == ()
    assert table.wait(EMPTY_TABLE_SECONDS) is DueAction.WIND_UP


def test_b06_b07_a_banker_who_gives_up_takes_the_company_along() -> None:
    table = with_computers()
    table.bank(MEI)
    table.do(GiveUpBank(MEI))
    assert (table.state.seats, table.state.held) == ((), {})
    assert table.wallet(THE_HOUSE) == BANKROLL
    assert table.state.deadline == table.now + EMPTY_TABLE_SECONDS


def test_b06_b07_a_table_closes_when_its_last_member_has_left_the_server() -> None:
    table = with_computers()
    table.bank(MEI)
    assert isinstance(table.do(MemberLeft(MEI))[-1], TableClosed)
    assert table.state.held == {}


def test_b07_the_house_has_room_where_computer_players_sit_in_tau_ngau() -> None:
    table = with_computers(TauNgauRules(computer_players=3))
    table.join(MEI, ALICE, BOB)
    assert len(table.state.seats) == 5
    table.do(PlayHouse(ALICE, table.house))
    assert len(table.state.seats) == 4
    assert table.state.free_seat is not None
