"""The counts of hands that pay double, for several decks."""

from collections import Counter

import numpy as np
import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.odds.combinatorics import ways
from bot.odds.evaluator import evaluator_of
from bot.odds.pairs import hands_of_each
from bot.odds.ranking import ranking_of
from bot.odds.suits import doubled_hands
from bot.rules.cards import deck
from bot.rules.knobs import SuitedBonus
from bot.rules.pieces import HAND_SIZE
from tests.games.presets import LODIGE
from tests.sizes import sample

from .small_decks import SMALL_DECKS, hands_of
from .test_evaluator import every_hand

BONUSES = [bonus for bonus in SuitedBonus if bonus is not SuitedBonus.OFF]


@pytest.mark.thorough
@pytest.mark.parametrize("bonus", sample(BONUSES))
@pytest.mark.parametrize("small", sample(SMALL_DECKS))
def test_g21_the_suited_hands_of_a_small_deck_are_counted(small: str, bonus: SuitedBonus) -> None:
    rules = LODIGE.model_copy(update={"suited_bonus": bonus})
    ranking = ranking_of(rules)

    doubled = doubled_hands(ranking.faces.copies_by_suit(SMALL_DECKS[small]), ranking)
    counts = hands_of_each(doubled, ranking.places, len(ranking.ranks))

    plain = Counter(
        hand.strength for cards in hands_of(f"gnau, {small}") if (hand := evaluate(cards, rules)).suited
    )
    assert dict(zip(ranking.strengths.tolist(), counts, strict=True)) == {
        strength: plain[strength] for strength in ranking.strengths.tolist()
    }


@pytest.mark.parametrize("bonus", sample(BONUSES))
def test_g21_some_hands_of_some_small_deck_pay_double_and_some_do_not(bonus: SuitedBonus) -> None:
    rules = GnauRules(suited_bonus=bonus)
    suited = [evaluate(cards, rules).suited for small in SMALL_DECKS for cards in hands_of(f"gnau, {small}")]

    assert any(suited)
    assert not all(suited)


@pytest.mark.thorough
@pytest.mark.parametrize("bonus", sample(BONUSES))
def test_g21_the_suited_hands_of_one_deck_match_evaluating_one_by_one(bonus: SuitedBonus) -> None:
    rules = GnauRules(suited_bonus=bonus)
    ranking = ranking_of(rules)
    doubled = doubled_hands(ranking.faces.copies_by_suit(deck()), ranking)

    places = evaluator_of(rules).places(every_hand())

    ranks = len(ranking.ranks)
    found = np.bincount(places, minlength=2 * ranks)[ranks:]
    assert found.tolist() == hands_of_each(doubled, ranking.places, ranks)


@pytest.mark.parametrize("bonus", sample(BONUSES))
@pytest.mark.parametrize("decks", [1, 2, 8])
def test_g21_no_more_hands_pay_double_than_there_are(decks: int, bonus: SuitedBonus) -> None:
    ranking = ranking_of(GnauRules(suited_bonus=bonus))
    copies_by_suit = ranking.faces.copies_by_suit(deck(decks))

    doubled = doubled_hands(copies_by_suit, ranking)

    assert np.all(doubled >= 0)
    assert np.all(doubled <= ways(copies_by_suit.sum(axis=1).tolist(), HAND_SIZE))
    assert doubled.sum() > 0
