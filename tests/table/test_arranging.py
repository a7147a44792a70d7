import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.settle import Outcome
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import SuitedBonus, Ties
from bot.table.commands import Arrange, Leave, RevealHand, Showdown
from bot.table.events import HandArranged, RoundSettled
from bot.table.refusals import Refusal
from bot.table.state import PlayerResult

from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    FIVE_DUKES,
    MEI,
    NO_OX,
    SINGLE_1,
    TrialTable,
    banked,
)

TWO_WAYS = "3S 6D 8C 4H 8D"
"""The worked example: Ox of 2 by its first three, Double-Ox 8 by 3-6-4, no ox by 3-8-4 (G23)."""
WEAK, STRONG, WRONG = (0, 1, 2), (0, 1, 3), (0, 2, 3)
BY_HAND = [ArrangedBy.ASSISTED, ArrangedBy.STRICT]


def dealt(arrange: ArrangedBy, hand: str = TWO_WAYS, bank: str = SINGLE_1) -> TrialTable:
    """Alice has bet 10 against Mei, and the hands are dealt."""
    table = banked(GnauRules(arrange=arrange, ties=Ties.PUSH), bets={ALICE: 10})
    table.deal(hand, bank)
    return table


def arrange(table: TrialTable, three: tuple[int, ...] | None, who: int = ALICE) -> None:
    assert table.do(Arrange(who, three)) == (HandArranged(who, three),)


def alices(table: TrialTable) -> PlayerResult:
    """What the showdown brings Alice."""
    table.showdown()
    assert table.state.last is not None
    return table.state.last.players[0]


@pytest.mark.parametrize("by", ArrangedBy)
def test_b04_a_hand_that_nobody_arranges_is_the_strongest(by: ArrangedBy) -> None:
    result = alices(dealt(by))
    assert (result.chips, result.declared_ox) == (30, None)


@pytest.mark.parametrize("by", BY_HAND)
def test_b04_a_declared_ox_stands_even_if_another_way_is_stronger(by: ArrangedBy) -> None:
    table = dealt(by)
    arrange(table, WEAK)
    result = alices(table)
    assert (result.chips, result.declared_ox) == (10, WEAK)


@pytest.mark.parametrize("by", BY_HAND)
def test_b04_the_banker_arranges_too(by: ArrangedBy) -> None:
    table = dealt(by, SINGLE_1, TWO_WAYS)
    arrange(table, WEAK, MEI)
    assert alices(table).chips == -10
    assert table.state.last is not None
    assert table.state.last.declared_ox == WEAK


def test_b04_assisted_refuses_a_wrong_ox_with_its_totals() -> None:
    table = dealt(ArrangedBy.ASSISTED)
    refused = table.refused(Arrange(ALICE, WRONG))
    assert refused == (Refusal.NOT_AN_OX, {"totals": "15, 18"})
    assert table.seat(ALICE).declared_ox is None


def test_b04_strict_keeps_a_wrong_ox_which_is_no_ox() -> None:
    table = dealt(ArrangedBy.STRICT)
    arrange(table, WRONG)
    result = alices(table)
    assert (result.outcome, result.chips) == (Outcome.BANKER, -10)


def test_b04_two_wrong_oxen_push() -> None:
    table = dealt(ArrangedBy.STRICT, TWO_WAYS, TWO_WAYS)
    arrange(table, WRONG)
    arrange(table, WRONG, MEI)
    result = alices(table)
    assert (result.outcome, result.chips) == (Outcome.PUSH, 0)
    assert table.state.bank is not None
    assert (table.seat(ALICE).declared_ox, table.state.bank.declared_ox) == (None, None), "the next round"


def test_b04_a_hand_that_needs_no_ox_counts_with_any_declared_ox() -> None:
    table = dealt(ArrangedBy.STRICT, FIVE_DUKES)
    arrange(table, STRONG)
    assert alices(table).chips == 70


def backed(by: ArrangedBy, hand: str = TWO_WAYS) -> TrialTable:
    """Bob, who only watches, has backed Alice's hand, and the hands are dealt."""
    table = banked(GnauRules(arrange=by, ties=Ties.PUSH), bets={ALICE: 10})
    table.back(BOB, ALICE, 20)
    table.deal(hand, SINGLE_1)
    return table


