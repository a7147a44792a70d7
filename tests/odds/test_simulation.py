"""Simulated rounds are fair, the same for one seed, and near the exact odds."""

from fractions import Fraction

import numpy as np
import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.games.settle import settle
from bot.odds import simulation
from bot.odds.evaluator import evaluator_of
from bot.odds.odds import odds_of
from bot.odds.simulation import Estimate, check_seats, simulate_rounds, some_seed
from bot.rules.house_rules import HouseRules
from tests.sizes import sized

SEED = 20261121
MOST_OFF = 5.0
"""In standard errors: by chance alone, one in two million results is farther off."""


SUITED = {bonus: {"suited_bonus": bonus, "multiple_double_ox": 20} for bonus in ("ox", "power", "five")}
PLAYED: dict[str, HouseRules] = {
    **PRESETS,
    **{f"suited {bonus}": GnauRules.model_validate(knobs) for bonus, knobs in SUITED.items()},
}


@pytest.mark.thorough
@pytest.mark.parametrize("rules", PLAYED.values(), ids=PLAYED)
@pytest.mark.parametrize("seats", [2, 5])
def test_g21_simulated_rounds_are_near_the_exact_odds(rules: HouseRules, seats: int) -> None:
    came = simulate_rounds(rules, sized(100_000, 400_000), seats, SEED)
    for estimate in (came.win, came.lose, came.push, came.bank_edge):
        if not estimate.standard_error:
            assert estimate.mean == estimate.exact, "it never varies, so it must be what it always is"
            continue
        assert estimate.standard_errors_off is not None
        assert abs(estimate.standard_errors_off) < MOST_OFF


def test_a_simulation_has_the_exact_odds() -> None:
    came = simulate_rounds(PRESETS["points"], 10, 1, SEED)
    odds = odds_of(PRESETS["points"])
    exact = (came.win.exact, came.lose.exact, came.push.exact, came.bank_edge.exact)
    assert exact == (odds.win, odds.lose, odds.push, odds.bank_edge)


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


def test_random_seeds_differ() -> None:
    assert len({some_seed() for _ in range(20)}) > 15


def test_batches_add_up_to_all_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "PIECES_A_BATCH", 52 * 30)
    told: list[int] = []
    came = simulate_rounds(PRESETS["wikipedia"], 100, 2, SEED, told.append)
    assert told == [30, 30, 30, 10]
    assert came.win.mean + came.lose.mean + came.push.mean == pytest.approx(1)


@pytest.mark.parametrize("pack", [list(range(52)), [*range(11), *range(21)]])
def test_g03_a_round_is_dealt_from_one_pack(pack: list[int]) -> None:
    deal = simulation.dealt_rounds(np.array(pack, dtype=np.uint8), 50, 6, np.random.default_rng(SEED))
    (batch,) = deal
    assert batch.shape == (5, 6, 50)
    for number in range(50):
        dealt = batch[:, :, number].ravel().tolist()
        assert all(dealt.count(piece) <= pack.count(piece) for piece in dealt)


def test_every_piece_is_equally_likely_at_every_place() -> None:
    """Pearson's statistic is 51 on average, and above 110 once in about 200,000 times."""
    pack = np.arange(52, dtype=np.uint8)
    drawn = simulation.shuffled_packs(pack, 10, 20_000, np.random.default_rng(SEED))
    for place in drawn:
        seen = np.bincount(place, minlength=52)
        expected = 20_000 / 52
        assert ((seen - expected) ** 2 / expected).sum() < 110


def test_every_order_of_a_small_pack_is_equally_likely() -> None:
    pack = np.arange(4, dtype=np.uint8)
    drawn = simulation.shuffled_packs(pack, 3, 48_000, np.random.default_rng(SEED))
    _, seen = np.unique(drawn, axis=1, return_counts=True)
    assert len(seen) == 24
    assert (np.abs(seen - 2_000) < 5 * 2_000**0.5).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_g17_each_player_is_settled_against_the_last_hand_the_bankers(preset: str) -> None:
    rules = PRESETS[preset]
    hands = np.random.default_rng(SEED).permuted(np.tile(np.arange(20, dtype=np.uint8), (200, 1)), axis=1)
    batch = hands.T.reshape(5, 4, 200)
    units = simulation.gains_of(batch, evaluator_of(rules))
    for number in range(200):
        *players, banker = (evaluate(five, rules) for five in batch[:, :, number].T.tolist())
        assert units[:, number].tolist() == [settle(player, banker, rules).units for player in players]


def test_the_standard_error_is_that_of_whole_rounds() -> None:
    units = np.array([[1, -3, 0, 1], [1, -3, 1, -1]])
    tally = simulation.Tally(rounds=4, seats=2)
    tally.add(units)
    edge = tally.estimate(simulation.BANKED, Fraction(1, 4))
    of_rounds = -units.mean(axis=0)
    assert edge.mean == of_rounds.mean()
    assert edge.standard_error == pytest.approx(of_rounds.std(ddof=1) / 2)
    won = tally.estimate(simulation.WON, Fraction(1, 2))
    assert won.mean == 0.5
    assert won.standard_error == pytest.approx((units > 0).mean(axis=0).std(ddof=1) / 2)


def test_a_tally_can_be_added_in_parts() -> None:
    units = np.array([[1, -3, 0, 1], [1, -3, 1, -1]])
    whole, parts = simulation.Tally(4, 2), simulation.Tally(4, 2)
    whole.add(units)
    for part in np.split(units, 2, axis=1):
        parts.add(part)
    exact = Fraction(1, 4)
    assert parts.estimate(simulation.BANKED, exact) == whole.estimate(simulation.BANKED, exact)


def test_the_difference_from_the_odds_is_in_standard_errors() -> None:
    assert Estimate(0.5, 0.125, Fraction(1, 4)).standard_errors_off == 2.0
    assert Estimate(0.0, 0.125, Fraction(1, 4)).standard_errors_off == -2.0


def test_without_variance_there_is_no_difference_in_standard_errors() -> None:
    one = simulate_rounds(PRESETS["wikipedia"], 1, 1, SEED)
    assert one.win.standard_error is None
    assert one.win.standard_errors_off is None
    assert Estimate(0.5, 0.0, Fraction(1, 4)).standard_errors_off is None


@pytest.mark.parametrize(("preset", "seats"), [("wikipedia", (1, 19)), ("tau-ngau", (2, 5))])
def test_t02_too_few_and_too_many_seats_are_refused(preset: str, seats: tuple[int, int]) -> None:
    fewest, most = seats
    for fitting in seats:
        check_seats(PRESETS[preset], fitting)
    for wrong in (fewest - 1, most + 1):
        with pytest.raises(ValueError, match=f"{fewest} to {most} seats .*not {wrong}"):
            simulate_rounds(PRESETS[preset], 1, wrong, SEED)
