"""`gnau duel`: a player's hand against the banker's."""

import pytest

from tests.cli.runner import EXAMPLE, answer
from tests.cli.schemas import DUEL, check

OX_OF_3 = "10S 4D 6H 9C 4S"
NO_OX = "4S 4D 3H 8C 5S"
DUKES = "JS QD KH KC JD"
TAU_NGAU = ("--preset", "tau-ngau")


@pytest.mark.parametrize(
    ("words", "outcome", "units"),
    [
        ((EXAMPLE, OX_OF_3), "player", 3),
        ((OX_OF_3, EXAMPLE), "banker", -3),
        ((EXAMPLE, "10S 4D 6H 8H 8S"), "banker", -3),
        ((EXAMPLE, "10S 4D 6H 8H 8S", "--set", "ties=push"), "push", 0),
        ((DUKES, EXAMPLE, "--preset", "points"), "player", 10),
        (("6-4 5-5 6-4 6-5 6-1", "4-4 6-6 5-5 1-1 2-2", *TAU_NGAU), "player", 1),
    ],
)
def test_g17_the_loser_pays_the_winners_multiple(words: tuple[str, ...], outcome: str, units: int) -> None:
    told = answer("duel", *words)
    check(told, DUEL)
    assert told == {"outcome": outcome, "units": units}
