import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.settle import Outcome
from bot.rules.house_rules import HouseRules
from bot.table.commands import RevealHand, Showdown
from bot.table.events import BankGivenUp, RoundOpened, RoundSettled
from bot.table.refusals import Refusal
from bot.table.state import Bank, Departure, LeaveReason, Phase, PlayerResult, Seat
from tests.games.presets import WIKIPEDIA

from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    DOUBLE_8,
    FIVE_DUKES,
    MEI,
    NGAU_TONKU,
    NO_OX,
    SINGLE_1,
    SINGLE_9,
    TrialTable,
    banked,
    stacked,
)

G19 = GnauRules(multiple_five_dukes=10, multiple_five_small=10, multiple_ngau_tonku=5, multiple_double_ox=2)


@pytest.mark.parametrize(
    ("rules", "player", "banker", "chips"),
    [
        (WIKIPEDIA, SINGLE_9, SINGLE_1, 10),
        (WIKIPEDIA, SINGLE_1, SINGLE_9, -10),
        (WIKIPEDIA, SINGLE_1, NO_OX, 10),
        (WIKIPEDIA, DOUBLE_8, SINGLE_9, 30),
        (WIKIPEDIA, SINGLE_9, DOUBLE_8, -30),
        (WIKIPEDIA, NGAU_TONKU, DOUBLE_8, 50),
        (WIKIPEDIA, NO_OX, NGAU_TONKU, -50),
        (WIKIPEDIA, FIVE_DUKES, NGAU_TONKU, 70),
        (WIKIPEDIA, NO_OX, FIVE_DUKES, -70),
        (G19, DOUBLE_8, SINGLE_9, 20),
        (G19, NO_OX, FIVE_DUKES, -100),
    ],
)
def test_g17_g18_g19_the_loser_pays_the_stake_times_the_winners_multiple(
    rules: HouseRules, player: str, banker: str, chips: int
) -> None:
    table = banked(rules)

    table.play({ALICE: 10}, player, banker)

    assert table.wallet(ALICE) - 1000 == chips == 1000 - table.wallet(MEI)
    assert table.holds == {}


def test_g17_each_is_settled_against_the_banker_and_nobody_else() -> None:
    table = banked()

    settled, opened = table.play({ALICE: 10, BOB: 20, CHAN: 30}, DOUBLE_8, NO_OX, SINGLE_9, SINGLE_9)

    banker = stacked(SINGLE_9)
    players = (
        PlayerResult(1, ALICE, 10, stacked(DOUBLE_8), Outcome.PLAYER, 30),
        PlayerResult(2, BOB, 20, stacked(NO_OX), Outcome.BANKER, -20),
        PlayerResult(3, CHAN, 30, stacked(SINGLE_9), Outcome.BANKER, -30),
    )
    assert isinstance(settled, RoundSettled)
    result = settled.result
    told = result.round_number, result.rules, result.banker, result.pieces, result.players
    assert told == (1, WIKIPEDIA, MEI, banker, players)
    assert opened == RoundOpened(2, WIKIPEDIA)
    assert table.state.last == result
    assert result.bank_chips == 20
    assert [table.wallet(member) for member in (MEI, ALICE, BOB, CHAN)] == [1020, 1030, 980, 970]


def test_b02_a_bank_pays_out_the_worst_round_to_the_last_chip() -> None:
    table = banked(chips={MEI: 350})

    events = table.play({ALICE: 20, BOB: 30}, FIVE_DUKES, FIVE_DUKES, NO_OX)

    assert [table.wallet(member) for member in (MEI, ALICE, BOB)] == [0, 1140, 1210]
    assert events[-1] == BankGivenUp(MEI, LeaveReason.CANNOT_COVER)


def test_after_the_showdown_the_seats_are_kept_and_the_next_round_is_open() -> None:
    table = banked(bets={ALICE: 10, BOB: 20})
    table.deal(SINGLE_9, NO_OX, SINGLE_1)
    table.do(RevealHand(ALICE))
    table.do(RevealHand(MEI))
    table.showdown()

    assert table.state.phase is Phase.BETTING
    assert table.state.round_number == 2
    assert table.state.seats == (Seat(1, ALICE), Seat(2, BOB))
    assert table.state.last_stakes == {ALICE: 10, BOB: 20}
    assert table.state.bank == Bank(MEI, 5, 100)


def test_nothing_is_settled_before_it_is_due() -> None:
    table = TrialTable()
    assert table.refused(Showdown(WIKIPEDIA)) == (Refusal.NOT_DUE, {})
    table.bank(MEI)
    table.bet(ALICE, 10)
    assert table.refused(Showdown(WIKIPEDIA)) == (Refusal.NOT_DUE, {})
    table.deal(NO_OX, NO_OX)
    table.do(RevealHand(ALICE))
    assert table.refused(Showdown(WIKIPEDIA)) == (Refusal.NOT_DUE, {})
    table.do(RevealHand(MEI))
    table.do(Showdown(WIKIPEDIA))
    assert table.refused(Showdown(WIKIPEDIA)) == (Refusal.NOT_DUE, {})


@pytest.mark.parametrize(("chips", "goes_on"), [(80, True), (79, False)])
def test_b02_a_bank_that_can_no_longer_cover_the_lowest_stake_is_given_up(chips: int, goes_on: bool) -> None:
    table = banked(chips={MEI: chips}, limits=(10, 100))

    events = table.play({ALICE: 10}, SINGLE_9, NO_OX)

    assert table.wallet(MEI) == chips - 10
    if goes_on:
        assert events[-1] == RoundOpened(2, WIKIPEDIA)
    else:
        assert events[-1] == BankGivenUp(MEI, LeaveReason.CANNOT_COVER)
        assert table.state.departures == (Departure(MEI, LeaveReason.CANNOT_COVER, was_banker=True),)
        assert table.state.phase is Phase.OPEN


def test_b02_a_bank_goes_on_with_what_it_just_won() -> None:
    table = banked(chips={MEI: 70}, limits=(10, 100))

    assert table.play({ALICE: 10}, NO_OX, DOUBLE_8)[-1] == RoundOpened(2, WIKIPEDIA)
    assert table.wallet(MEI) == 100


def test_b03_a_round_is_played_by_the_rules_of_when_its_betting_opened() -> None:
    table = banked()
    table.house = GnauRules(multiple_double_ox=6, betting_seconds=7)
    table.bet(ALICE, 10)
    table.deal(DOUBLE_8, NO_OX)
    assert table.state.rules == WIKIPEDIA

    settled, opened = table.showdown()

    assert isinstance(settled, RoundSettled)
    assert settled.result.rules == WIKIPEDIA
    assert table.wallet(ALICE) == 1030
    assert opened == RoundOpened(2, table.house)
    table.play({ALICE: 10}, DOUBLE_8, NO_OX)
    assert table.wallet(ALICE) == 1090


def test_b03_the_bank_must_cover_the_lowest_stake_under_the_rules_that_come_next() -> None:
    table = banked(chips={MEI: 100}, limits=(10, 100))
    table.house = GnauRules(multiple_five_dukes=20)

    assert table.play({ALICE: 10}, NO_OX, NO_OX)[-1] == BankGivenUp(MEI, LeaveReason.CANNOT_COVER)
