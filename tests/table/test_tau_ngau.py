"""Rounds of Tau Ngau: dice for the bank, discards and scores, and who plays (T02 to T11)."""

import random
from collections.abc import Mapping
from copy import copy

import pytest

from bot.games.settle import Outcome
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import HouseBank, Play
from bot.rules.tiles import parse_tiles, woodpile
from bot.table.bank import dice_needed
from bot.table.commands import Deal, GiveUpBank, Join, PlaceBet, PlayHouse, RollForBank, TakeBank
from bot.table.deadlines import DueAction
from bot.table.events import BankPassed, BankTaken, DiceRolled, Event, RoundOpened, SeatLeft
from bot.table.refusals import Refusal
from bot.table.state import Bank, LeaveReason, Phase, Throw
from tests.games.presets import TAU_NGAU_PRESET

from .trial_table import ALICE, BOB, CHAN, COMPANY, DORA, MEI, TrialTable

STUCK = "5-5 6-2 6-5 3-3 4-1"
SCORE_0 = "6-4 4-4 6-6 5-4 6-5"
SCORE_5 = "3-3 5-1 4-4 3-1 6-5"
SCORE_8 = "3-1 3-3 5-5 6-5 6-1"
SCORE_9 = "6-2 3-1 4-4 6-1 1-1"


def table_of(*members: int) -> TrialTable:
    """Mei won the bank by dice; these players sit on from her left."""
    table = TrialTable(TAU_NGAU_PRESET)
    table.join(MEI, *members)
    table.roll(MEI, 6, 6, *[1, 1] * len(members))
    return table


def played(banker: str, *players: str) -> TrialTable:
    """Each of these hands is settled against the banker's, for 10 chips."""
    members = (ALICE, BOB, CHAN, DORA)[: len(players)]
    table = table_of(*members)
    table.play(dict.fromkeys(members, 10), *players, banker)
    return table


def outcomes(table: TrialTable) -> list[tuple[Outcome, int]]:
    return [(player.outcome, player.chips) for player in table.last.players]


def test_t07_a_banker_without_a_discard_pays_players_with_one_and_the_others_push() -> None:
    table = played(STUCK, SCORE_0, STUCK, SCORE_9)
    assert outcomes(table) == [(Outcome.PLAYER, 10), (Outcome.PUSH, 0), (Outcome.PLAYER, 10)]
    assert [table.wallet(member) for member in COMPANY[:4]] == [980, 1010, 1000, 1010]
    assert table.holds == {}


def test_t09_a_single_chip_is_held_lost_and_won_as_any_other_stake() -> None:
    table = table_of(ALICE, BOB)
    table.bet_all(1, ALICE, BOB)
    assert table.holds == {MEI: 2, ALICE: 1, BOB: 1}
    table.deal(SCORE_9, SCORE_0, SCORE_5)
    table.showdown()
    assert outcomes(table) == [(Outcome.PLAYER, 1), (Outcome.BANKER, -1)]
    assert [table.wallet(member) for member in (MEI, ALICE, BOB)] == [1000, 1001, 999]
    assert table.holds == {}


def test_t08_t09_the_higher_score_wins_and_equal_scores_push() -> None:
    table = played(SCORE_5, SCORE_0, SCORE_5, SCORE_8, SCORE_9)
    won = [(Outcome.BANKER, -10), (Outcome.PUSH, 0), (Outcome.PLAYER, 10), (Outcome.PLAYER, 10)]
    assert outcomes(table) == won
    assert table.wallet(MEI) == 990


def test_t10_a_banker_with_a_discard_passes_the_bank_to_the_right() -> None:
    table = played(SCORE_0, STUCK, STUCK)
    assert table.state.is_banker(BOB)
    assert [seat.party for seat in table.state.seats] == [MEI, ALICE]
    assert BankPassed(BOB) in table.record


def test_t03_t10_a_new_banker_does_not_inherit_the_limits_of_one_with_few_chips() -> None:
    table = TrialTable(TAU_NGAU_PRESET, {MEI: 4})
    table.join(MEI, ALICE, BOB)
    table.roll(MEI, 6, 6, 1, 1, 1, 1)
    assert table.state.bank == Bank(MEI, 1, 4)
    table.play({ALICE: 1, BOB: 1}, STUCK, STUCK, SCORE_0)
    assert table.state.bank == Bank(BOB, 1, 100)


