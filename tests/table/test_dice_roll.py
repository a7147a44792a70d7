import random
from collections.abc import Mapping

import pytest

from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Play
from bot.table.bank import dice_needed
from bot.table.commands import GiveUpBank, Join, RollForBank
from bot.table.events import BankTaken, DiceRolled, Event, RoundOpened, SeatLeft
from bot.table.refusals import Refusal
from bot.table.seats import Bank, LeaveReason, Throw
from bot.table.state import Phase
from tests.games.presets import TAU_NGAU_PRESET

from .trial_table import ALICE, BOB, CHAN, DORA, MEI, TrialTable


def seated(
    *members: int, rules: HouseRules = TAU_NGAU_PRESET, chips: Mapping[int, int] | None = None
) -> TrialTable:
    """A table of Tau Ngau with these players, in this order."""
    table = TrialTable(rules, chips)
    for member in members:
        table.do(Join(member))
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
        assert table.state.bank is not None
        won[table.state.bank.party] += 1
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


def test_t03_a_bank_that_is_given_up_is_rolled_for_again() -> None:
    table = seated(MEI, ALICE, BOB, CHAN)
    table.roll(MEI, 6, 6, 1, 1, 1, 1, 1, 1)
    table.do(GiveUpBank(MEI))
    table.roll(ALICE, 1, 1, 1, 2, 1, 1)
    assert table.state.is_banker(BOB)
    assert [throw.party for throw in table.state.throws] == [2, 3, 4]


@pytest.mark.parametrize("dice", [(), (1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5), (2, 3, 4, 5, 6, 7)])
def test_too_few_or_impossible_dice_are_an_error(dice: tuple[int, ...]) -> None:
    table = seated(MEI, ALICE, BOB)
    with pytest.raises(ValueError, match="2 dice each, of 1 to 6"):
        table.decided(RollForBank(MEI, dice, table.house))
