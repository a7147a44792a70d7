import json

import pytest

from bot.rules.knobs import Arrange as Arranging
from bot.rules.knobs import HouseRules
from bot.rules.presets import TAU_NGAU_PRESET
from bot.rules.settle import Outcome
from bot.rules.tiles import parse_tiles
from bot.table.betting import bank_covers, largest_stake
from bot.table.commands import (
    Arrange,
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberGone,
    PlaceBet,
    PlaceSideBet,
    RollForBank,
    ShowDown,
    SitOut,
    WindUp,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.events import (
    BetWithdrawn,
    RoundCalledOff,
    RoundSettled,
    SeatLeft,
    SeatTaken,
    SideBetPlaced,
    SideBetWithdrawn,
    event_json,
    parse_event,
)
from bot.table.farewell import Farewell
from bot.table.refusals import Refusal
from bot.table.results import SideResult
from bot.table.side_betting import largest_side_stake
from bot.table.state import Member, SideBet

from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    CHIPS,
    DORA,
    DOUBLE_8,
    MEI,
    NGAU_TONKU,
    NO_OX,
    SINGLE_1,
    SINGLE_9,
    TrialTable,
)

MOST = 7
"""The largest multiple of the house's rules here."""


def backed(stake: int = 20, *, rules: HouseRules | None = None) -> TrialTable:
    """Mei has the bank, Alice has bet 10, and Chan, who does not sit here, has backed her."""
    table = TrialTable(rules or HouseRules())
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.back(CHAN, ALICE, stake)
    return table


def back(member: Member, player: Member, stake: int) -> PlaceSideBet:
    return PlaceSideBet(member, player.member_id, stake)


def wallets(table: TrialTable, *members: Member) -> dict[int, int]:
    return {member.member_id: table.wallet(member) for member in members}


def result_of(table: TrialTable, *hands: str) -> tuple[SideResult, ...]:
    table.deal(*hands)
    table.show_down()
    assert table.state.last is not None
    return table.state.last.side_bets


def test_b01_a_side_bet_wins_by_the_multiple_of_the_hand_it_backs() -> None:
    table = backed(20)
    assert result_of(table, DOUBLE_8, SINGLE_9) == (
        SideResult(CHAN, ALICE.member_id, 20, Outcome.PLAYER, 60),
    )
    assert table.state.last is not None
    assert table.state.last.bank_chips == -90
    assert wallets(table, MEI, ALICE, CHAN) == {1: CHIPS - 90, 2: CHIPS + 30, 4: CHIPS + 60}
    assert not table.holds


def test_b01_a_side_bet_loses_by_the_multiple_of_the_bankers_hand() -> None:
    table = backed(20)
    assert result_of(table, SINGLE_9, NGAU_TONKU) == (
        SideResult(CHAN, ALICE.member_id, 20, Outcome.BANKER, -100),
    )
    assert wallets(table, MEI, ALICE, CHAN) == {1: CHIPS + 150, 2: CHIPS - 50, 4: CHIPS - 100}


def test_b01_a_side_bet_on_a_hand_that_draws_comes_back() -> None:
    table = backed(20)
    assert result_of(table, NO_OX, NO_OX) == (SideResult(CHAN, ALICE.member_id, 20, Outcome.DRAW, 0),)
    assert wallets(table, MEI, ALICE, CHAN) == {1: CHIPS, 2: CHIPS, 4: CHIPS}


def test_b01_each_side_bet_goes_with_the_hand_it_backs_and_no_other() -> None:
    table = backed(20)
    table.bet(BOB, 5)
    table.back(CHAN, BOB, 10)
    table.back(DORA, BOB, 30)

    results = result_of(table, DOUBLE_8, SINGLE_1, SINGLE_9)

    assert [(side.member, side.backed, side.chips) for side in results] == [
        (CHAN, ALICE.member_id, 60),
        (CHAN, BOB.member_id, -10),
        (DORA, BOB.member_id, -30),
    ]
    assert wallets(table, MEI, CHAN, DORA) == {1: CHIPS - 30 + 5 - 60 + 40, 4: CHIPS + 50, 5: CHIPS - 30}


def test_b01_a_side_bet_goes_with_the_hand_as_its_player_declares_it() -> None:
    table = backed(20, rules=HouseRules(arrange=Arranging.STRICT))
    table.deal(DOUBLE_8, SINGLE_9)
    table.do(Arrange(ALICE.member_id, (0, 1, 3), table.state.round_number))

    table.show_down()

    assert table.state.last is not None
    assert [side.chips for side in table.state.last.side_bets] == [-20]


