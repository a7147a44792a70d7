import re
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauRules
from bot.games.hands import arrangements, declared, evaluate
from bot.games.knobs import PRESETS
from bot.games.niu_niu.rules import NiuNiuRules
from bot.games.register import GAMES, game_of
from bot.games.settle import ranked_hands
from bot.rules.cards import card_name, parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SuitedBonus
from bot.rules.pieces import Hand, HandRank, Piece
from bot.rules.tiles import parse_tiles
from bot.words.hands import (
    against_lines,
    explanation,
    hand_name,
    hand_words,
    meaning_lines,
    rank_name,
    row_of,
    rule_words,
    teaching_words,
    way_words,
    why_no_ox_words,
    why_words,
)
from tests.games.presets import LODIGE, TAU_NGAU_PRESET, WIKIPEDIA

LONGEST = 3_500
PAYS = "If it wins, it pays the bet."
LAST_DIGIT = "Only the last digit counts; 0 counts 10."


@pytest.mark.parametrize(
    ("cards", "name", "words"),
    [
        ("JH QD KS JC QC", "Five Dukes", "J♥ Q♦ K♠ J♣ Q♣"),
        ("AH 2D 3S 4C 3H", "Five Small", "A♥ 2♦ 3♠ 4♣ 3♥"),
        ("AS 5H 7D KC 8H", "Ngau Tonku", "5♥ 7♦ 8♥ + A♠ K♣"),
        ("5C 7C 8C KD KH", "Double-Ox K", "5♣ 7♣ 8♣ + K♦ K♥"),
        ("5C 7C 8C AD AH", "Double-Ox A", "5♣ 7♣ 8♣ + A♦ A♥"),
        ("5C 10D 7C 8C 10H", "Double-Ox 10", "5♣ 7♣ 8♣ + 10♦ 10♥"),
        ("5C 4D 7C 8C 2C", "Ox of 6", "5♣ 7♣ 8♣ + 4♦ 2♣"),
        ("5C 7C 8C 9D AC", "Ox of 10", "5♣ 7♣ 8♣ + 9♦ A♣"),
        ("AH 5H 7D KC 8H", "Nenku (Ox of 1)", "5♥ 7♦ 8♥ + A♥ K♣"),
        ("AH 5H 7D 10C 8H", "Ox of 1", "5♥ 7♦ 8♥ + A♥ 10♣"),
        ("4H 4D 3C 8S 5H", "No Ox", "4♥ 4♦ 3♣ 8♠ 5♥"),
    ],
)
def test_a_hand_has_its_name_and_its_cards_split_into_ox_and_power(cards: str, name: str, words: str) -> None:
    hand = evaluate(parse_cards(cards), WIKIPEDIA)

    assert hand_name(hand) == name
    assert hand_words(hand) == words


def test_g04_under_rules_a_card_says_what_it_counts_if_that_is_not_what_it_looks_like() -> None:
    hand = evaluate(parse_cards("3C KH 4H 2D 3S"), WIKIPEDIA)
    assert hand_name(hand) == "Ox of 8"
    assert hand_words(hand, WIKIPEDIA) == "3♣(6) K♥ 4♥ + 2♦ 3♠(6)"


@pytest.mark.parametrize(
    ("tiles", "name", "words"),
    [
        ("6-5 4-4 6-1 5-5 1-1", "Score 8", "[4‑4] [5‑5] [1‑1] + [6‑5] [6‑1]"),
        ("1-1 1-1 2-2 2-2 5-5", "Score 2", "[1‑1] [2‑2] [2‑2] + [1‑1] [5‑5]"),
        ("6-6 6-6 5-3 4-4 1-1", "No discard", "[6‑6] [6‑6] [5‑3] [4‑4] [1‑1]"),
    ],
)
def test_t11_a_hand_of_tiles_has_its_name_and_its_discard_set_apart(
    tiles: str, name: str, words: str
) -> None:
    hand = evaluate(parse_tiles(tiles), TAU_NGAU_PRESET)

    assert hand_name(hand) == name
    assert hand_words(hand) == words


def test_g21_the_name_of_a_suited_hand_says_so() -> None:
    hand = evaluate(parse_cards("AH 7C 2H 7H 5D"), GnauRules(suited_bonus=SuitedBonus.OX))

    assert hand_name(hand) == "Ox of 2 (suited)"


