import pytest

from bot.table.betting import bank_covers, largest_side_stake, largest_stake
from bot.table.commands import PlaceBet, PlaceSideBet
from bot.table.events import SeatTaken, SideBetWithdrawn
from bot.table.refusals import Refusal, Refused
from bot.table.seats import LeaveReason

from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    CHIPS,
    DORA,
    LARGEST_MULTIPLE,
    MEI,
    SINGLE_9,
    banked,
    table_with_side_bet,
    wallets_of,
)


def test_b02_the_exposure_of_all_side_bets_is_held_from_backer_and_bank() -> None:
    table = table_with_side_bet(20)
    table.bet(BOB, 5)
    table.back(CHAN, BOB, 30)

    assert table.state.held == table.holds
    assert table.holds == {
        CHAN: 50 * LARGEST_MULTIPLE,
        ALICE: 10 * LARGEST_MULTIPLE,
        BOB: 5 * LARGEST_MULTIPLE,
        MEI: 65 * LARGEST_MULTIPLE,
    }
    assert (
        bank_covers(table.state, wallets_of(table, MEI))
        == (CHIPS - 65 * LARGEST_MULTIPLE) // LARGEST_MULTIPLE
    )


@pytest.mark.parametrize(
    ("chips", "most"),
    [
        ({CHAN: 7 * 40 + 6}, 40),
        ({MEI: 7 * (10 + 30) + 6}, 30),
        ({}, 100),
        ({CHAN: 34}, 0),
        ({MEI: 7 * 14 + 6}, 0),
    ],
    ids=["the backer", "the bank", "the limit", "a poor backer", "a poor bank"],
)
def test_b02_the_largest_side_bet_is_accepted_and_no_larger_one(chips: dict[int, int], most: int) -> None:
    table = banked(chips={MEI: 2 * CHIPS} | chips, bets={ALICE: 10})

    largest = largest_side_stake(table.state, CHAN, ALICE, wallets_of(table, MEI, CHAN))

    assert (0 if isinstance(largest, Refused) else largest) == most
    table.refused(PlaceSideBet(CHAN, ALICE, max(most, 4) + 1))
    if most:
        table.back(CHAN, ALICE, most)


def test_b02_a_side_bet_that_is_not_covered_is_refused_with_the_largest_possible() -> None:
    table = banked(chips={CHAN: 7 * 40}, bets={ALICE: 100})
    assert table.refused(PlaceSideBet(CHAN, ALICE, 41)) == (
        Refusal.PLAYER_CANNOT_COVER,
        {"stake": 41, "needed": 41 * LARGEST_MULTIPLE, "wallet": 280, "most": 40},
    )
    assert table.refused(PlaceSideBet(DORA, ALICE, 43)) == (
        Refusal.BANK_CANNOT_COVER,
        {"stake": 43, "most": 42},
    )
    limits = {"lowest": 5, "highest": 100}
    assert table.refused(PlaceSideBet(DORA, ALICE, 4)) == (Refusal.STAKE_BELOW_LOWEST, {"stake": 4, **limits})


def test_b02_the_hold_of_a_side_bet_covers_the_one_that_replaces_it() -> None:
    table = banked(chips={CHAN: 7 * 40, MEI: 7 * 50}, bets={ALICE: 10})
    table.back(CHAN, ALICE, 39)

    most = largest_side_stake(table.state, CHAN, ALICE, wallets_of(table, MEI, CHAN))

    assert most == 40
    table.back(CHAN, ALICE, 40)
    assert (table.wallet(CHAN), table.wallet(MEI)) == (0, 0)


def test_b02_the_holds_of_side_bets_cover_the_bet_of_a_backer_who_sits_down() -> None:
    table = banked(chips={CHAN: 7 * 40, MEI: 7 * 50}, bets={ALICE: 10})
    table.back(CHAN, ALICE, 40)

    assert largest_stake(table.state, CHAN, wallets_of(table, MEI, CHAN)) == 40
    events = table.do(PlaceBet(CHAN, 40))

    assert [type(event) for event in events[:2]] == [SideBetWithdrawn, SeatTaken]
    assert table.holds == {ALICE: 70, CHAN: 280, MEI: 350}


def test_b02_a_bet_that_side_bets_left_no_room_for_is_refused() -> None:
    table = banked(chips={MEI: 7 * 50}, bets={ALICE: 10})
    table.back(CHAN, ALICE, 30)
    assert table.refused(PlaceBet(BOB, 11)) == (Refusal.BANK_CANNOT_COVER, {"stake": 11, "most": 10})


def test_b02_a_banker_ruined_by_side_bets_gives_up_the_bank() -> None:
    table = banked(chips={MEI: 7 * 40}, bets={ALICE: 5})
    table.back(CHAN, ALICE, 35)
    table.deal("JC QD KH KS KC", SINGLE_9)
    table.showdown()
    assert table.wallet(MEI) == 0
    assert [(gone.party, gone.leave_reason) for gone in table.state.departures] == [
        (MEI, LeaveReason.CANNOT_COVER)
    ]
