"""Pairs of hands that share no card: as many as can be dealt, for each two strengths."""

from collections import Counter
from collections.abc import Sequence
from math import comb

import numpy as np
import pytest

from bot.odds.kinds import kinds, ways
from bot.odds.pairs import disjoint_pairs, hands_of_each
from bot.odds.standings import Standings, standings_of
from bot.odds.suits import doubled_hands
from bot.rules.cards import DECK_SIZE, deck
from bot.rules.game import HAND_SIZE
from bot.rules.knobs import HouseRules, SuitedBonus
from bot.rules.presets import WIKIPEDIA
from tests.sizes import sample

from .small_decks import CASE_NAMES, CASES, EVERY_PILE, PlainCount


def joint_of(standings: Standings, copies: Sequence[int]) -> list[list[int]]:
    """The pairs of any two hands, by what each of them is called."""
    (joint,) = disjoint_pairs(copies, standings.places, len(standings.calls), HAND_SIZE)
    return joint


@pytest.mark.parametrize(("pile", "rules"), sample(CASES, 8, ids=CASE_NAMES))
def test_every_pair_of_a_small_deck_is_counted(pile: str, rules: HouseRules) -> None:
    standings = standings_of(rules)
    copies = standings.faces.copies(EVERY_PILE[pile])
    joint = joint_of(standings, copies)

    counted = {
        (player.strength, banker.strength): pairs
        for player, row in zip(standings.calls, joint, strict=True)
        for banker, pairs in zip(standings.calls, row, strict=True)
        if pairs
    }

    assert counted == dict(PlainCount(pile, rules).strengths)


@pytest.mark.parametrize("decks", range(1, 9))
def test_every_hand_meets_all_hands_of_the_cards_that_it_leaves(decks: int) -> None:
    """With many decks the pairs outgrow 64 bits: nothing may be lost there."""
    cards = decks * DECK_SIZE
    standings = standings_of(WIKIPEDIA)
    copies, groups = standings.faces.copies(deck(decks)), len(standings.calls)

    hands = hands_of_each(ways(copies, HAND_SIZE), standings.places, groups)
    joint = joint_of(standings, copies)

    assert sum(hands) == comb(cards, HAND_SIZE)
    assert [sum(row) for row in joint] == [each * comb(cards - HAND_SIZE, HAND_SIZE) for each in hands]
    assert joint == [list(column) for column in zip(*joint, strict=True)]
    assert min(min(row) for row in joint) >= 0


@pytest.mark.parametrize("bonus", [bonus for bonus in SuitedBonus if bonus is not SuitedBonus.OFF])
@pytest.mark.parametrize("decks", range(1, 9))
def test_g21_every_hand_that_pays_double_meets_all_hands_of_the_cards_that_it_leaves(
    decks: int, bonus: SuitedBonus
) -> None:
    cards = decks * DECK_SIZE
    standings = standings_of(HouseRules(suited_bonus=bonus))
    copies_by_suit, groups = standings.faces.copies_by_suit(deck(decks)), len(standings.calls)
    doubled = doubled_hands(copies_by_suit, standings)

    joint, of_doubled = disjoint_pairs(
        copies_by_suit.sum(axis=1).tolist(), standings.places, groups, HAND_SIZE, doubled
    )

    hands = hands_of_each(doubled, standings.places, groups)
    assert [sum(row) for row in of_doubled] == [each * comb(cards - HAND_SIZE, HAND_SIZE) for each in hands]
    assert all(
        0 <= part <= pairs
        for parts, row in zip(of_doubled, joint, strict=True)
        for part, pairs in zip(parts, row, strict=True)
    )


@pytest.mark.thorough
@pytest.mark.parametrize("decks", [1, 8])
def test_the_pairs_are_those_that_a_player_and_then_a_banker_are_dealt(decks: int) -> None:
    """Every kind of player's hand is laid aside, and the banker's are counted in the cards that are left."""
    standings = standings_of(WIKIPEDIA)
    copies, groups = standings.faces.copies(deck(decks)), len(standings.calls)
    faces = len(copies)
    dealt: Counter[tuple[int, int]] = Counter()

    kinds_of_hands = kinds(faces, HAND_SIZE)
    for kind, players in enumerate(ways(copies, HAND_SIZE).tolist()):
        if players:
            left = np.array(copies) - np.bincount(kinds_of_hands[kind], minlength=faces)
            bankers = hands_of_each(ways(left.tolist(), HAND_SIZE), standings.places, groups)
            for group, count in enumerate(bankers):
                dealt[int(standings.places[kind]), group] += players * count

    joint = joint_of(standings, copies)
    assert dealt == Counter(
        {(player, banker): pairs for player, row in enumerate(joint) for banker, pairs in enumerate(row)}
    )