@pytest.mark.parametrize("member", [ALICE, BOB, MEI], ids=["the player", "another player", "the banker"])
def test_b01_whoever_sits_at_the_table_places_no_side_bet(member: Member) -> None:
    table = backed()
    table.bet(BOB, 10)
    assert table.refused(back(member, ALICE, 10)) == (Refusal.SITS_AT_TABLE, {})
    assert largest_side_stake(table.state, member.member_id, ALICE.member_id, wallets(table, MEI, BOB)) == 0


@pytest.mark.parametrize("player", [BOB, DORA, MEI], ids=["seated without a bet", "not here", "the banker"])
def test_b01_only_a_player_whose_bet_stands_is_backed(player: Member) -> None:
    table = backed()
    table.do(Join(BOB))
    assert table.refused(back(CHAN, player, 10)) == (Refusal.NO_BET_TO_BACK, {})
    assert largest_side_stake(table.state, CHAN.member_id, player.member_id, wallets(table, MEI, CHAN)) == 0


def test_b01_side_bets_close_before_a_card_is_dealt() -> None:
    table = backed()
    table.deal(DOUBLE_8, SINGLE_9)
    assert table.refused(back(DORA, ALICE, 10)) == (Refusal.CARDS_ARE_OUT, {})
    assert table.refused(back(CHAN, ALICE, 10)) == (Refusal.CARDS_ARE_OUT, {})
    assert table.refused(WithdrawSideBet(CHAN.member_id, ALICE.member_id)) == (Refusal.CARDS_ARE_OUT, {})


def test_b01_without_bank_or_bet_there_is_nothing_to_back() -> None:
    table = TrialTable()
    assert table.refused(back(CHAN, ALICE, 10)) == (Refusal.NO_BANK, {})
    table.bank(MEI)
    assert table.refused(back(CHAN, ALICE, 10)) == (Refusal.NOBODY_HAS_BET, {})


def test_b01_betting_anew_on_a_hand_changes_the_side_bet() -> None:
    table = backed(20)
    table.back(DORA, ALICE, 5)

    assert table.do(back(CHAN, ALICE, 30)) == (SideBetPlaced(CHAN, ALICE.member_id, 30),)

    assert table.state.side_bets == (SideBet(CHAN, 2, 30), SideBet(DORA, 2, 5))
    assert table.do(back(CHAN, ALICE, 30)) == ()
    assert table.held(CHAN) == 30 * MOST


def test_b01_a_side_bet_is_taken_back_before_the_deal() -> None:
    table = backed()
    taken_back = WithdrawSideBet(CHAN.member_id, ALICE.member_id)

    assert table.do(taken_back) == (SideBetWithdrawn(CHAN.member_id, ALICE.member_id),)

    assert table.state.side_bets == ()
    assert table.wallet(CHAN) == CHIPS
    assert table.held(MEI) == 10 * MOST
    assert table.refused(taken_back) == (Refusal.NO_SIDE_BET_OF_YOURS, {})


def test_b01_a_side_bet_meant_for_another_round_is_not_placed_in_this_one() -> None:
    table = backed()
    facts = {"meant": 0, "now": 1}
    late = PlaceSideBet(CHAN, ALICE.member_id, 30, round_number=0)
    assert table.refused(late) == (Refusal.ROUND_IS_OVER, facts)
    taken_back = WithdrawSideBet(CHAN.member_id, ALICE.member_id, round_number=0)
    assert table.refused(taken_back) == (Refusal.ROUND_IS_OVER, facts)


@pytest.mark.parametrize(
    ("command", "last"),
    [
        (WithdrawBet(ALICE.member_id), BetWithdrawn(ALICE.member_id)),
        (SitOut(ALICE.member_id), None),
        (Leave(ALICE.member_id), SeatLeft(ALICE.member_id, Farewell.ASKED)),
        (MemberGone(ALICE.member_id), SeatLeft(ALICE.member_id, Farewell.GONE)),
    ],
)
def test_b01_a_side_bet_comes_back_with_the_bet_it_backs(command: Command, last: object) -> None:
    table = backed()
    table.bet(BOB, 10)
    table.back(CHAN, BOB, 15)

    events = table.do(command)

    back_with_it = (SideBetWithdrawn(CHAN.member_id, ALICE.member_id), BetWithdrawn(ALICE.member_id))
    assert events[:2] == back_with_it
    assert last is None or events[-1] == last
    assert table.state.side_bets == (SideBet(CHAN, BOB.member_id, 15),)
    assert (table.held(CHAN), table.held(MEI)) == (15 * MOST, 25 * MOST)