def test_hands_that_score_differently_have_different_names() -> None:
    scored = [HandRank(row.hand_class, value) for row in ranked_hands(WIKIPEDIA) for value in row.values]

    assert len({rank_name(rank, "gnau") for rank in scored}) == len(scored) == 27


@pytest.mark.parametrize(("cards", "small"), [*product(["AH 2D 3S 4C 3H", "5C 7C 8C 3D 6H"], [True, False])])
def test_every_card_of_a_hand_is_listed_once(cards: str, small: bool) -> None:
    hand = evaluate(parse_cards(cards), GnauRules(five_small=small, mixed_double=True))

    told = hand_words(hand).replace(" + ", " ").split(" ")
    assert sorted(told) == sorted(card_name(card) for card in parse_cards(cards))


def why_cards(text: str, **knobs: Any) -> list[str]:
    return why_words(parse_cards(text), GnauRules.model_validate(knobs)).splitlines()


def why_tiles(text: str) -> list[str]:
    return why_words(parse_tiles(text), TAU_NGAU_PRESET).splitlines()


def test_g23_every_way_of_the_worked_example_is_listed_strongest_first() -> None:
    assert why_cards("3S 6D 8C 4H 8D") == [
        "1. **Double-Ox 8** ×3:",
        "   - 3♠ 6♦(3) 4♥ = 10 · left: 8♣ 8♦",
        "2. **Ox of 9** ×1:",
        "   - 8♣ 4♥ 8♦ = 20 · left: 3♠ 6♦",
        "3. **Ox of 2** ×1:",
        "   - 3♠(6) 6♦ 8♣ = 20 · left: 4♥ 8♦",
    ]


@pytest.mark.parametrize(
    ("pieces", "rules", "said"),
    [
        (parse_cards("4S 3H KC KD 7S"), WIKIPEDIA, f"10 + 7 = 17 → 7: **Ox of 7**. {LAST_DIGIT} {PAYS}"),
        (parse_cards("4S KH 6C JD QS"), WIKIPEDIA, f"10 + 10 = 20 → 10: **Ox of 10**. {LAST_DIGIT} {PAYS}"),
        (parse_cards("4S KH 6C 3D 7S"), WIKIPEDIA, "10: **Ox of 10**. If it wins"),
        (
            parse_cards("4S KH 6C KD QS"),
            NiuNiuRules(),
            "20 → 10: **Niu Niu**. Only the last digit counts; 0 is Niu Niu.",
        ),
        (parse_cards("AS 5H 7D KC 8H"), WIKIPEDIA, "A♠ K♣: **Ngau Tonku** (an ox, with A♠ and a J, Q or K"),
        (
            parse_cards("5C 7C 8C KD KH"),
            WIKIPEDIA,
            "left are K♦ K♥, two of the same rank: **Double-Ox K**. If",
        ),
        (parse_cards("JH QD KS JC QC"), WIKIPEDIA, "**Five Dukes**: all five are J, Q or K. If it wins"),
        (
            parse_cards("4H 4D 3C 8S 5H"),
            WIKIPEDIA,
            "10, 20 or 30, or have the same rank. It loses to every other hand.",
        ),
        (parse_tiles("4-3 3-3 6-1 2-1 2-2"), TAU_NGAU_PRESET, "[2‑1] [2‑2], 3 + 4 = 7: **Score 7**."),
        (
            parse_tiles("6-1 4-4 4-1 6-6 6-2"),
            TAU_NGAU_PRESET,
            "= 20 → 0: **Score 0**. Only the last digit counts. 0 is the lowest score, 9 the highest. If it",
        ),
    ],
)
def test_the_reason_of_a_name_is_its_total_or_its_rule(
    pieces: tuple[Piece, ...], rules: HouseRules, said: str
) -> None:
    """What it pays depends on winning: the text stands below hands that have lost, too."""
    assert said in rule_words(evaluate(pieces, rules), rules)


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (
            "4C AC 5S 8C QD",
            [
                "Your ox: **4 + 1 + 5 = 10**.",
                f"The two left are 8♣ Q♦, 8 + 10 = 18 → 8: **Ox of 8**. {LAST_DIGIT} {PAYS}",
            ],
        ),
        (
            "QD 4S 3H 8C AD",
            [
                "Your ox: **10 + 4 + 6 = 20**.",
                "3♥ counts as 6: a 3 can count as a 6, and a 6 as a 3.",
                "The two left are 8♣ A♦, 8 + 1 = 9: **Ox of 9**. If it wins, it pays the bet.",
            ],
        ),
        (
            "7H 7C 7D 9S KH",
            [
                "7♥ 7♣ 7♦: three of the same rank.",
                f"The two left are 9♠ K♥, 9 + 10 = 19 → 9: **Ox of 9**. {LAST_DIGIT} {PAYS}",
            ],
        ),
    ],
)
def test_the_only_way_to_arrange_a_hand_is_told_once(cards: str, told: list[str]) -> None:
    assert explanation(evaluate(parse_cards(cards), WIKIPEDIA), WIKIPEDIA) == told


