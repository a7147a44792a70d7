"""Hands that players arrange themselves, and suited hands."""

from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauClass, GnauRules
from bot.games.hands import arrangements, declared, evaluate, is_suited, odd_counts, totals
from bot.games.settle import largest_multiple
from bot.rules.cards import Card, parse_cards, suit_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SuitedBonus
from tests.games.presets import WIKIPEDIA

from .strategies import hands, house_rules

NEEDS_NO_OX = {GnauClass.FIVE_DUKES, GnauClass.FIVE_SMALL}
THREES = list(combinations(range(5), 3))
WORKED_EXAMPLE = parse_cards("3H 6D 8C 4S 8H")


@pytest.mark.parametrize(
    ("three", "hand_class", "value"),
    [
        ((0, 1, 2), GnauClass.SINGLE_OX, 2),
        ((0, 1, 3), GnauClass.DOUBLE_OX, 8),
        ((2, 3, 4), GnauClass.SINGLE_OX, 9),
        ((0, 2, 3), GnauClass.NO_OX, 0),
    ],
)
def test_b04_the_declared_three_decide(three: tuple[int, ...], hand_class: GnauClass, value: int) -> None:
    made = declared(WORKED_EXAMPLE, three, WIKIPEDIA)

    assert (made.hand_class, made.value) == (hand_class, value)
    assert made.ox == (() if hand_class is GnauClass.NO_OX else tuple(WORKED_EXAMPLE[at] for at in three))


@pytest.mark.parametrize("three", [(), (0, 1), (0, 1, 1), (0, 1, 5), (-1, 0, 1), (0, 1, 2, 3)])
def test_b04_the_declared_places_are_three_different_places_of_five(three: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="3 different places"):
        declared(WORKED_EXAMPLE, three, WIKIPEDIA)


@given(hands(decks=2), house_rules())
def test_b04_the_best_declaration_equals_the_automatic_arrangement(
    cards: tuple[Card, ...], rules: HouseRules
) -> None:
    named = [declared(cards, three, rules) for three in THREES]

    assert max(hand.strength for hand in named) == evaluate(cards, rules).strength
    assert {hand.strength for hand in named} <= {hand.strength for hand in arrangements(cards, rules)} | {0}


def test_g04_every_total_of_three_cards() -> None:
    assert totals(parse_cards("7S 8D 3C"), WIKIPEDIA) == (18, 21)
    assert totals(parse_cards("3S 6D 6C"), WIKIPEDIA) == (9, 12, 15, 18)
    assert totals(parse_cards("3S 6D 6C"), GnauRules(flex_3_6=False)) == (15,)


SUITED = [
    (SuitedBonus.OX, "10H 4H 6H 8S 8D"),
    (SuitedBonus.POWER, "10H 4D 6C 8H 5H"),
    (SuitedBonus.FIVE, "10H 4H 6H 8H 5H"),
]


@pytest.mark.parametrize(("bonus", "text"), SUITED)
def test_g21_a_suited_ox_pays_double_and_ranks_the_same(bonus: SuitedBonus, text: str) -> None:
    plain = evaluate(parse_cards(text), WIKIPEDIA)
    suited = evaluate(parse_cards(text), GnauRules(suited_bonus=bonus))

    assert not plain.suited
    assert suited.suited
    assert (suited.strength, suited.multiple) == (plain.strength, 2 * plain.multiple)


@pytest.mark.parametrize("text", ["10H 4H 6S 8S 8D", "10H 4H 6D 8H 5D"])
@pytest.mark.parametrize("bonus", SuitedBonus)
def test_g21_a_hand_of_mixed_suits_never_pays_double(bonus: SuitedBonus, text: str) -> None:
    assert not evaluate(parse_cards(text), GnauRules(suited_bonus=bonus)).suited


def test_g21_among_equally_strong_arrangements_a_suited_one_counts() -> None:
    rules = GnauRules(suited_bonus=SuitedBonus.OX)
    hand = evaluate(parse_cards("10H QD JH KH 5C"), rules)

    assert (hand.hand_class, hand.value, hand.suited) == (GnauClass.SINGLE_OX, 5, True)
    assert set(hand.ox) == set(parse_cards("10H JH KH"))


@pytest.mark.parametrize("text", ["AH AH 2H 3H 4H", "JH JH QH KH KH"])
@pytest.mark.parametrize("bonus", SuitedBonus)
def test_g21_the_bonus_is_for_an_ox_and_not_for_hands_that_need_none(bonus: SuitedBonus, text: str) -> None:
    hand = evaluate(parse_cards(text), GnauRules(suited_bonus=bonus))

    assert (hand.hand_class in NEEDS_NO_OX, hand.suited, hand.multiple) == (True, False, 7)


@given(hands(decks=2), house_rules())
def test_g21_the_bonus_never_changes_the_rank_and_never_misses_a_suited_arrangement(
    cards: tuple[Card, ...], rules: HouseRules
) -> None:
    best = evaluate(cards, rules)
    plain = evaluate(cards, rules.model_copy(update={"suited_bonus": SuitedBonus.OFF}))
    equals = [hand for hand in arrangements(cards, rules) if hand.strength == best.strength]

    assert best.strength == plain.strength
    assert best.suited == any(hand.suited for hand in equals)
    assert best.multiple == plain.multiple * (2 if best.suited else 1) <= largest_multiple(rules)


@example(parse_cards("AC 3C 3D 5C 6C"))
@given(hands(decks=2))
def test_g04_of_arrangements_worth_the_same_the_one_with_the_fewest_swaps_of_3_and_6_is_shown(
    cards: tuple[Card, ...],
) -> None:
    best = evaluate(cards, WIKIPEDIA)
    swaps = {
        hand.ox: sum(count is not None for count in odd_counts(hand, WIKIPEDIA))
        for hand in [best, *arrangements(cards, WIKIPEDIA)]
        if hand.rank == best.rank
    }
    assert swaps[best.ox] == min(swaps.values())


@given(st.sampled_from(SuitedBonus), hands(decks=2))
def test_g21_the_house_chooses_which_cards_must_be_of_one_suit(
    bonus: SuitedBonus, cards: tuple[Card, ...]
) -> None:
    rules = GnauRules(suited_bonus=bonus)
    ox, power = cards[:3], cards[3:]
    named = {"off": (), "ox": ox, "power": power, "five": cards}[bonus]

    assert is_suited(ox, power, rules) == (len({suit_of(card) for card in named}) == 1)
    assert not is_suited((), (), rules)
