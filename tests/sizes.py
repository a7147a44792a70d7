"""How much the tests try: samples by default, everything if GNAU_THOROUGH is set (as in `.ci/run`)."""

import os
from collections.abc import Iterable
from typing import Final, TypeVar

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

T = TypeVar("T")

THOROUGH: Final = bool(os.environ.get("GNAU_THOROUGH"))
"""Whether every test runs, in its full form."""


def sized(quick: T, thorough: T) -> T:
    """The first size in a default run, the second in a thorough one."""
    return thorough if THOROUGH else quick


def examples(quick: int, thorough: int = 100) -> settings:
    """How many examples Hypothesis tries, as a decorator: of the other tests of its module none does more."""
    return settings(max_examples=sized(quick, thorough))


def sample(
    cases: Iterable[object], quick: int = 1, *, ids: Iterable[str] | None = None
) -> list[ParameterSet]:
    """Parameters for a test: a few cases by default; in full all, with the others marked `thorough`.

    Args:
        cases: values of one parameter, tuples of values of several, or calls of `pytest.param`.
        quick: how many run by default, spread evenly over all.
        ids: names for the cases; None lets pytest choose.
    """
    params = [case if isinstance(case, ParameterSet) else _param(case) for case in cases]
    names = [param.id for param in params] if ids is None else list(ids)
    chosen = {place * len(params) // quick for place in range(quick)}
    return [
        pytest.param(
            *param.values,
            marks=param.marks if place in chosen else [*param.marks, pytest.mark.thorough],
            id=name,
        )
        for place, (param, name) in enumerate(zip(params, names, strict=True))
        if THOROUGH or place in chosen
    ]


def _param(case: object) -> ParameterSet:
    return pytest.param(*case) if isinstance(case, tuple) else pytest.param(case)