def test_several_ways_are_listed_below_what_counts_and_the_threes_of_a_hand_without_an_ox() -> None:
    hand, none = (evaluate(parse_cards(cards), WIKIPEDIA) for cards in ("3S 6D 8C 4H 8D", "4H 4D 3C 8S 5H"))
    ox, odd, rule, title, *ways = explanation(hand, WIKIPEDIA)
    assert ox == "Your ox: **3 + 3 + 4 = 10**."
    assert odd == "6♦ counts as 3: a 3 can count as a 6, and a 6 as a 3."
    assert rule == rule_words(hand, WIKIPEDIA)
    assert title == "-# Other ways to arrange it, the strongest first:"
    others = "\n".join(ways).splitlines()
    assert others[0] == "1. **Ox of 9** ×1:"
    assert [line for line in others if line[0] == " "] == [
        line for line in why_cards("3S 6D 8C 4H 8D")[2:] if line[0] == " "
    ]
    either = "-# A 3 can count as a 6, and a 6 as a 3."
    assert explanation(none, WIKIPEDIA) == [
        rule_words(none, WIKIPEDIA),
        either,
        *why_cards("4H 4D 3C 8S 5H")[1:],
    ]
    elsewhere = explanation(evaluate(parse_cards("2D 2S 2C AD 6C"), WIKIPEDIA), WIKIPEDIA)
    assert elsewhere[2] == either, "the hand itself counts no 6 as a 3"
    wrong = declared(parse_cards("4C AC 5S 8C QD"), (0, 1, 3), WIKIPEDIA)
    assert "No Ox**: the three that were picked do not count" in explanation(wrong, WIKIPEDIA)[0]
    ways = "\n".join(explanation(wrong, WIKIPEDIA)[2:]).splitlines()
    assert ways == why_cards("4C AC 5S 8C QD"), "they chose no ox, but have one"


@pytest.mark.parametrize(
    ("cards", "named", "summed"),
    [
        (
            "4C AC 5S 8C QD",
            ["Your ox: **4 + 1 + 5 = 10**.", f"The two left: **8 + 10 = 18 → 8**. {LAST_DIGIT}"],
            1,
        ),
        (
            "KS 9D AC 8H 8S",
            ["Your ox: **10 + 9 + 1 = 20**.", "The two left have the same rank: **Double-Ox 8**."],
            1,
        ),
        (
            "7H 7C 7D AS KH",
            [
                "7♥ 7♣ 7♦: three of the same rank.",
                "Why: an ox, with A♠ and a J, Q or K as power cards.",
            ],
            1,
        ),
    ],
)
def test_below_its_name_a_hand_says_nothing_again(cards: str, named: list[str], summed: int) -> None:
    hand = evaluate(parse_cards(cards), WIKIPEDIA)
    assert explanation(hand, WIKIPEDIA, named=True)[: len(named)] == named
    assert explanation(hand, WIKIPEDIA, named=True, summed=True)[:summed] == named[:summed]
    assert named[-1] not in explanation(hand, WIKIPEDIA, named=True, summed=True)


