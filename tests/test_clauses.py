"""Every clause of the rules has a test with its id in the name, and no test names an unknown clause."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CLAUSES = (
    *(f"G{number:02}" for number in range(1, 25)),
    *(f"N{number:02}" for number in range(1, 11)),
    *(f"T{number:02}" for number in range(1, 13)),
    *(f"B{number:02}" for number in range(1, 9)),
)


def named() -> Iterator[tuple[str, str]]:
    """Each clause in the name of a test, with that test."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if node.name.startswith("test_"):
                for clause in re.findall(r"(?<=_)[gntb]\d\d(?=_)", node.name):
                    yield clause.upper(), f"{path.relative_to(TESTS)}::{node.name}"


@pytest.fixture(scope="module")
def proofs() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for clause, test in named():
        found.setdefault(clause, []).append(test)
    return found


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_has_a_test_that_names_it(clause: str, proofs: dict[str, list[str]]) -> None:
    assert proofs.get(clause)


def test_no_test_names_an_unknown_clause(proofs: dict[str, list[str]]) -> None:
    assert {clause: tests for clause, tests in proofs.items() if clause not in CLAUSES} == {}


@pytest.mark.parametrize("clause", [clause for clause in CLAUSES if not clause.startswith("B")])
def test_each_rule_of_a_game_is_tested_where_rules_are(clause: str, proofs: dict[str, list[str]]) -> None:
    """The rules are pure, so tests can prove them without a table, except for clauses about tables."""
    homes = {test.partition("/")[0] for test in proofs.get(clause, ())}
    assert homes & {"rules", "games", "table"}, clause
