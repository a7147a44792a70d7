from itertools import product

import pytest
from hypothesis import assume, given

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.settle import Duel, Outcome, largest_multiple, settle
from bot.rules.cards import Card, parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Ties
from bot.rules.pieces import Hand
from tests.games.presets import WIKIPEDIA
from tests.houses import value_of

from .strategies import hands, house_rules

FIVE_DUKES = "JH QD KS JC QC"
OTHER_DUKES = "KH KD JS JD QH"
FIVE_SMALL = "AH 2D 3S 4C 3H"
NGAU_TONKU = "AS 5H 7D KC 8H"
DOUBLE_8 = "10H 4D 6C 8S 8H"
DOUBLE_KING = "5C 7C 8C KD KH"
OX_OF_TEN = "AH 2D 4C 5H 8S"
OX_OF_9 = "AH 2D 4C 5H 7S"
OTHER_OX_OF_9 = "5S 7D 8D AC 8C"
NO_OX = "AH 2D 4C 8H 9S"
OTHER_NO_OX = "4H 4D 3C 8S 5H"

LADDER = [NO_OX, OX_OF_9, OX_OF_TEN, DOUBLE_8, DOUBLE_KING, NGAU_TONKU, FIVE_SMALL, FIVE_DUKES]
"""Hands from the weakest to the strongest (G16)."""


def made(text: str, rules: HouseRules = WIKIPEDIA) -> Hand:
    return evaluate(parse_cards(text), rules)


def duel(player: str, banker: str, rules: HouseRules = WIKIPEDIA) -> Duel:
    return settle(made(player, rules), made(banker, rules), rules)


@pytest.mark.parametrize(
    ("weaker", "stronger"), [pair for pair in product(range(8), repeat=2) if pair[0] < pair[1]]
)
def test_g17_the_better_hand_wins_its_own_multiple(weaker: int, stronger: int) -> None:
    multiple = made(LADDER[stronger]).multiple

    assert duel(LADDER[stronger], LADDER[weaker]) == Duel(Outcome.PLAYER, multiple)
    assert duel(LADDER[weaker], LADDER[stronger]) == Duel(Outcome.BANKER, -multiple)


@pytest.mark.parametrize(
    ("player", "banker", "units"),
    [
        (OTHER_OX_OF_9, OX_OF_9, -1),
        (DOUBLE_8, DOUBLE_8, -3),
        (NGAU_TONKU, NGAU_TONKU, -5),
        (FIVE_SMALL, FIVE_SMALL, -7),
    ],
)
def test_g20_the_banker_wins_a_tie_at_their_own_multiple(player: str, banker: str, units: int) -> None:
    assert duel(player, banker, GnauRules(ties=Ties.BANKER)) == Duel(Outcome.BANKER, units)


@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize(("player", "banker"), [(OTHER_DUKES, FIVE_DUKES), (OTHER_NO_OX, NO_OX)])
def test_g20_dukes_against_dukes_and_no_ox_against_no_ox_are_a_push(
    player: str, banker: str, ties: Ties
) -> None:
    assert duel(player, banker, GnauRules(ties=ties)) == Duel(Outcome.PUSH, 0)


@pytest.mark.parametrize("text", LADDER)
def test_g20_every_tie_is_a_push_if_the_house_says_so(text: str) -> None:
    assert duel(text, text, GnauRules(ties=Ties.PUSH)) == Duel(Outcome.PUSH, 0)


@given(hands(), hands(), house_rules())
def test_g17_what_the_player_gains_the_banker_loses(
    one: tuple[Card, ...], other: tuple[Card, ...], rules: HouseRules
) -> None:
    first, second = evaluate(one, rules), evaluate(other, rules)
    assume(first.strength != second.strength or value_of(rules, "ties") is Ties.PUSH)

    assert settle(first, second, rules).units + settle(second, first, rules).units == 0


@given(hands(), hands(), house_rules())
def test_the_outcome_says_who_gains(
    player: tuple[Card, ...], banker: tuple[Card, ...], rules: HouseRules
) -> None:
    settled = settle(evaluate(player, rules), evaluate(banker, rules), rules)

    sign = {Outcome.PLAYER: 1, Outcome.PUSH: 0, Outcome.BANKER: -1}[settled.outcome]
    assert (settled.units > 0) - (settled.units < 0) == sign


@given(hands(decks=2), hands(decks=2), house_rules())
def test_b02_nobody_loses_more_than_the_largest_multiple(
    player: tuple[Card, ...], banker: tuple[Card, ...], rules: HouseRules
) -> None:
    settled = settle(evaluate(player, rules), evaluate(banker, rules), rules)

    assert abs(settled.units) <= largest_multiple(rules)
