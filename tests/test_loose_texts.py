"""No text that people read is outside the catalogue."""

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "find_loose_texts.py"
FUNCTIONS = runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize(
    ("source", "is_loose"),
    [
        ('reply(interaction, "You sit at no table.")', True),
        ('label = f"Bet {stake} chips again"', True),
        ('text = "牛 is an ox"', True),
        ('def f():\n    """A docstring of several words."""', False),
        ('log.info("table %s is open", 5)', False),
        ('translate("reply.no_table_here")', False),
        ('def f(odds: "Odds | None") -> "Odds | None":\n    pass', False),
    ],
)
def test_a_text_that_people_read_is_found(source: str, *, is_loose: bool) -> None:
    assert [line for line, _ in FUNCTIONS["loose_texts"](source)] == [1] * is_loose


def test_there_is_no_loose_text() -> None:
    assert FUNCTIONS["main"]() == 0
