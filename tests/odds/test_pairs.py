"""The counts of pairs of hands that share no card, for each two strengths."""

from collections import Counter
from math import comb

import numpy as np
import pytest

from bot.games.gnau.rules import GnauRules
from bot.odds.combinatorics import kinds, ways
from bot.odds.pairs import disjoint_pairs, hands_of_each
from bot.odds.ranking import ranking_of
from bot.odds.suits import doubled_hands
from bot.rules.cards import DECK_SIZE, deck
from bot.rules.knobs import SuitedBonus
from bot.rules.pieces import HAND_SIZE
from tests.games.presets import WIKIPEDIA
from tests.sizes import sample


@pytest.mark.parametrize("bonus", SuitedBonus)
@pytest.mark.parametrize("decks", sample(range(1, 9), 2))
def test_g21_every_hand_doubled_or_not_meets_all_hands_of_the_other_cards(
    decks: int, bonus: SuitedBonus
) -> None:
    """With many decks the counts of pairs outgrow 64 bits."""
    cards = decks * DECK_SIZE
    ranking = ranking_of(GnauRules(suited_bonus=bonus))
    copies_by_suit, groups = ranking.faces.copies_by_suit(deck(decks)), len(ranking.ranks)
    copies = copies_by_suit.sum(axis=1).tolist()
    doubled = doubled_hands(copies_by_suit, ranking)
    hands, of_those = (
        hands_of_each(counts, ranking.places, groups) for counts in (ways(copies, HAND_SIZE), doubled)
    )

    joint, of_doubled = disjoint_pairs(copies, ranking.places, groups, HAND_SIZE, doubled)

    assert sum(hands) == comb(cards, HAND_SIZE)
    assert (sum(of_those) > 0) == (bonus is not SuitedBonus.OFF)
    assert np.all((doubled >= 0) & (doubled <= ways(copies, HAND_SIZE)))
    for pairs, each in ((joint, hands), (of_doubled, of_those)):
        assert [sum(row) for row in pairs] == [count * comb(cards - HAND_SIZE, HAND_SIZE) for count in each]
    assert joint == [list(column) for column in zip(*joint, strict=True)]
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

    (joint,) = disjoint_pairs(copies, ranking.places, groups, HAND_SIZE)
    assert dealt == Counter(
        {(player, banker): pairs for player, row in enumerate(joint) for banker, pairs in enumerate(row)}
    )
