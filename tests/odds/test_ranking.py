"""Pieces are grouped by face and suit, and the ranks of kinds of hands match the rules."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bot.games.gnau.rules import ACE_OF_SPADES, GnauRules
from bot.games.hands import arrangements, evaluate
from bot.games.register import GAMES, game_of
from bot.games.settle import worth_of
from bot.odds.combinatorics import kinds, numbers_of
from bot.odds.ranking import Ranking, faces_of, ranking_of
from bot.rules.cards import card_of, deck, parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import BankPasses, GameName, SuitedBonus
from bot.rules.pieces import HAND_SIZE, Hand, HandClass, Piece
from bot.rules.tiles import CIVIL, MILITARY, parse_tiles, woodpile
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA
from tests.games.strategies import hands, house_rules

CARDS, TILES = faces_of("gnau"), faces_of("tau-ngau")
FACES = {game: faces_of(game).faces for game in GAMES}
KINDS = {game: kinds(len(faces), HAND_SIZE).tolist() for game, faces in FACES.items()}
MOST_KINDS = max(map(len, KINDS.values()))


def standing(kind: int, ranking: Ranking) -> Hand:
    return ranking.ranks[int(ranking.places[kind])]


def evaluated(kind: int, rules: HouseRules) -> Hand:
    """The rank by the rules. The bonus is off, since all cards have one suit here."""
    faces = FACES[rules.game]
    plain = rules.model_copy(update={"suited_bonus": SuitedBonus.OFF})
    return evaluate([faces[face] for face in KINDS[rules.game][kind]], plain)


def facts(hand: Hand) -> tuple[GameName, HandClass, int, int]:
    return hand.game, hand.hand_class, hand.value, hand.multiple


any_rules = st.one_of([house_rules(game) for game in GAMES])


@given(any_rules, st.lists(st.integers(0, MOST_KINDS - 1), min_size=30, max_size=30))
def test_any_kind_under_any_rules_has_the_rank_of_the_rules(rules: HouseRules, some: list[int]) -> None:
    ranking = ranking_of(rules)

    for number in some:
        kind = number % len(KINDS[rules.game])
        assert facts(standing(kind, ranking)) == facts(evaluated(kind, rules)), kind


@given(any_rules)
def test_g16_t08_ranks_are_in_order(rules: HouseRules) -> None:
    ranking = ranking_of(rules)
    strengths = [rank.strength for rank in ranking.ranks]

    assert strengths == sorted(set(strengths)) == ranking.strengths.tolist()


@given(any_rules)
def test_g21_only_hands_with_an_ox_are_ever_doubled(rules: HouseRules) -> None:
    with_ox = {rank.strength for rank in game_of(rules).power_ranks(rules)}
    ranking = ranking_of(rules)

    for rank, doubled in zip(ranking.ranks, ranking.doubled, strict=True):
        assert doubled.strength == rank.strength
        assert doubled.multiple == rank.multiple * (2 if rank.strength in with_ox else 1)


@given(hands(), house_rules())
def test_the_strongest_oxen_are_those_of_the_strongest_arrangements(
    cards: tuple[Piece, ...], rules: HouseRules
) -> None:
    ranking = ranking_of(rules)
    faces = ranking.faces
    dealt = sorted(cards, key=lambda card: int(faces.of_piece[card]))
    kind = int(numbers_of(faces.of_piece[np.array([dealt])], len(faces.faces))[0])
    strength = evaluate(cards, rules).strength
    strongest = [hand.ox for hand in arrangements(dealt, rules) if hand.ox and hand.strength == strength]

    found = [
        tuple(dealt[place] for place in ox)
        for ox, of_kind in zip(combinations(range(HAND_SIZE), 3), ranking.splits, strict=True)
        if of_kind[kind]
    ]

    assert found == strongest


def test_knobs_that_odds_do_not_depend_on_are_ignored() -> None:
    hosted = GnauRules(seats=3, decks=4, bank_passes=BankPasses.AFTER_OX)

    assert worth_of(hosted) == WIKIPEDIA
    assert worth_of(GnauRules(mixed_double=True)) == GnauRules(mixed_double=True)
    assert ranking_of(hosted) is ranking_of(WIKIPEDIA)
    assert ranking_of(TAU_NGAU_PRESET) is not ranking_of(WIKIPEDIA)


def test_g10_cards_are_sorted_by_rank_and_the_ace_of_spades() -> None:
    assert CARDS.faces == (card_of(0, 0), ACE_OF_SPADES, *(card_of(rank, 0) for rank in range(1, 13)))
    assert CARDS.copies(deck()) == (3, 1, *[4] * 12)
    assert CARDS.copies(deck(3)) == (9, 3, *[12] * 12)
    assert CARDS.copies(parse_cards("AS AS AH 2S 2C KD")) == (1, 2, 2, *[0] * 10, 1)


def test_g21_cards_have_four_suits() -> None:
    assert CARDS.suits == 4
    assert CARDS.copies_by_suit(deck(2))[:3].tolist() == [[2, 2, 2, 0], [0, 0, 0, 2], [2, 2, 2, 2]]


def test_t01_tiles_are_sorted_by_their_face_alone() -> None:
    assert TILES.suits == 1
    assert TILES.copies(woodpile()) == (*[2] * len(CIVIL), *[1] * len(MILITARY))
    assert TILES.copies(parse_tiles("6-6 6-6 1-1")) == (2, 1, *[0] * 19)


def test_a_pack_is_one_deck_or_the_woodpile() -> None:
    assert CARDS.pack == deck()
    assert TILES.pack == woodpile()
