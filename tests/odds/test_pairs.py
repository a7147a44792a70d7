"""The counts of pairs of hands that share no card, for each two strengths."""

from collections import Counter
from collections.abc import Sequence
from math import comb

import numpy as np
import pytest

from bot.games.gnau.rules import GnauRules
from bot.odds.combinatorics import kinds, ways
from bot.odds.pairs import disjoint_pairs, hands_of_each
from bot.odds.ranking import Ranking, ranking_of
from bot.odds.suits import doubled_hands
from bot.rules.cards import DECK_SIZE, deck
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SuitedBonus
from bot.rules.pieces import HAND_SIZE
from tests.games.presets import WIKIPEDIA
from tests.sizes import sample

from .small_decks import EVERY_PILE, PlainCount, cases


def joint_of(ranking: Ranking, copies: Sequence[int]) -> list[list[int]]:
    """The number of pairs, by the ranks of the two hands."""
    (joint,) = disjoint_pairs(copies, ranking.places, len(ranking.ranks), HAND_SIZE)
    return joint


@pytest.mark.thorough
@pytest.mark.parametrize(("pile", "rules"), cases(2))
def test_every_pair_of_a_small_deck_is_counted(pile: str, rules: HouseRules) -> None:
    ranking = ranking_of(rules)
    copies = ranking.faces.copies(EVERY_PILE[pile])
    joint = joint_of(ranking, copies)

    counted = {
        (player.strength, banker.strength): pairs
        for player, row in zip(ranking.ranks, joint, strict=True)
        for banker, pairs in zip(ranking.ranks, row, strict=True)
        if pairs
    }

    assert counted == dict(PlainCount(pile, rules).strengths)


@pytest.mark.parametrize("decks", sample(range(1, 9), 2))
def test_every_hand_meets_all_hands_of_the_other_cards(decks: int) -> None:
    """With many decks the counts of pairs outgrow 64 bits."""
    cards = decks * DECK_SIZE
    ranking = ranking_of(WIKIPEDIA)
    copies, groups = ranking.faces.copies(deck(decks)), len(ranking.ranks)

    hands = hands_of_each(ways(copies, HAND_SIZE), ranking.places, groups)
    joint = joint_of(ranking, copies)

    assert sum(hands) == comb(cards, HAND_SIZE)
    assert [sum(row) for row in joint] == [each * comb(cards - HAND_SIZE, HAND_SIZE) for each in hands]
    assert joint == [list(column) for column in zip(*joint, strict=True)]
    assert min(min(row) for row in joint) >= 0


@pytest.mark.parametrize("bonus", [bonus for bonus in SuitedBonus if bonus is not SuitedBonus.OFF])
@pytest.mark.parametrize("decks", sample(range(1, 9), 2))
def test_g21_every_hand_that_pays_double_meets_all_hands_of_the_other_cards(
    decks: int, bonus: SuitedBonus
) -> None:
    cards = decks * DECK_SIZE
    ranking = ranking_of(GnauRules(suited_bonus=bonus))
    copies_by_suit, groups = ranking.faces.copies_by_suit(deck(decks)), len(ranking.ranks)
    doubled = doubled_hands(copies_by_suit, ranking)

    joint, of_doubled = disjoint_pairs(
        copies_by_suit.sum(axis=1).tolist(), ranking.places, groups, HAND_SIZE, doubled
    )

    hands = hands_of_each(doubled, ranking.places, groups)
    assert [sum(row) for row in of_doubled] == [each * comb(cards - HAND_SIZE, HAND_SIZE) for each in hands]
    assert all(
        0 <= part <= pairs
        for parts, row in zip(of_doubled, joint, strict=True)
        for part, pairs in zip(parts, row, strict=True)
    )


@pytest.mark.thorough
@pytest.mark.parametrize("decks", [1, 8])
def test_pairs_match_dealing_a_player_and_then_a_banker(decks: int) -> None:
    """For every kind of player's hand, the banker's hands are counted in the other cards."""
    ranking = ranking_of(WIKIPEDIA)
    copies, groups = ranking.faces.copies(deck(decks)), len(ranking.ranks)
    faces = len(copies)
    dealt: Counter[tuple[int, int]] = Counter()

    kinds_of_hands = kinds(faces, HAND_SIZE)
    for kind, players in enumerate(ways(copies, HAND_SIZE).tolist()):
        if players:
            left = np.array(copies) - np.bincount(kinds_of_hands[kind], minlength=faces)
            bankers = hands_of_each(ways(left.tolist(), HAND_SIZE), ranking.places, groups)
            for group, count in enumerate(bankers):
                dealt[int(ranking.places[kind]), group] += players * count

    joint = joint_of(ranking, copies)
    assert dealt == Counter(
        {(player, banker): pairs for player, row in enumerate(joint) for banker, pairs in enumerate(row)}
    )