def test_t10_a_banker_without_a_discard_keeps_the_bank() -> None:
    table = played(STUCK, SCORE_9, SCORE_9)
    assert table.state.is_banker(MEI)
    assert table.state.phase is Phase.BETTING


def test_t02_a_deal_needs_two_bets_and_a_banker() -> None:
    table = table_of(ALICE, BOB)
    table.bet(ALICE, 10)
    refused = table.refused(Deal(MEI, woodpile()))
    assert refused == (Refusal.TOO_FEW_BETS, {"fewest": 2, "bets": 1})
    assert table.state.deadline is None
    assert table.wait(table.state.rules.betting_seconds) is None
    table.bet(BOB, 10)
    table.deal(STUCK, SCORE_9, SCORE_0)
    assert table.state.phase is Phase.DEALT


def test_t02_the_deadline_of_betting_is_set_by_the_second_bet() -> None:
    table = table_of(ALICE, BOB, CHAN)
    table.bet(ALICE, 10)
    table.wait(30)
    table.bet(BOB, 10)
    assert table.state.deadline == table.now + table.state.rules.betting_seconds
    table.bet(CHAN, 10)
    assert table.state.deadline == table.now + table.state.rules.last_call_seconds
    assert table.wait(table.state.rules.last_call_seconds) is DueAction.DEAL


@pytest.mark.parametrize(("allowed", "seats"), [(9, 5), (19, 5), (4, 4)])
def test_t02_five_players_sit_round_the_banker_and_no_more(allowed: int, seats: int) -> None:
    """The banker is the sixth member, with a player's seat until the dice pick one."""
    rules = TAU_NGAU_PRESET.model_copy(update={"seats": allowed})
    members = list(range(1, seats + 2))
    table = TrialTable(rules, dict.fromkeys(members, 1000))
    table.join(*members)
    assert table.refused(Join(99)) == (Refusal.TABLE_FULL, {"seats": seats + 1})
    table.roll(members[0], 6, 6, *(1, 1) * seats)
    assert [seat.party for seat in table.state.seats] == members[1:]
    assert table.refused(Join(99)) == (Refusal.TABLE_FULL, {"seats": seats})


@pytest.mark.parametrize("allowed", [1, 2])
def test_t02_a_house_with_few_seats_has_as_many_as_the_game_needs(allowed: int) -> None:
    table = TrialTable(TAU_NGAU_PRESET.model_copy(update={"seats": allowed}))
    table.join(MEI, ALICE, BOB)
    assert table.refused(Join(CHAN)) == (Refusal.TABLE_FULL, {"seats": 3})
    table.roll(MEI, 6, 6, 1, 1, 1, 1)
    assert table.state.is_banker(MEI)
    assert table.refused(Join(CHAN)) == (Refusal.TABLE_FULL, {"seats": 2})
    table.bet(ALICE, 5)
    table.bet(BOB, 5)
    assert table.state.can_be_dealt


def test_t04_everybody_with_a_bet_gets_five_tiles_and_the_banker_last() -> None:
    table = table_of(ALICE, BOB, CHAN)
    table.bet(ALICE, 10)
    table.bet(CHAN, 10)
    table.deal(SCORE_5, SCORE_8, STUCK)
    hands = {member: table.state.pieces_of(member) for member in (ALICE, BOB, CHAN, MEI)}
    assert hands == {
        ALICE: parse_tiles(SCORE_5),
        BOB: (),
        CHAN: parse_tiles(SCORE_8),
        MEI: parse_tiles(STUCK),
    }


def seated(
    *members: int, rules: HouseRules = TAU_NGAU_PRESET, chips: Mapping[int, int] | None = None
) -> TrialTable:
    """A table of Tau Ngau with these players, in this order."""
    table = TrialTable(rules, chips)
    table.join(*members)
    return table


