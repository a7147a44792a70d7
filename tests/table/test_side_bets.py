"""Side bets: who may place them, what they bring, and when they go back (B01)."""

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.settle import Outcome
from bot.rules.knobs import Arrange as Arranging
from bot.table.betting import backed_without, backs_nobody, largest_side_stake
from bot.table.commands import (
    Arrange,
    CloseTable,
    Command,
    GiveUpBank,
    Join,
    Leave,
    MemberLeft,
    PlaceBet,
    PlaceSideBet,
    SitOut,
    WindUp,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.events import BetWithdrawn, RoundCalledOff, SeatLeft, SideBetPlaced, SideBetWithdrawn
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import THE_HOUSE, LeaveReason, SideBet, SideResult
from tests.games.presets import TAU_NGAU_PRESET

from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    CHIPS,
    DORA,
    DOUBLE_8,
    LARGEST_MULTIPLE,
    MEI,
    NGAU_TONKU,
    NO_OX,
    SINGLE_1,
    SINGLE_9,
    TrialTable,
    banked,
    table_with_side_bet,
    wallets_of,
)


def result_of(table: TrialTable, *hands: str) -> tuple[SideResult, ...]:
    table.deal(*hands)
    table.showdown()
    return table.last.side_bets


@pytest.mark.parametrize(
    ("hand", "bank", "outcome", "times"),
    [
        (DOUBLE_8, SINGLE_9, Outcome.PLAYER, 3),
        (SINGLE_9, NGAU_TONKU, Outcome.BANKER, -5),
        (NO_OX, NO_OX, Outcome.PUSH, 0),
    ],
)
def test_b01_a_side_bet_wins_and_loses_by_the_multiple_of_the_hand_that_wins(
    hand: str, bank: str, outcome: Outcome, times: int
) -> None:
    table = table_with_side_bet(20)
    assert result_of(table, hand, bank) == (SideResult(CHAN, ALICE, 20, outcome, 20 * times),)
    assert table.last.bank_chips == -30 * times
    gains = {MEI: -30 * times, ALICE: 10 * times, CHAN: 20 * times}
    assert wallets_of(table, *gains) == {party: CHIPS + gain for party, gain in gains.items()}
    assert not table.holds


def test_b01_a_side_bet_follows_only_the_hand_that_it_backs() -> None:
    table = table_with_side_bet(20)
    table.bet(BOB, 5)
    table.back(CHAN, BOB, 10)
    table.back(DORA, BOB, 30)

    results = result_of(table, DOUBLE_8, SINGLE_1, SINGLE_9)

    assert [(side.party, side.backed, side.chips) for side in results] == [
        (CHAN, ALICE, 60),
        (CHAN, BOB, -10),
        (DORA, BOB, -30),
    ]
    assert wallets_of(table, MEI, CHAN, DORA) == {1: CHIPS - 30 + 5 - 60 + 40, 4: CHIPS + 50, 5: CHIPS - 30}


def test_b01_b08_a_side_bet_follows_the_hand_as_its_player_arranges_it() -> None:
    table = table_with_side_bet(20, rules=GnauRules(arrange=Arranging.STRICT))
    table.deal(DOUBLE_8, SINGLE_9)
    assert table.refused(Arrange(ALICE, (0, 1, 3))) == (Refusal.BACKED_HAND, {})
    table.do(Arrange(ALICE, (0, 1, 2), table.state.round_number))

    table.showdown()

    assert [side.chips for side in table.last.side_bets] == [60]


@pytest.mark.parametrize(
    ("member", "why"),
    [
        (ALICE, refuse(Refusal.HAS_OWN_BET, stake=10)),
        (BOB, refuse(Refusal.HAS_OWN_BET, stake=10)),
        (MEI, refuse(Refusal.HOLDS_THE_BANK)),
    ],
    ids=["the player", "another player", "the banker"],
)
def test_b01_members_who_sit_at_the_table_place_no_side_bets(member: int, why: Refused) -> None:
    table = table_with_side_bet()
    table.bet(BOB, 10)
    assert table.refused(PlaceSideBet(member, ALICE, 10)) == (why.code, why.facts)
    largest = largest_side_stake(table.state, member, ALICE, wallets_of(table, MEI, BOB))
    assert largest == why


