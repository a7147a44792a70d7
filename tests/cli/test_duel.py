"""`gnau duel`: a player's hand against the banker's."""

import pytest

from tests.cli.runner import EXAMPLE, answer, ask
from tests.cli.schemas import DUEL, check

OX_OF_3 = "10S 4D 6H 9C 4S"
NO_OX = "4S 4D 3H 8C 5S"
DUKES = "JS QD KH KC JD"


@pytest.mark.parametrize(
    ("player", "banker", "outcome", "units"),
    [
        (EXAMPLE, "10S 4D 6H 9C 4S", "player", 3),
        ("10S 4D 6H 9C 4S", EXAMPLE, "banker", -3),
        (NO_OX, "10S 4C 6H 9C 4H", "banker", -1),
        ("10S 4C 6H 9C 4H", NO_OX, "player", 1),
    ],
)
def test_g17_the_loser_pays_the_winners_multiple(player: str, banker: str, outcome: str, units: int) -> None:
    told = answer("duel", player, banker)
    check(told, DUEL)
    assert told == {"outcome": outcome, "units": units}


def test_g20_the_banker_wins_a_tie_at_their_own_multiple() -> None:
    tie = (EXAMPLE, "10S 4D 6H 8H 8S")
    assert answer("duel", *tie) == {"outcome": "banker", "units": -3}
    assert answer("duel", *tie, "--set", "ties=push") == {"outcome": "push", "units": 0}


def test_g20_five_dukes_against_five_dukes_are_a_push() -> None:
    assert answer("duel", DUKES, "JC QS KS JH QC") == {"outcome": "push", "units": 0}


def test_g18_five_dukes_win_ten_points() -> None:
    assert answer("duel", DUKES, EXAMPLE, "--preset", "points") == {"outcome": "player", "units": 10}


@pytest.mark.parametrize(
    ("player", "banker", "outcome", "units"),
    [
        ("6-4 5-5 6-4 6-5 6-1", "4-4 6-6 5-5 1-1 2-2", "player", 1),
        ("4-4 6-6 5-5 1-1 2-2", "6-4 5-5 6-4 6-5 6-1", "banker", -1),
        ("6-4 5-5 6-4 6-5 6-1", "6-6 1-1 1-1 5-5 6-5", "player", 1),
        ("6-6 1-1 1-1 5-5 6-5", "6-4 5-5 6-4 6-5 6-1", "banker", -1),
    ],
)
def test_t09_tau_ngau_is_even_money(player: str, banker: str, outcome: str, units: int) -> None:
    told = answer("duel", player, banker, "--preset", "tau-ngau")
    assert told == {"outcome": outcome, "units": units}


@pytest.mark.parametrize(
    ("player", "banker", "said"),
    [
        (EXAMPLE, "10S 4D 6H 9C 4S", "The player wins 3 chips for each chip bet."),
        ("10S 4D 6H 9C 4S", EXAMPLE, "the player loses 3 chips"),
        ("10S 4C 6H 9C 4H", NO_OX, "The player wins 1 chip for"),
        (DUKES, "JC QS KS JH QC", "A push: nothing moves."),
    ],
)
def test_the_answer_is_a_sentence(player: str, banker: str, said: str) -> None:
    shown = ask("duel", player, banker)
    assert shown.exit_code == 0
    assert said in shown.stdout
