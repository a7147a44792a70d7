"""Rounds in which the house itself banks (B07)."""

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.register import GAMES
from bot.games.tau_ngau.rules import TauNgauRules
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import BankPasses, HouseBank, Play
from bot.table.commands import (
    Deal,
    Join,
    Leave,
    PlaceBet,
    PlayHouse,
    RollForBank,
    SetLimits,
    SitOut,
    TakeBank,
)
from bot.table.deadlines import DueAction, due_action
from bot.table.events import (
    BankGivenUp,
    BankTaken,
    Event,
    HandRevealed,
    HandsDealt,
    LeaveRequested,
    LimitsSet,
    RoundOpened,
    RoundSettled,
)
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal
from bot.table.state import (
    EMPTY_TABLE_SECONDS,
    ROUNDS_MISSED_IN_A_ROW,
    THE_HOUSE,
    Departure,
    LeaveReason,
    Phase,
)
from tests.games.presets import TAU_NGAU_PRESET

from .test_tau_ngau import SCORE_5, SCORE_9, STUCK
from .trial_table import ALICE, BOB, CHAN, DORA, DOUBLE_8, MEI, NO_OX, SINGLE_1, SINGLE_9, TrialTable, banked

BANKROLL = 10_000
ONLY = GnauRules(house_bank=HouseBank.ONLY)
OFF = GnauRules(house_bank=HouseBank.OFF)


def alone(rules: HouseRules | None = None, chips: int = BANKROLL) -> TrialTable:
    """The house banks, and nobody is here yet."""
    table = TrialTable(rules or GnauRules())
    table.play_house(ALICE, chips)
    return table


def against_the_house(table: TrialTable, banker: str, player: str, stake: int = 10) -> tuple[Event, ...]:
    """Plays a round of Alice alone, and returns the events of its showdown."""
    table.bet(ALICE, stake)
    table.deal_when_due(player, banker)
    return table.showdown()


def test_b07_the_house_banks_within_its_limits_when_a_member_asks() -> None:
    table = TrialTable(GnauRules(lowest_stake=2, house_highest=50))
    table.play_house(ALICE, BANKROLL)

    assert table.state.house_banks
    assert table.record[-2:] == [BankTaken(THE_HOUSE, 2, 50), RoundOpened(1, table.house)]
    assert table.state.phase is Phase.BETTING


def test_b07_the_limits_of_the_house_are_within_those_of_every_banker_and_covered() -> None:
    def limits(chips: int, **knobs: int) -> tuple[int, int]:
        bank = alone(GnauRules(**knobs), chips).state.bank
        assert bank is not None
        return bank.lowest, bank.highest

    assert limits(BANKROLL, lowest_stake=5, highest_stake=80) == (5, 80)
    assert limits(700 - 1, lowest_stake=3) == (3, 99)
    assert limits(21, lowest_stake=3) == (3, 3)


@pytest.mark.parametrize("game", GAMES)
def test_b07_t02_one_member_alone_plays_against_the_house(game: str) -> None:
    table = alone(GAMES[game].rules())
    table.bet(ALICE, 10)

    assert table.state.can_be_dealt
    assert due_action(table.state, table.now) is DueAction.DEAL


def test_b07_the_house_deals_at_once_when_everybody_has_bet() -> None:
    table = alone()
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    assert due_action(table.state, table.now) is None
    table.do(SitOut(BOB))
    assert due_action(table.state, table.now) is DueAction.DEAL


def test_b07_a_player_who_does_nothing_holds_the_house_up_until_time_is_up() -> None:
    table = alone()
    table.do(Join(BOB))
    table.bet(ALICE, 10)

    assert table.wait(table.house.betting_seconds - 1) is None
    assert table.wait(1) is DueAction.DEAL


def test_b07_the_house_reveals_at_once_and_never_late() -> None:
    table = alone()
    table.bet(ALICE, 10)
    table.deal_when_due(NO_OX, SINGLE_9)
    dealt, revealed = table.record[-3:-1]

    assert isinstance(dealt, HandsDealt)
    assert revealed == HandRevealed(THE_HOUSE)
    assert table.bank_now.revealed


def test_b07_the_house_pays_and_wins_like_any_banker() -> None:
    table = alone()
    against_the_house(table, SINGLE_9, NO_OX)
    assert (table.wallet(ALICE), table.wallet(THE_HOUSE)) == (990, BANKROLL + 10)
    against_the_house(table, SINGLE_9, DOUBLE_8)
    assert (table.wallet(ALICE), table.wallet(THE_HOUSE)) == (1020, BANKROLL - 20)
    assert table.held(ALICE) == table.held(THE_HOUSE) == 0