def test_b01_who_sits_at_the_table_reads_that_also_before_the_first_bet() -> None:
    table = banked()
    table.join(ALICE)
    assert backs_nobody(table.state, ALICE) == refuse(Refusal.SITS_AT_TABLE)
    assert backs_nobody(table.state, MEI) == refuse(Refusal.HOLDS_THE_BANK)
    assert backs_nobody(table.state, CHAN) == refuse(Refusal.NOBODY_HAS_BET)


@pytest.mark.parametrize("house_banks", [False, True])
def test_b01_b07_who_leaves_to_back_a_player_finds_the_bets_that_do_not_go_with_them(
    house_banks: bool,
) -> None:
    table = TrialTable(GnauRules(computer_players=1), {THE_HOUSE: 100_000})
    if house_banks:
        table.play_house()
    else:
        table.bank()
    table.join(ALICE)
    table.bet(ALICE, 10)
    (computer,) = table.state.computers
    assert computer.stake is not None
    assert backed_without(table.state, ALICE) is not house_banks
    table.do(Leave(ALICE))
    assert bool(table.state.bets) is not house_banks

    table.join(ALICE)
    table.bet(BOB, 10)
    assert backed_without(table.state, ALICE)


def test_b01_side_bets_close_at_the_deal() -> None:
    table = table_with_side_bet()
    table.deal(DOUBLE_8, SINGLE_9)
    assert table.refused(PlaceSideBet(DORA, ALICE, 10)) == (Refusal.ALREADY_DEALT, {})
    assert table.refused(PlaceSideBet(CHAN, ALICE, 10)) == (Refusal.ALREADY_DEALT, {})
    assert table.refused(WithdrawSideBet(CHAN, ALICE)) == (Refusal.ALREADY_DEALT, {})


def test_b01_a_second_bet_on_a_hand_changes_the_side_bet() -> None:
    table = table_with_side_bet(20)
    table.back(DORA, ALICE, 5)

    assert table.do(PlaceSideBet(CHAN, ALICE, 30)) == (SideBetPlaced(CHAN, ALICE, 30),)

    assert table.state.side_bets == (SideBet(CHAN, 2, 30), SideBet(DORA, 2, 5))
    assert table.do(PlaceSideBet(CHAN, ALICE, 30)) == ()
    assert table.held(CHAN) == 30 * LARGEST_MULTIPLE


def test_b01_a_side_bet_is_taken_back_before_the_deal() -> None:
    table = table_with_side_bet()
    taken_back = WithdrawSideBet(CHAN, ALICE)

    assert table.do(taken_back) == (SideBetWithdrawn(CHAN, ALICE),)

    assert table.state.side_bets == ()
    assert table.wallet(CHAN) == CHIPS
    assert table.held(MEI) == 10 * LARGEST_MULTIPLE
    assert table.refused(taken_back) == (Refusal.NO_SIDE_BET_OF_YOURS, {})


def test_b01_a_side_bet_does_not_change_the_deadline() -> None:
    table = banked(bets={ALICE: 10})
    deadline = table.state.deadline
    table.now += 1
    for command in (PlaceSideBet(CHAN, ALICE, 5), PlaceSideBet(CHAN, ALICE, 6), WithdrawSideBet(4, 2)):
        table.do(command)
        assert table.state.deadline == deadline


def test_t02_watchers_place_side_bets_in_tau_ngau_too() -> None:
    table = TrialTable(TAU_NGAU_PRESET)
    table.join(MEI, ALICE, BOB)
    table.roll(ALICE, 6, 6, 1, 1, 1, 2)
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.back(CHAN, ALICE, 20)
    table.back(DORA, BOB, 30)
    assert table.held(CHAN) == 20

    score_8, score_3, stuck = "6-4 5-5 6-4 6-5 6-1", "6-2 5-1 3-3 6-1 5-1", "1-1 1-1 4-4 4-4 6-5"
    results = result_of(table, score_8, stuck, score_3)

    assert [(side.outcome, side.chips) for side in results] == [(Outcome.PLAYER, 20), (Outcome.BANKER, -30)]


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
