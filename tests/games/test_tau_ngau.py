from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.hands import arrangements, declared, evaluate
from bot.games.knobs import preset_of
from bot.games.settle import Duel, Outcome, largest_multiple, settle
from bot.games.tau_ngau import TAU_NGAU
from bot.games.tau_ngau.rules import TauNgauClass, TauNgauRules
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import BankPasses, Ties
from bot.rules.pieces import Hand
from bot.rules.tiles import Tile, parse_tiles, pips_of, tile_text, woodpile
from tests.games.presets import TAU_NGAU_PRESET

from .plain_tau_ngau import plain_score
from .strategies import house_rules

WILD_STAY = TauNgauRules(wild_in_score=False)

SCORE_8 = "6-4 5-5 6-4 6-5 6-1"
SCORE_0 = "6-4 5-5 6-4 5-4 6-5"
STUCK = "1-1 1-1 2-2 6-3 6-2"

five_tiles = st.permutations(woodpile()).map(lambda tiles: tuple(tiles[:5]))


def hand(text: str, rules: HouseRules = TAU_NGAU_PRESET) -> Hand:
    return evaluate(parse_tiles(text), rules)


def duel(player: str, banker: str, rules: HouseRules = TAU_NGAU_PRESET) -> Duel:
    return settle(hand(player, rules), hand(banker, rules), rules)


def test_t01_a_round_is_dealt_from_the_woodpile() -> None:
    assert sorted(TAU_NGAU.pack(6, TAU_NGAU_PRESET)) == sorted(woodpile())
    assert 5 * (TAU_NGAU.most_players + 1) <= len(woodpile())


def test_t02_three_to_six_play_the_banker_among_them() -> None:
    assert (TAU_NGAU.fewest_players + 1, TAU_NGAU.most_players + 1) == (3, 6)


def test_t03_dice_pick_the_first_banker() -> None:
    assert TAU_NGAU.rolls_for_bank


@pytest.mark.parametrize("three", ["6-4 5-5 6-4", "6-3 5-4 1-1", "3-1 2-2 1-1", "6-6 5-3 6-4"])
def test_t05_three_tiles_whose_pips_total_a_multiple_of_ten_are_a_discard(three: str) -> None:
    assert TAU_NGAU.is_ox(parse_tiles(three), TAU_NGAU_PRESET)


@pytest.mark.parametrize("three", ["6-4 5-5 6-3", "1-1 1-1 1-1", "6-6 6-6 6-5"])
def test_t05_three_tiles_of_another_total_are_no_discard(three: str) -> None:
    assert not TAU_NGAU.is_ox(parse_tiles(three), TAU_NGAU_PRESET)


@pytest.mark.parametrize(
    "three",
    ["4-2 6-4 3-1", "4-2 6-4 5-2", "2-1 6-4 3-1", "2-1 6-4 5-2", "4-2 2-1 6-5", "4-2 2-1 3-1", "4-2 2-1 5-3"],
)
def test_t05_each_wild_tile_is_three_or_six(three: str) -> None:
    assert TAU_NGAU.is_ox(parse_tiles(three), TAU_NGAU_PRESET)


def test_t08_the_score_is_the_last_digit_of_the_total_of_the_two_left() -> None:
    assert (hand(SCORE_0).hand_class, hand(SCORE_0).value) == (TauNgauClass.SCORE, 0)
    assert hand(SCORE_0).strength < hand(SCORE_8).strength


def test_t08_wild_tiles_are_three_or_six_in_the_score_too_if_the_knob_is_on() -> None:
    tiles = "6-4 5-5 6-4 2-1 2-1"
    assert hand("6-4 5-5 6-4 4-2 1-1").value == 8
    assert hand("6-4 5-5 6-4 2-1 1-1").value == 8
    assert hand("6-4 5-5 6-4 2-1 1-1", WILD_STAY).value == 5
    assert hand("6-4 5-5 6-4 4-2 1-1", WILD_STAY).value == 8
    assert hand("6-4 5-5 6-4 4-2 2-1").value == 9
    assert hand("6-4 5-5 6-4 4-2 2-1", WILD_STAY).value == 9
    assert hand(tiles).value == 9


