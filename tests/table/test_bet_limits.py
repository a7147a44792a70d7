import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import BankPasses, Play
from bot.table.bank import default_limits
from bot.table.commands import PlaceBet, SetLimits, TakeBank
from bot.table.events import BankGivenUp, BankPassed, BankTaken, Event, LimitsSet
from bot.table.refusals import Refusal
from bot.table.seats import LeaveReason

from .trial_table import ALICE, BOB, MEI, NO_OX, SINGLE_1, TrialTable, banked

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


def test_b02_a_lowest_bet_that_the_banker_cannot_cover_is_refused_with_the_largest_possible() -> None:
    table = banking(GnauRules())
    needed = {"lowest": 143, "needed": 1001, "wallet": 1000, "most": 142}
    assert table.refused(SetLimits(MEI, 143, 200)) == (Refusal.BANK_TOO_POOR, needed)
    assert table.do(SetLimits(MEI, 142, 200)) == (LimitsSet(142, 200),)


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
@pytest.mark.parametrize("when", [BankPasses.STAYS, BankPasses.EVERY_ROUND])
def test_b03_limits_move_into_new_house_limits_with_the_next_round(
    when: BankPasses, lowest: int, highest: int, limits: tuple[int, int]
) -> None:
    later = GnauRules(bank_passes=when, lowest_stake=lowest, highest_stake=highest)
    table, events = round_played(GnauRules(bank_passes=when), later)
    assert (LimitsSet(*limits) in events) is (limits != (5, 100))
    assert table.state.bank is not None
    assert (table.state.bank.lowest, table.state.bank.highest) == limits


def test_b02_a_bank_that_does_not_cover_the_houses_new_lowest_stake_is_given_up() -> None:
    _, events = round_played(GnauRules(), GnauRules(lowest_stake=1500))
    assert events[1:] == (BankGivenUp(MEI, LeaveReason.CANNOT_COVER),)


def test_b02_the_bank_passes_to_nobody_who_cannot_cover_its_new_lowest_bet() -> None:
    every = GnauRules(bank_passes=BankPasses.EVERY_ROUND)
    _, events = round_played(every, GnauRules(bank_passes=BankPasses.EVERY_ROUND, lowest_stake=500))
    assert BankPassed(ALICE) in events
