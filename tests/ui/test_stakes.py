"""The stakes on buttons: within the limits, ascending, and round if possible."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauRules
from bot.games.settle import largest_multiple
from bot.ui.stakes import QUICK, offered_limits, quick_stakes

limits = st.tuples(st.integers(1, 10**12), st.integers(1, 10**12)).map(sorted)


@given(limits=limits)
@example([1, 50_001])
def test_stakes_go_from_the_lowest_to_the_highest(limits: list[int]) -> None:
    lowest, highest = limits
    stakes = quick_stakes(lowest, highest)
    assert 1 <= len(stakes) <= QUICK
    assert (stakes[0], stakes[-1]) == (lowest, highest)
    assert list(stakes) == sorted(set(stakes))


@given(limits=limits)
def test_stakes_in_between_are_round(limits: list[int]) -> None:
    between = quick_stakes(*limits)[1:-1]
    assert all(str(stake).rstrip("0") in ("1", "2", "5") for stake in between)


@given(limits=limits)
def test_round_stakes_fill_every_button(limits: list[int]) -> None:
    lowest, highest = limits
    fitting = [
        digit * 10**zeros
        for zeros in range(10)
        for digit in (1, 2, 5)
        if lowest < digit * 10**zeros < highest
    ]
    offered = quick_stakes(lowest, highest)
    assert len(offered) == min(QUICK, len(fitting) + len({lowest, highest}))


@given(chips=st.integers(0, 10**9), house=st.tuples(st.integers(1, 10**9), st.integers(1, 10**9)).map(sorted))
def test_b02_the_limits_offered_to_a_banker_are_covered(chips: int, house: list[int]) -> None:
    rules = GnauRules(lowest_stake=house[0], highest_stake=house[1])
    lowest, highest = offered_limits(rules, chips)
    assert rules.lowest_stake <= lowest <= highest <= max(lowest, rules.highest_stake)
    assert highest == lowest or highest * largest_multiple(rules) <= chips


@pytest.mark.parametrize(
    ("lowest", "chips", "offered"),
    [
        (1, 10**6, (5, 100)),
        (1, 1000, (5, 20)),
        (1, 240, (1, 5)),
        (1, 20, (1, 2)),
        (1, 7, (1, 1)),
        (5, 240, (5, 10)),
        (5, 80, (5, 10)),
        (5, 60, (5, 8)),
    ],
)
def test_a_banker_with_few_chips_is_offered_more_than_one_bet_if_there_is_a_way(
    lowest: int, chips: int, offered: tuple[int, int]
) -> None:
    rules = GnauRules(lowest_stake=lowest)
    assert largest_multiple(rules) == 7
    assert offered_limits(rules, chips) == offered


@pytest.mark.parametrize(
    ("lowest", "highest", "stakes"),
    [
        (5, 100, (5, 10, 20, 100)),
        (5, 5, (5,)),
        (1, 2, (1, 2)),
        (7, 30, (7, 10, 20, 30)),
        (1, 1_000, (1, 10, 100, 1_000)),
    ],
)
def test_examples(lowest: int, highest: int, stakes: tuple[int, ...]) -> None:
    assert quick_stakes(lowest, highest) == stakes