def test_g15_below_its_name_a_hand_without_an_ox_has_what_every_three_total() -> None:
    none = evaluate(parse_cards("4H 4D 3C 8S 5H"), WIKIPEDIA)
    assert explanation(none, WIKIPEDIA, named=True) == explanation(none, WIKIPEDIA)[1:]
    wrong = declared(parse_cards("4C AC 5S 8C QD"), (0, 1, 3), WIKIPEDIA)
    assert "that were picked do not count" in explanation(wrong, WIKIPEDIA, named=True)[0]


def test_the_bankers_hand_is_told_with_both_totals() -> None:
    hand, double = (evaluate(parse_cards(cards), WIKIPEDIA) for cards in ("4C AC 5S 8C QD", "KS 9D AC 8H 8S"))
    assert way_words(hand, WIKIPEDIA) == "**Ox of 8**:\n4♣ A♣ 5♠ = 10 · left: 8♣ Q♦ = 18 → 8"
    assert way_words(double, WIKIPEDIA) == "**Double-Ox 8**:\nK♠ 9♦ A♣ = 20 · left: 8♥ 8♠"
    alike = evaluate(parse_cards("8H 8C 8D 9S 7H"), WIKIPEDIA)
    assert way_words(alike, WIKIPEDIA) == "**Ox of 6**:\n8♥ 8♣ 8♦ have the same rank · left: 9♠ 7♥ = 16 → 6"


def test_what_swaps_in_the_bankers_hand_is_explained_once() -> None:
    swaps, plain, told = (
        evaluate(parse_cards(cards), WIKIPEDIA)
        for cards in ("6C 7D 10H 8H QD", "4C AC 5S 8C QD", "QD 4S 3H 8C AD")
    )
    either = "-# A 3 can count as a 6, and a 6 as a 3."
    assert against_lines(swaps, plain, WIKIPEDIA) == [way_words(swaps, WIKIPEDIA), either]
    assert against_lines(swaps, told, WIKIPEDIA) == [way_words(swaps, WIKIPEDIA)]
    assert against_lines(plain, plain, WIKIPEDIA) == [way_words(plain, WIKIPEDIA)]
    # A 6 that counts 6 raises no question, but a gold star does.
    assert either not in explanation(evaluate(parse_cards("6C 9D 5H KS KC"), WIKIPEDIA), WIKIPEDIA)
    star, none = (
        evaluate(parse_tiles(tiles), TAU_NGAU_PRESET)
        for tiles in ("2-2 6-4 4-2 6-4 6-6", "5-5 2-2 3-3 3-3 1-1")
    )
    wild = "-# A tile with a gold star is wild: it counts as 3 or 6."
    assert explanation(star, TAU_NGAU_PRESET).count(wild) == 1
    assert against_lines(star, none, TAU_NGAU_PRESET)[1:] == [wild]
    assert against_lines(star, star, TAU_NGAU_PRESET)[1:] == []


def test_g04_a_3_that_counts_6_beside_the_ox_says_so() -> None:
    hand = evaluate(parse_cards("7C 3C KD 9C 3H"), WIKIPEDIA)
    told = explanation(hand, WIKIPEDIA)
    assert told[1] == "3♥ counts as 6: a 3 can count as a 6, and a 6 as a 3."
    another = explanation(evaluate(parse_cards("7C 3C KD 9C 6H"), WIKIPEDIA), WIKIPEDIA)
    assert "left: 3♣(6) 9♣" in another[-1], another


def test_g07_an_ox_of_one_rank_is_explained_as_one() -> None:
    assert why_cards("7H 7C 7D AS KH") == [
        "1. **Ngau Tonku** ×5:",
        "   - 7♥ 7♣ 7♦ have the same rank · left: A♠ K♥",
    ]


def test_g08_g09_hands_that_need_no_ox_are_listed_before_their_oxen() -> None:
    assert why_cards("JH QD KS JC QC")[0] == "1. **Five Dukes** ×7: all five are J, Q or K"
    assert why_cards("JH QD KS JC 10C", five_dukes_tens=True)[0].endswith("all five are 10, J, Q or K")
    assert why_cards("AH 2D 2S 2C 2H", triple_ox=False) == [
        "1. **Five Small** ×7: all five are A, 2, 3 or 4",
    ]


