from typing import Any

import pytest

from bot.games.knobs import KNOBS, PRESETS, knobs_of
from bot.games.register import DEFAULT_GAME, GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import MOST_CHIPS, GameName, HouseBank, Knob
from bot.words.rules import (
    banker_words,
    bets_words,
    knob_list_words,
    overview_words,
    own_rules_words,
    payout_words,
    ranking_words,
    rules_name,
    stakes_lines,
    terms_words,
)
from bot.words.translation import NO_BREAK
from tests.games.presets import WIKIPEDIA

LONGEST = 3_500
FIRST_CHANNEL = 1_200_000_000_000_000_000
"""As long as the ids are that Discord gives out."""

PLAYED = [(game, knob) for game in GAMES for knob in knobs_of(game) if knob.kind != "channels"]
"""Each game with each knob that it is played by."""


def pages(rules: HouseRules) -> list[str]:
    """All pages of *How to play*."""
    texts = [ranking_words(rules), payout_words(rules, None), banker_words(rules), knob_list_words(rules)]
    return ["\n".join(overview_words(rules)), *texts, terms_words(rules)]


def rules_text(rules: HouseRules) -> str:
    return "\n".join(pages(rules))


def settings(knob: Knob) -> list[Any]:
    """Every setting of a knob; where it has a number, the least and the most, and so with channels."""
    if knob.kind == "on or off":
        return [False, True]
    if knob.kind == "channels":
        return [(), tuple(FIRST_CHANNEL + place for place in range(knob.most or 0))]
    return list(knob.choices) or [knob.least, knob.most]


def turned(game: GameName = DEFAULT_GAME, **knobs: Any) -> HouseRules:
    rules: HouseRules = GAMES[game].rules.model_validate(knobs)
    return rules


def test_every_setting_of_every_knob_reads_differently() -> None:
    for game, knob in PLAYED:
        texts = [rules_text(turned(game, **{knob.name: setting})) for setting in settings(knob)]

        assert len(set(texts)) == len(texts) >= 2


def test_every_knob_is_listed_in_the_words_of_its_declaration() -> None:
    told_together = ("multiple", "lowest_stake", "highest_stake", "house_highest")
    for game, knob in PLAYED:
        assert knob.description
        if not knob.name.startswith(told_together):
            assert knob.description in rules_text(turned(game=game))


@pytest.mark.parametrize("game", GAMES)
def test_knobs_about_channels_and_of_other_games_are_not_listed(game: GameName) -> None:
    text = rules_text(turned(game=game, channels=[FIRST_CHANNEL], log_channel=[FIRST_CHANNEL]))

    assert str(FIRST_CHANNEL) not in text
    assert not [knob.name for knob in KNOBS.values() if game not in knob.games and knob.description in text]


def test_a_knob_is_listed_with_its_value() -> None:
    text = rules_text(turned(flex_3_6=False, direction="counter-clockwise", opening_chips=2500, ties="push"))

    assert "- **off** · A 3 or a 6 can count as either 3 or 6." in text
    assert "- **counter-clockwise** · Which way hands are dealt around the table." in text
    assert "- **2,500** · Chips that a new member starts with." in text
    assert "- **nobody** · Who wins a tie: the banker, or nobody (a push)." in text
    assert "A tie is a push: nobody wins." in text
    richest = rules_text(turned(opening_chips=MOST_CHIPS))
    assert "- **1,000,000,000** · Chips that a new member starts with." in richest


OF_HOUSE, OF_MEMBER = (
    "Against the house you can bet",
    "Against a member who banks you can bet what they allow:",
)


@pytest.mark.parametrize(
    ("knobs", "told"),
    [
        ({}, [f"{OF_HOUSE} 1 to 150 chips.", f"{OF_MEMBER} 1 chip or more."]),
        (
            {"lowest_stake": 5, "highest_stake": 50},
            [f"{OF_HOUSE} 5 to 50 chips.", f"{OF_MEMBER} 5 to 50 chips"],
        ),
        ({"house_bank": "off"}, [f"{OF_MEMBER} 1 chip or more."]),
        ({"house_bank": "only", "house_highest": MOST_CHIPS}, [f"{OF_HOUSE} 1 chip or more."]),
    ],
)
def test_what_may_be_bet_is_told_in_one_line(knobs: dict[str, Any], told: list[str]) -> None:
    rules = turned(**knobs)
    lines = [line for line in knob_list_words(rules).splitlines() if "you can bet" in line]
    assert lines == [f"- {bets_words(rules)}"]
    assert all(one in bets_words(rules) for one in told)
    assert bets_words(rules).count("Against") == len(told)
    assert bets_words(rules) in payout_words(rules, None)
    assert "Against the house" not in rules_text(turned(play="points"))


