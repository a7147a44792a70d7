"""`gnau hand`: evaluates five pieces, for people and for programs."""

import json
from itertools import pairwise
from typing import Any

import pytest

from bot.games.knobs import PRESETS
from bot.games.register import game_of
from tests.cli.runner import EXAMPLE, answer, ask
from tests.cli.schemas import HAND, check


def test_g23_the_worked_example_is_a_double_ox_8() -> None:
    assert answer("hand", EXAMPLE) == {
        "class": "double_ox",
        "value": 8,
        "name": "Double-Ox 8",
        "ox": ["3S", "6D", "4H"],
        "power": ["8C", "8D"],
        "multiple": 3,
        "suited": False,
        "strength": 40,
        "high": None,
        "tie_break": 0,
    }


@pytest.mark.parametrize(
    ("pieces", "hand_class", "value", "name", "multiple"),
    [
        ("4S 4D 3H 8C 5S", "no_ox", 0, "No Ox", 0),
        ("10S 4D 6H 8C 5S", "single_ox", 3, "Ox of 3", 1),
        ("10S 4D 6H 5C 5S", "double_ox", 5, "Double-Ox 5", 3),
        ("10S 4D 6H KC KS", "double_ox", 13, "Double-Ox K", 3),
        ("10S 4D 6H AS KS", "ngau_tonku", 0, "Ngau Tonku", 5),
        ("10S 4D 6H AC KS", "single_ox", 1, "Nenku (Ox of 1)", 1),
        ("AS 2D 2H 3C 4S", "five_small", 0, "Five Small", 7),
        ("JS QD KH KC JD", "five_dukes", 0, "Five Dukes", 7),
    ],
)
def test_g16_each_class_has_its_name(
    pieces: str, hand_class: str, value: int, name: str, multiple: int
) -> None:
    told = answer("hand", pieces)
    check(told, HAND)
    assert (told["class"], told["value"], told["name"]) == (hand_class, value, name)
    assert told["multiple"] == multiple


def test_t11_the_worked_example_scores_8() -> None:
    told = answer("hand", "6-4 5-5 6-4 6-5 6-1", "--preset", "tau-ngau")
    check(told, HAND)
    assert told == {
        "class": "score",
        "value": 8,
        "name": "Score 8",
        "ox": ["6-4", "5-5", "6-4"],
        "power": ["6-5", "6-1"],
        "multiple": 1,
        "suited": False,
        "strength": told["strength"],
        "high": None,
        "tie_break": 0,
    }


def test_t06_tiles_without_a_discard_are_stuck() -> None:
    told = answer("hand", "6-6 1-1 1-1 5-5 6-5", "--preset", "tau-ngau")
    check(told, HAND)
    assert (told["class"], told["value"], told["ox"], told["multiple"]) == ("stuck", 0, [], 0)


def test_g16_strength_orders_hands_and_is_equal_for_a_tie() -> None:
    weakest_first = [
        "4S 4D 3H 8C 5S",
        "10S 4D 6H AC KS",
        "10S 4D 6H 8C 5S",
        "10S 4D 6H KC QS",
        "10S 4D 6H AC AS",
        "10S 4D 6H KC KS",
        "10S 4D 6H AS KS",
        "AS 2D 2H 3C 4S",
        "JS QD KH KC JD",
    ]
    strengths = [answer("hand", pieces)["strength"] for pieces in weakest_first]
    assert all(weaker < stronger for weaker, stronger in pairwise(strengths))
    assert answer("hand", "10D 4S 6C 8H 5H")["strength"] == strengths[2]


@pytest.mark.parametrize(
    "written", ["3S 6D TC 4H KD", "3s 6d 10c 4h kd", "3♠ 6♦ 10♣ 4♥ K♦", "  3S  6♦ Tc 4h kD "]
)
def test_cards_can_be_written_in_several_ways(written: str) -> None:
    assert answer("hand", written) == answer("hand", "3S", "6D", "10C", "4H", "KD")


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_answers_by_its_own_rules(preset: str) -> None:
    game = game_of(PRESETS[preset])
    pieces = " ".join(game.pieces.text(piece) for piece in game.pack(1, PRESETS[preset])[:5])
    check(answer("hand", pieces, "--preset", preset), HAND)


@pytest.mark.parametrize(("preset", "multiple"), [("wikipedia", 3), ("points", 2), ("lodige", 2)])
def test_g19_a_preset_decides_what_a_double_ox_wins(preset: str, multiple: int) -> None:
    assert answer("hand", EXAMPLE, "--preset", preset)["multiple"] == multiple