def test_t11_6_5_and_6_1_left_over_score_8() -> None:
    best = hand(SCORE_8)

    assert (best.hand_class, best.value) == (TauNgauClass.SCORE, 8)
    assert sorted(map(tile_text, map(Tile, best.power))) == ["6-1", "6-5"]


def test_t12_the_parity_tips_ignore_the_wild_tiles() -> None:
    odd = [tile for tile in woodpile() if pips_of(tile) % 2]
    all_odd = list(combinations(odd, 5))

    assert len(all_odd) == 462
    assert sum(bool(evaluate(five, TAU_NGAU_PRESET).ox) for five in all_odd) == 176


def test_t06_a_player_without_a_discard_loses_if_the_banker_has_one() -> None:
    assert duel(STUCK, SCORE_0) == Duel(Outcome.BANKER, -1)


def test_t07_a_banker_without_a_discard_pays_only_players_with_one() -> None:
    assert duel(SCORE_0, STUCK) == Duel(Outcome.PLAYER, 1)
    assert duel(STUCK, STUCK) == Duel(Outcome.PUSH, 0)
    assert duel(STUCK, STUCK, TauNgauRules(ties=Ties.BANKER)) == Duel(Outcome.PUSH, 0)


def test_t09_the_higher_score_wins_even_money_and_a_tie_is_a_push() -> None:
    assert duel(SCORE_8, SCORE_0) == Duel(Outcome.PLAYER, 1)
    assert duel(SCORE_0, SCORE_8) == Duel(Outcome.BANKER, -1)
    assert duel(SCORE_8, SCORE_8) == Duel(Outcome.PUSH, 0)
    assert duel(SCORE_8, SCORE_8, TauNgauRules(ties=Ties.BANKER)) == Duel(Outcome.BANKER, -1)


def test_t09_the_most_that_a_bet_can_lose_is_itself() -> None:
    assert largest_multiple(TAU_NGAU_PRESET) == 1


def test_the_preset_tau_ngau_has_the_settings_of_its_column() -> None:
    assert TAU_NGAU_PRESET.ties is Ties.PUSH
    assert TAU_NGAU_PRESET.bank_passes is BankPasses.AFTER_OX
    assert TAU_NGAU_PRESET.wild_in_score
    assert preset_of(TAU_NGAU_PRESET.model_copy(update={"flex_3_6": False, "seats": 3})) == "tau-ngau"


@given(five_tiles, st.booleans())
def test_t05_the_evaluator_finds_the_best_discard(tiles: tuple[Tile, ...], wild_in_score: bool) -> None:
    rules = TauNgauRules(wild_in_score=wild_in_score)
    plain = plain_score([tile_text(tile) for tile in tiles], wild_in_score=wild_in_score)
    best = evaluate(tiles, rules)

    assert (best.value if best.hand_class is TauNgauClass.SCORE else -1) == plain
    assert best.strength == max(made.strength for made in arrangements(tiles, rules))
    assert bool(best.ox) == (plain >= 0)
    assert sorted([*best.ox, *best.power]) == (sorted(tiles) if best.ox else [])


@given(five_tiles, five_tiles, house_rules("tau-ngau"))
def test_a_round_moves_even_money_or_nothing(
    one: tuple[Tile, ...], other: tuple[Tile, ...], rules: HouseRules
) -> None:
    result = settle(evaluate(one, rules), evaluate(other, rules), rules)

    assert abs(result.units) == (0 if result.outcome is Outcome.PUSH else 1)


def test_b04_a_declared_discard_stands() -> None:
    tiles = parse_tiles(SCORE_8)

    assert declared(tiles, (0, 1, 2), TAU_NGAU_PRESET).value == 8
    assert declared(tiles, (0, 1, 3), TAU_NGAU_PRESET).hand_class is TauNgauClass.STUCK
