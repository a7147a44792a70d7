"""The odds match published totals, dealing every pair of small decks, and dealing at random."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, isclose, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauClass, GnauRules
from bot.games.hands import evaluate
from bot.games.register import GAMES, game_of
from bot.games.settle import Outcome, largest_multiple
from bot.games.tau_ngau.rules import TauNgauClass
from bot.odds.odds import MOST_DECKS, Odds, odds_among, odds_of
from bot.rules.cards import DECK_SIZE, deck, parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import BankPasses, GameName, SuitedBonus, Ties
from bot.rules.pieces import HAND_SIZE, HandClass
from bot.rules.tiles import pips_of, woodpile
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA
from tests.games.strategies import house_rules
from tests.games.test_every_hand import count
from tests.sizes import examples, sample

from .small_decks import (
    CHANGED,
    CHANGED_TAU_NGAU,
    EVERY_PILE,
    PlainCount,
    cases,
    changed_rules,
)


def classes_of(odds: Odds) -> dict[tuple[HandClass, int], int]:
    return {(each.hand_class, each.value): each.hands for each in odds.classes}


def test_published_totals_match() -> None:
    """Totals published for the related game Niu Niu.

    Under those rules 3 and 6 do not swap, three of a kind are an ox, tens are dukes, and all aces are equal.
    """
    rules = GnauRules(flex_3_6=False, triple_ox=True, five_dukes_tens=True, five_small=True, ngau_tonku=False)
    classes = classes_of(odds_of(rules))

    assert classes[GnauClass.NO_OX, 0] == 841_776
    singles = [classes[GnauClass.SINGLE_OX, value] for value in range(1, 11)]
    assert singles[:5] == [173_116, 145_732, 172_708, 145_660, 179_488]
    assert singles[5:] == [146_496, 174_200, 147_076, 174_588, 143_904]
    assert sum(classes[GnauClass.DOUBLE_OX, value] for value in range(1, 14)) == 145_480
    assert classes[GnauClass.FIVE_SMALL, 0] == 4_368
    assert classes[GnauClass.FIVE_DUKES, 0] == 4_368
    assert (GnauClass.NGAU_TONKU, 0) not in classes


@pytest.mark.thorough
@pytest.mark.parametrize("rules", sample(CHANGED.values(), ids=CHANGED))
def test_the_hands_of_one_deck_match_evaluating_one_by_one(rules: HouseRules) -> None:
    assert classes_of(odds_of(rules)) == dict(count(rules))


def test_g16_classes_come_weakest_first() -> None:
    order = [(each.hand_class, each.value) for each in odds_of(WIKIPEDIA).classes]

    assert order == sorted(order)
    assert order[0] == (GnauClass.NO_OX, 0)
    assert order[-1] == (GnauClass.FIVE_DUKES, 0)


def test_one_deck_under_the_preset_wikipedia() -> None:
    odds = odds_of(WIKIPEDIA)

    assert odds.hands == 2_598_960
    assert odds.pairs == 3_986_646_103_440
    assert odds.bank_edge == Fraction(3_136_871_981, 60_403_728_840)
    assert odds.standard_deviation == pytest.approx(1.6885340993890830)


@pytest.mark.parametrize("decks", range(1, 9))
def test_g02_pairs_are_as_many_as_two_hands_can_be_dealt(decks: int) -> None:
    odds = odds_of(WIKIPEDIA, decks)
    cards = DECK_SIZE * decks

    assert odds.hands == sum(each.hands for each in odds.classes) == comb(cards, HAND_SIZE)
    assert odds.pairs == comb(cards, HAND_SIZE) * comb(cards - HAND_SIZE, HAND_SIZE)


@pytest.mark.thorough
@pytest.mark.parametrize(("pile", "rules"), cases(2))
def test_the_odds_of_a_small_deck_match_dealing_every_pair(pile: str, rules: HouseRules) -> None:
    odds = odds_among(EVERY_PILE[pile], rules)
    plain = PlainCount(pile, rules)

    assert classes_of(odds) == dict(plain.classes)
    assert odds.hands == plain.classes.total()
    assert odds.pairs == plain.outcomes.total()
    assert odds.win == plain.part(Outcome.PLAYER)
    assert odds.lose == plain.part(Outcome.BANKER)
    assert odds.push == plain.part(Outcome.PUSH)
    assert odds.bank_edge == -plain.mean
    assert odds.variance == plain.variance
    assert odds.standard_deviation == pytest.approx(sqrt(plain.variance))


CHANGES = {
    f"{game}, {name}": (game, rules)
    for game in GAMES
    for name, rules in changed_rules(game).items()
    if rules != GAMES[game].rules()
}


@pytest.mark.parametrize(("game", "rules"), sample(CHANGES.values(), 6, ids=CHANGES))
def test_changing_a_knob_changes_the_odds_of_some_small_deck(game: GameName, rules: HouseRules) -> None:
    plain = GAMES[game].rules()
    piles = [pieces for pile, pieces in EVERY_PILE.items() if pile.startswith(f"{game}, ")]

    assert any(odds_among(pieces, rules) != odds_among(pieces, plain) for pieces in piles)


@given(st.sampled_from(list(GAMES)).flatmap(house_rules), st.data())
@examples(10, 40)
def test_any_odds_add_up(rules: HouseRules, data: st.DataObject) -> None:
    odds = odds_of(rules, data.draw(st.integers(1, game_of(rules).most_sets)))

    assert odds.win + odds.lose + odds.push == 1
    assert min(odds.win, odds.lose) > 0 <= odds.push
    assert 0 < odds.variance <= largest_multiple(rules) ** 2
    assert isclose(odds.standard_deviation**2, odds.variance)


def test_g20_if_ties_push_and_all_multiples_are_equal_the_bank_has_no_edge() -> None:
    alike: dict[str, Any] = {name: 3 for name in GnauRules.model_fields if name.startswith("multiple_")}
    push = odds_of(GnauRules(ties=Ties.PUSH, **alike))
    bankers = odds_of(GnauRules(ties=Ties.BANKER, **alike))

    assert push.bank_edge == 0
    assert push.win == push.lose
    assert bankers.bank_edge == 3 * (push.push - bankers.push) > 0


def test_g20_g21_if_ties_push_the_bank_has_no_edge_at_any_multiples_and_bonus() -> None:
    """The game is then symmetric: what one side wins with a pair of hands, it loses with the swapped pair."""
    for bonus in SuitedBonus:
        assert odds_of(GnauRules(ties=Ties.PUSH, suited_bonus=bonus)).bank_edge == 0


@pytest.mark.thorough
@pytest.mark.parametrize("decks", [1, 2, 8])
def test_g21_a_suited_bonus_moves_more_chips_and_changes_no_outcome(decks: int) -> None:
    plain = odds_of(WIKIPEDIA, decks)
    for bonus in (SuitedBonus.OX, SuitedBonus.POWER, SuitedBonus.FIVE):
        suited = odds_of(GnauRules(suited_bonus=bonus), decks)

        assert suited.classes == plain.classes
        assert (suited.win, suited.lose, suited.push) == (plain.win, plain.lose, plain.push)
        assert suited.variance > plain.variance


@pytest.mark.thorough
@pytest.mark.parametrize("rules", sample(CHANGED_TAU_NGAU.values(), ids=CHANGED_TAU_NGAU))
def test_t01_the_hands_of_the_woodpile_match_evaluating_one_by_one(rules: HouseRules) -> None:
    counted = Counter(
        (hand.hand_class, hand.value)
        for tiles in combinations(woodpile(), HAND_SIZE)
        if (hand := evaluate(tiles, rules))
    )

    odds = odds_of(rules)

    assert classes_of(odds) == counted
    assert odds.hands == counted.total() == 201_376
    assert odds.pairs == 201_376 * comb(27, HAND_SIZE)


def test_t09_in_tau_ngau_the_bank_has_no_edge() -> None:
    """A tie is a push there, so the game is symmetric."""
    odds = odds_of(TAU_NGAU_PRESET)

    assert odds.bank_edge == 0
    assert odds.win == odds.lose
    assert odds.variance == 1 - odds.push


def test_t12_176_of_the_462_all_odd_hands_have_a_discard() -> None:
    odd = [tile for tile in woodpile() if pips_of(tile) % 2]

    odds = odds_among(odd, TAU_NGAU_PRESET)

    assert odds.hands == 462
    assert odds.hands - classes_of(odds)[TauNgauClass.STUCK, 0] == 176


def test_hosting_does_not_change_the_odds() -> None:
    hosted = GnauRules(seats=3, opening_chips=50, betting_seconds=5, decks=4, bank_passes=BankPasses.AFTER_OX)

    assert odds_of(hosted) is odds_of(WIKIPEDIA)


@pytest.mark.parametrize("decks", [0, -1, MOST_DECKS + 1])
def test_g02_decks_out_of_bounds_are_refused(decks: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 8 decks, not {decks}"):
        odds_of(WIKIPEDIA, decks)


@pytest.mark.parametrize("decks", [0, 2])
def test_t01_there_is_one_woodpile(decks: int) -> None:
    with pytest.raises(ValueError, match=f"tau-ngau are for one set of its pieces, not {decks}"):
        odds_of(TAU_NGAU_PRESET, decks)


@pytest.mark.parametrize("cards", [deck()[:9], (*deck(8), *parse_cards("2C"))], ids=["too few", "too many"])
def test_too_few_and_too_many_cards_are_refused(cards: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=f"10 to 416 cards, not {len(cards)}"):
        odds_among(cards, WIKIPEDIA)
