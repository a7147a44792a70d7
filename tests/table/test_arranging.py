import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import SuitedBonus, Ties
from bot.table.commands import Arrange, Leave, RevealHand
from bot.table.events import HandArranged
from bot.table.refusals import Refusal
from bot.table.state import PlayerResult

from .trial_table import ALICE, BOB, CHAN, FIVE_DUKES, MEI, NO_OX, SINGLE_1, TrialTable, banked

TWO_WAYS = "3S 6D 8C 4H 8D"
"""The worked example: Ox of 2 by its first three, Double-Ox 8 by 3-6-4, no ox by 3-8-4 (G23)."""
WEAK, STRONG, WRONG = (0, 1, 2), (0, 1, 3), (0, 2, 3)
BY_HAND = [ArrangedBy.ASSISTED, ArrangedBy.STRICT]


def dealt(
    by: ArrangedBy, hand: str = TWO_WAYS, bank: str = SINGLE_1, *, backer: int | None = None
) -> TrialTable:
    """Alice has bet 10 against Mei, a backer as much on Alice, and the hands are dealt."""
    table = banked(GnauRules(arrange=by, ties=Ties.PUSH), bets={ALICE: 10})
    if backer is not None:
        table.back(backer, ALICE, 10)
    table.deal(hand, bank)
    return table


def arrange(table: TrialTable, three: tuple[int, ...] | None, who: int = ALICE) -> None:
    assert table.do(Arrange(who, three)) == (HandArranged(who, three),)


def alices(table: TrialTable) -> PlayerResult:
    """What the showdown brings Alice."""
    table.showdown()
    return table.last.players[0]


@pytest.mark.parametrize(
    ("by", "hands", "threes", "chips"),
    [
        *((by, (TWO_WAYS, SINGLE_1), (None, None), 30) for by in ArrangedBy),
        *((by, (TWO_WAYS, SINGLE_1), (WEAK, None), 10) for by in BY_HAND),
        *((by, (SINGLE_1, TWO_WAYS), (None, WEAK), -10) for by in BY_HAND),
        # Three that are no ox are kept as none, and two of these push; a hand that needs no ox always counts.
        (ArrangedBy.STRICT, (TWO_WAYS, SINGLE_1), (WRONG, None), -10),
        (ArrangedBy.STRICT, (TWO_WAYS, TWO_WAYS), (WRONG, WRONG), 0),
        (ArrangedBy.STRICT, (FIVE_DUKES, SINGLE_1), (STRONG, None), 70),
    ],
)
def test_b04_a_declared_ox_stands_even_if_another_way_is_stronger(
    by: ArrangedBy, hands: tuple[str, str], threes: tuple[tuple[int, ...] | None, ...], chips: int
) -> None:
    table = dealt(by, *hands)
    for who, three in zip((ALICE, MEI), threes, strict=True):
        if three is not None:
            arrange(table, three, who)
    result = alices(table)
    assert (result.declared_ox, table.last.declared_ox, result.chips) == (*threes, chips)
    assert (table.seat(ALICE).declared_ox, table.bank_now.declared_ox) == (None, None), "the next round"


def test_b04_assisted_refuses_a_wrong_ox_with_its_totals() -> None:
    table = dealt(ArrangedBy.ASSISTED)
    refused = table.refused(Arrange(ALICE, WRONG))
    assert refused == (Refusal.NOT_AN_OX, {"totals": "15, 18"})
    assert table.seat(ALICE).declared_ox is None


@pytest.mark.parametrize("by", BY_HAND)
def test_b08_a_backed_hand_is_not_arranged_worse_than_the_strongest_way(by: ArrangedBy) -> None:
    table = dealt(by, backer=BOB)
    assert table.refused(Arrange(ALICE, WEAK)) == (Refusal.BACKED_HAND, {})
    wrong = table.refused(Arrange(ALICE, WRONG))[0]
    assert wrong is (Refusal.BACKED_HAND if by is ArrangedBy.STRICT else Refusal.NOT_AN_OX)
    assert table.seat(ALICE).declared_ox is None
    arrange(table, STRONG)
    arrange(table, None)
    assert alices(table).chips == 30
    needs_no_ox = dealt(ArrangedBy.STRICT, FIVE_DUKES, backer=BOB)
    arrange(needs_no_ox, STRONG)


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
    assert table.do(Arrange(ALICE, None)) == ()
    for three in (WEAK, STRONG, None, WEAK):
        arrange(table, three)
    assert table.do(Arrange(ALICE, WEAK[::-1])) == (), "the same three in another order"
    table.do(Leave(ALICE))
    arrange(table, STRONG)
    table.do(RevealHand(ALICE))
    assert table.refused(Arrange(ALICE, WEAK)) == (Refusal.ALREADY_REVEALED, {})
    assert table.seat(ALICE).declared_ox == STRONG


def test_b04_the_choice_may_change_until_time_is_up() -> None:
    table = dealt(ArrangedBy.ASSISTED)
    table.wait(table.state.rules.arranging_seconds - 1)
    arrange(table, WEAK)
    table.wait(1)
    assert table.refused(Arrange(ALICE, STRONG)) == (Refusal.TIME_IS_UP, {})


@pytest.mark.parametrize("three", [(), (0, 1), (0, 1, 1), (0, 1, 5), (-1, 0, 1), (0, 1, 2, 3)])
def test_an_ox_must_be_three_places_of_a_hand(three: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="different places from 0 to 4"):
        dealt(ArrangedBy.STRICT).decided(Arrange(ALICE, three))


def test_a_banker_who_arranges_has_not_missed_the_round() -> None:
    table = banked(GnauRules(arrange=ArrangedBy.ASSISTED), bets={ALICE: 10})
    table.wait(table.state.rules.betting_seconds)
    table.deal_when_due(TWO_WAYS, TWO_WAYS)
    assert table.bank_now.rounds_missed == 1
    arrange(table, WEAK, MEI)
    assert table.bank_now.rounds_missed == 0
