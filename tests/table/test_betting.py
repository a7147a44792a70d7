import pytest

from bot.rules.knobs import HouseRules
from bot.table.betting import bank_covers, largest_stake
from bot.table.commands import Join, Leave, PlaceBet, SitOut, WithdrawBet
from bot.table.events import BetPlaced, BetWithdrawn, SatOut, SeatTaken
from bot.table.refusals import Refusal

from .trial_table import ALICE, BOB, CHAN, MEI, NO_OX, SINGLE_1, TrialTable


def banked(rules: HouseRules | None = None, **chips: int) -> TrialTable:
    """A table whose bank is Mei's, for 5 to 100 chips, and whose members have so many chips."""
    by_name = {member.name.lower(): member for member in (MEI, ALICE, BOB, CHAN)}
    table = TrialTable(rules or HouseRules(), {by_name[name]: own for name, own in chips.items()})
    table.bank(MEI, 5, 100)
    return table


def test_b02_a_bet_holds_the_most_it_can_lose_of_player_and_bank() -> None:
    table = banked()
    table.do(Join(ALICE))

    assert table.do(PlaceBet(ALICE, 20)) == (BetPlaced(ALICE.member_id, 20),)

    assert table.holds == {ALICE.member_id: 140, MEI.member_id: 140}
    assert (table.wallet(ALICE), table.wallet(MEI)) == (860, 860)


@pytest.mark.parametrize(
    ("rules", "most"),
    [
        (HouseRules(), 7),
        (HouseRules(multiple_ngau_tonku=9), 9),
        (HouseRules(multiple_five_small=20, five_small=False), 7),
        (HouseRules(multiple_single_ox=8, ngau_tonku=False), 8),
    ],
)
def test_b02_what_is_held_follows_the_largest_multiple_in_force(rules: HouseRules, most: int) -> None:
    table = banked(rules)
    table.bet(ALICE, 10)

    assert table.holds == {ALICE.member_id: 10 * most, MEI.member_id: 10 * most}


def test_b02_the_bank_holds_for_every_bet() -> None:
    table = banked()
    table.bet(ALICE, 20)
    table.bet(BOB, 30)

    assert table.holds == {ALICE.member_id: 140, BOB.member_id: 210, MEI.member_id: 350}


def test_who_has_no_seat_sits_down_with_his_bet() -> None:
    table = banked()

    assert table.do(PlaceBet(ALICE, 20)) == (SeatTaken(1, ALICE), BetPlaced(ALICE.member_id, 20))


def test_who_finds_no_seat_can_not_bet() -> None:
    table = banked(HouseRules(seats=1))
    table.bet(ALICE, 20)

    assert table.refused(PlaceBet(BOB, 20)) == (Refusal.TABLE_FULL, {"seats": 1})
    assert table.wallet(BOB) == 1000


@pytest.mark.parametrize(("first", "then"), [(20, 50), (50, 20)])
def test_b02_a_changed_bet_holds_what_the_new_one_can_lose(first: int, then: int) -> None:
    table = banked()
    table.bet(ALICE, first)

    assert table.do(PlaceBet(ALICE, then)) == (BetPlaced(ALICE.member_id, then),)

    assert table.seat(ALICE).stake == then
    assert table.holds == {ALICE.member_id: 7 * then, MEI.member_id: 7 * then}
    assert table.wallet(ALICE) == 1000 - 7 * then


def test_the_same_bet_again_changes_nothing() -> None:
    table = banked()
    table.bet(ALICE, 20)
    before = table.state

    assert table.do(PlaceBet(ALICE, 20)) == ()
    assert table.state is before


def test_b02_a_changed_bet_may_use_what_the_old_one_holds() -> None:
    table = banked(alice=150)
    table.bet(ALICE, 20)

    table.bet(ALICE, 21)

    assert (table.wallet(ALICE), table.held(ALICE)) == (3, 147)


@pytest.mark.parametrize("stake", [4, 0, -20])
def test_a_stake_below_the_lowest_is_refused(stake: int) -> None:
    table = banked()

    facts = {"stake": stake, "lowest": 5, "highest": 100}
    assert table.refused(PlaceBet(ALICE, stake)) == (Refusal.STAKE_BELOW_LOWEST, facts)