def throws(rolled: Event) -> tuple[Throw, ...]:
    assert isinstance(rolled, DiceRolled)
    return rolled.throws


def test_t03_dice_pick_the_banker_and_the_highest_total_wins() -> None:
    table = seated(MEI, ALICE, BOB)

    rolled, *others = table.roll(BOB, 5, 3, 6, 6, 4, 1)

    assert throws(rolled) == (Throw(1, (5, 3)), Throw(2, (6, 6)), Throw(3, (4, 1)))
    assert others == [
        SeatLeft(ALICE, LeaveReason.ASKED),
        BankTaken(ALICE, 1, 100),
        RoundOpened(1, TAU_NGAU_PRESET),
    ]
    assert table.state.bank == Bank(ALICE, 1, 100)
    assert table.state.phase is Phase.BETTING
    assert [seat.party for seat in table.state.seats] == [MEI, BOB]
    assert table.state.departures == ()


def test_t03_before_enough_are_seated_every_refusal_says_how_many_are_missing() -> None:
    no_house = TAU_NGAU_PRESET.model_copy(update={"house_bank": HouseBank.OFF})
    table = TrialTable(no_house)
    table.join(MEI)
    missing = (Refusal.TOO_FEW_SEATED, {"fewest": 3, "seated": 1})
    for asked in (TakeBank(MEI, 5, 50, no_house), PlaceBet(MEI, 10), PlayHouse(MEI, no_house)):
        assert table.refused(asked) == missing
    table.join(ALICE, BOB)
    assert table.refused(PlaceBet(MEI, 10)) == (Refusal.DICE_PICK_BANKER, {})


def test_t03_ties_for_the_highest_total_are_rolled_again_until_one_is_left() -> None:
    table = seated(MEI, ALICE, BOB)

    events = table.roll(MEI, 5, 3, 1, 2, 4, 4, 3, 3, 2, 4, 1, 1, 6, 5, 6, 6)

    assert throws(events[0]) == (
        Throw(1, (5, 3)),
        Throw(2, (1, 2)),
        Throw(3, (4, 4)),
        Throw(1, (3, 3)),
        Throw(3, (2, 4)),
        Throw(1, (1, 1)),
        Throw(3, (6, 5)),
    )
    assert table.state.is_banker(BOB)


@pytest.mark.parametrize("left_over", [0, 1, 2, 3])
def test_t03_if_the_dice_run_out_the_first_of_a_tie_is_banker(left_over: int) -> None:
    table = seated(MEI, ALICE, BOB)
    table.roll(MEI, 1, 1, 4, 4, 6, 2, *[3] * left_over)
    assert table.state.is_banker(ALICE)
    assert len(table.state.throws) == 3


def test_t03_there_are_dice_for_many_ties() -> None:
    table = seated(MEI, ALICE, BOB)
    dice = [1] * (dice_needed(table.state) - 4) + [1, 1, 6, 6]
    table.do(RollForBank(MEI, tuple(dice), table.house))
    assert len(dice) >= 2 * 3 * 16
    assert len(table.state.throws) == len(dice) // 2


def test_t03_everybody_is_equally_likely_to_be_banker() -> None:
    drawn = random.Random(3)
    won = dict.fromkeys((MEI, ALICE, BOB), 0)
    for _ in range(600):
        table = seated(MEI, ALICE, BOB)
        table.roll(MEI, *drawn.choices(range(1, 7), k=dice_needed(table.state)))
        won[table.bank_now.party] += 1
    assert all(150 <= times <= 250 for times in won.values())


def test_t03_only_players_who_cover_the_lowest_bet_roll() -> None:
    rules = TAU_NGAU_PRESET.model_copy(update={"lowest_stake": 50})
    table = seated(MEI, ALICE, BOB, rules=rules, chips={ALICE: 49, BOB: 70})

    events = table.roll(ALICE, 1, 1, 1, 2)

    assert throws(events[0]) == (Throw(1, (1, 1)), Throw(3, (1, 2)))
    assert table.state.bank == Bank(BOB, 50, 70)