@pytest.mark.parametrize("game", GAMES)
def test_the_text_fits_a_message_whatever_the_rules(game: GameName) -> None:
    longest = turned(game=game)
    for knob in knobs_of(game):
        ways = [
            longest.model_copy(update={knob.name: value})
            for value in (
                getattr(turned(game, **{knob.name: setting}), knob.name) for setting in settings(knob)
            )
        ]
        longest = max(ways, key=lambda rules: len(rules_text(rules)))

    assert max(map(len, pages(longest))) <= LONGEST


def test_the_stakes_of_a_game_are_those_of_the_house() -> None:
    def told(**knobs: Any) -> list[str]:
        return "\n".join(stakes_lines(turned(**knobs))).replace(NO_BREAK, " ").splitlines()

    best, loss, ties = told(multiple_double_ox=9, ties="push")
    assert best == "- Best hands: `1` **Double-Ox K–A** ×9 · `2` **Five Dukes** ×7 · `3` **Five Small** ×7"
    assert loss.endswith("multiple: up to ×9.")
    assert ties == "- A tie is a push: nobody wins."
    _, bonus, loss, _ = told(suited_bonus="five")
    assert bonus.startswith("- **all five cards** · Which cards must have one suit"), bonus
    assert loss.endswith("up to ×10."), "a suited Ngau Tonku"
    best, loss, _ = told(play="points")
    assert "`1` **Five Dukes** 7 · " in best
    assert loss == "- A loss costs the points of the **banker's** hand: up to 7."


def listed(rules: HouseRules) -> list[str]:
    """The hands that the text lists, with their multiples."""
    return [line.split(":")[0] for line in rules_text(rules).splitlines() if line[0].isdigit()]


def test_the_hands_that_are_played_are_listed_in_their_order_with_their_multiples() -> None:
    assert listed(WIKIPEDIA) == [
        "1. **Five Dukes** ×7",
        "2. **Five Small** ×7",
        "3. **Ngau Tonku** ×5",
        "4. **Double-Ox K–A** ×3",
        "5. **Ox of 10** ×1",
        "6. **Ox of 9 to 1** ×1",
        "7. **No Ox**",
    ]
    assert [name[3:] for name in listed(turned(five_small=False, ngau_tonku=False))] == [
        "**Five Dukes** ×7",
        "**Double-Ox K–A** ×3",
        "**Ox of 10** ×1",
        "**Ox of 9 to 1** ×1",
        "**No Ox**",
    ]


def test_each_class_is_listed_with_the_multiple_of_its_own_knob() -> None:
    names = ("five_dukes", "five_small", "ngau_tonku", "double_ox", "ox_of_ten", "single_ox")
    knobs: dict[str, Any] = {f"multiple_{name}": 16 - place for place, name in enumerate(names)}

    told = [line.split("×")[1] for line in listed(turned(**knobs)) if "×" in line]
    assert told == ["16", "15", "14", "13", "12", "11"]


@pytest.mark.parametrize(
    ("knob", "off", "on"),
    [
        ("five_dukes_tens", "all five are J, Q or K", "all five are 10, J, Q or K"),
        ("tonku_tens", "with A♠ and a J, Q or K as power", "with A♠ and a 10, J, Q or K as power"),
        ("mixed_double", "power cards of the same rank; K", "power cards of the same rank, or 3 and 6; K"),
    ],
)
def test_a_class_is_described_as_the_house_plays_it(knob: str, off: str, on: str) -> None:
    without, with_it = (rules_text(turned("gnau", **{knob: on})) for on in (False, True))

    assert off in without
    assert on not in without
    assert on in with_it
    assert off not in with_it


def test_rules_are_named_after_their_preset_or_as_house_rules() -> None:
    assert rules_name(WIKIPEDIA) == "Wikipedia"
    assert rules_name(turned(multiple_double_ox=4)) == "House rules"
    assert "house rules (Wikipedia)\n" in rules_text(WIKIPEDIA)
    own = [rules_name(rules) for rules in PRESETS.values()]
    assert len({*own, "House rules"}) == len(own) + 1