@pytest.mark.parametrize(
    ("settings", "changed"),
    [
        (["multiple_double_ox=20"], {"multiple": 20}),
        (["multiple-double-ox=20"], {"multiple": 20}),
        (["flex_3_6=off"], {"class": "single_ox", "value": 9, "multiple": 1}),
        (["flex_3_6=off", "multiple_single_ox=4"], {"class": "single_ox", "value": 9, "multiple": 4}),
    ],
)
def test_knobs_change_the_class_and_the_multiple(settings: list[str], changed: dict[str, Any]) -> None:
    told = answer("hand", EXAMPLE, *(word for setting in settings for word in ("--set", setting)))
    assert {key: told[key] for key in changed} == changed


def test_g21_a_suited_ox_pays_double_and_is_called_suited() -> None:
    told = answer("hand", "2S 3S 5S KD KC", "--set", "suited_bonus=ox")
    assert (told["suited"], told["multiple"], told["name"]) == (True, 6, "Double-Ox K (suited)")


@pytest.mark.parametrize("more", [["--decks", "2"], ["--set", "decks=2"]])
def test_g01_a_card_can_come_once_from_each_deck(more: list[str]) -> None:
    assert answer("hand", "KD KD QS 5H 5S", *more)["class"] == "double_ox"


def test_t01_a_civil_tile_can_come_twice() -> None:
    assert answer("hand", "5-5 6-4 5-5 6-4 1-1", "--preset", "tau-ngau")["value"] == 2


def test_the_table_has_every_arrangement_strongest_first() -> None:
    shown = ask("hand", EXAMPLE)
    assert shown.exit_code == 0
    names = ["Double-Ox 8", "Double-Ox 8", "Ox of 9", "Ox of 2", "Ox of 2"]
    places = []
    at = 0
    for name in names:
        at = shown.stdout.index(name, at) + 1
        places.append(at)
    assert places == sorted(places)
    assert "3♠ 6♦ 4♥ + 8♣ 8♦" in shown.stdout


def test_the_table_has_tiles_in_brackets() -> None:
    shown = ask("hand", "6-4 5-5 6-4 6-5 6-1", "--preset", "tau-ngau").stdout
    assert "[6‑5] [6‑1]" in shown
    assert "Discard" in shown
    assert "Ox" not in shown


def test_the_help_lists_every_preset() -> None:
    helped = " ".join(ask("hand", "--help").stdout.replace("│", " ").split())
    assert ", ".join(PRESETS) in helped


@pytest.mark.parametrize(
    "written",
    [
        "3♠️ 6♦️ 8♣️ 4♥️ 8♦️",
        "3♠︎ 6♦︎ 8♣︎ 4♥︎ 8♦︎",
        "3S, 6D, 8C, 4H, 8D",
        "3S,6D,8C,4H,8D,",
        "3s，6d，8c，4h，8d",
        "3S、6D、8C、4H、8D",
        "３Ｓ　６Ｄ　８Ｃ　４Ｈ　８ｄ",
        "3S\N{NO-BREAK SPACE}6D\N{NARROW NO-BREAK SPACE}8C 4H 8D",
        "\N{ZERO WIDTH NO-BREAK SPACE}3S 6D\N{ZERO WIDTH SPACE} 8C 4H 8D",
    ],
)
def test_cards_are_read_as_phones_and_asian_keyboards_write_them(written: str) -> None:
    assert answer("hand", written) == answer("hand", EXAMPLE)
    assert json.loads(ask("hand", "--stdin", stdin=written).stdout) == answer("hand", EXAMPLE)


@pytest.mark.parametrize(
    "written",
    [
        "６－４，５－５，６－４，６－５，６－１",
        "[6‑4] [5‑5] [6‑4] [6‑5] [6‑1]",
        "6–4 5–5 6–4 6–5 6−1",
        "６４、５５、６４、６５、６１",
    ],
)
def test_tiles_are_read_with_any_digits_and_dashes(written: str) -> None:
    tiles = "6-4 5-5 6-4 6-5 6-1"
    assert answer("hand", written, "--preset", "tau-ngau") == answer("hand", tiles, "--preset", "tau-ngau")


def test_json_is_plain_ascii() -> None:
    assert json.dumps(answer("hand", "3♠ 6♦ 8♣ 4♥ 8♦")).isascii()


def test_arrangements_that_only_swap_equal_pieces_appear_once() -> None:
    shown = ask("hand", "6-6 1-1 1-1 3-3 3-3", "--preset", "tau-ngau").stdout
    _, table = shown.split("Strength")
    assert table.count("Score 8") == 2
