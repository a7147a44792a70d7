"""Members are never refused for what computer players hold: these make room (B02, B07)."""

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.settle import largest_multiple
from bot.games.tau_ngau.rules import TauNgauRules
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Play
from bot.table.betting import bank_covers, largest_side_stake, largest_stake, largest_to_offer
from bot.table.commands import Join, PlaceBet, PlaceSideBet, WithdrawBet
from bot.table.events import BetPlaced, BetWithdrawn, SideBetWithdrawn
from bot.table.refusals import Refusal
from bot.table.state import COMPUTERS, THE_HOUSE

from .trial_table import ALICE, BOB, CHAN, CHIPS, DORA, MEI, TrialTable, wallets_of

ONE, TWO, THREE = COMPUTERS
WITH_THREE = GnauRules(computer_players=3)


def banked(lowest: int = 20, rules: HouseRules = WITH_THREE) -> TrialTable:
    """A table where Mei banks with 1000 chips, 142 in bets, and computer players have bet."""
    table = TrialTable(rules, {THE_HOUSE: 10_000})
    table.bank(MEI, lowest, 100)
    assert table.state.bets
    return table


def stakes(table: TrialTable) -> list[int | None]:
    """What the computer players have bet."""
    return [seat.stake for seat in table.state.computers]


def test_b02_b07_a_newcomer_has_the_room_that_computer_players_hold() -> None:
    table = banked()
    assert stakes(table) == [20, 40, 60]
    assert largest_stake(table.state, ALICE, wallets_of(table, MEI, ALICE)) == 100
    table.bet(ALICE, 100)
    assert stakes(table) == [20, None, None]
    assert bank_covers(table.state, wallets_of(table, MEI)) == 42


def test_b02_b07_each_newcomer_has_room_until_members_hold_it_all() -> None:
    table = banked()
    table.bet_all(40, ALICE, BOB, CHAN)
    assert table.refused(PlaceBet(DORA, 40))[0] is Refusal.BANK_CANNOT_COVER
    table.bet(DORA, 22)
    assert stakes(table) == [None] * 3


def test_b02_b07_a_member_raises_a_bet_into_the_room_of_computer_players() -> None:
    table = banked()
    table.bet(ALICE, 20)
    assert largest_to_offer(table.state, wallets_of(table, MEI)) == 122
    table.bet(ALICE, 100)
    assert table.seat(ALICE).stake == 100


def test_b07_computer_players_keep_their_bets_while_the_bank_covers_all() -> None:
    table = banked(lowest=5)
    events = table.do(PlaceBet(ALICE, 100))
    assert not any(isinstance(event, BetWithdrawn) for event in events)
    assert stakes(table) == [5, 10, 15]


def test_b07_computer_players_bet_again_with_what_is_left() -> None:
    table = banked(lowest=5)
    table.bet(ALICE, 100)
    events = table.do(PlaceBet(BOB, 20))
    assert BetWithdrawn(THREE) in events
    assert BetPlaced(BOB, 20) in events
    assert stakes(table) == [5, 10, None]
    assert bank_covers(table.state, wallets_of(table, MEI)) == 142 - 120


def test_b01_b07_computer_players_that_nobody_backs_make_room_first() -> None:
    table = banked()
    table.back(CHAN, THREE, 20)
    events = table.do(PlaceBet(ALICE, 60))
    assert {event.party for event in events if isinstance(event, BetWithdrawn)} == {ONE, TWO}
    assert table.state.side_bet_of(CHAN, THREE) is not None
    events = table.do(PlaceBet(BOB, 60))
    assert SideBetWithdrawn(CHAN, THREE) in events
    assert table.wallet(CHAN) == CHIPS


def test_b01_b07_a_backer_has_the_room_of_computer_players_but_of_the_backed_one() -> None:
    table = banked()
    table.bet(ALICE, 20)
    assert stakes(table) == [20, 40, 60]
    assert largest_side_stake(table.state, CHAN, THREE, wallets_of(table, MEI, CHAN)) == 62
    assert largest_side_stake(table.state, CHAN, ALICE, wallets_of(table, MEI, CHAN)) == 100
    assert table.refused(PlaceSideBet(CHAN, THREE, 63))[1]["most"] == 62
    table.back(CHAN, THREE, 62)
    assert stakes(table)[2] == 60
    table.back(DORA, ALICE, 60)
    assert table.state.side_bet_of(DORA, ALICE) is not None


def test_b01_b07_a_backer_who_takes_a_seat_brings_the_room_of_their_side_bets() -> None:
    table = banked()
    table.back(CHAN, THREE, 20)
    largest = largest_stake(table.state, CHAN, wallets_of(table, MEI, CHAN))
    assert largest == 100
    table.bet(CHAN, 100)
    assert table.state.side_bets == ()


def test_b02_b07_at_the_bank_of_the_house_both_sides_of_such_a_bet_are_room() -> None:
    rules = GnauRules(computer_players=3, lowest_stake=20)
    table = TrialTable(rules, {THE_HOUSE: 7 * 200})
    table.play_house(ALICE)
    table.do(Join(BOB))
    table.bet(ALICE, 20)
    assert stakes(table) == [20, 40, None]
    assert bank_covers(table.state, wallets_of(table, THE_HOUSE)) == 180
    table.bet(BOB, 100)
    assert stakes(table) == [20, None, None]
    table.bet(ALICE, 100)
    assert stakes(table) == [None] * 3
    assert table.wallet(THE_HOUSE) == 0


@pytest.mark.parametrize("rules", [WITH_THREE, TauNgauRules(computer_players=3)])
@pytest.mark.parametrize("room", range(20, 250, 7))
def test_b02_b07_the_largest_bet_that_is_offered_is_taken(rules: HouseRules, room: int) -> None:
    table = TrialTable(rules, {THE_HOUSE: largest_multiple(rules) * room})
    table.play_house(ALICE)
    table.bet(ALICE, 5)
    largest = largest_stake(table.state, BOB, wallets_of(table, THE_HOUSE, BOB))
    assert isinstance(largest, int)
    assert largest <= largest_to_offer(table.state, wallets_of(table, THE_HOUSE))
    table.bet(BOB, largest)


def test_b07_no_bet_of_a_computer_player_goes_back_for_a_refused_bet() -> None:
    table = banked()
    before = table.state
    assert table.refused(PlaceBet(ALICE, 101))[0] is Refusal.STAKE_ABOVE_HIGHEST
    assert table.state == before
    table.bet(ALICE, 100)
    table.do(WithdrawBet(ALICE))
    assert stakes(table) == [20, 40, 42]


def test_g22_b07_for_points_no_computer_player_makes_room() -> None:
    table = banked(rules=WITH_THREE.model_copy(update={"play": Play.POINTS}))
    events = table.do(PlaceBet(ALICE, 1))
    assert not any(isinstance(event, BetWithdrawn) for event in events)
    assert stakes(table) == [1, 1, 1]
