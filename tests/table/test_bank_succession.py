from collections.abc import Mapping

import pytest
from hypothesis import given

from bot.games.gnau.rules import GnauRules
from bot.games.register import GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import BankPasses, GameName
from bot.table.commands import Arrange, Command, Deal, GiveUpBank, Join, Leave, RollForBank, SitOut
from bot.table.events import BankGivenUp, BankPassed, Event, RoundOpened, RoundSettled, SeatLeft, SeatTaken
from bot.table.state import Bank, Departure, LeaveReason, Phase

from .strategies import dice_for, pieces_for, seeds
from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    DOUBLE_8,
    FIVE_DUKES,
    MEI,
    NO_OX,
    SINGLE_1,
    SINGLE_9,
    TrialTable,
    banked,
)

EVERY = GnauRules(bank_passes=BankPasses.EVERY_ROUND, lowest_stake=5)


def company(rules: HouseRules = EVERY, chips: Mapping[int, int] | None = None) -> TrialTable:
    """Mei is banker; Alice, Bob and Chan have bet, in this order on her left."""
    table = banked(rules, chips)
    table.bet_all(5, ALICE, BOB, CHAN)
    return table


def after_a_round(table: TrialTable, bank: str = SINGLE_1, players: str = NO_OX) -> tuple[Event, ...]:
    """The events of the showdown after its result, if all players have the same hand."""
    table.deal(*[players for _ in table.state.bets], bank)
    settled, *rest = table.showdown()
    assert isinstance(settled, RoundSettled)
    return tuple(rest)


def banker(table: TrialTable) -> int:
    return table.bank_now.party


def seated(table: TrialTable) -> dict[int, int]:
    return {seat.number: seat.party for seat in table.state.seats}


@pytest.mark.parametrize(
    ("when", "hand", "passes"),
    [
        (BankPasses.STAYS, SINGLE_9, False),
        (BankPasses.STAYS, NO_OX, False),
        (BankPasses.EVERY_ROUND, SINGLE_9, True),
        (BankPasses.EVERY_ROUND, NO_OX, True),
        (BankPasses.AFTER_OX, SINGLE_9, True),
        (BankPasses.AFTER_OX, DOUBLE_8, True),
        (BankPasses.AFTER_OX, FIVE_DUKES, True),
        (BankPasses.AFTER_OX, NO_OX, False),
        (BankPasses.AFTER_NO_OX, SINGLE_9, False),
        (BankPasses.AFTER_NO_OX, FIVE_DUKES, False),
        (BankPasses.AFTER_NO_OX, NO_OX, True),
    ],
)
def test_b05_the_house_rules_say_when_the_bank_passes(when: BankPasses, hand: str, passes: bool) -> None:
    table = company(GnauRules(bank_passes=when, lowest_stake=5))
    opened = RoundOpened(2, table.house)
    assert after_a_round(table, hand) == ((BankPassed(CHAN), opened) if passes else (opened,))
    assert banker(table) == (CHAN if passes else MEI)


@pytest.mark.parametrize(("when", "passes"), [(BankPasses.AFTER_OX, False), (BankPasses.AFTER_NO_OX, True)])
def test_b05_a_bankers_hand_counts_as_it_was_played(when: BankPasses, passes: bool) -> None:
    table = company(GnauRules(bank_passes=when, arrange=ArrangedBy.STRICT, lowest_stake=5))
    table.deal(NO_OX, NO_OX, NO_OX, SINGLE_9)
    table.do(Arrange(MEI, (0, 1, 3)))
    table.showdown()
    assert banker(table) == (CHAN if passes else MEI)


def test_b05_the_old_banker_has_the_first_seat_and_everybody_else_moves_up() -> None:
    table = company()
    after_a_round(table)
    assert seated(table) == {1: MEI, 2: ALICE, 3: BOB}
    assert table.state.bank == Bank(CHAN, 5, 100)
    assert table.state.phase is Phase.BETTING


def test_b05_the_bank_passes_to_a_neighbour_who_sat_the_round_out() -> None:
    table = company()
    table.do(SitOut(CHAN))
    after_a_round(table)
    assert banker(table) == CHAN


def test_b05_a_player_who_leaves_is_passed_over() -> None:
    table = company()
    table.deal(NO_OX, NO_OX, NO_OX, SINGLE_1)
    table.do(Leave(CHAN))
    settled, *rest = table.showdown()
    assert isinstance(settled, RoundSettled)
    assert rest == [
        SeatLeft(CHAN, LeaveReason.ASKED),
        BankPassed(BOB),
        RoundOpened(2, EVERY),
    ]
    assert seated(table) == {1: MEI, 2: ALICE}


def test_b05_a_player_who_cannot_cover_is_passed_over_and_keeps_the_seat() -> None:
    table = company(EVERY, {CHAN: 39})
    after_a_round(table)
    assert table.wallet(CHAN) == 34
    assert banker(table) == BOB
    assert seated(table) == {1: CHAN, 2: MEI, 3: ALICE}, "clockwise from Bob, as they sat before"


def test_b02_the_gains_of_the_round_count_for_covering_the_bank() -> None:
    table = company(EVERY, {CHAN: 35})
    after_a_round(table, NO_OX, SINGLE_1)
    assert (banker(table), table.wallet(CHAN)) == (CHAN, 40)


