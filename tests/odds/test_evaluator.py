"""Fast evaluation matches plain evaluation, one hand at a time and many at once."""

from collections import Counter
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.register import GAMES
from bot.games.settle import settle
from bot.odds.evaluator import evaluator_of
from bot.odds.odds import odds_of
from bot.odds.pairs import hands_of_each
from bot.odds.ranking import faces_of, ranking_of
from bot.odds.suits import doubled_hands
from bot.rules.cards import deck
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, SuitedBonus
from bot.rules.pieces import HAND_SIZE, Hand, HandClass, Piece
from tests.games.strategies import house_rules
from tests.sizes import sample, sized

from .small_decks import CHANGED, CHANGED_TAU_NGAU

EVERY_RULES = CHANGED | CHANGED_TAU_NGAU
MOST_DECKS_DRAWN = 3


def facts(hand: Hand) -> tuple[GameName, HandClass, int, int, bool]:
    return hand.game, hand.hand_class, hand.value, hand.multiple, hand.suited


@st.composite
def rules_and_hands(draw: st.DrawFn) -> tuple[HouseRules, list[list[Piece]]]:
    """Any rules of any game, and hands for them; cards can come from several decks."""
    rules = draw(st.one_of([house_rules(game) for game in GAMES]))
    faces = faces_of(rules.game)
    pack = faces.pack * (draw(st.integers(1, MOST_DECKS_DRAWN)) if faces.suits > 1 else 1)
    places = st.lists(st.integers(0, len(pack) - 1), min_size=HAND_SIZE, max_size=HAND_SIZE, unique=True)
    hands = draw(st.lists(places, min_size=20, max_size=20))
    return rules, [[pack[place] for place in hand] for hand in hands]


@settings(max_examples=sized(15, 60))
@given(rules_and_hands())
def test_any_hand_under_any_rules_matches_the_plain_evaluation(
    drawn: tuple[HouseRules, list[list[Piece]]],
) -> None:
    rules, hands = drawn
    evaluator = evaluator_of(rules)
    plain = [evaluate(hand, rules) for hand in hands]

    found = [evaluator.ranks[place] for place in evaluator.places(np.array(hands, dtype=np.uint8))]
    assert list(map(facts, found)) == list(map(facts, plain))


@cache
def every_hand() -> NDArray[np.uint8]:
    """All hands of one deck, one row each."""
    cards = np.fromiter((card for hand in combinations(deck(), HAND_SIZE) for card in hand), dtype=np.uint8)
    return cards.reshape(comb(52, HAND_SIZE), HAND_SIZE)


@pytest.mark.parametrize("rules", sample(CHANGED.values(), 3, ids=CHANGED))
def test_the_classes_of_all_hands_of_one_deck_match_the_odds(rules: HouseRules) -> None:
    evaluator = evaluator_of(rules)
    counted: Counter[tuple[HandClass, int]] = Counter()

    for place, count in enumerate(np.bincount(evaluator.places(every_hand())).tolist()):
        if count:
            counted[evaluator.ranks[place].hand_class, evaluator.ranks[place].value] += count

    assert counted == {(each.hand_class, each.value): each.hands for each in odds_of(rules).classes}


@pytest.mark.thorough
@pytest.mark.parametrize("bonus", sample([bonus for bonus in SuitedBonus if bonus is not SuitedBonus.OFF]))
def test_g21_the_suited_hands_of_one_deck_match_evaluating_one_by_one(bonus: SuitedBonus) -> None:
    rules = GnauRules(suited_bonus=bonus)
    ranking = ranking_of(rules)
    doubled = doubled_hands(ranking.faces.copies_by_suit(deck()), ranking)

    places = evaluator_of(rules).places(every_hand())

    ranks = len(ranking.ranks)
    found = np.bincount(places, minlength=2 * ranks)[ranks:]
    assert found.tolist() == hands_of_each(doubled, ranking.places, ranks)


@pytest.mark.parametrize("rules", sample(EVERY_RULES.values(), 4, ids=EVERY_RULES))
def test_g17_t09_units_match_settling(rules: HouseRules) -> None:
    evaluator = evaluator_of(rules)
    ranks = evaluator.ranks

    assert evaluator.units.tolist() == [
        [settle(player, banker, rules).units for banker in ranks] for player in ranks
    ]