def test_b07_b02_nobody_wins_more_than_the_bankroll_covers() -> None:
    table = alone(chips=7 * 30)
    assert table.refused(PlaceBet(ALICE, 31))[0] is Refusal.STAKE_ABOVE_HIGHEST
    table.bet(ALICE, 20)
    assert table.held(THE_HOUSE) == 140
    assert table.refused(PlaceBet(BOB, 11)) == (Refusal.BANK_CANNOT_COVER, {"stake": 11, "most": 10})
    table.bet(BOB, 10)
    assert table.refused(PlaceBet(CHAN, 1)) == (Refusal.BANK_EXHAUSTED, {"lowest": 1})
    assert table.wallet(THE_HOUSE) == 0


def test_b07_a_house_that_cannot_cover_the_lowest_bet_leaves_and_the_table_says_so() -> None:
    table = alone(GnauRules(lowest_stake=10), chips=70)
    *_, last = against_the_house(table, NO_OX, SINGLE_1)

    assert last == BankGivenUp(THE_HOUSE, LeaveReason.CANNOT_COVER)
    assert table.state.phase is Phase.OPEN
    assert table.state.departures == (Departure(THE_HOUSE, LeaveReason.CANNOT_COVER, was_banker=True),)
    assert table.refused(PlayHouse(ALICE, table.house)) == (Refusal.HOUSE_CANNOT_COVER, {"lowest": 10})


def test_b07_the_house_stays_for_the_next_round_under_the_limits_of_that_round() -> None:
    table = alone()
    table.house = GnauRules(house_highest=50)
    *_, limits, opened = against_the_house(table, SINGLE_9, NO_OX)

    assert limits == LimitsSet(1, 50)
    assert opened == RoundOpened(2, table.house)
    assert table.state.house_banks


def test_b07_the_house_never_misses_a_round() -> None:
    table = alone()
    for _ in range(ROUNDS_MISSED_IN_A_ROW + 1):
        against_the_house(table, SINGLE_9, NO_OX)
    assert table.state.house_banks


def test_b07_anybody_takes_the_bank_from_the_house_between_rounds() -> None:
    table = alone()
    table.do(Join(BOB))
    events = table.do(TakeBank(BOB, 5, 50, table.house))

    assert events[0] == BankGivenUp(THE_HOUSE, LeaveReason.ASKED)
    assert table.state.is_banker(BOB)
    assert table.state.round_number == 2
    assert table.state.departures == ()


@pytest.mark.parametrize("dealt", [False, True])
def test_b07_with_bets_against_it_the_house_leaves_after_the_round(dealt: bool) -> None:
    table = alone()
    table.bet(ALICE, 10)
    if dealt:
        table.deal_when_due(NO_OX, SINGLE_9)
    take = TakeBank(BOB, 5, 50, table.house)

    assert table.do(take) == (LeaveRequested(THE_HOUSE, LeaveReason.ASKED),)
    assert table.do(take) == ()
    assert table.state.seat_of(ALICE)
    if not dealt:
        table.deal_when_due(NO_OX, SINGLE_9)
    assert table.showdown()[-1] == BankGivenUp(THE_HOUSE, LeaveReason.ASKED)
    table.do(take)
    assert table.state.is_banker(BOB)


def test_b07_who_cannot_cover_the_lowest_bet_does_not_get_the_bank_from_the_house() -> None:
    table = alone()
    assert table.refused(TakeBank(BOB, 500, 500, table.house))[0] is Refusal.BANK_TOO_POOR
    assert table.state.house_banks


def test_b07_a_house_that_always_banks_leaves_the_bank_to_nobody() -> None:
    table = alone(ONLY)
    for _ in range(2):
        assert table.refused(TakeBank(BOB, 5, 50, ONLY)) == (Refusal.HOUSE_ALWAYS_BANKS, {})
        against_the_house(table, SINGLE_9, NO_OX)
    assert table.state.house_banks


def test_b07_nobody_takes_or_rolls_for_a_bank_that_the_house_always_has_from_now_on() -> None:
    assert TrialTable().refused(TakeBank(BOB, 5, 50, ONLY))[0] is Refusal.HOUSE_ALWAYS_BANKS
    only = TauNgauRules(house_bank=HouseBank.ONLY)
    for at_opening in (TAU_NGAU_PRESET, only):
        table = TrialTable(at_opening)
        table.join(MEI, ALICE, BOB)
        assert table.refused(RollForBank(MEI, (1,) * 6, only))[0] is Refusal.HOUSE_ALWAYS_BANKS