@pytest.mark.parametrize("by", BY_HAND)
def test_b08_a_backed_hand_is_not_arranged_worse_than_the_strongest_way(by: ArrangedBy) -> None:
    table = backed(by)
    assert table.refused(Arrange(ALICE, WEAK)) == (Refusal.BACKED_HAND, {})
    wrong = table.refused(Arrange(ALICE, WRONG))[0]
    assert wrong is (Refusal.BACKED_HAND if by is ArrangedBy.STRICT else Refusal.NOT_AN_OX)
    assert table.seat(ALICE).declared_ox is None
    arrange(table, STRONG)
    arrange(table, None)
    assert alices(table).chips == 30


def test_b08_a_backed_hand_that_needs_no_ox_may_be_arranged_in_any_way() -> None:
    table = backed(ArrangedBy.STRICT, FIVE_DUKES)
    arrange(table, STRONG)
    assert alices(table).chips == 70


def test_b08_an_equally_strong_way_that_pays_less_is_worse() -> None:
    table = banked(GnauRules(arrange=ArrangedBy.STRICT, suited_bonus=SuitedBonus.OX), bets={ALICE: 10})
    table.back(BOB, ALICE, 10)
    table.deal("AH 2H 7H 7C 5D", SINGLE_1)
    assert table.refused(Arrange(ALICE, (0, 1, 3))) == (Refusal.BACKED_HAND, {})
    arrange(table, (0, 1, 2))


def test_b08_a_hand_that_nobody_backs_may_be_arranged_worse_and_so_may_the_bankers() -> None:
    table = banked(GnauRules(arrange=ArrangedBy.STRICT), bets={ALICE: 10, BOB: 10})
    table.back(CHAN, ALICE, 5)
    table.deal(NO_OX, TWO_WAYS, TWO_WAYS)
    arrange(table, WEAK, BOB)
    arrange(table, WEAK, MEI)


@pytest.mark.parametrize("by", BY_HAND)
def test_b04_the_choice_may_change_and_be_taken_back_until_the_hand_is_revealed(by: ArrangedBy) -> None:
    table = dealt(by)
    for three in (WEAK, STRONG, None, WEAK):
        arrange(table, three)
    table.do(RevealHand(ALICE))
    assert table.refused(Arrange(ALICE, STRONG)) == (Refusal.ALREADY_REVEALED, {})
    assert table.seat(ALICE).declared_ox == WEAK


def test_b04_the_choice_may_change_until_time_is_up() -> None:
    table = dealt(ArrangedBy.ASSISTED)
    table.wait(table.state.rules.arranging_seconds - 1)
    arrange(table, WEAK)
    table.wait(1)
    assert table.refused(Arrange(ALICE, STRONG)) == (Refusal.TIME_IS_UP, {})


def test_the_same_choice_again_in_any_order_changes_nothing() -> None:
    table = dealt(ArrangedBy.ASSISTED)
    assert table.do(Arrange(ALICE, None)) == ()
    arrange(table, WEAK)
    assert table.do(Arrange(ALICE, (2, 0, 1))) == ()


@pytest.mark.parametrize("three", [(), (0, 1), (0, 1, 1), (0, 1, 5), (-1, 0, 1), (0, 1, 2, 3)])
def test_an_ox_must_be_three_places_of_a_hand(three: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="different places from 0 to 4"):
        dealt(ArrangedBy.STRICT).decided(Arrange(ALICE, three))


def test_a_player_who_leaves_after_the_round_may_still_arrange() -> None:
    table = dealt(ArrangedBy.ASSISTED)
    table.do(Leave(ALICE))
    arrange(table, WEAK)
    assert alices(table).chips == 10


def test_b03_a_hand_is_arranged_by_the_rules_of_its_round() -> None:
    table = dealt(ArrangedBy.STRICT)
    table.house = GnauRules()
    arrange(table, WRONG)
    table.wait(table.state.rules.arranging_seconds)
    settled = table.do(Showdown(table.house))[0]
    assert isinstance(settled, RoundSettled)
    assert settled.result.players[0].outcome is Outcome.BANKER


def test_a_banker_who_arranges_has_not_missed_the_round() -> None:
    table = banked(GnauRules(arrange=ArrangedBy.ASSISTED), bets={ALICE: 10})
    table.wait(table.state.rules.betting_seconds)
    table.deal_when_due(TWO_WAYS, TWO_WAYS)
    assert table.state.bank is not None
    assert table.state.bank.rounds_missed == 1
    arrange(table, WEAK, MEI)
    assert table.state.bank.rounds_missed == 0