def test_a_stake_above_the_highest_is_refused() -> None:
    table = banked(alice=5000, mei=5000)

    facts: dict[str, int | str] = {"stake": 101, "lowest": 5, "highest": 100}
    assert table.refused(PlaceBet(ALICE, 101)) == (Refusal.STAKE_ABOVE_HIGHEST, facts)
    table.bet(ALICE, 100)


@pytest.mark.parametrize("stake", [11, 100, 101, 5000])
def test_b02_who_can_not_cover_a_bet_is_told_the_largest_that_would_do(stake: int) -> None:
    table = banked(alice=76)

    assert table.refused(PlaceBet(ALICE, stake)) == (
        Refusal.PLAYER_CANNOT_COVER,
        {"stake": stake, "needed": stake * 7, "wallet": 76, "most": 10},
    )
    table.bet(ALICE, 10)


def test_b02_what_an_old_bet_holds_is_free_for_a_changed_one_in_its_refusal_too() -> None:
    table = banked(alice=146)
    table.bet(ALICE, 15)

    assert table.refused(PlaceBet(ALICE, 21)) == (
        Refusal.PLAYER_CANNOT_COVER,
        {"stake": 21, "needed": 147, "wallet": 146, "most": 20},
    )


def test_b02_the_largest_stake_told_is_one_that_the_limits_take() -> None:
    table = banked(alice=5000, mei=5000)

    assert table.refused(PlaceBet(ALICE, 4000))[1]["most"] == 100


def test_b02_the_largest_stake_told_is_one_that_the_bank_covers_too() -> None:
    table = banked(alice=700, mei=71)

    assert table.refused(PlaceBet(ALICE, 101))[1]["most"] == 10
    table.bet(ALICE, 10)


def test_b02_a_bet_that_the_bank_can_not_cover_is_refused_with_the_largest_that_would_do() -> None:
    table = banked(mei=211)
    table.bet(ALICE, 20)

    assert table.refused(PlaceBet(BOB, 11)) == (Refusal.BANK_CANNOT_COVER, {"stake": 11, "most": 10})
    assert table.refused(PlaceBet(ALICE, 31)) == (Refusal.BANK_CANNOT_COVER, {"stake": 31, "most": 30})
    table.bet(BOB, 10)


@pytest.mark.parametrize("stake", [1, 5, 50, 500])
def test_b02_who_can_not_cover_even_the_lowest_stake_is_told_so(stake: int) -> None:
    table = banked(alice=34)

    assert table.refused(PlaceBet(ALICE, stake)) == (
        Refusal.PLAYER_TOO_POOR,
        {"lowest": 5, "needed": 35, "wallet": 34},
    )


@pytest.mark.parametrize("stake", [1, 5, 50, 500])
def test_b02_a_bank_that_covers_no_further_bet_takes_none(stake: int) -> None:
    table = banked(mei=174)
    table.bet(ALICE, 20)

    assert table.refused(PlaceBet(BOB, stake)) == (Refusal.BANK_EXHAUSTED, {"lowest": 5})


def test_the_banker_does_not_bet_against_himself() -> None:
    table = banked()

    assert table.refused(PlaceBet(MEI, 20)) == (Refusal.HOLDS_THE_BANK, {})
    assert table.refused(SitOut(MEI.member_id)) == (Refusal.HOLDS_THE_BANK, {})


def test_nobody_bets_where_there_is_no_bank() -> None:
    table = TrialTable()
    table.do(Join(ALICE))

    assert table.refused(PlaceBet(ALICE, 20)) == (Refusal.NO_BANK, {})
    assert table.refused(SitOut(ALICE.member_id)) == (Refusal.NO_BANK, {})


def test_nothing_is_bet_changed_or_taken_back_once_the_cards_are_out() -> None:
    table = banked()
    table.do(Join(BOB))
    table.bet(ALICE, 20)
    table.do(SitOut(BOB.member_id))
    table.deal(SINGLE_1, NO_OX)

    for command in (
        PlaceBet(ALICE, 20),
        PlaceBet(ALICE, 30),
        PlaceBet(BOB, 20),
        PlaceBet(CHAN, 20),
        WithdrawBet(ALICE.member_id),
        SitOut(ALICE.member_id),
        SitOut(BOB.member_id),
    ):
        assert table.refused(command) == (Refusal.CARDS_ARE_OUT, {})


