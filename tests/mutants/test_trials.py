"""The faults fit the source; and a trial says of one that it is caught, that it survives, or neither."""

from pathlib import Path

import pytest

from tests.mutants.faults import Fault, RottedError, faults
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


@pytest.mark.thorough
def test_a_test_that_is_not_there_proves_nothing(tree: Path) -> None:
    (told,) = try_all([charging("return 0", "test_of_yesterday")], 1, tree)

    assert "test_of_yesterday" in str(told)
    assert not isinstance(told, Trial)


@pytest.mark.thorough
def test_no_fault_is_tried_where_the_tests_fail_without_one(tree: Path) -> None:
    (tree / CHARGE).write_text(RIGHT.replace("purse - stake", "(purse - stake) * 2"))
    wrong = Fault("a fault", CHARGE, "return", "raise", ("tests/test_charge.py",))

    (told,) = try_all([wrong], 1, tree)

    assert not isinstance(told, Trial)
    assert "assert 12 == 6" in told


def test_a_fault_whose_text_is_gone_or_stands_twice_is_rotten(tree: Path) -> None:
    gone = Fault("gone", CHARGE, "return purse - 1", "return purse", ("tests",))
    twice = Fault("twice", CHARGE, "purse", "wallet", ("tests",))

    with pytest.raises(
        RottedError, match=r"gone: its text stands 0 times .*\ntwice: its text stands 2 times"
    ):
        list(try_all([gone, twice], 1, tree))


WHOLE = 'name = "a"\nfile = "f"\nbefore = "b"\nafter = "c"\n'


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        (f"[[fault]]\n{WHOLE}tests = []", "a: no test is named"),
        ('[[fault]]\nname = "a"\nfile = "f"\nbefore = "b"\ntests = ["t"]', "a: .*'after'"),
        ('[[fault]]\nname = "a"\nfiles = "f"\ntests = ["t"]', "a: .*'files'"),
        (2 * f'[[fault]]\n{WHOLE}tests = ["t"]\n', "two faults"),
    ],
    ids=["without a test", "without what it changes", "with what there is not", "twice"],
)
def test_a_fault_is_declared_whole_and_once(tmp_path: Path, declared: str, why: str) -> None:
    path = tmp_path / "faults.toml"
    path.write_text(declared)

    with pytest.raises(RottedError, match=why):
        faults(path)