def test_g22_the_text_speaks_of_points_when_playing_for_points() -> None:
    text = rules_text(turned(play="points", multiple_ngau_tonku=5))

    assert "3. **Ngau Tonku**, 5 points: an ox" in text
    assert "6. **Ox of 9 to 1**, 1 point: an ox" in text
    assert "No chips are bet: the loser gives the winner the points that the winner's hand is worth" in text
    assert "is held" not in text


@pytest.mark.parametrize(
    ("knobs", "sentence"),
    [
        ({"arrange": "automatic"}, "The strongest way to arrange your cards counts."),
        (
            {"arrange": "assisted"},
            "You may choose the three of your ox; if you don't, the strongest way counts.",
        ),
        ({"arrange": "strict"}, "You may choose the three of your ox, and mistakes stand; if you"),
        ({"flex_3_6": False}, "2 to 9 count as their number"),
        ({"flex_3_6": True}, "a 3 can count as a 6"),
        (
            {"triple_ox": False},
            "**No Ox**: no three cards add up to 10, 20 or 30; it loses to every other hand\n",
        ),
        ({"triple_ox": True}, "no three cards add up to 10, 20 or 30, or have the same rank; it loses"),
        ({"ties": "banker"}, "The banker wins a tie, but two Five Dukes or two No Ox are a push"),
        ({"ties": "push"}, "A tie is a push: nobody wins.\n"),
        (
            {"multiple_five_dukes": 11},
            "Until the round is settled, 11\xa0× your bet is held: the most you can lose.",
        ),
        ({"game": "tau-ngau"}, "Equal scores are a push: nobody wins.\n"),
        ({"game": "tau-ngau", "ties": "banker"}, "The banker wins if the scores are equal"),
        ({"game": "niu-niu"}, "Between equal hands the highest card wins"),
        ({"game": "niu-niu", "niu_ties": "banker"}, "If hands are equal, the banker wins.\n"),
        ({"game": "niu-niu", "niu_ties": "push"}, "Equal hands are a push: nobody wins.\n"),
        (
            {"game": "tau-ngau", "wild_in_score": True},
            "each counts as 3 or 6 in discard and score",
        ),
        (
            {"game": "tau-ngau", "wild_in_score": False},
            "each counts as 3 or 6 in the discard, and as its own pips in the score",
        ),
        (
            {"game": "tau-ngau", "bank_passes": "stays"},
            "The banker keeps the bank until they give it up.",
        ),
        (
            {"game": "tau-ngau", "bank_passes": "every-round"},
            "After every round the bank passes to the player on the banker's right.",
        ),
        (
            {"game": "tau-ngau", "bank_passes": "after-ox"},
            "A banker with a discard passes the bank to the player on their right; one without keeps it.",
        ),
        (
            {"game": "tau-ngau", "bank_passes": "after-no-ox"},
            "A banker without a discard passes the bank to the player on their right; one with",
        ),
    ],
)
def test_b05_t08_t10_the_text_describes_the_game_as_the_house_plays_it(
    knobs: dict[str, Any], sentence: str
) -> None:
    assert sentence in rules_text(turned(**knobs))


def test_t02_t03_t09_how_tau_ngau_goes() -> None:
    text = rules_text(PRESETS["tau-ngau"])

    assert text.startswith("### How to play Tau Ngau\n")
    assert "- 2 to 5 players bet against the banker" in text
    assert "Dice pick the first banker: the highest roll." in text
    only = PRESETS["tau-ngau"].model_copy(update={"house_bank": HouseBank.ONLY})
    assert "Dice pick" not in rules_text(only)
    assert "five of the 32 tiles.\n" in text
    assert "The higher score wins, even money." in text
    assert "Equal scores are a push: nobody wins." in text
    assert "1. **Score 9 to 0**: a discard" in text
    assert "2. **No discard**: no three tiles add up to 10, 20 or 30; it loses to every other hand" in text
    assert "Until the round is settled, your bet is held: the most you can lose." in text


@pytest.mark.parametrize(
    ("knobs", "told"),
    [
        ({"multiple_double_ox": 7}, "House rules: Double-Ox K–A ×7"),
        ({"five_dukes_tens": True}, "House rules"),
        (
            {
                "multiple_five_dukes": 8,
                "multiple_five_small": 8,
                "multiple_ngau_tonku": 6,
                "multiple_single_ox": 2,
            },
            "House rules: Five Dukes ×8, Five Small ×8, Ngau Tonku ×6…",
        ),
    ],
)
def test_house_rules_name_the_hands_that_pay_otherwise_than_usual(knobs: dict[str, Any], told: str) -> None:
    assert own_rules_words(turned(**knobs)) == told