def test_a_bet_taken_back_frees_what_it_held() -> None:
    table = banked()
    table.bet(ALICE, 20)
    table.bet(BOB, 30)

    assert table.do(WithdrawBet(ALICE.member_id)) == (BetWithdrawn(ALICE.member_id),)

    assert table.holds == {BOB.member_id: 210, MEI.member_id: 210}
    assert (table.wallet(ALICE), table.seat(ALICE).stake) == (1000, None)


def test_who_has_no_bet_has_none_to_take_back() -> None:
    table = banked()
    table.do(Join(ALICE))

    for member in (ALICE, BOB, MEI):
        assert table.refused(WithdrawBet(member.member_id)) == (Refusal.NO_BET_OF_YOURS, {})


def test_who_sits_out_takes_his_bet_back() -> None:
    table = banked()
    table.bet(ALICE, 20)

    assert table.do(SitOut(ALICE.member_id)) == (BetWithdrawn(ALICE.member_id), SatOut(ALICE.member_id))
    assert (table.seat(ALICE).out, table.holds) == (True, {})
    assert table.do(SitOut(ALICE.member_id)) == ()


def test_who_sits_out_may_bet_after_all() -> None:
    table = banked()
    table.do(Join(ALICE))
    table.do(SitOut(ALICE.member_id))
    table.bet(ALICE, 20)

    assert (table.seat(ALICE).out, table.seat(ALICE).stake) == (False, 20)


def test_only_who_sits_here_sits_out() -> None:
    table = banked()

    assert table.refused(SitOut(BOB.member_id)) == (Refusal.NOT_SEATED, {})


def test_the_usual_stake_is_the_last_bet_whoever_holds_the_bank() -> None:
    table = banked()
    table.bet(ALICE, 20)
    table.bet(ALICE, 30)
    table.do(WithdrawBet(ALICE.member_id))
    table.do(Leave(MEI.member_id))
    table.bank(BOB, 5, 10)

    assert table.seat(ALICE).usual == 30
    assert table.refused(PlaceBet(ALICE, 30))[0] is Refusal.STAKE_ABOVE_HIGHEST


@pytest.mark.parametrize(
    "late",
    [PlaceBet(ALICE, 20, 1), WithdrawBet(ALICE.member_id, 1), SitOut(ALICE.member_id, 1)],
)
def test_what_was_meant_for_a_round_gone_by_is_not_done_in_this_one(
    late: PlaceBet | WithdrawBet | SitOut,
) -> None:
    table = banked()
    table.play({ALICE: 10}, NO_OX, NO_OX)
    table.bet(ALICE, 30)

    assert table.refused(late) == (Refusal.ROUND_IS_OVER, {"meant": 1, "now": 2})
    assert table.seat(ALICE).stake == 30


@pytest.mark.parametrize(
    "timely",
    [PlaceBet(ALICE, 20, 1), WithdrawBet(ALICE.member_id, 1), SitOut(ALICE.member_id, 1)],
)
def test_what_is_meant_for_this_round_is_done(timely: PlaceBet | WithdrawBet | SitOut) -> None:
    table = banked()
    table.bet(ALICE, 10)

    assert table.do(timely)


def test_the_bank_tells_what_it_covers_beyond_the_bets_that_stand() -> None:
    table = TrialTable(chips={MEI: 1000})
    assert bank_covers(table.state, {MEI.member_id: 1000}) == 0
    table.bank(MEI)
    table.bet(ALICE, 20)

    assert bank_covers(table.state, {MEI.member_id: table.wallet(MEI)}) == (1000 - 140) // 7


def test_b02_the_largest_stake_is_none_where_no_bet_would_be_taken() -> None:
    rich = dict.fromkeys((member.member_id for member in (MEI, ALICE, BOB, CHAN)), 10_000)
    table = TrialTable(HouseRules(seats=1))
    assert largest_stake(table.state, ALICE.member_id, rich) == 0
    table.bank(MEI)

    assert largest_stake(table.state, ALICE.member_id, rich) == 100
    assert largest_stake(table.state, ALICE.member_id, {**rich, ALICE.member_id: 34}) == 0
    assert largest_stake(table.state, MEI.member_id, rich) == 0
    table.bet(ALICE, 10)
    assert largest_stake(table.state, ALICE.member_id, rich) == 100
    assert largest_stake(table.state, BOB.member_id, rich) == 0
    table.deal(NO_OX, NO_OX)
    assert largest_stake(table.state, ALICE.member_id, rich) == 0