def test_b07_a_member_who_banks_gives_way_to_a_house_that_always_banks_from_now_on() -> None:
    table = banked()
    table.house = ONLY
    events = table.play({ALICE: 10}, NO_OX, SINGLE_9)

    assert events[-1] == BankGivenUp(MEI, LeaveReason.HOUSE_BANKS)
    table.play_house(ALICE, BANKROLL)


def test_b07_b03_the_house_plays_the_round_to_its_end_when_it_may_not_bank_any_more() -> None:
    table = alone()
    table.house = OFF
    settled, *_, last = against_the_house(table, SINGLE_9, NO_OX)

    assert isinstance(settled, RoundSettled)
    assert last == BankGivenUp(THE_HOUSE, LeaveReason.ASKED)


def test_t10_b07_the_bank_passes_from_the_house_to_the_first_who_takes_it() -> None:
    table = alone(TAU_NGAU_PRESET)
    against_the_house(table, SCORE_5, SCORE_9)
    assert table.state.house_banks
    assert unmet_precondition(table.state, Action.TAKE_BANK) is None
    table.do(TakeBank(BOB, 5, 50, TAU_NGAU_PRESET))

    assert table.state.is_banker(BOB)
    assert table.refused(TakeBank(CHAN, 5, 50, TAU_NGAU_PRESET))[0] is Refusal.BANK_TAKEN


def test_t10_b07_a_house_without_a_discard_keeps_the_bank() -> None:
    table = alone(TAU_NGAU_PRESET)
    against_the_house(table, STUCK, SCORE_9)

    assert table.refused(TakeBank(BOB, 5, 50, TAU_NGAU_PRESET)) == (Refusal.HOUSE_KEEPS_BANK, {})
    against_the_house(table, SCORE_5, SCORE_9)
    table.do(TakeBank(BOB, 5, 50, TAU_NGAU_PRESET))
    assert table.state.is_banker(BOB)


@pytest.mark.parametrize(
    ("when", "hand", "free"),
    [
        (BankPasses.STAYS, NO_OX, True),
        (BankPasses.EVERY_ROUND, NO_OX, True),
        (BankPasses.AFTER_NO_OX, NO_OX, True),
        (BankPasses.AFTER_NO_OX, SINGLE_9, False),
    ],
)
def test_b07_b05_the_bank_is_free_to_take_when_it_stays_or_has_just_passed(
    when: BankPasses, hand: str, free: bool
) -> None:
    table = alone(GnauRules(bank_passes=when))
    against_the_house(table, hand, SINGLE_1)
    assert (unmet_precondition(table.state, Action.TAKE_BANK) is None) is free


def test_b07_t02_the_house_has_no_tiles_for_more_players_than_the_game_allows() -> None:
    table = TrialTable(TAU_NGAU_PRESET)
    company = (MEI, ALICE, BOB, CHAN, DORA, 6)
    table.join(*company)
    refused = Refusal.HOUSE_HAS_NO_ROOM, {"most": 5, "seated": 6}

    assert table.refused(PlayHouse(ALICE, TAU_NGAU_PRESET)) == refused
    table.do(Leave(6))
    table.play_house(ALICE, BANKROLL)
    assert table.refused(Join(6))[0] is Refusal.TABLE_FULL


def test_b07_where_the_house_always_banks_no_seat_is_for_a_banker() -> None:
    table = TrialTable(TauNgauRules(house_bank=HouseBank.ONLY))
    assert table.state.most_seats == table.state.game.most_players


def test_b07_g22_the_house_banks_for_points_whatever_chips_it_has() -> None:
    table = alone(GnauRules(play=Play.POINTS), chips=0)
    against_the_house(table, NO_OX, SINGLE_9, stake=1)

    assert table.score(ALICE) == -table.score(THE_HOUSE) > 0
    assert table.state.house_banks


def test_b07_b06_a_table_where_only_the_house_is_left_closes() -> None:
    table = alone()
    table.bet(ALICE, 10)
    table.deal_when_due(NO_OX, SINGLE_9)
    table.do(Leave(ALICE))
    table.showdown()

    assert table.state.house_banks
    assert table.wait(EMPTY_TABLE_SECONDS - 1) is None
    assert table.wait(1) is DueAction.WIND_UP


def test_b07_no_member_deals_or_sets_limits_for_the_house() -> None:
    table = alone()
    not_banker = (Refusal.NOT_BANKER, {"banker": THE_HOUSE})
    assert table.refused(SetLimits(ALICE, 1, 5)) == not_banker
    table.bet(ALICE, 10)
    assert table.refused(Deal(ALICE)) == not_banker
