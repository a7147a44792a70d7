"""Kinds of hands rank and pay as hands do that are evaluated one by one."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.register import GAMES
from bot.odds.pairs import kinds_of
from bot.odds.ranking import ranking_of
from bot.odds.suits import doubled_hands
from bot.rules.cards import deck
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SuitedBonus
from bot.rules.pieces import HAND_SIZE, Piece
from tests.games.strategies import house_rules
from tests.sizes import examples, sample, sized

MOST_DECKS_DRAWN = 3


@st.composite
def rules_and_hands(draw: st.DrawFn) -> tuple[HouseRules, list[list[Piece]]]:
    """Any rules of any game, and hands for them; cards can come from several decks."""
    rules = draw(st.one_of([house_rules(game) for game in GAMES]))
    game = GAMES[rules.game]
    pack = game.pieces.pieces * draw(st.integers(1, min(MOST_DECKS_DRAWN, game.most_sets)))
    places = st.lists(st.integers(0, len(pack) - 1), min_size=HAND_SIZE, max_size=HAND_SIZE, unique=True)
    hands = draw(st.lists(places, min_size=20, max_size=20))
    return rules, [[pack[place] for place in hand] for hand in hands]


@examples(15, 60)
@given(rules_and_hands())
def test_the_kind_of_any_hand_under_any_rules_ranks_as_the_hand(
    drawn: tuple[HouseRules, list[list[Piece]]],
) -> None:
    rules, hands = drawn
    ranking = ranking_of(rules)
    for pieces in hands:
        hand = evaluate(pieces, rules)
        place = ranking.places.get(sum(ranking.faces[piece] for piece in pieces), 0)
        found = (ranking.doubled if hand.suited else ranking.ranks)[place]
        assert (found.rank.strength, found.multiple) == (hand.rank.strength, hand.multiple)


@pytest.mark.parametrize("bonus", sample([bonus for bonus in SuitedBonus if bonus is not SuitedBonus.OFF]))
def test_g21_the_suited_hands_of_a_kind_match_evaluating_one_by_one(bonus: SuitedBonus) -> None:
    rules, pack = GnauRules(suited_bonus=bonus), deck()
    ranking = ranking_of(rules)
    hands = kinds_of(ranking.copies(pack))
    doubled = doubled_hands(hands, pack, ranking)
    for five in random.Random(21).sample(sorted(hands), sized(60, 400)):
        cards = [[card for card in pack if ranking.faces[card] == face] for face in five]
        dealt = {frozenset(hand) for hand in product(*cards) if len({*hand}) == HAND_SIZE}
        assert len(dealt) == hands[five]
        assert sum(evaluate([*hand], rules).suited for hand in dealt) == doubled.get(five, 0)
