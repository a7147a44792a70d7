"""Bets, and the limits that a banker sets for them."""

from typing import Any

import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import BankPasses, Play
from bot.table.accounts import wallet
from bot.table.bank import default_limits
from bot.table.commands import (
    Command,
    Join,
    Leave,
    MemberLeft,
    PlaceBet,
    PlaceSideBet,
    SetLimits,
    SitOut,
    TakeBank,
    WithdrawBet,
)
from bot.table.decide import decide
from bot.table.events import (
    BankGivenUp,
    BankPassed,
    BankTaken,
    BetPlaced,
    BetWithdrawn,
    Event,
    LimitsSet,
    SatOut,
    SeatTaken,
)
from bot.table.refusals import Refusal
from bot.table.state import LeaveReason, parse_state, state_json

from .trial_table import ALICE, BOB, CHAN, LARGEST_MULTIPLE, MEI, NO_OX, SEALED, SINGLE_1, TrialTable, banked


def test_a_bet_from_a_direct_message_takes_no_new_seat_and_hears_the_reason() -> None:
    table = banked()
    bet, banks = PlaceBet(ALICE, 20, 1, takes_seat=False), PlaceBet(MEI, 20, takes_seat=False)
    assert table.refused(bet) == (Refusal.NOT_SEATED, {})
    assert table.refused(banks) == table.refused(SitOut(MEI)) == (Refusal.HOLDS_THE_BANK, {})
    assert table.refused(SitOut(BOB)) == (Refusal.NOT_SEATED, {})
    table.do(Join(ALICE))
    assert table.do(bet) == (BetPlaced(ALICE, 20),)
    table.do(MemberLeft(ALICE))
    assert table.refused(bet) == (Refusal.NOT_SEATED, {})
    table.bet(ALICE, 20)
    table.deal(NO_OX, NO_OX)
    assert table.refused(bet) == (Refusal.ALREADY_DEALT, {})
    assert table.refused(PlaceBet(BOB, 20, takes_seat=False)) == (Refusal.NOT_SEATED, {})


def test_a_bet_takes_a_seat_and_the_same_again_changes_nothing() -> None:
    table = banked()
    assert table.do(PlaceBet(ALICE, 20)) == (SeatTaken(1, ALICE), BetPlaced(ALICE, 20))
    before = table.state
    assert table.do(PlaceBet(ALICE, 20, 1)) == ()
    assert table.state is before


def test_b02_a_bet_or_less_is_the_largest_possible_one_and_never_more_than_it_says() -> None:
    table = banked()

    def bet(stake: int) -> PlaceBet:
        return PlaceBet(ALICE, stake, or_less=True)

    for who, chips, placed in ((ALICE, 300, 100), (MEI, 40, 40), (ALICE, 30, 30)):
        table.accounts[wallet(who)] = chips * LARGEST_MULTIPLE
        assert table.do(bet(200))[-1] == BetPlaced(ALICE, placed)
        table.do(WithdrawBet(ALICE))
    assert table.do(bet(20))[-1] == BetPlaced(ALICE, 20)
    facts = {"stake": 4, "lowest": 5, "highest": 30}
    assert table.refused(bet(4)) == (Refusal.STAKE_BELOW_LOWEST, facts)
    table.do(WithdrawBet(ALICE))
    table.accounts[wallet(MEI)] = 0
    assert table.refused(bet(20)) == (Refusal.BANK_EXHAUSTED, {"lowest": 5})


@pytest.mark.parametrize("stake", [4, 0, -20])
def test_a_stake_below_the_lowest_is_refused(stake: int) -> None:
    table = banked()

    facts = {"stake": stake, "lowest": 5, "highest": 100}
    assert table.refused(PlaceBet(ALICE, stake)) == (Refusal.STAKE_BELOW_LOWEST, facts)


def test_a_stake_above_the_highest_is_refused() -> None:
    table = banked()

    facts: dict[str, int | str] = {"stake": 101, "lowest": 5, "highest": 100}
    assert table.refused(PlaceBet(ALICE, 101)) == (Refusal.STAKE_ABOVE_HIGHEST, facts)
    table.bet(ALICE, 100)


