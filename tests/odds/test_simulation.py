"""Simulated rounds are fair, the same for one seed, and near the exact odds."""

import random
from collections import Counter

import pytest

from bot.games.knobs import PRESETS
from bot.odds.odds import odds_of
from bot.odds.simulation import check_seats, dealt_hands, simulate_rounds
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import Piece

SEED = 20261121
MOST_OFF = 5.0
"""In standard errors: by chance alone, one in two million results is farther off."""


@pytest.mark.thorough
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("seats", [2, 5])
def test_simulated_rounds_are_near_the_exact_odds(rules: HouseRules, seats: int) -> None:
    came = simulate_rounds(rules, 50_000, seats, SEED)
    for estimate in (came.win, came.lose, came.push, came.bank_edge):
        if not estimate.standard_error:
            assert estimate.mean == estimate.exact, "it never varies, so it must be what it always is"
            continue
        assert estimate.standard_errors_off is not None
        assert abs(estimate.standard_errors_off) < MOST_OFF


def test_g02_the_exact_odds_are_for_the_decks_that_the_seats_need() -> None:
    rules = PRESETS["wikipedia"]
    assert simulate_rounds(rules, 10, 9, SEED).decks == 1
    eleven_hands = simulate_rounds(rules, 10, 10, SEED)
    assert eleven_hands.decks == 2
    assert eleven_hands.win.exact == odds_of(rules, 2).win
    assert simulate_rounds(rules.model_copy(update={"decks": 4}), 10, 10, SEED).decks == 4


def test_the_same_seed_gives_the_same_rounds_and_another_gives_others() -> None:
    rules = PRESETS["tau-ngau"]
    first = simulate_rounds(rules, 2_000, 3, SEED)
    assert simulate_rounds(rules, 2_000, 3, SEED) == first
    assert simulate_rounds(rules, 2_000, 3, SEED + 1).bank_edge != first.bank_edge


@pytest.mark.parametrize("pack", [list(range(52)), [*range(11), *range(21)]])
def test_g03_a_round_is_dealt_from_one_pack(pack: list[int]) -> None:
    chance = random.Random(SEED)
    for _ in range(50):
        hands = dealt_hands([Piece(piece) for piece in pack], 6, chance)
        assert [len(hand) for hand in hands] == [5] * 6
        assert Counter(piece for hand in hands for piece in hand) <= Counter(pack)


def test_every_piece_is_equally_likely_at_every_place() -> None:
    """Pearson's statistic is 51 on average, and above 110 once in about 200,000 times."""
    pack, chance, rounds = [Piece(piece) for piece in range(52)], random.Random(SEED), 20_000
    drawn = [[piece for hand in dealt_hands(pack, 2, chance) for piece in hand] for _ in range(rounds)]
    for place in zip(*drawn, strict=True):
        seen, expected = Counter(place), rounds / len(pack)
        assert sum((seen[piece] - expected) ** 2 / expected for piece in pack) < 110


@pytest.mark.parametrize(("preset", "seats"), [("wikipedia", (1, 19)), ("tau-ngau", (2, 5))])
def test_t02_too_few_and_too_many_seats_are_refused(preset: str, seats: tuple[int, int]) -> None:
    fewest, most = seats
    for fitting in seats:
        check_seats(PRESETS[preset], fitting)
    for wrong in (fewest - 1, most + 1):
        with pytest.raises(ValueError, match=f"{fewest} to {most} seats .*not {wrong}"):
            simulate_rounds(PRESETS[preset], 1, wrong, SEED)
