"""How kinds of hands stand is what the rules say of each of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.odds.kinds import kinds
from bot.odds.standings import FACES, Standings, copies_of, standings_of
from bot.rules.cards import deck, parse_cards
from bot.rules.game import HAND_SIZE, Hand, HandClass
from bot.rules.hands import evaluate
from bot.rules.knobs import HouseRules
from tests.rules.draws import house_rules

from .small_decks import TURNED

KINDS = kinds(len(FACES), HAND_SIZE).tolist()

TURNED_AT_ONCE = HouseRules(
    flex_3_6=False,
    triple_ox=False,
    five_dukes_tens=True,
    five_small=False,
    tonku_tens=True,
    mixed_double=True,
)


def standing(kind: int, standings: Standings) -> Hand:
    return standings.calls[int(standings.places[kind])]


def evaluated(kind: int, rules: HouseRules) -> Hand:
    return evaluate([FACES[face] for face in KINDS[kind]], rules)


def facts(hand: Hand) -> tuple[HandClass, int, int]:
    return hand.hand_class, hand.value, hand.multiple


@settings(deadline=None)
@given(house_rules(), st.lists(st.integers(0, len(KINDS) - 1), min_size=30, max_size=30))
def test_any_kind_under_any_rules_is_what_the_rules_make_of_it(rules: HouseRules, some: list[int]) -> None:
    standings = standings_of(rules)

    for kind in some:
        assert facts(standing(kind, standings)) == facts(evaluated(kind, rules)), KINDS[kind]


@pytest.mark.slow
@pytest.mark.parametrize("rules", [TURNED["wikipedia"], TURNED_AT_ONCE], ids=["wikipedia", "turned"])
def test_every_kind_is_what_the_rules_make_of_it(rules: HouseRules) -> None:
    standings = standings_of(rules)

    for kind, faces in enumerate(KINDS):
        assert facts(standing(kind, standings)) == facts(evaluated(kind, rules)), faces


@settings(deadline=None)
@given(house_rules())
def test_g16_calls_stand_in_their_order(rules: HouseRules) -> None:
    strengths = [call.strength for call in standings_of(rules).calls]

    assert strengths == sorted(set(strengths))


def test_cards_are_sorted_by_rank_and_the_ace_of_spades() -> None:
    assert copies_of(deck()) == (3, *[4] * 12, 1)
    assert copies_of(deck(3)) == (9, *[12] * 12, 3)
    assert copies_of(parse_cards("AS AS AH 2S 2C KD")) == (1, 2, *[0] * 10, 1, 2)
