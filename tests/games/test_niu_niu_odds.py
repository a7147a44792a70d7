"""The exact odds of Niu Niu: published counts, symmetry, and dealing every pair of small decks."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod

import pytest

from bot.games.niu_niu.rules import NiuNiuRules, NiuTies
from bot.odds.odds import Odds, odds_among, odds_of
from bot.rules.cards import DECK_SIZE, RANKS, SUITS, parse_cards
from bot.rules.pieces import HAND_SIZE
from tests.games.niu_niu_hands import words
from tests.games.presets import NIU_NIU_PRESET
from tests.sizes import sample

from .plain_niu_niu import ORDER, Verdict, plain_settle, plain_verdict

KNOBS_OFF = {
    "niu-niu": NIU_NIU_PRESET,
    "no five small": NiuNiuRules(five_small=False),
    "no bomb": NiuNiuRules(bomb=False),
    "no five flowers": NiuNiuRules(five_flowers=False),
    "none": NiuNiuRules(five_small=False, bomb=False, five_flowers=False),
}
SMALL_DECKS = {
    "one deck": "KS KH QS QH 10S 9H 6D 5S 5D 4C AC",
    "two decks": "KS KS KH KD KD QS 9H 9H 5C 5D AS",
    "no niu": "9S 9S 9H 8H 8H 8D 6C 6C 4D 4D 2S",
}
"""Eleven cards each: 2,772 pairs of hands. In all but the first some cards are there twice."""


def classes_of(odds: Odds) -> dict[tuple[str, int], int]:
    """How many hands are of each class and value."""
    return {Verdict(ORDER[each.hand_class], each.value): each.hands for each in odds.classes}


@cache
def ranks_of_every_hand() -> Counter[tuple[str, ...]]:
    """How many hands of one deck have each five ranks, counted one by one."""
    return Counter(combinations([rank for rank in RANKS for _ in SUITS], HAND_SIZE))


def counted_plainly(times: Mapping[tuple[str, ...], int], rules: NiuNiuRules) -> Counter[Verdict]:
    """How many hands are of each class and value, from how many have each five ranks."""
    counted: Counter[Verdict] = Counter()
    for ranks, hands_of_ranks in times.items():
        counted[plain_verdict([f"{rank}S" for rank in ranks], rules)] += hands_of_ranks
    return counted


def test_n04_each_class_has_as_many_hands_as_the_rules_say() -> None:
    classes = classes_of(odds_of(NIU_NIU_PRESET))

    assert classes["No Niu", 0] == 870_984
    assert classes["Niu", 5] == 177_408
    assert classes["Niu", 10] == 190_976
    assert classes["Five Flowers", 0] == 768
    assert classes["Five Small", 0] == 776
    assert sum(classes.values()) == odds_of(NIU_NIU_PRESET).hands == 2_598_960


def test_n06_of_624_bombs_16_are_five_small() -> None:
    classes = classes_of(odds_of(NIU_NIU_PRESET))
    bombs = [classes["Bomb", value] for value in range(1, 14)]

    assert bombs == [48 - 12, 48 - 4, *[48] * 11]


@pytest.mark.thorough
@pytest.mark.parametrize("rules", KNOBS_OFF.values(), ids=KNOBS_OFF)
def test_n04_the_odds_of_every_class_match_the_plain_evaluator_on_every_hand(rules: NiuNiuRules) -> None:
    assert ranks_of_every_hand().total() == 2_598_960
    assert classes_of(odds_of(rules)) == counted_plainly(ranks_of_every_hand(), rules)


@pytest.mark.parametrize(("rules", "decks"), sample(product(KNOBS_OFF.values(), [1, 2, 8]), 3))
def test_n04_the_odds_of_every_class_match_the_plain_evaluator_in_several_decks(
    rules: NiuNiuRules, decks: int
) -> None:
    times: dict[tuple[str, ...], int] = {
        ranks: prod(comb(len(SUITS) * decks, same) for same in Counter(ranks).values())
        for ranks in combinations_with_replacement(RANKS, HAND_SIZE)
    }
    counted = counted_plainly(times, rules)

    assert counted.total() == comb(DECK_SIZE * decks, HAND_SIZE)
    assert classes_of(odds_of(rules, decks)) == counted


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_n09_the_bank_has_an_edge_only_if_it_wins_ties(decks: int) -> None:
    by_ties = {ties: odds_of(NiuNiuRules(niu_ties=ties), decks) for ties in NiuTies}

    assert by_ties[NiuTies.CARDS].bank_edge == 0
    assert by_ties[NiuTies.PUSH].bank_edge == 0
    assert by_ties[NiuTies.BANKER].bank_edge > 0
    for odds in by_ties.values():
        assert odds.win + odds.lose + odds.push == 1


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_n09_only_several_decks_leave_a_push_if_the_highest_card_decides(decks: int) -> None:
    cards, push, banker = (
        odds_of(NiuNiuRules(niu_ties=ties), decks) for ties in (NiuTies.CARDS, NiuTies.PUSH, NiuTies.BANKER)
    )

    assert (cards.push > 0) is (decks > 1)
    assert cards.push < push.push
    assert cards.win == cards.lose == push.win + (push.push - cards.push) / 2
    assert (banker.push, banker.win, banker.lose) == (Fraction(), push.win, push.lose + push.push)


@pytest.mark.parametrize(("pile", "ties"), sample(product(SMALL_DECKS, NiuTies), 3))
def test_n09_the_odds_of_a_small_deck_match_settling_every_pair_plainly(pile: str, ties: NiuTies) -> None:
    rules, cards = NiuNiuRules(niu_ties=ties), parse_cards(SMALL_DECKS[pile])
    winners: Counter[str] = Counter()
    gains: Counter[int] = Counter()
    for player in combinations(range(len(cards)), HAND_SIZE):
        left = [place for place in range(len(cards)) if place not in player]
        mine = words([cards[place] for place in player])
        for banker in combinations(left, HAND_SIZE):
            winner, units = plain_settle(mine, words([cards[place] for place in banker]), rules)
            winners[winner] += 1
            gains[units] += 1
    pairs = winners.total()
    odds = odds_among(cards, rules)

    assert odds.pairs == pairs == 2_772
    assert (odds.win, odds.lose, odds.push) == tuple(
        Fraction(winners[winner], pairs) for winner in ("player", "banker", "push")
    )
    assert odds.bank_edge == -Fraction(sum(units * times for units, times in gains.items()), pairs)
    squares = Fraction(sum(units**2 * times for units, times in gains.items()), pairs)
    assert odds.variance == squares - odds.bank_edge**2


def test_n09_in_each_small_deck_of_two_the_highest_card_leaves_a_push() -> None:
    pushes = {
        pile: odds_among(parse_cards(cards), NIU_NIU_PRESET).push for pile, cards in SMALL_DECKS.items()
    }

    assert [pile for pile, push in pushes.items() if not push] == ["one deck"]
