import pytest

from bot.games.house import House
from bot.rules.knobs import BankPasses, Play
from bot.table.accounts import Move, Reason, score
from bot.table.betting import A_POINT, bank_covers, largest_side_stake, largest_stake
from bot.table.commands import PlaceBet, PlaceSideBet, TakeBank
from bot.table.events import BankTaken, BetPlaced
from bot.table.evolve import moves_of
from bot.table.refusals import Refusal, refuse

from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    CHIPS,
    COMPANY,
    DOUBLE_8,
    FIVE_DUKES,
    MEI,
    NGAU_TONKU,
    NO_OX,
    SINGLE_1,
    SINGLE_9,
    TrialTable,
    banked,
)

HOUSE = House().rules("gnau", Play.POINTS)
NOTHING = dict.fromkeys(COMPANY, 0)


def for_points(bank_passes: BankPasses = BankPasses.STAYS) -> TrialTable:
    """A table where nobody has chips, with Mei as banker."""
    return banked(HOUSE.model_copy(update={"bank_passes": bank_passes}), NOTHING)


def scores(table: TrialTable) -> dict[int, int]:
    return {member: table.score(member) for member in COMPANY if table.score(member)}


@pytest.mark.parametrize(
    ("player", "banker", "points"),
    [
        (FIVE_DUKES, NO_OX, 10),
        (NGAU_TONKU, SINGLE_9, 5),
        (DOUBLE_8, NO_OX, 2),
        (SINGLE_9, SINGLE_1, 1),
        (SINGLE_1, SINGLE_9, -1),
        (SINGLE_9, DOUBLE_8, -2),
        (SINGLE_1, FIVE_DUKES, -10),
        (NO_OX, NO_OX, 0),
    ],
)
def test_g22_the_loser_gives_the_winner_the_points_of_the_winners_hand(
    player: str, banker: str, points: int
) -> None:
    table = for_points()
    table.play({ALICE: 1}, player, banker)
    assert (table.score(ALICE), table.score(MEI)) == (points, -points)
    assert (table.last.players[0].chips, table.last.bank_chips) == (points, -points)


def test_g22_a_running_score_goes_on_and_may_be_below_zero() -> None:
    table = for_points()
    table.play({ALICE: 1, BOB: 1}, DOUBLE_8, SINGLE_1, SINGLE_9)
    assert scores(table) == {ALICE: 2, BOB: -1, MEI: -1}
    table.play({ALICE: 1, BOB: 1}, SINGLE_9, SINGLE_1, NGAU_TONKU)
    assert scores(table) == {ALICE: -3, BOB: -6, MEI: 9}


def test_g22_points_move_from_score_to_score_for_their_own_reasons() -> None:
    table = for_points()
    table.bet(ALICE, 1)
    table.bet(BOB, 1)
    table.deal(DOUBLE_8, SINGLE_1, SINGLE_9)
    before = table.state
    assert moves_of(before, table.showdown()) == (
        Move(score(MEI), score(ALICE), 2, Reason.POINTS_WON, 1),
        Move(score(BOB), score(MEI), 1, Reason.POINTS_LOST, 1),
    )


@pytest.mark.parametrize("asked", [-3, 0, 1, 2, 1_000_000])
def test_g22_every_bet_is_one_point(asked: int) -> None:
    table = for_points()
    assert table.do(PlaceBet(ALICE, asked))[-1] == BetPlaced(ALICE, A_POINT)
    assert table.do(PlaceBet(ALICE, asked + 1)) == ()
    assert largest_stake(table.state, BOB, {}) == A_POINT
    assert bank_covers(table.state, {MEI: CHIPS}) == 0


@pytest.mark.parametrize("limits", [(5, 100), (100, 5), (0, 0)])
def test_g22_anybody_takes_the_bank_without_a_chip_and_without_limits(limits: tuple[int, int]) -> None:
    table = TrialTable(HOUSE, NOTHING)
    taken = table.do(TakeBank(CHAN, *limits, HOUSE))
    assert taken[0] == BankTaken(CHAN, A_POINT, A_POINT)


def test_g22_a_banker_who_loses_ten_points_keeps_the_bank() -> None:
    table = for_points()
    table.play({ALICE: 1}, FIVE_DUKES, SINGLE_9)
    assert table.score(MEI) == -10
    assert table.state.is_banker(MEI)


def test_g22_the_bank_passes_to_a_player_without_a_chip() -> None:
    table = for_points(BankPasses.EVERY_ROUND)
    table.play({ALICE: 1}, FIVE_DUKES, SINGLE_9)
    assert table.state.is_banker(ALICE)
    assert table.state.seat_of(MEI) is not None


def test_g22_there_are_no_side_bets_for_points() -> None:
    table = for_points()
    table.bet(ALICE, 1)
    rich = dict.fromkeys(COMPANY, CHIPS)
    assert table.refused(PlaceSideBet(CHAN, ALICE, 1)) == (Refusal.PLAYED_FOR_POINTS, {})
    refused = largest_side_stake(table.state, CHAN, ALICE, rich)
    assert refused == refuse(Refusal.PLAYED_FOR_POINTS)


def test_g22_a_table_of_the_same_house_for_chips_pays_by_its_own_multiples_and_scores_nothing() -> None:
    table = banked(House().rules("gnau", Play.CHIPS))
    table.play({ALICE: 10}, DOUBLE_8, SINGLE_9)
    assert table.wallet(ALICE) == CHIPS + 30
    assert scores(table) == {}