@pytest.mark.parametrize(
    ("lowest", "highest", "chips", "limits"),
    [
        (1, 1000, 1000, (1, 100)),
        (10, 60, 1000, (10, 60)),
        (10, 1000, 45, (10, 45)),
        (200, 1000, 450, (200, 200)),
    ],
)
def test_t03_the_bank_opens_at_what_house_and_chips_allow(
    lowest: int, highest: int, chips: int, limits: tuple[int, int]
) -> None:
    rules = TAU_NGAU_PRESET.model_copy(update={"lowest_stake": lowest, "highest_stake": highest})
    table = seated(MEI, ALICE, BOB, rules=rules, chips={MEI: chips})
    table.roll(MEI, 6, 6, 1, 1, 1, 1)
    assert table.state.bank == Bank(MEI, *limits)


def test_t03_for_points_everybody_rolls() -> None:
    rules = TAU_NGAU_PRESET.model_copy(update={"play": Play.POINTS, "lowest_stake": 50})
    table = seated(MEI, ALICE, BOB, rules=rules, chips={MEI: 0, ALICE: 0, BOB: 0})
    table.roll(MEI, 1, 1, 1, 2, 6, 6)
    assert table.state.bank == Bank(BOB, 1, 1)


def test_t03_only_players_roll() -> None:
    table = seated(MEI, ALICE, BOB)
    assert table.refused(RollForBank(DORA, (1,) * 6, table.house)) == (Refusal.NOT_SEATED, {})


def test_t03_the_throws_are_kept_until_the_deal() -> None:
    table = seated(MEI, ALICE, BOB)
    table.roll(MEI, 6, 6, 1, 1, 1, 1)
    table.bet(ALICE, 5)
    assert [throw.total for throw in table.state.throws] == [12, 2, 2]
    table.bet(BOB, 5)
    table.deal("6-4 4-4 6-6 5-4 6-5", "5-5 6-2 6-5 3-3 4-1", "6-2 3-1 4-4 6-1 1-1")
    assert table.state.throws == ()


@pytest.mark.parametrize("during_the_hand", [False, True])
def test_t03_who_gave_up_the_bank_rolls_for_it_again_only_if_they_ask_to(during_the_hand: bool) -> None:
    table = seated(MEI, ALICE, BOB, CHAN)
    table.roll(MEI, 6, 6, 1, 1, 1, 1, 1, 1)
    if during_the_hand:
        table.bet_all(5, ALICE, BOB)
        table.deal(SCORE_5, SCORE_8, STUCK)
    table.do(GiveUpBank(MEI))
    if during_the_hand:
        table.showdown()
    assert table.state.seat_of(MEI), "Mei keeps a seat"
    assert (table.state.throws, table.state.dice) == ((), None), "no sheet tells of them"

    others = copy(table)
    others.roll(ALICE, 1, 1, 1, 2, 1, 1)
    assert others.state.is_banker(BOB)
    assert {throw.party for throw in others.state.throws} == {ALICE, BOB, CHAN}

    table.roll(MEI, *(1, 1) * 3, *(6, 6))
    assert {throw.party for throw in table.state.throws} == {MEI, ALICE, BOB, CHAN}


def test_t03_who_banked_before_rolls_like_all_others_after_the_next_deal() -> None:
    table = seated(MEI, ALICE, BOB)
    table.roll(MEI, 6, 6, 1, 1, 1, 1)
    table.do(GiveUpBank(MEI))
    table.roll(ALICE, 6, 6, 1, 1)
    assert table.state.is_banker(ALICE)
    table.bet_all(5, MEI, BOB)
    table.deal(SCORE_5, SCORE_8, STUCK)
    table.do(GiveUpBank(ALICE))
    table.showdown()
    table.roll(BOB, 1, 1, 6, 6)
    assert {throw.party for throw in table.state.throws} == {MEI, BOB}


@pytest.mark.parametrize("dice", [(), (1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5), (2, 3, 4, 5, 6, 7)])
def test_too_few_or_impossible_dice_are_an_error(dice: tuple[int, ...]) -> None:
    table = seated(MEI, ALICE, BOB)
    with pytest.raises(ValueError, match="2 dice each, of 1 to 6"):
        table.decided(RollForBank(MEI, dice, table.house))