@pytest.mark.parametrize(
    "command",
    [Join(CHAN), PlaceBet(CHAN, 5), MemberGone(CHAN.member_id)],
    ids=["sits down", "sits down with a bet", "is gone"],
)
def test_b01_all_side_bets_of_one_who_sits_down_or_is_gone_come_back(command: Command) -> None:
    table = backed()
    table.bet(BOB, 10)
    table.back(CHAN, BOB, 15)
    table.back(DORA, BOB, 15)

    events = table.do(command)

    assert events[:2] == (
        SideBetWithdrawn(CHAN.member_id, ALICE.member_id),
        SideBetWithdrawn(CHAN.member_id, BOB.member_id),
    )
    assert table.state.side_bets == (SideBet(DORA, BOB.member_id, 15),)


@pytest.mark.parametrize("command", [Join(CHAN), MemberGone(CHAN.member_id)], ids=["sits down", "is gone"])
def test_b01_once_the_cards_are_out_a_side_bet_stands_whatever_its_backer_does(command: Command) -> None:
    table = backed(20)
    table.deal(DOUBLE_8, SINGLE_9)
    table.ask(command)

    table.show_down()

    assert table.wallet(CHAN) == CHIPS + 60
    assert table.state.side_bets == ()


@pytest.mark.parametrize(
    "end",
    [
        GiveUpBank(MEI.member_id),
        MemberGone(MEI.member_id),
        CloseTable(MEI.member_id, manages=False),
        WindUp(Farewell.GONE),
    ],
)
def test_b06_side_bets_come_back_where_the_round_is_called_off(end: Command) -> None:
    table = backed()

    assert RoundCalledOff() in table.do(end)

    assert table.state.side_bets == ()
    assert not table.holds
    assert table.wallet(CHAN) == CHIPS


def test_b06_side_bets_come_back_where_the_table_ends_with_cards_out() -> None:
    table = backed()
    table.deal(DOUBLE_8, SINGLE_9)
    table.wind_up()
    assert (table.wallet(CHAN), table.wallet(MEI), table.holds) == (CHIPS, CHIPS, {})


def test_b01_a_backer_who_takes_the_bank_has_no_side_bet_any_more() -> None:
    table = backed()
    table.do(GiveUpBank(MEI.member_id))
    table.bank(CHAN)
    assert table.state.side_bets == ()
    assert table.wallet(CHAN) == CHIPS


def test_b01_a_side_bet_neither_starts_nor_stops_the_clock() -> None:
    table = TrialTable()
    table.bank(MEI)
    table.bet(ALICE, 10)
    deadline = table.state.deadline
    table.now += 1
    for command in (back(CHAN, ALICE, 5), back(CHAN, ALICE, 6), WithdrawSideBet(4, 2)):
        table.do(command)
        assert table.state.deadline == deadline


def test_b02_the_worst_of_all_side_bets_is_held_of_backer_and_bank() -> None:
    table = backed(20)
    table.bet(BOB, 5)
    table.back(CHAN, BOB, 30)

    assert table.state.held == table.holds
    assert table.holds == {
        CHAN.member_id: 50 * MOST,
        ALICE.member_id: 10 * MOST,
        BOB.member_id: 5 * MOST,
        MEI.member_id: 65 * MOST,
    }
    assert bank_covers(table.state, wallets(table, MEI)) == (CHIPS - 65 * MOST) // MOST


@pytest.mark.parametrize(
    ("chips", "most"),
    [
        ({CHAN: 7 * 40 + 6}, 40),
        ({MEI: 7 * (10 + 30) + 6}, 30),
        ({}, 100),
        ({CHAN: 34}, 0),
        ({MEI: 7 * 14 + 6}, 0),
    ],
    ids=["the backer", "the bank", "the limit", "a poor backer", "a poor bank"],
)
def test_b02_the_largest_side_stake_is_taken_and_no_larger_one(chips: dict[Member, int], most: int) -> None:
    table = TrialTable(chips={MEI: 2 * CHIPS} | chips)
    table.bank(MEI)
    table.bet(ALICE, 10)

    largest = largest_side_stake(table.state, CHAN.member_id, ALICE.member_id, wallets(table, MEI, CHAN))

    assert largest == most
    table.refused(back(CHAN, ALICE, max(most, 4) + 1))
    if most:
        table.back(CHAN, ALICE, most)


