"""The stakes on buttons: within the limits, ascending, and round if possible."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.views.stakes import quick_stakes

limits = st.tuples(st.integers(1, 10**12), st.integers(1, 10**12)).map(sorted)


@given(limits=limits, count=st.integers(2, 25))
def test_stakes_go_from_the_lowest_to_the_highest(limits: list[int], count: int) -> None:
    lowest, highest = limits
    stakes = quick_stakes(lowest, highest, count)
    assert 1 <= len(stakes) <= count
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
    assert len(offered) == min(5, len(fitting) + len({lowest, highest}))


@pytest.mark.parametrize(
    ("lowest", "highest", "stakes"),
    [
        (5, 100, (5, 10, 20, 50, 100)),
        (5, 5, (5,)),
        (1, 2, (1, 2)),
        (7, 30, (7, 10, 20, 30)),
        (1, 1_000, (1, 5, 20, 200, 1_000)),
    ],
)
def test_examples(lowest: int, highest: int, stakes: tuple[int, ...]) -> None:
    assert quick_stakes(lowest, highest) == stakes