def test_g15_a_hand_without_an_ox_lists_what_every_three_total() -> None:
    told = why_cards("4H 4D 3C 8S 5H")

    assert told[0].startswith(
        "1. **No Ox**, which loses to every other hand: no three cards add up to 10, 20 or 30, or"
    )
    assert told[1:3] == ["Every three of them, added up:", "- 4♥ 4♦ 3♣: 11 or 14"]
    assert len(told) == 2 + 10


def test_g21_of_equally_strong_ways_the_suited_one_is_first() -> None:
    told = why_cards("7H 7C 7D AH KH", suited_bonus="power")
    assert told[0].startswith("1. **Nenku (Ox of 1) (suited)** ×2:")

    assert why_cards("AH 7C 2H 7H 5D", suited_bonus="ox", multiple_single_ox=2)[:4] == [
        "1. **Ox of 2 (suited)** ×4:",
        "   - A♥ 2♥ 7♥ = 10 · left: 7♣ 5♦",
        "2. **Ox of 2** ×2:",
        "   - A♥ 7♣ 2♥ = 10 · left: 7♥ 5♦",
    ]


def test_g11_of_equal_ways_the_one_that_counts_is_listed_first() -> None:
    told = why_cards("AC 3C 4C JC 10C")

    assert told[0].startswith("1. **Nenku (Ox of 1)** ×1:")
    assert told[2].startswith("2. **Ox of 1** ×1:")


def test_g11_nenku_is_explained_where_it_is_a_weaker_way() -> None:
    told = why_cards("AH KD 3C 7S 7H")
    assert told[0].startswith("1. **Ox of 8** ×1:")
    assert told[-1] == "-# Nenku: an ox that leaves an ace and a J, Q or K. It counts as an Ox of 1."
    assert not why_cards("AC 3C 4C JC 10C")[-1].startswith("-#"), "beside its own name stands what it means"


def test_g22_a_table_for_points_lists_hands_in_points() -> None:
    assert why_cards("3S 6D 8C 4H 8D", play="points")[:4] == [
        "1. **Double-Ox 8**, 3 points:",
        "   - 3♠ 6♦(3) 4♥ = 10 · left: 8♣ 8♦",
        "2. **Ox of 9**, 1 point:",
        "   - 8♣ 4♥ 8♦ = 20 · left: 3♠ 6♦",
    ]


def test_t05_wild_tiles_are_counted_as_the_discard_needs_them() -> None:
    assert why_tiles("6-5 6-1 4-2 2-1 1-1") == [
        "1. **Score 9**:",
        "   - [6‑5] [6‑1] [1‑1] = 20 · left: [4‑2] [2‑1]",
        "   - [6‑5] [4‑2] [2‑1] = 20 · left: [6‑1] [1‑1]",
    ]


def test_t06_a_hand_without_a_discard_lists_what_every_three_total() -> None:
    assert why_tiles("6-6 6-6 5-3 4-4 1-1") == [
        "1. **No discard**, which loses to every other hand: no three tiles add up to 10, 20 or 30",
        "Every three of them, added up:",
        "- [6‑6] [6‑6] [5‑3]: 32",
        "- [6‑6] [6‑6] [4‑4]: 32",
        "- [6‑6] [6‑6] [1‑1]: 26",
        "- [6‑6] [5‑3] [4‑4]: 28",
        "- [6‑6] [5‑3] [1‑1]: 22",
        "- [6‑6] [4‑4] [1‑1]: 22",
        "- [5‑3] [4‑4] [1‑1]: 18",
    ]


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("10S JH QC 8D AS", "The other two: **8 + 1 = 9**. That is **Ox of 9**."),
        ("10S JH QC 8D 5S", "The other two: **8 + 5 = 13**. The last digit counts: **Ox of 3**."),
    ],
)
def test_a_beginner_reads_of_the_last_digit_where_there_are_two(cards: str, told: str) -> None:
    assert told in teaching_words(evaluate(parse_cards(cards), WIKIPEDIA), WIKIPEDIA)


def test_equal_pieces_do_not_list_a_way_twice() -> None:
    assert why_tiles("1-1 1-1 2-2 2-2 5-5") == [
        "1. **Score 2**:",
        "   - [1‑1] [2‑2] [2‑2] = 10 · left: [1‑1] [5‑5]",
    ]
    # Which of the jacks is in the ox makes no other way.
    told = explanation(evaluate(parse_cards("7C 3C JD JH 9C"), WIKIPEDIA), WIKIPEDIA)
    assert "-# Other ways to arrange it, the strongest first:" not in told


