"""How kinds of hands stand is what the rules say of each of them."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.odds.faces import faces_of
from bot.odds.kinds import kinds, numbers_of
from bot.odds.standings import Standings, standings_of, worth_alone
from bot.rules.game import HAND_SIZE, Hand, HandClass
from bot.rules.gnau import GnauClass
from bot.rules.hands import arrangements, evaluate
from bot.rules.knobs import BankPasses, GameName, HouseRules, SuitedBonus
from bot.rules.pieces import Piece
from bot.rules.presets import TAU_NGAU_PRESET, WIKIPEDIA
from bot.rules.tau_ngau import TauNgauClass
from tests.rules.draws import hands, house_rules
from tests.sizes import sized

from .small_decks import TURNED, TURNED_TAU_NGAU

FACES = {game: faces_of(game).faces for game in GameName}
KINDS = {game: kinds(len(faces), HAND_SIZE).tolist() for game, faces in FACES.items()}
MOST_KINDS = max(map(len, KINDS.values()))

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
    """One suit for all would be a suit that pays, so the bonus is left out."""
    faces = FACES[rules.game]
    plain = rules.model_copy(update={"suited_bonus": SuitedBonus.OFF})
    return evaluate([faces[face] for face in KINDS[rules.game][kind]], plain)


def facts(hand: Hand) -> tuple[GameName, HandClass, int, int]:
    return hand.game, hand.hand_class, hand.value, hand.multiple


any_rules = st.one_of([house_rules(game) for game in GameName])


@given(any_rules, st.lists(st.integers(0, MOST_KINDS - 1), min_size=30, max_size=30))
def test_any_kind_under_any_rules_is_what_the_rules_make_of_it(rules: HouseRules, some: list[int]) -> None:
    standings = standings_of(rules)

    for number in some:
        kind = number % len(KINDS[rules.game])
        assert facts(standing(kind, standings)) == facts(evaluated(kind, rules)), kind


@pytest.mark.parametrize(
    "rules",
    [TURNED["wikipedia"], TURNED_AT_ONCE, *TURNED_TAU_NGAU.values()],
    ids=["wikipedia", "turned", *TURNED_TAU_NGAU],
)
def test_every_kind_is_what_the_rules_make_of_it(rules: HouseRules) -> None:
    standings = standings_of(rules)

    for kind, faces in list(enumerate(KINDS[rules.game]))[:: sized(97, 1)]:
        assert facts(standing(kind, standings)) == facts(evaluated(kind, rules)), faces


@given(any_rules)
def test_g16_t08_calls_stand_in_their_order(rules: HouseRules) -> None:
    standings = standings_of(rules)
    strengths = [call.strength for call in standings.calls]

    assert strengths == sorted(set(strengths)) == standings.strengths.tolist()


@given(any_rules)
def test_g21_only_hands_with_an_ox_are_ever_doubled(rules: HouseRules) -> None:
    without = {GnauClass.NO_OX, GnauClass.FIVE_SMALL, GnauClass.FIVE_DUKES, TauNgauClass.STUCK}
    standings = standings_of(rules)

    for call, doubled in zip(standings.calls, standings.doubled, strict=True):
        assert doubled.strength == call.strength
        assert doubled.multiple == call.multiple * (1 if call.hand_class in without else 2)


@given(hands(), house_rules())
def test_the_strongest_oxen_are_those_of_the_strongest_arrangements(
    cards: tuple[Piece, ...], rules: HouseRules
) -> None:
    standings = standings_of(rules)
    faces = standings.faces
    dealt = sorted(cards, key=lambda card: int(faces.of_piece[card]))
    kind = int(numbers_of(faces.of_piece[np.array([dealt])], len(faces.faces))[0])
    strength = evaluate(cards, rules).strength
    strongest = [hand.ox for hand in arrangements(dealt, rules) if hand.ox and hand.strength == strength]

    found = [
        tuple(dealt[place] for place in ox)
        for ox, of_kind in zip(combinations(range(HAND_SIZE), 3), standings.splits, strict=True)
        if of_kind[kind]
    ]

    assert found == strongest


def test_what_no_worth_hangs_on_is_left_out() -> None:
    hosted = HouseRules(seats=3, decks=4, wild_in_score=False, bank_passes=BankPasses.AFTER_OX)

    assert worth_alone(hosted) == WIKIPEDIA
    assert worth_alone(HouseRules(mixed_double=True)) == HouseRules(mixed_double=True)
    assert standings_of(hosted) is standings_of(WIKIPEDIA)
    assert standings_of(TAU_NGAU_PRESET) is not standings_of(WIKIPEDIA)
