"""What bets and side bets hold from players and bank, and the largest that both cover (B02)."""

import pytest

from bot.games.gnau.rules import GnauRules
from bot.table.betting import bank_covers, largest_to_offer
from bot.table.commands import Join, PlaceBet, PlaceSideBet
from bot.table.events import BetPlaced
from bot.table.refusals import Refusal

from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    CHIPS,
    DORA,
    LARGEST_MULTIPLE,
    MEI,
    banked,
    table_with_side_bet,
    wallets_of,
)


def test_b02_a_bet_holds_its_exposure_from_player_and_bank() -> None:
    table = banked()
    table.do(Join(ALICE))

    assert table.do(PlaceBet(ALICE, 20)) == (BetPlaced(ALICE, 20),)

    assert table.holds == {ALICE: 140, MEI: 140}
    assert (table.wallet(ALICE), table.wallet(MEI)) == (860, 860)


@pytest.mark.parametrize(
    ("rules", "multiple"),
    [
        (GnauRules(), 7),
        (GnauRules(multiple_ngau_tonku=9), 9),
        # A hand that the house does not play wins nothing.
        (GnauRules(multiple_five_small=20, five_small=False), 7),
        (GnauRules(multiple_single_ox=8, ngau_tonku=False), 8),
    ],
)
def test_b02_the_bank_holds_for_every_bet_at_the_largest_multiple(rules: GnauRules, multiple: int) -> None:
    table = banked(rules, bets={ALICE: 20, BOB: 30})

    assert table.holds == {ALICE: 20 * multiple, BOB: 30 * multiple, MEI: 50 * multiple}


@pytest.mark.parametrize("stake", [11, 100, 101, 5000])
def test_b02_a_bet_that_is_not_covered_is_refused_with_the_largest_possible(stake: int) -> None:
    table = banked(chips={ALICE: 76})

    assert table.refused(PlaceBet(ALICE, stake)) == (
        Refusal.PLAYER_CANNOT_COVER,
        {"stake": stake, "needed": stake * 7, "wallet": 76, "most": 10},
    )
    table.bet(ALICE, 10)


def test_b02_what_an_old_bet_holds_is_free_for_a_changed_one_in_its_refusal_too() -> None:
    table = banked(chips={ALICE: 146}, bets={ALICE: 15})

    assert table.refused(PlaceBet(ALICE, 21)) == (
        Refusal.PLAYER_CANNOT_COVER,
        {"stake": 21, "needed": 147, "wallet": 146, "most": 20},
    )


def test_b02_a_bet_that_the_bank_cannot_cover_is_refused_with_the_largest_possible() -> None:
    table = banked(chips={MEI: 211}, bets={ALICE: 20})

    assert table.refused(PlaceBet(BOB, 11)) == (Refusal.BANK_CANNOT_COVER, {"stake": 11, "most": 10})
    assert table.refused(PlaceBet(ALICE, 31)) == (Refusal.BANK_CANNOT_COVER, {"stake": 31, "most": 30})
    table.bet(BOB, 10)


def test_b02_the_side_bets_of_a_backer_who_sits_down_free_the_banks_chips_too() -> None:
    table = banked(
        GnauRules(seats=3),
        chips={MEI: 700, ALICE: 10_000, BOB: 10_000, CHAN: 10_000},
        bets={ALICE: 10, BOB: 20},
    )
    for backed in (ALICE, BOB):
        table.do(PlaceSideBet(CHAN, backed, 30))
    assert largest_to_offer(table.state, {MEI: table.wallet(MEI)}) == 60
    assert table.refused(PlaceBet(CHAN, 71))[0] is Refusal.BANK_CANNOT_COVER
    table.bet(CHAN, 70)


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
    limits = {"lowest": 5, "highest": 42}
    assert table.refused(PlaceSideBet(DORA, ALICE, 4)) == (Refusal.STAKE_BELOW_LOWEST, {"stake": 4, **limits})
