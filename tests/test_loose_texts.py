"""The check for texts outside the catalogue finds those that people read, and no others."""

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "find_loose_texts.py"
FUNCTIONS = runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize(
    "source",
    [
        'reply(interaction, "You sit at no table.")',
        'label = f"Bet {stake} chips again"',
        'button(press, "Take the bank")',
        'NOBODY = "It is nobody\'s turn"',
        'description="Open a table in this channel"',
        'text = "牛 is an ox"',
        'text = "Press **Join**"',
        'text = "**Table** *closed*"',
        'text = "Wait (please)"',
        'raise MemberError("reply.wrong_option", value="not this one")',
    ],
)
def test_a_text_that_people_read_is_found(source: str) -> None:
    assert [line for line, _ in FUNCTIONS["loose_texts"](source)] == [1]


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring of several words."""',
        'def f():\n    """A docstring of several words."""',
        'log.info("table %s is open", 5)',
        'raise RoutingError(f"the action {action} has two handlers")',
        'assert table is not None, "there is no table"',
        'translate("reply.no_table_here")',
        'parts = " · ".join(parts)',
        'button(press, "Join")',
        'custom_id = "gnau:1:2:join"',
    ],
)
def test_a_text_that_nobody_reads_is_ignored(source: str) -> None:
    assert not list(FUNCTIONS["loose_texts"](source))


def test_there_is_no_loose_text() -> None:
    assert FUNCTIONS["main"]() == 0