def test_b02_a_side_bet_that_is_not_covered_is_told_the_largest_that_would_do() -> None:
    table = TrialTable(chips={CHAN: 7 * 40})
    table.bank(MEI)
    table.bet(ALICE, 100)
    assert table.refused(back(CHAN, ALICE, 41)) == (
        Refusal.PLAYER_CANNOT_COVER,
        {"stake": 41, "needed": 41 * MOST, "wallet": 280, "most": 40},
    )
    assert table.refused(back(DORA, ALICE, 43)) == (Refusal.BANK_CANNOT_COVER, {"stake": 43, "most": 42})
    limits = {"lowest": 5, "highest": 100}
    assert table.refused(back(DORA, ALICE, 4)) == (Refusal.STAKE_BELOW_LOWEST, {"stake": 4, **limits})


def test_b02_what_a_side_bet_holds_covers_the_one_that_takes_its_place() -> None:
    table = TrialTable(chips={CHAN: 7 * 40, MEI: 7 * 50})
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.back(CHAN, ALICE, 39)

    most = largest_side_stake(table.state, CHAN.member_id, ALICE.member_id, wallets(table, MEI, CHAN))

    assert most == 40
    table.back(CHAN, ALICE, 40)
    assert (table.wallet(CHAN), table.wallet(MEI)) == (0, 0)


def test_b02_what_side_bets_hold_covers_the_bet_of_a_backer_who_sits_down() -> None:
    table = TrialTable(chips={CHAN: 7 * 40, MEI: 7 * 50})
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.back(CHAN, ALICE, 40)

    assert largest_stake(table.state, CHAN.member_id, wallets(table, MEI, CHAN)) == 40
    events = table.do(PlaceBet(CHAN, 40))

    assert [type(event) for event in events[:2]] == [SideBetWithdrawn, SeatTaken]
    assert table.holds == {ALICE.member_id: 70, CHAN.member_id: 280, MEI.member_id: 350}


def test_b02_a_bet_that_side_bets_left_no_room_for_is_refused() -> None:
    table = TrialTable(chips={MEI: 7 * 50})
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.back(CHAN, ALICE, 30)
    assert table.refused(PlaceBet(BOB, 11)) == (Refusal.BANK_CANNOT_COVER, {"stake": 11, "most": 10})


def test_b02_a_banker_whom_side_bets_ruined_gives_up_the_bank() -> None:
    table = TrialTable(chips={MEI: 7 * 40})
    table.bank(MEI)
    table.bet(ALICE, 5)
    table.back(CHAN, ALICE, 35)
    table.deal("JC QD KH KS KC", SINGLE_9)
    table.show_down()
    assert table.wallet(MEI) == 0
    assert [(gone.member, gone.why) for gone in table.state.departures] == [(MEI, Farewell.CANNOT_COVER)]


def test_t02_on_lookers_place_side_bets_in_tau_ngau_too() -> None:
    table = TrialTable(TAU_NGAU_PRESET)
    for member in (MEI, ALICE, BOB):
        table.do(Join(member))
    table.do(RollForBank(ALICE.member_id, (6, 6, 1, 1, 1, 2), TAU_NGAU_PRESET))
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.back(CHAN, ALICE, 20)
    table.back(DORA, BOB, 30)
    assert table.held(CHAN) == 20

    score_8, score_3, stuck = "6-4 5-5 6-4 6-5 6-1", "6-2 5-1 3-3 6-1 5-1", "1-1 1-1 4-4 4-4 6-5"
    hands = [parse_tiles(hand) for hand in (score_8, stuck, score_3)]
    pieces = tuple(hand[place] for place in range(5) for hand in hands)
    table.do(Deal(MEI.member_id, pieces))
    table.now += table.state.rules.arranging_seconds
    settled = next(event for event in table.do(ShowDown(table.house)) if isinstance(event, RoundSettled))

    assert [(side.outcome, side.chips) for side in settled.result.side_bets] == [
        (Outcome.PLAYER, 20),
        (Outcome.BANKER, -30),
    ]


def test_b01_a_record_from_before_there_were_side_bets_still_reads() -> None:
    table = TrialTable()
    table.bank(MEI)
    settled = next(
        event for event in table.play({ALICE: 10}, NO_OX, NO_OX) if isinstance(event, RoundSettled)
    )
    stored = json.loads(event_json(settled))
    del stored["result"]["side_bets"]
    assert parse_event(json.dumps(stored)) == settled
