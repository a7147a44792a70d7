"""Niu Niu, clause by clause (N01 to N10)."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given

from bot.games.hands import arrangements, declared, evaluate, is_ox, totals
from bot.games.house import UNCHANGED
from bot.games.knobs import preset_of
from bot.games.niu_niu import NIU_NIU
from bot.games.niu_niu.rules import NiuNiuClass, NiuNiuRules, NiuTies
from bot.games.settle import Duel, Outcome, largest_multiple
from bot.rules.cards import RANKS, Card, deck, parse_cards
from bot.rules.knobs import Play
from bot.rules.pieces import HAND_SIZE
from tests.games.niu_niu_hands import class_and_value, duel, hand, points, verdict
from tests.games.presets import NIU_NIU_PRESET
from tests.houses import value_of

from .strategies import hands, house_rules

FIVE_SMALL = "AH AD 2S 2C 4H"
FIVE_FLOWERS = "JH QD KS JC QC"
NIU_NIU_HAND = "10C JC QC 4D 6H"
NIU_9 = "10C JC QC 4D 5H"
NIU_8 = "10C JC QC 3D 5H"
NIU_7 = "10C JC QC 3D 4H"
NIU_6 = "10C JC QC 2D 4H"
NO_NIU = "AS 2H 4C 8D 9S"
OTHER_NO_NIU = "AD 2C 4H 8S 9H"

ORDERED = [
    (FIVE_SMALL, NiuNiuClass.FIVE_SMALL, 0),
    *[
        (f"{rank}H {rank}D {rank}S {rank}C {'QD' if rank == 'K' else 'KD'}", NiuNiuClass.BOMB, value)
        for value, rank in reversed(list(enumerate(RANKS, 1)))
    ],
    (FIVE_FLOWERS, NiuNiuClass.FIVE_FLOWERS, 0),
    (NIU_NIU_HAND, NiuNiuClass.NIU, 10),
    (NIU_9, NiuNiuClass.NIU, 9),
    (NIU_8, NiuNiuClass.NIU, 8),
    (NIU_7, NiuNiuClass.NIU, 7),
    (NIU_6, NiuNiuClass.NIU, 6),
    ("10C JC QC 2D 3H", NiuNiuClass.NIU, 5),
    ("10C JC QC AD 3H", NiuNiuClass.NIU, 4),
    ("10C JC QC AD 2H", NiuNiuClass.NIU, 3),
    ("10C JC QC AD AH", NiuNiuClass.NIU, 2),
    ("10C JC QC AD KH", NiuNiuClass.NIU, 1),
    (NO_NIU, NiuNiuClass.NO_NIU, 0),
]
"""Hands from the strongest to the weakest, with their class and value (N04)."""


# The cards, and the niu


@pytest.mark.parametrize("text", ["", "AS 2H 3D 4C", "AS 2H 3D 4C 5C 6C"])
def test_n01_a_hand_is_five_cards(text: str) -> None:
    with pytest.raises(ValueError, match=f"is 5 cards, not {len(text.split())}"):
        evaluate(parse_cards(text), NIU_NIU_PRESET)


def test_n01_an_ace_counts_1_a_10_and_a_picture_10_and_the_others_their_number() -> None:
    assert points("AH 2H 3H 4H 5H 6H 7H") == [(1,), (2,), (3,), (4,), (5,), (6,), (7,)]
    assert points("8H 9H 10H JH QH KH") == [(8,), (9,), (10,), (10,), (10,), (10,)]


@pytest.mark.parametrize(
    ("hands_dealt", "fewest", "decks"), [(2, 1, 1), (10, 1, 1), (11, 1, 2), (20, 1, 2), (2, 3, 3), (11, 3, 3)]
)
def test_n01_one_deck_serves_ten_hands_and_more_hands_bring_more_decks(
    hands_dealt: int, fewest: int, decks: int
) -> None:
    pack = NIU_NIU.pack(hands_dealt, NiuNiuRules(decks=fewest))

    assert Counter(pack) == Counter(dict.fromkeys(deck(), decks))


def test_n01_one_player_and_a_banker_who_volunteers_are_enough() -> None:
    assert NIU_NIU.fewest_players == 1
    assert not NIU_NIU.rolls_for_bank


@pytest.mark.parametrize("three", ["AH 2D 7S", "2H 8D KS", "10H JD QS", "5H 7D 8S", "2H 9D 9S", "KH KD KS"])
def test_n02_three_cards_that_total_a_multiple_of_ten_are_a_niu(three: str) -> None:
    assert is_ox(parse_cards(three), NIU_NIU_PRESET)


@pytest.mark.parametrize("three", ["AH 2D 8S", "2H 8D 9S", "JH QD 9S", "5H 5D 5S", "9H 9D 9S"])
def test_n02_three_cards_of_another_total_are_no_niu(three: str) -> None:
    assert not is_ox(parse_cards(three), NIU_NIU_PRESET)


def test_n02_a_hand_with_a_niu_has_three_cards_of_it_and_two_left() -> None:
    best = hand("5H 4C 7D 2S 8H")

    assert best.ox == parse_cards("5H 7D 8H")
    assert best.power == parse_cards("4C 2S")


@pytest.mark.parametrize(
    ("left", "number"),
    [
        ("AD KH", 1),
        ("2D 9H", 1),
        ("2D QH", 2),
        ("4D 9H", 3),
        ("5D 9H", 4),
        ("AD 4H", 5),
        ("7D 9H", 6),
        ("8D 9H", 7),
        ("9D 9H", 8),
        ("4D 5H", 9),
        ("9D KH", 9),
    ],
)
def test_n03_the_number_is_the_last_digit_of_the_total_of_the_two_left(left: str, number: int) -> None:
    assert class_and_value(f"10C JC KC {left}") == (NiuNiuClass.NIU, number)


@given(hands(decks=2), house_rules("niu-niu"))
def test_n03_every_way_to_make_a_niu_gives_the_same_number(
    cards: tuple[Card, ...], rules: NiuNiuRules
) -> None:
    last_digit = sum(sum(totals([card], rules)) for card in cards) % 10
    of_nius = {(one.hand_class, one.value) for one in arrangements(cards, rules) if one.ox}

    assert of_nius <= {(NiuNiuClass.NIU, last_digit or 10)}


# The order, and the hands that need no niu


def test_n04_hands_rank_as_the_order_lists_them() -> None:
    made = [hand(text) for text, _, _ in ORDERED]

    assert [(one.hand_class, one.value) for one in made] == [(kind, value) for _, kind, value in ORDERED]
    strengths = [one.strength for one in made]
    assert strengths == sorted(set(strengths), reverse=True)


@pytest.mark.parametrize("ties", NiuTies)
def test_n04_the_better_hand_wins_whatever_its_cards(ties: NiuTies) -> None:
    for (stronger, _, _), (weaker, _, _) in combinations(ORDERED, 2):
        assert duel(stronger, weaker, niu_ties=ties).outcome is Outcome.PLAYER, (stronger, weaker)
        assert duel(weaker, stronger, niu_ties=ties).outcome is Outcome.BANKER, (stronger, weaker)


@pytest.mark.parametrize(
    "text", ["AH AD 2S 2C 4H", "AH 2D 2S 2C 3H", "AH AD AS 3C 4H", "AH AD AS AC 2H", "2H 2D 2S 2C AH"]
)
def test_n05_five_from_ace_to_4_that_total_10_or_less_are_five_small(text: str) -> None:
    best = hand(text)

    assert (best.hand_class, best.value) == (NiuNiuClass.FIVE_SMALL, 0)
    assert (best.ox, best.power) == ((), ())


@pytest.mark.parametrize("rank", RANKS)
def test_n06_four_cards_of_one_rank_are_a_bomb(rank: str) -> None:
    for lone in (other for other in ("5", "9", "K") if other != rank):
        best = hand(f"{rank}H {rank}D {lone}C {rank}S {rank}C")

        assert (best.hand_class, best.value) == (NiuNiuClass.BOMB, RANKS.index(rank) + 1)
        assert (best.ox, best.power) == ((), ())


@pytest.mark.parametrize("text", ["JH QD KS JC QC", "JH JD JS KC KH", "KH KD KS QC JH"])
def test_n07_five_of_jack_queen_king_are_five_flowers(text: str) -> None:
    best = hand(text)

    assert (best.hand_class, best.value) == (NiuNiuClass.FIVE_FLOWERS, 0)
    assert (best.ox, best.power) == ((), ())


def test_n07_a_ten_is_no_flower() -> None:
    assert hand("10H QD KS JC QC").hand_class is not NiuNiuClass.FIVE_FLOWERS


# What hands win


def test_n08_the_multiples_of_the_preset() -> None:
    assert [hand(text).multiple for text, _, _ in ORDERED] == [8, *[6] * 13, 5, 4, 3, 2, 2, *[1] * 6, 1]
    assert preset_of(NIU_NIU_PRESET) == "niu-niu"


@pytest.mark.parametrize(
    ("knob", "priced"),
    [
        ("multiple_five_small", range(1)),
        ("multiple_bomb", range(1, 14)),
        ("multiple_five_flowers", range(14, 15)),
        ("multiple_niu_niu", range(15, 16)),
        ("multiple_niu_9", range(16, 17)),
        ("multiple_niu_8", range(17, 18)),
        ("multiple_niu_7", range(18, 19)),
        ("multiple_low_niu", range(19, 25)),
        ("multiple_no_niu", range(25, 26)),
    ],
)
def test_n08_each_hand_wins_the_multiple_of_its_own_knob(knob: str, priced: range) -> None:
    multiples = [hand(text, **{knob: 19}).multiple for text, _, _ in ORDERED]

    assert [place for place, multiple in enumerate(multiples) if multiple == 19] == list(priced)


def test_n08_at_a_table_for_points_hands_score_by_the_preset_whatever_the_house_has_set() -> None:
    house = UNCHANGED.with_knob("bomb", "off")
    for knob in ("multiple_niu_niu", "multiple_no_niu", "multiple_five_small"):
        house = house.with_knob(knob, "17")
    scored, played = house.rules("niu-niu", Play.POINTS), house.rules("niu-niu")

    assert [evaluate(parse_cards(text), scored).multiple for text in (NIU_NIU_HAND, NO_NIU)] == [4, 1]
    assert [evaluate(parse_cards(text), played).multiple for text in (NIU_NIU_HAND, NO_NIU)] == [17, 17]
    assert (scored.play, value_of(scored, "bomb")) == (Play.POINTS, False)
    assert (largest_multiple(scored), largest_multiple(played)) == (8, 17)


@given(hands(decks=2), house_rules("niu-niu"))
def test_b02_no_hand_of_niu_niu_wins_more_than_the_largest_multiple(
    cards: tuple[Card, ...], rules: NiuNiuRules
) -> None:
    assert all(1 <= made.multiple <= largest_multiple(rules) for made in arrangements(cards, rules))


# Equal hands


@pytest.mark.parametrize(("higher", "lower"), ["SH", "HC", "CD"])
def test_n09_within_one_rank_spades_beat_hearts_beat_clubs_beat_diamonds(higher: str, lower: str) -> None:
    one, other = f"K{higher} 10C JC 4D 5H", f"K{lower} 10D JD 4C 5S"

    assert duel(one, other) == Duel(Outcome.PLAYER, 3)
    assert duel(other, one) == Duel(Outcome.BANKER, -3)


@pytest.mark.parametrize(
    ("player", "banker", "multiple"),
    [
        ("KS 10C JC 4D 5H", "KS 10D JD 4C 5S", 3),
        ("9H 9D 9S 9C 3D", "9H 9D 9S 9C 2D", 6),
        ("AS AD 2S 2C 4H", "AH AC 2H 2D 4H", 8),
        ("KS QH QS JC JH", "KS KC JD QD QC", 5),
        ("AS 2H 4C 8D 9S", "AD 2C 4H 8S 9S", 1),
    ],
    ids=["niu", "bomb", "five small", "five flowers", "no niu"],
)
def test_n09_in_two_decks_the_same_highest_card_in_both_hands_is_a_push(
    player: str, banker: str, multiple: int
) -> None:
    assert hand(player).strength == hand(banker).strength
    assert duel(player, banker, niu_ties=NiuTies.CARDS) == Duel(Outcome.PUSH, 0)
    assert duel(player, banker, niu_ties=NiuTies.PUSH) == Duel(Outcome.PUSH, 0)
    assert duel(player, banker, niu_ties=NiuTies.BANKER) == Duel(Outcome.BANKER, -multiple)


def test_n09_a_hand_names_its_highest_card_only_if_it_can_decide() -> None:
    (king,) = parse_cards("KD")

    assert hand("10C KD JC 4D 5H").high == king
    assert hand("10C KD JC 4D 5H", niu_ties=NiuTies.BANKER).high is None
    assert hand("10C KD JC 4D 5H", niu_ties=NiuTies.PUSH).high is None


@pytest.mark.parametrize("multiple", [1, 3])
def test_n10_no_niu_against_no_niu_is_decided_by_the_highest_card(multiple: int) -> None:
    knobs = {"multiple_no_niu": multiple}

    assert duel(NO_NIU, OTHER_NO_NIU, **knobs) == Duel(Outcome.PLAYER, multiple)
    assert duel(OTHER_NO_NIU, NO_NIU, **knobs) == Duel(Outcome.BANKER, -multiple)
    assert duel(NO_NIU, OTHER_NO_NIU, niu_ties=NiuTies.BANKER, **knobs) == Duel(Outcome.BANKER, -multiple)
    assert duel(NO_NIU, OTHER_NO_NIU, niu_ties=NiuTies.PUSH, **knobs) == Duel(Outcome.PUSH, 0)


# Hands that players arrange themselves


def test_b04_a_wrong_three_is_no_niu() -> None:
    cards = parse_cards(NIU_9)

    assert verdict(declared(cards, (0, 1, 2), NIU_NIU_PRESET)) == ("Niu", 9)
    wrong = declared(cards, (0, 1, 3), NIU_NIU_PRESET)
    assert (verdict(wrong), wrong.multiple, wrong.ox) == (("No Niu", 0), 1, ())
    assert wrong.high == evaluate(cards, NIU_NIU_PRESET).high


@pytest.mark.parametrize("text", ["4H 4D 2C 4S 4C", FIVE_SMALL, FIVE_FLOWERS])
def test_b04_a_hand_that_needs_no_niu_counts_for_any_declared_three(text: str) -> None:
    cards = parse_cards(text)

    for three in combinations(range(HAND_SIZE), 3):
        assert declared(cards, three, NIU_NIU_PRESET) == evaluate(cards, NIU_NIU_PRESET)
