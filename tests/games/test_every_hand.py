"""Every hand of one deck, counted by class and value."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, islice
from math import comb, prod

import pytest

from bot.games.hands import evaluate
from bot.rules.cards import ACE, RANKS, SPADES, SUITS, Card, card_of, card_text, deck
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HandClass
from tests.games.presets import WIKIPEDIA
from tests.sizes import THOROUGH, sized

from .plain_gnau import ORDER, Verdict, plain_verdict, plain_word

HANDS = 2_598_960
"""52 cards, five at a time."""


def kinds() -> Iterator[tuple[tuple[Card, ...], int]]:
    """One hand of each kind, and how many hands of one deck are of that kind.

    A kind is five ranks, and whether one of the aces is the ace of spades: no clause about class or value
    looks at another suit. A rank that appears n times can have any n of the four suits. If a hand has n aces,
    either the ace of spades is among them, which leaves n - 1 of three suits, or it is not, which leaves n of
    three.
    """
    for ranks in combinations_with_replacement(range(len(RANKS)), 5):
        times = Counter(ranks)
        if max(times.values()) > len(SUITS):
            continue
        aces = times.pop(ACE, 0)
        others = prod(comb(len(SUITS), same) for same in times.values())
        rest = [card_of(rank, suit) for rank, same in times.items() for suit in range(same)]
        if aces:
            with_spade = [card_of(ACE, SPADES - place) for place in range(aces)]
            yield (*with_spade, *rest), comb(3, aces - 1) * others
        if aces < len(SUITS):
            without = [card_of(ACE, place) for place in range(aces)]
            yield (*without, *rest), comb(3, aces) * others


def count(rules: HouseRules) -> Counter[tuple[HandClass, int]]:
    """How many hands of one deck are of each class and value."""
    counted: Counter[tuple[HandClass, int]] = Counter()
    for cards, times in kinds():
        hand = evaluate(cards, rules)
        counted[hand.hand_class, hand.value] += times
    return counted


def test_the_kinds_are_all_hands_of_one_deck() -> None:
    weighted = list(kinds())

    assert all(len(set(cards)) == 5 for cards, _ in weighted)
    assert sum(times for _, times in weighted) == HANDS
    with_the_ace_of_spades = sum(times for cards, times in weighted if "AS" in map(card_text, cards))
    assert with_the_ace_of_spades == comb(51, 4)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "turned",
    [
        {"flex_3_6": False},
        {"triple_ox": False},
        {"five_dukes_tens": True},
        {"five_small": False},
        {"ngau_tonku": False},
        {"tonku_tens": True},
        {"mixed_double": True},
    ],
    ids=lambda turned: next(iter(turned)),
)
def test_every_kind_of_hand_matches_the_plain_evaluator_with_a_knob_changed(
    turned: dict[str, bool],
) -> None:
    rules = WIKIPEDIA.model_copy(update=turned)
    changed = 0

    for cards, _ in islice(kinds(), None, None, sized(23, 1)):
        hand = evaluate(cards, rules)
        name, number = plain_verdict(tuple(plain_word(card) for card in cards), rules)
        assert (hand.hand_class, hand.value) == (ORDER.index(name), number), cards
        changed += hand.strength != evaluate(cards, WIKIPEDIA).strength

    assert changed


def test_every_hand_of_one_deck_matches_the_plain_evaluator() -> None:
    words = [plain_word(card) for card in deck()]

    @cache
    def verdict(*five: str) -> Verdict:
        return plain_verdict(five, WIKIPEDIA)

    counted: Counter[tuple[HandClass, int]] = Counter()
    plainly: Counter[Verdict] = Counter()
    for cards in islice(combinations(deck(), 5), None, None, sized(197, 1)):
        hand = evaluate(cards, WIKIPEDIA)
        plain = verdict(*[words[card] for card in cards])
        counted[hand.hand_class, hand.value] += 1
        plainly[plain] += 1
        if hand.hand_class != ORDER.index(plain.name) or hand.value != plain.number:
            pytest.fail(f"{' '.join(map(card_text, cards))} is {plain}, not {hand}")

    assert {(ORDER[kind], value): times for (kind, value), times in counted.items()} == dict(plainly)
    if THOROUGH:
        assert counted.total() == HANDS
        assert counted == count(WIKIPEDIA)
