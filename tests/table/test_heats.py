"""Tables of a tournament: chips of their own, everybody bets, and nobody joins."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.house import House
from bot.games.register import GAMES
from bot.games.settle import largest_multiple
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, HouseBank, Play
from bot.table.betting import largest_stake
from bot.table.commands import (
    BetLowest,
    Join,
    Leave,
    MemberLeft,
    OpenTable,
    PlaceBet,
    PlaceSideBet,
    SitOut,
    TakeBank,
)
from bot.table.deadlines import DueAction
from bot.table.decide import decide
from bot.table.evolve import fold
from bot.table.refusals import Refusal, Refused
from bot.table.state import THE_HOUSE, Contender, Heat, LeaveReason, Phase, TableState

from .strategies import own_command
from .trial_table import ALICE, BOB, CHAN, MEI, SEALED, TrialTable

CHIPS = 1000


def rules(game: GameName = "gnau", lowest: int = 5, computers: int = 0) -> HouseRules:
    """The rules of a tournament."""
    own = {"house_bank": HouseBank.ONLY, "lowest_stake": lowest, "highest_stake": CHIPS}
    return House().rules(game, Play.TOURNAMENT).model_copy(update=own | {"computer_players": computers})


def heat_of(*parties: int, rounds: int = 3, house: HouseRules | None = None) -> TrialTable:
    """A table of a tournament, where nobody has other chips."""
    table = TrialTable(house or rules(), dict.fromkeys((MEI, ALICE, BOB, CHAN), 0))
    heat = Heat(1, 1, 1, rounds, 0, tuple(Contender(party, CHIPS) for party in parties))
    opened = decide(None, OpenTable(70, 8, 9, 3, MEI, table.house, heat), table.now, {}, SEALED)
    assert not isinstance(opened, Refused)
    table.state, table.record = opened.state, list(opened.events)
    return table


def chips_in(state: TableState) -> dict[int, int]:
    """What each player has."""
    assert state.heat is not None
    return {one.party: one.chips for one in state.heat.contenders}


def test_everybody_is_seated_at_a_table_of_a_tournament_and_can_bet_what_they_have_there() -> None:
    table = heat_of(ALICE, BOB)
    assert (table.state.phase, table.bank_now.party) == (Phase.BETTING, THE_HOUSE)
    assert [seat.party for seat in table.state.seats] == [ALICE, BOB]
    assert largest_stake(table.state, ALICE, {}) == CHIPS // largest_multiple(table.house)
    table.bet(ALICE, 100)
    assert table.refused(PlaceBet(BOB, 500))[0] is Refusal.PLAYER_CANNOT_COVER
    assert not table.holds


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Join(CHAN), Refusal.TOURNAMENT_TABLE),
        (PlaceBet(CHAN, 5), Refusal.TOURNAMENT_TABLE),
        (PlaceSideBet(CHAN, ALICE, 5), Refusal.TOURNAMENT_TABLE),
        (SitOut(BOB), Refusal.EVERYBODY_BETS),
        (TakeBank(CHAN, 5, 10, rules()), Refusal.HOUSE_ALWAYS_BANKS),
        (BetLowest(), Refusal.NOT_DUE),
    ],
)
def test_nobody_joins_a_tournament_backs_anybody_or_sits_out(command: object, code: Refusal) -> None:
    table = heat_of(ALICE, BOB)
    table.bet(ALICE, 5)
    assert table.refused(command)[0] is code  # type: ignore[arg-type]


def test_the_lowest_is_bet_for_who_does_not_bet_in_time() -> None:
    table = heat_of(ALICE, BOB)
    table.bet(ALICE, 50)
    assert table.wait(table.house.betting_seconds) is DueAction.BET_LOWEST
    table.do(BetLowest())
    assert (table.seat(ALICE).stake, table.seat(BOB).stake) == (50, 5)
    assert table.wait(0) is DueAction.DEAL


def play_round(table: TrialTable, *bettors: int) -> None:
    """Plays a round in which only these players bet."""
    for party in bettors:
        table.bet(party, table.bank_now.lowest)
    number = table.state.round_number
    while table.state.phase is not Phase.CLOSED and table.state.round_number == number:
        what = table.wait(0) or table.wait(3600)
        assert what is not None
        table.do(own_command(table.state, what, table.house, number))


def test_who_does_nothing_in_two_rounds_in_a_row_is_out_unless_nobody_does_anything() -> None:
    table = heat_of(ALICE, BOB, CHAN, rounds=6)
    for bettors in ([ALICE], [ALICE, BOB], [ALICE]):
        assert table.state.phase is Phase.BETTING
        play_round(table, *bettors)
    assert [seat.party for seat in table.state.seats] == [ALICE, BOB]
    assert set(chips_in(table.state)) == {ALICE, BOB}
    play_round(table, ALICE, BOB)
    while table.state.phase is not Phase.CLOSED:
        play_round(table)
    assert table.last.round_number == 6
    assert set(chips_in(table.state)) == {ALICE, BOB}


def test_computer_players_take_every_seat_that_the_players_leave_free() -> None:
    most = GAMES["tau-ngau"].most_players
    for players, computers in ((most - 1, 1), (most, 0)):
        table = heat_of(*range(ALICE, ALICE + players), house=rules("tau-ngau", computers=3))
        assert len(table.state.computers) == computers


def test_who_gives_up_is_out_and_the_last_one_is_alone() -> None:
    table = heat_of(ALICE, BOB, CHAN)
    table.do(Leave(ALICE))
    assert chips_in(table.state) == {BOB: CHIPS, CHAN: CHIPS}
    table.bet(CHAN, 5)
    table.do(MemberLeft(BOB, LeaveReason.REMOVED))
    assert (table.state.phase, chips_in(table.state)) == (Phase.CLOSED, {CHAN: CHIPS})


@given(
    st.sampled_from(sorted(GAMES)),
    st.integers(2, 5),
    st.integers(1, 6),
    st.integers(1, 30),
    st.integers(0, 3),
    st.integers(0, 1000),
)
def test_a_tournaments_table_ends_after_its_rounds_and_no_chips_move(
    game: GameName, players: int, rounds: int, lowest: int, computers: int, seed: int
) -> None:
    # What a player loses the house wins, whose chips of a tournament nobody counts.
    parties, chance = range(1, players + 1), random.Random(seed)
    house = rules(game, lowest, computers)
    table = heat_of(*parties, rounds=rounds, house=house)
    due = dict.fromkeys(parties, CHIPS)
    accounts = table.accounts.copy()
    while table.state.phase is not Phase.CLOSED:
        for seat in table.state.undecided:
            most = largest_stake(table.state, seat.party, {})
            assert isinstance(most, int)
            if table.state.phase is Phase.BETTING and chance.random() < 0.5:
                table.bet(seat.party, chance.randint(lowest, most))
        what = table.wait(0) or table.wait(3600)
        assert what in (DueAction.BET_LOWEST, DueAction.DEAL, DueAction.SHOWDOWN)
        before = table.state.last
        command = own_command(table.state, what, house, seed)
        table.do(command)
        if (last := table.state.last) is not None and last is not before:
            for party, gained in last.gains:
                if party in due:
                    due[party] += gained
        for gone in table.state.departures:
            if gone.leave_reason is LeaveReason.AWAY:
                due.pop(gone.party, None)
        assert chips_in(table.state) == due
        assert min(due.values()) >= 0
    last = table.last
    assert last.round_number <= rounds
    needed = lowest * largest_multiple(house)
    still_in = [party for party, chips in due.items() if chips >= needed]
    assert last.round_number == rounds or len(still_in) < 2
    assert table.accounts == accounts
    assert fold(None, table.record) == table.state