@pytest.mark.parametrize("command", [GiveUpBank(MEI), Leave(MEI)])
def test_b05_a_banker_who_is_going_passes_the_bank_on_and_stays_only_if_they_gave_up_the_bank(
    command: GiveUpBank | Leave,
) -> None:
    table, stays = company(), isinstance(command, GiveUpBank)
    table.deal(NO_OX, NO_OX, NO_OX, SINGLE_1)
    table.do(command)
    left = [] if stays else [SeatLeft(MEI, LeaveReason.ASKED)]
    assert table.showdown()[1:] == (BankPassed(CHAN), *left, RoundOpened(2, EVERY))
    assert (banker(table), table.state.has(MEI)) == (CHAN, stays)


@pytest.mark.parametrize(
    ("chips", "asked", "left", "reason"),
    [
        (35, [Leave(MEI)], [], LeaveReason.ASKED),
        (35, [GiveUpBank(MEI)], [], LeaveReason.ASKED),
        (1000, [Leave(ALICE), Leave(BOB), Leave(CHAN)], [ALICE, BOB, CHAN], LeaveReason.NO_SUCCESSOR),
    ],
)
def test_b05_the_bank_is_given_up_if_nobody_can_take_it_or_is_left(
    chips: int, asked: list[Command], left: list[int], reason: LeaveReason
) -> None:
    table = company(EVERY, dict.fromkeys((ALICE, BOB, CHAN), chips))
    table.deal(NO_OX, NO_OX, NO_OX, SINGLE_1)
    for command in asked:
        table.do(command)
    leaving = [SeatLeft(member, LeaveReason.ASKED) for member in left]
    seated_again = [SeatTaken(4, MEI)] if asked == [GiveUpBank(MEI)] else []
    assert table.showdown()[1:] == (*leaving, BankGivenUp(MEI, reason), *seated_again)


def test_b05_a_banker_who_cannot_cover_any_more_becomes_a_player_when_the_bank_passes() -> None:
    table = company(EVERY, {MEI: 105})
    after_a_round(table, NO_OX, FIVE_DUKES)
    assert (table.wallet(MEI), banker(table), seated(table)[1]) == (0, CHAN, MEI)


def test_an_idle_banker_who_passes_the_bank_on_gets_no_seat() -> None:
    table = banked(GnauRules(bank_passes=BankPasses.AFTER_OX, lowest_stake=5))
    for hand in (NO_OX, NO_OX, SINGLE_1):
        table.bet(ALICE, 5)
        table.wait(table.state.rules.betting_seconds)
        table.deal_when_due(NO_OX, hand)
        events = table.showdown()
    assert events[1:] == (
        BankPassed(ALICE),
        SeatLeft(MEI, LeaveReason.IDLE),
        RoundOpened(4, table.house),
    )
    assert table.state.departures == (Departure(MEI, LeaveReason.IDLE, was_banker=False),)


def test_rounds_missed_move_with_the_member_and_their_last_stake_stays() -> None:
    table = company()
    table.wait(table.state.rules.betting_seconds)
    table.deal_when_due(NO_OX, NO_OX, NO_OX, SINGLE_1)
    table.showdown()
    assert (table.seat(MEI).rounds_missed, table.state.usual_stake(MEI)) == (1, None)
    assert (table.bank_now.rounds_missed, table.state.usual_stake(CHAN)) == (0, 5)
    table.bet_all(7, MEI, ALICE, BOB)
    after_a_round(table)
    assert (banker(table), table.state.usual_stake(CHAN)) == (BOB, 5)


def test_a_new_banker_keeps_the_count_of_missed_rounds() -> None:
    table = banked(EVERY, bets={ALICE: 5})
    table.do(Join(BOB))
    after_a_round(table)
    assert table.state.bank == Bank(BOB, 5, 100, rounds_missed=1)


@pytest.mark.parametrize(
    ("seats", "players", "keeps"), [(2, (ALICE,), True), (2, (ALICE, BOB), False), (2, (), False)]
)
def test_b06_who_gives_up_the_bank_keeps_a_free_seat_but_not_an_empty_table_open(
    seats: int, players: tuple[int, ...], keeps: bool
) -> None:
    table = banked(GnauRules(seats=seats))
    table.join(*players)
    table.do(GiveUpBank(MEI))
    assert seated(table) == dict(enumerate((*players, *([MEI] if keeps else [])), 1))
    assert (table.state.deadline is None) is bool(players)


@pytest.mark.parametrize("passes", BankPasses)
@pytest.mark.parametrize("game", GAMES)
@given(seed=seeds)
def test_b05_t03_who_gives_up_the_bank_has_it_no_more_whatever_their_hand_and_the_dice(
    game: GameName, passes: BankPasses, seed: int
) -> None:
    table = TrialTable(GAMES[game].rules(bank_passes=passes))
    table.join(MEI, ALICE, BOB, CHAN)
    if GAMES[game].rolls_for_bank:
        table.roll(MEI, 6, 6, *(1, 1) * 3)
    else:
        table.bank(MEI, 5, 100)
    table.bet_all(5, ALICE, BOB, CHAN)
    table.do(Deal(MEI, pieces_for(table.state, seed)))
    table.do(GiveUpBank(MEI))
    table.showdown()
    if table.state.bank is None and GAMES[game].rolls_for_bank:
        table.do(RollForBank(ALICE, dice_for(seed), table.house))
    assert table.state.seat_of(MEI)
    assert not table.state.is_banker(MEI)
