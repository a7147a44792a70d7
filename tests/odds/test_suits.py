"""The counts of hands that pay double, for several decks."""

import numpy as np
import pytest

from bot.games.gnau.rules import GnauRules
from bot.odds.evaluator import evaluator_of
from bot.odds.pairs import hands_of_each
from bot.odds.ranking import ranking_of
from bot.odds.suits import doubled_hands
from bot.rules.cards import deck
from bot.rules.knobs import SuitedBonus
from tests.sizes import sample

from .test_evaluator import every_hand


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