def test_nothing_is_bet_changed_or_taken_back_after_the_deal() -> None:
    table = banked()
    table.do(Join(BOB))
    table.bet(ALICE, 20)
    table.do(SitOut(BOB))
    table.deal(SINGLE_1, NO_OX)

    for command in (
        PlaceBet(ALICE, 20),
        PlaceBet(ALICE, 30),
        PlaceBet(BOB, 20),
        PlaceBet(CHAN, 20),
        WithdrawBet(ALICE),
        SitOut(ALICE),
        SitOut(BOB),
    ):
        assert table.refused(command) == (Refusal.ALREADY_DEALT, {})


def test_a_bet_taken_back_frees_what_it_held() -> None:
    table = banked(bets={ALICE: 20, BOB: 30})

    assert table.do(WithdrawBet(ALICE)) == (BetWithdrawn(ALICE),)

    assert table.holds == {BOB: 210, MEI: 210}
    assert (table.wallet(ALICE), table.seat(ALICE).stake) == (1000, None)


def test_only_a_bet_can_be_taken_back() -> None:
    table = banked()
    table.do(Join(ALICE))

    for member in (ALICE, BOB, MEI):
        assert table.refused(WithdrawBet(member)) == (Refusal.NO_BET_OF_YOURS, {})


def test_sitting_out_returns_the_bet_and_ends_with_the_next() -> None:
    table = banked(bets={ALICE: 20})

    assert table.do(SitOut(ALICE)) == (BetWithdrawn(ALICE), SatOut(ALICE))
    assert (table.seat(ALICE).sitting_out, table.holds) == (True, {})
    assert table.do(SitOut(ALICE)) == ()
    table.bet(ALICE, 20)
    assert (table.seat(ALICE).sitting_out, table.seat(ALICE).stake) == (False, 20)


def test_last_stake_is_the_previous_bet_under_any_banker() -> None:
    table = banked()
    table.bet(ALICE, 20)
    table.bet(ALICE, 30)
    table.do(WithdrawBet(ALICE))
    table.do(Leave(MEI))
    table.bank(BOB, 5, 10)

    assert table.state.last_stakes == {ALICE: 30}
    assert table.refused(PlaceBet(ALICE, 30))[0] is Refusal.STAKE_ABOVE_HIGHEST
    table.bet(ALICE, 10)
    assert (table.state.last_stakes[ALICE], table.state.usual_stake(ALICE)) == (30, 10)


def test_a_table_remembers_the_last_stakes_of_the_last_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.table.evolve.STAKES_KEPT", 2)
    table = banked(bets={ALICE: 20, BOB: 5})
    table.do(WithdrawBet(BOB))
    table.do(WithdrawBet(ALICE))
    table.do(Leave(ALICE))
    table.bet(CHAN, 10)
    table.do(WithdrawBet(CHAN))
    assert table.state.last_stakes == {ALICE: 20, CHAN: 10}
    assert parse_state(state_json(table.state)).last_stakes == table.state.last_stakes, "after a restart too"


@pytest.mark.parametrize("amount", [10.5, 10.0, True, "10"], ids=repr)
def test_an_amount_that_is_not_a_whole_number_is_an_error(amount: Any) -> None:
    table = banked()
    commands: list[Command] = [
        PlaceBet(ALICE, amount),
        PlaceSideBet(BOB, ALICE, amount),
        SetLimits(MEI, amount, 100),
        SetLimits(MEI, 5, amount),
        TakeBank(ALICE, amount, 100, table.house),
    ]
    for command in commands:
        with pytest.raises(ValueError, match="whole number"):
            decide(table.state, command, table.now, {}, SEALED)


NARROW = GnauRules(lowest_stake=5, highest_stake=50)


def banking(rules: HouseRules = NARROW) -> TrialTable:
    """Mei is banker for bets from 10 to 20 chips, with 1,000 chips."""
    return banked(rules, limits=(10, 20))


