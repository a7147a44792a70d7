"""`gnau hand`: evaluates five pieces, for people and for programs."""

import json
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("--preset points", {"multiple": 2}),
        ("--set multiple-double-ox=20", {"multiple": 20}),
        ("--set flex_3_6=off", {"class": "single_ox", "value": 9, "multiple": 1}),
        ("--set flex_3_6=off --set multiple_single_ox=4", {"value": 9, "multiple": 4}),
    ],
)
def test_presets_and_knobs_change_the_answer(words: str, changed: dict[str, Any]) -> None:
    told = answer("hand", EXAMPLE, *words.split())
    assert {key: told[key] for key in changed} == changed


@pytest.mark.parametrize("more", [["--decks", "2"], ["--set", "decks=2"]])
def test_g01_a_card_can_come_once_from_each_deck(more: list[str]) -> None:
    assert answer("hand", "KD KD QS 5H 5S", *more)["class"] == "double_ox"


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


@pytest.mark.parametrize(
    "written",
    [
        "3s 6d 8c 4h 8d",
        "  3♠ 6♦  8♣ 4♥ 8♦ ",
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
