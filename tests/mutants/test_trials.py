"""The faults fit the source; and a trial says of one that it is caught, that it survives, or neither."""

from pathlib import Path

import pytest

from tests.mutants.faults import Fault, faults
from tests.mutants.trials import ROOT, Trial, Verdict, try_all

CHARGE = "bot/charge.py"
RIGHT = '''"""Charges."""


def charged(purse: int, stake: int) -> int:
    """What is left."""
    return purse - stake
'''
TESTS = """
import os
import pytest

from bot.charge import charged


def test_a_stake_is_charged():
    assert charged(10, 4) == 6


def test_it_takes_no_more_than_a_moment():
    if charged(1, 1) is None:
        pytest.fail("Timeout (>0.2s) from pytest-timeout.")


def test_nothing_much():
    assert charged(0, 0) == 0


def test_failures_are_explained_in_short():
    assert not {"CI", "BUILD_NUMBER"} & set(os.environ)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one function, its tests, and what watches them."""
    for folder in ("bot", "tests"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("")
    (tmp_path / CHARGE).write_text(RIGHT)
    (tmp_path / "tests/test_charge.py").write_text(TESTS)
    watching = tmp_path / "tests/mutants"
    watching.mkdir()
    for name in ("__init__.py", "witness.py"):
        (watching / name).write_text((ROOT / "tests/mutants" / name).read_text())
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    return tmp_path


def charging(after: str, test: str = "test_a_stake_is_charged", error: str | None = None) -> Fault:
    return Fault("a fault", CHARGE, "return purse - stake", after, (f"tests/test_charge.py::{test}",), error)


def test_every_fault_fits_the_source() -> None:
    declared = faults()

    assert len(declared) >= 25
    assert [wrong for fault in declared if (wrong := fault.rotted(ROOT))] == []


def test_every_test_that_is_to_find_a_fault_is_there() -> None:
    for test in sorted({test for fault in faults() for test in fault.tests}):
        file, _, name = test.partition("::")
        assert not name or f"def {name.partition('[')[0]}(" in (ROOT / file).read_text(), test


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("fault", "found", "why"),
    [
        (charging("return purse - 2 * stake"), Verdict.CAUGHT, "test_charge.py::test_a_stake_is_charged"),
        (charging("return purse // 0", error="ZeroDivisionError"), Verdict.CAUGHT, "is_charged"),
        (charging("return purse + stake", "test_nothing_much"), Verdict.SURVIVED, "none of "),
        (
            charging("return purse + stake", "test_failures_are_explained_in_short"),
            Verdict.SURVIVED,
            "none of ",
        ),
        (charging("return purse -"), Verdict.BROKEN, "SyntaxError"),
        (charging("return purse - debt"), Verdict.BROKEN, "failed by NameError: name 'debt'"),
        (
            charging("return purse - 2 * stake", error="NameError"),
            Verdict.BROKEN,
            "failed by AssertionError",
        ),
        (
            # Not by the clock: on a slow machine anything may take long.
            charging("return None", "test_it_takes_no_more_than_a_moment"),
            Verdict.BROKEN,
            "failed by Failed: Timeout",
        ),
    ],
    ids=[
        *("an assertion fails", "the error that is named", "no test finds it", "on a CI machine"),
        *("does not compile", "another error", "not the error that is named", "takes too long"),
    ],
)
def test_a_fault_is_caught_survives_or_proves_nothing(
    tree: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault, found: Verdict, why: str
) -> None:
    # On a CI machine, pytest would explain failures at length.
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("BUILD_NUMBER", "1")
    (trial,) = try_all([fault], 1, tree)

    assert isinstance(trial, Trial), trial
    assert trial.verdict is found
    assert why in trial.by
    assert (tree / CHARGE).read_text() == RIGHT