def test_t03_the_banker_sets_the_limits_of_the_betting() -> None:
    table = banking()
    assert table.do(SetLimits(MEI, 5, 50)) == (LimitsSet(5, 50),)
    table.bet(ALICE, 50)
    assert table.refused(PlaceBet(ALICE, 51))[0] is Refusal.STAKE_ABOVE_HIGHEST


@pytest.mark.parametrize(
    ("chips", "limits"), [(140, (1, 20)), (139, (1, 19)), (6, (1, 1)), (10**6, (1, 100))]
)
def test_b02_default_limits_are_within_what_the_banker_covers(chips: int, limits: tuple[int, int]) -> None:
    assert default_limits(GnauRules(), chips) == limits


def test_t03_limits_cannot_change_after_a_bet() -> None:
    table = banking()
    table.bet(ALICE, 10)
    assert table.refused(SetLimits(MEI, 10, 30)) == (Refusal.BETS_ALREADY_PLACED, {})
    table.deal(NO_OX, NO_OX)
    assert table.refused(SetLimits(MEI, 10, 30)) == (Refusal.ALREADY_DEALT, {})
    table.showdown()
    assert table.do(SetLimits(MEI, 10, 30)) == (LimitsSet(10, 30),)


def test_t03_only_the_banker_sets_limits() -> None:
    assert banking().refused(SetLimits(ALICE, 10, 30)) == (Refusal.NOT_BANKER, {"banker": MEI})
    assert TrialTable().refused(SetLimits(MEI, 10, 30)) == (Refusal.NO_BANK, {})


def test_g22_a_table_for_points_has_no_limits_to_set() -> None:
    rules = GnauRules(play=Play.POINTS, lowest_stake=5)
    table = TrialTable(rules)
    assert BankTaken(MEI, 1, 1) in table.do(TakeBank(MEI, 10, 20, rules))
    assert table.refused(SetLimits(MEI, 5, 10)) == (Refusal.PLAYED_FOR_POINTS, {})


def test_b03_limits_are_set_within_the_rules_of_the_round() -> None:
    table = banking()
    table.house = GnauRules()
    assert table.refused(SetLimits(MEI, 5, 60))[0] is Refusal.LIMITS_OUTSIDE_HOUSE


def round_played(rules: HouseRules, later: HouseRules) -> tuple[TrialTable, tuple[Event, ...]]:
    """A table for 5 to 100 chips after a round in which the house rules changed, and its events.

    The bank would pass to Bob, then to Alice, who both lose to Mei.
    """
    table = banked(rules, {MEI: 10_000, ALICE: 10_000})
    table.house = later
    return table, table.play({ALICE: 5, BOB: 5}, NO_OX, NO_OX, SINGLE_1)


@pytest.mark.parametrize(
    ("lowest", "highest", "limits"),
    [(1, 1000, (5, 100)), (8, 1000, (8, 100)), (1, 50, (5, 50)), (110, 120, (110, 110)), (1, 3, (3, 3))],
)
def test_b03_limits_move_into_new_house_limits_with_the_next_round(
    lowest: int, highest: int, limits: tuple[int, int]
) -> None:
    later = GnauRules(lowest_stake=lowest, highest_stake=highest)
    table, events = round_played(GnauRules(), later)
    assert (LimitsSet(*limits) in events) is (limits != (5, 100))
    assert (table.bank_now.lowest, table.bank_now.highest) == limits


def test_b02_a_bank_that_does_not_cover_the_houses_new_lowest_stake_is_given_up() -> None:
    _, events = round_played(GnauRules(), GnauRules(lowest_stake=1500))
    assert events[1:] == (BankGivenUp(MEI, LeaveReason.CANNOT_COVER),)


def test_b02_the_bank_passes_to_nobody_who_cannot_cover_its_new_lowest_bet() -> None:
    every = GnauRules(bank_passes=BankPasses.EVERY_ROUND)
    _, events = round_played(every, GnauRules(bank_passes=BankPasses.EVERY_ROUND, lowest_stake=500))
    assert BankPassed(ALICE) in events
