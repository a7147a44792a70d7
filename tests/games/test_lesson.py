"""Lessons for beginners: examples of every row of a ranking, and five hands with honest questions."""

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.contract import Game
from bot.games.hands import arrangements, evaluate, is_worse
from bot.games.knobs import PRESETS
from bot.games.lesson import (
    LESSON,
    Verdict,
    example_hands,
    exercise,
    is_right_rank,
    is_right_three,
    rank_of_strength,
    verdict,
)
from bot.games.register import GAMES
from bot.games.settle import ranked_as, ranked_hands
from bot.games.tau_ngau import TAU_NGAU
from bot.games.tau_ngau.rules import TauNgauRules
from bot.rules.house_rules import HouseRules, with_each_choice
from bot.rules.pieces import HAND_SIZE, OX_SIZE
from bot.rules.tiles import WILD, pips_of

EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
PLANS = st.integers(0, 99)
SEEDS = st.integers(0, 10_000).map(Random)


def standard(game: Game[Any, Any]) -> HouseRules:
    return PRESETS[game.default_preset]


@EACH_GAME
def test_every_row_of_a_ranking_has_an_example_whatever_the_house_plays(game: Game[Any, Any]) -> None:
    for preset in game.presets:
        for rules in with_each_choice(PRESETS[preset]):
            hands = example_hands(rules)
            shown = {ranked_as(hand.rank, rules).title.code for hand in hands}
            assert shown >= {row.title.code for row in ranked_hands(rules)}, rules
            assert [hand.strength for hand in hands] == sorted(
                (hand.strength for hand in hands), reverse=True
            )


@EACH_GAME
@given(plan=PLANS, random=SEEDS)
def test_a_lesson_has_a_hand_without_an_ox_and_a_special_one(
    game: Game[Any, Any], plan: int, random: Random
) -> None:
    rules = standard(game)
    asked = [exercise(number, plan, rules, random) for number in range(1, len(LESSON) + 1)]
    hands = [evaluate(one.pieces, rules) for one in asked]
    least = min(row.multiple for row in ranked_hands(rules) if row.multiple)
    ox = [next(iter(game.points(piece, rules))) for piece in hands[0].ox]
    assert sum(ox) % 10 == 0, "an ordinary sum to be found comes first"
    assert ox
    assert max(Counter(map(game.face, hands[0].pieces)).values()) < OX_SIZE
    assert asked[0].threes
    assert any(hand.rank == game.no_ox for hand in hands)
    assert any(
        hand.multiple > least or any(len(game.points(piece, rules)) > 1 for piece in hand.pieces)
        for hand in hands
    )
    special = [hand for hand in hands if hand.multiple > least]
    assert any(hand.ox for hand in special) or not special, "what needs no ox answers itself"
    assert any(one.threes for one in asked)
    assert any(one.ranks for one in asked)


@EACH_GAME
@given(plan=PLANS, number=st.integers(1, len(LESSON)), random=SEEDS)
def test_exactly_one_answer_is_right_and_their_number_gives_nothing_away(
    game: Game[Any, Any], plan: int, number: int, random: Random
) -> None:
    rules = standard(game)
    asked = exercise(number, plan, rules, random)
    pack = game.pack(2, rules)
    assert all(pack.count(piece) >= asked.pieces.count(piece) for piece in asked.pieces)
    three_right = [three for three in asked.threes if is_right_three(asked.pieces, three, rules)]
    rank_right = [rank for rank in asked.ranks if is_right_rank(asked.pieces, rank.strength, rules)]
    assert len(three_right) + len(rank_right) == 1, asked
    assert bool(asked.threes) is not bool(asked.ranks)
    assert asked.threes[-1:] in ((), ((),))
    assert len(asked.ranks) == len({rank.strength for rank in asked.ranks})


@EACH_GAME
@given(random=SEEDS)
def test_g06_exactly_the_threes_of_the_strongest_arrangements_are_right(
    game: Game[Any, Any], random: Random
) -> None:
    rules = standard(game)
    pieces = tuple(random.sample(game.pack(2, rules), HAND_SIZE))
    strongest, every = evaluate(pieces, rules), list(arrangements(pieces, rules))
    best = {tuple(sorted(hand.ox)) for hand in every if not is_worse(hand, strongest)}
    of_any = {tuple(sorted(hand.ox)) for hand in every if hand.ox}
    for three in combinations(range(HAND_SIZE), OX_SIZE):
        said, chosen = verdict(pieces, three, rules), tuple(sorted(pieces[place] for place in three))
        assert (said is Verdict.NOT_AN_OX) is (chosen not in of_any)
        # What needs no ox counts beside any.
        is_best = chosen in (best if strongest.ox else of_any)
        assert (said is Verdict.RIGHT) is is_right_three(pieces, three, rules) is is_best
    assert verdict(pieces, (), rules) is (Verdict.MISSED if strongest.ox else Verdict.RIGHT)


def test_a_rank_that_the_house_does_not_play_is_none() -> None:
    rules = PRESETS["wikipedia"]
    small = example_hands(rules)[1]
    assert rank_of_strength(small.strength, rules) == small.rank
    assert rank_of_strength(small.strength, rules.model_copy(update={"five_small": False})) is None


def test_t12_without_wild_tiles_a_discard_has_two_odd_tiles_or_none() -> None:
    rules = TauNgauRules()
    tame = [tile for tile in TAU_NGAU.faces if tile not in WILD]
    for three in combinations(sorted([*tame, *tame]), OX_SIZE):
        if TAU_NGAU.is_ox(three, rules):
            assert sum(pips_of(tile) % 2 for tile in three) in (0, 2), three


def test_t12_with_wild_tiles_five_odd_tiles_may_have_a_discard() -> None:
    wild = next(tile for tile in WILD if pips_of(tile) % 2)
    odd = [tile for tile in TAU_NGAU.faces if pips_of(tile) % 2 and tile not in WILD]
    assert any(TAU_NGAU.is_ox(sorted((*two, wild)), TauNgauRules()) for two in combinations(odd, 2))
