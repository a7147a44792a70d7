"""Niu Niu against a second evaluator, and what holds for all its hands."""

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.hands import evaluate
from bot.games.niu_niu.rules import NiuNiuRules, NiuTies
from bot.games.settle import settle
from bot.rules.cards import DECK_SIZE, SUITS, Card, card_of, deck, rank_of
from bot.rules.pieces import HAND_SIZE
from tests.games.niu_niu_hands import outcome, verdict, words
from tests.sizes import examples, sample, sized

from .plain_niu_niu import plain_multiple, plain_settle, plain_verdict
from .strategies import hands, house_rules

two_hands = st.integers(1, 3).flatmap(
    lambda decks: st.lists(
        st.sampled_from(range(DECK_SIZE * decks)), min_size=2 * HAND_SIZE, max_size=2 * HAND_SIZE, unique=True
    ).map(lambda places: tuple(deck(decks)[place] for place in places))
)
"""Ten cards, of which no two are the same physical card, from one to three decks."""


@st.composite
def equal_hands(draw: st.DrawFn) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Two hands of the same ranks, in any suits and any order."""

    ranks = [rank_of(card) for card in draw(hands(decks=2))]
    suits = st.integers(0, len(SUITS) - 1)

    def suited() -> tuple[Card, ...]:
        return tuple(card_of(rank, draw(suits)) for rank in draw(st.permutations(ranks)))

    return suited(), suited()


@given(hands(decks=2), house_rules("niu-niu"))
@examples(30, 300)
def test_any_hand_under_any_rules_matches_the_plain_evaluator(
    cards: tuple[Card, ...], rules: NiuNiuRules
) -> None:
    best = evaluate(cards, rules)
    plain = plain_verdict(words(cards), rules)

    assert (verdict(best), best.multiple) == (plain, plain_multiple(plain, rules))


@given(st.data(), hands(decks=2), house_rules("niu-niu"))
def test_the_order_of_the_cards_does_not_matter_in_niu_niu(
    data: st.DataObject, cards: tuple[Card, ...], rules: NiuNiuRules
) -> None:
    one, other = evaluate(cards, rules), evaluate(data.draw(st.permutations(cards)), rules)

    assert (one.rank, one.multiple) == (other.rank, other.multiple)
    assert (one.tie_break, one.high) == (other.tie_break, other.high)


@given(two_hands, house_rules("niu-niu"))
@examples(30, 300)
def test_n08_any_two_hands_under_any_rules_settle_as_plainly(
    cards: tuple[Card, ...], rules: NiuNiuRules
) -> None:
    player, banker = cards[:HAND_SIZE], cards[HAND_SIZE:]
    settled = settle(evaluate(player, rules), evaluate(banker, rules), rules)

    assert outcome(settled) == plain_settle(words(player), words(banker), rules)


@given(equal_hands(), house_rules("niu-niu"))
@examples(30, 300)
def test_n09_any_two_equal_hands_under_any_rules_settle_as_plainly(
    pair: tuple[tuple[Card, ...], tuple[Card, ...]], rules: NiuNiuRules
) -> None:
    player, banker = pair
    mine, theirs = evaluate(player, rules), evaluate(banker, rules)

    assert mine.strength == theirs.strength
    assert outcome(settle(mine, theirs, rules)) == plain_settle(words(player), words(banker), rules)


@pytest.mark.thorough
@pytest.mark.parametrize(("ties", "decks"), sample(product(NiuTies, [1, 2]), 4))
def test_n09_hands_dealt_at_random_settle_as_plainly(ties: NiuTies, decks: int) -> None:
    rules, dealer, pack = NiuNiuRules(niu_ties=ties), random.Random(2_598_960 + decks), deck(decks)
    dealt = [dealer.sample(pack, 2 * HAND_SIZE) for _ in range(sized(3_000, 20_000))]
    found: Counter[str] = Counter()
    for cards in dealt:
        player, banker = cards[:HAND_SIZE], cards[HAND_SIZE:]
        winner, units = plain_settle(words(player), words(banker), rules)
        settled = settle(evaluate(player, rules), evaluate(banker, rules), rules)
        if outcome(settled) != (winner, units):
            pytest.fail(f"{' '.join(words(cards))}: {winner} {units}, not {settled}")
        found[winner] += 1

    assert bool(found["push"]) is (ties is NiuTies.PUSH or (ties is NiuTies.CARDS and decks > 1))
    assert min(found["player"], found["banker"]) > len(dealt) / 3
