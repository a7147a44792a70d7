from fractions import Fraction

import pytest

from bot.odds.odds import Odds, odds_of
from bot.words.rules import comparison_words, odds_words
from tests.games.presets import WIKIPEDIA


def figures(bank_edge: Fraction, win: Fraction, lose: Fraction, push: Fraction) -> Odds:
    return Odds(1, (), 1, win, lose, push, bank_edge, Fraction(1), 1.0)


NOW = figures(Fraction(3136871981, 60403728840), Fraction(2, 5), Fraction(11, 20), Fraction(1, 20))
THEN = figures(Fraction(1, 16), Fraction(2, 5), Fraction(3, 5), Fraction(0))


def test_edge_and_chances_are_rounded() -> None:
    assert odds_words(NOW) == (
        "On average over all hands, the bank keeps 5.19% of every chip bet. "
        "A player wins 40% of hands, loses 55% and pushes 5%."
    )


@pytest.mark.parametrize(
    ("edge", "words"),
    [
        (Fraction(0), "nobody has an edge: the bank keeps nothing"),
        (Fraction(-1, 1000), "players gain 0.10% of every chip they bet"),
        (Fraction(1, 30_000), "the bank keeps less than 0.01% of every chip bet"),
        (Fraction(-1, 30_000), "players gain less than 0.01% of every chip they bet"),
    ],
)
def test_an_edge_that_is_none_or_tiny_or_against_the_bank_is_told(edge: Fraction, words: str) -> None:
    assert words in odds_words(figures(edge, NOW.win, NOW.lose, NOW.push))


def test_real_odds_make_a_sentence() -> None:
    assert "the bank keeps 5.19%" in odds_words(odds_of(WIKIPEDIA))


def test_unknown_odds_are_called_unknown() -> None:
    assert odds_words(None) == "The odds of these rules are not known."
    assert comparison_words(None, THEN).splitlines()[0] == "- The bank's edge: not known → **6.25%**"
    assert comparison_words(NOW, None).count("not known") == 4


def test_a_comparison_has_old_and_new_of_each_figure() -> None:
    assert comparison_words(NOW, THEN).splitlines() == [
        "- The bank's edge: 5.1932% → **6.25%**",
        "- A player loses: 55% → **60%**",
        "- A push: 5% → **0%**",
    ]


def test_odds_that_differ_by_less_than_is_shown_are_not_called_equal() -> None:
    hair = figures(NOW.bank_edge + Fraction(1, 10**9), NOW.win, NOW.lose, NOW.push)

    assert comparison_words(NOW, hair).splitlines()[0] == (
        "- The bank's edge: still 5.1932% (the change is too small to show)"
    )