EVERY_PRESET = {preset: rules for preset, rules in PRESETS.items() if preset != "points"}


@pytest.mark.parametrize("rules", EVERY_PRESET.values(), ids=EVERY_PRESET)
@given(data=st.data())
def test_every_arrangement_of_any_hand_is_listed_and_the_one_that_counts_is_first(
    rules: HouseRules, data: st.DataObject
) -> None:
    pack = game_of(rules).pack(11, rules)
    places = data.draw(st.lists(st.integers(0, len(pack) - 1), min_size=5, max_size=5, unique=True))
    pieces = [pack[place] for place in places]
    told = why_words(pieces, rules)

    assert told.startswith(f"1. **{hand_name(evaluate(pieces, rules))}**")
    assert len(told) <= LONGEST
    told = re.sub(r"\([36]\)", "", told)
    for hand in arrangements(pieces, rules):
        assert f"**{hand_name(hand)}**" in told
        assert any(row_of(ox, rules.game) in told for ox in permuted(hand))


def permuted(hand: Hand) -> list[tuple[Piece, ...]]:
    """The ox, and those of pieces that count the same, which may stand for it."""

    def faces(three: tuple[Piece, ...]) -> list[Piece]:
        return sorted(map(GAMES[hand.game].face, three))

    threes = combinations(hand.pieces, 3)
    return [three for three in threes if faces(three) == faces(hand.ox)] if hand.ox else [()]


@pytest.mark.parametrize(
    ("cards", "rules", "words"),
    [
        ("7S 8D 3C", WIKIPEDIA, "7♠ 8♦ 3♣ total 18 or 21: not a multiple of 10, and not of the same rank"),
        ("7S 7D 7C", LODIGE, "7♠ 7♦ 7♣ total 21: not a multiple of 10"),
        ("3S 6D 2C", WIKIPEDIA, "3♠ 6♦ 2♣ total 8, 11 or 14: not a multiple of 10, and not of the same rank"),
    ],
)
def test_b04_a_wrong_three_is_explained(cards: str, rules: HouseRules, words: str) -> None:
    assert why_no_ox_words(parse_cards(cards), rules) == words


def test_names_that_say_little_to_a_beginner_are_explained_where_they_are_answers() -> None:
    ranks = [evaluate(parse_cards(hand), WIKIPEDIA).rank for hand in ("JC JD QH KS QC", "KH QS JD 2C 5D")]
    assert meaning_lines(ranks, WIKIPEDIA) == ["-# **Five Dukes ×7**: all five are J, Q or K"]
    tonku = evaluate(parse_cards("10H JC 10C AS KD"), WIKIPEDIA).rank
    said = "-# **Ngau Tonku ×5**: an ox, with A♠ and a J, Q or K as power cards"
    assert meaning_lines([*ranks[1:], tonku], WIKIPEDIA) == [said]
    great, low = (evaluate(parse_cards(hand), WIKIPEDIA) for hand in ("10H JC 10C AS KD", "KH QS JD 2C 5D"))
    assert against_lines(great, low, WIKIPEDIA) == [way_words(great, WIKIPEDIA), said]
    assert said not in against_lines(great, great, WIKIPEDIA), "their own is explained already"
    scores = [HandRank(row.hand_class, row.values[0]) for row in ranked_hands(TAU_NGAU_PRESET)]
    assert not meaning_lines(scores, TAU_NGAU_PRESET), "no hand wins more than another"


def test_b04_a_wrong_three_of_tiles_is_explained() -> None:
    wrong = why_no_ox_words(parse_tiles("6-5 4-2 5-5"), TAU_NGAU_PRESET)

    assert wrong == "[6‑5] [4‑2] [5‑5] total 24 or 27: not a multiple of 10"


def test_an_ox_has_no_reason_to_be_none() -> None:
    with pytest.raises(ValueError, match="7♠ 7♦ 7♣ are an ox"):
        why_no_ox_words(parse_cards("7S 7D 7C"), WIKIPEDIA)
