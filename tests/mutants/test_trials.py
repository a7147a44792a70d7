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
import time

import pytest

from bot.charge import charged


def test_a_stake_is_charged():
    assert charged(10, 4) == 6


def test_it_takes_no_more_than_a_moment():
    begun = time.monotonic()
    charged(1, 1)
    if time.monotonic() - begun > 0.2:
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


def verdict(tree: Path, fault: Fault) -> tuple[Verdict, str]:
    (trial,) = try_all([fault], 1, tree)
    assert isinstance(trial, Trial), trial
    return trial.verdict, trial.by


def test_every_fault_fits_the_source() -> None:
    declared = faults()

    assert len(declared) >= 25
    assert [wrong for fault in declared if (wrong := fault.rotted(ROOT))] == []


def test_every_test_that_is_to_find_a_fault_is_there() -> None:
    for test in sorted({test for fault in faults() for test in fault.tests}):
        file, _, name = test.partition("::")
        assert not name or f"def {name.partition('[')[0]}(" in (ROOT / file).read_text(), test


@pytest.mark.thorough
def test_a_fault_is_caught_by_an_assertion(tree: Path) -> None:
    found = verdict(tree, charging("return purse - 2 * stake"))

    assert found == (Verdict.CAUGHT, "tests/test_charge.py::test_a_stake_is_charged")
    assert (tree / CHARGE).read_text() == RIGHT


@pytest.mark.thorough
def test_a_fault_that_no_test_finds_survives(tree: Path) -> None:
    assert verdict(tree, charging("return purse + stake", "test_nothing_much"))[0] is Verdict.SURVIVED


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("after", "test", "error", "why"),
    [
        ("return purse -", "test_a_stake_is_charged", None, "SyntaxError"),
        ("return purse - debt", "test_a_stake_is_charged", None, "failed by NameError: name 'debt'"),
        ("return purse - 2 * stake", "test_a_stake_is_charged", "NameError", "failed by AssertionError"),
        (
            "return __import__('time').sleep(0.3)",
            "test_it_takes_no_more_than_a_moment",
            None,
            "failed by Failed: Timeout",
        ),
    ],
    ids=["does not compile", "another error", "not the error that is named", "takes too long"],
)
def test_what_fails_otherwise_proves_nothing(
    tree: Path, after: str, test: str, error: str | None, why: str
) -> None:
    found = verdict(tree, charging(after, test, error))

    assert found[0] is Verdict.BROKEN
    assert why in found[1]


@pytest.mark.thorough
def test_a_fault_is_caught_by_the_error_that_is_named(tree: Path) -> None:
    assert verdict(tree, charging("return purse // 0", error="ZeroDivisionError"))[0] is Verdict.CAUGHT


@pytest.mark.thorough
def test_nothing_is_explained_at_length_on_a_ci_machine(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("BUILD_NUMBER", "1")

    found = verdict(tree, charging("return purse + stake", "test_failures_are_explained_in_short"))

    assert found[0] is Verdict.SURVIVED


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


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ('name = "a"\nfile = "f"\nbefore = "b"\nafter = "c"\ntests = []', "a: no test is named"),
        ('name = "a"\nfile = "f"\nbefore = "b"\ntests = ["t"]', "a: .*'after'"),
        ('name = "a"\nfiles = "f"\ntests = ["t"]', "a: .*'files'"),
    ],
)
def test_a_fault_is_declared_whole(tmp_path: Path, declared: str, why: str) -> None:
    path = tmp_path / "faults.toml"
    path.write_text(f"[[fault]]\n{declared}\n")

    with pytest.raises(RottedError, match=why):
        faults(path)


def test_no_two_faults_have_one_name(tmp_path: Path) -> None:
    one = '[[fault]]\nname = "a"\nfile = "f"\nbefore = "b"\nafter = "c"\ntests = ["t"]\n'
    path = tmp_path / "faults.toml"
    path.write_text(2 * one)

    with pytest.raises(RottedError, match="two faults"):
        faults(path)
