from itertools import product
from typing import Any

import pytest

from bot.games.gnau import GNAU
from bot.games.gnau.rules import GnauRules
from bot.games.knobs import KNOBS, PRESETS, SETTINGS, parse_knob, settable
from bot.games.register import GAMES
from bot.games.tau_ngau.rules import TauNgauRules
from bot.rules.knobs import MOST_CHIPS, Knob
from bot.rules.server_settings import ServerSettings
from bot.words.catalogue import MESSAGES
from bot.words.po_files import locales
from bot.words.rules import (
    game_title,
    knob_meant,
    knob_title,
    preset_title,
    setting_words,
    text_words,
    value_meant,
)
from bot.words.translation import Reader, speaking_to


@pytest.mark.parametrize(
    ("knob", "value", "words"),
    [
        ("flex_3_6", False, "off"),
        ("decks", 2, "2"),
        ("opening_chips", 2500, "2,500"),
        ("bank_passes", "after-ox", "after the banker has an ox"),
        ("suited_bonus", "ox", "the three cards of the ox"),
        ("dealing", "my-hand", "only with My hand"),
        ("channels", (), "all"),
        ("channels", (12, 7), "<#7> <#12>"),
        ("log_channel", (), "off"),
        ("log_channel", (7,), "<#7>"),
    ],
)
def test_the_value_of_a_knob_in_words(knob: str, value: Any, words: str) -> None:
    assert setting_words(GnauRules.model_validate({knob: value}), knob) == words


def test_a_game_may_have_its_own_word_for_a_value() -> None:
    tau_ngau = TauNgauRules.model_validate({"bank_passes": "after-ox"})
    assert setting_words(tau_ngau, "bank_passes") == "after the banker has a discard"
    own = [code.split(".") for code in MESSAGES if code.startswith("setting.") and code.count(".") == 3]
    assert own
    assert all(game in set(GAMES) and f"setting.{knob}.{choice}" in MESSAGES for _, knob, choice, game in own)


@pytest.mark.parametrize(
    "knob", [knob for knob in KNOBS.values() if knob.choices], ids=lambda knob: knob.name
)
def test_the_choices_of_a_knob_have_different_names(knob: Knob) -> None:
    values = ServerSettings if knob in SETTINGS else GAMES[knob.games[0]].rules
    told = [setting_words(values.model_validate({knob.name: choice}), knob.name) for choice in knob.choices]

    assert len(set(told)) == len(told) >= 2


def test_there_are_words_for_every_choice_and_no_other() -> None:
    said = {code for code in MESSAGES if code.startswith("setting.") and code.count(".") == 2}

    assert said == {f"setting.{knob.name}.{choice}" for knob in KNOBS.values() for choice in knob.choices}


def test_games_and_presets_have_names() -> None:
    assert [game_title(game) for game in ("gnau", "tau-ngau")] == ["Gnau", "Tau Ngau"]
    assert [preset_title(preset) for preset in GNAU.presets] == ["Wikipedia", "Points", "Lodige"]
    for names in ([game_title(game) for game in GAMES], [preset_title(preset) for preset in PRESETS]):
        assert len(set(names)) == len(names)
    assert preset_title(None) == "House rules"
    with pytest.raises(KeyError):
        preset_title("no such preset")


@pytest.mark.parametrize("locale", locales())
def test_rules_and_values_may_be_typed_as_they_are_shown(locale: str) -> None:
    readers = Reader(locale), Reader()
    for knob, one in product(settable(), readers):
        game = knob.games[-1]
        with speaking_to(one):
            title = knob_title(knob.name)
            texts = [*(knob.choices or ("on", "off"))] if knob.least is None else ["1234", str(MOST_CHIPS)]
            texts = [it for it in [*texts, knob.empty] if it and text_words(knob.name, it, game) != it]
            shown = {it: text_words(knob.name, it, game) for it in texts}
        assert knob_meant(f" {title.upper()}", readers) == knob_meant(knob.name, readers) == knob.name
        for text, words in shown.items():
            meant = value_meant(knob.name, f" **{words.upper()}** ", game, readers)
            assert parse_knob(knob.name, meant) == parse_knob(knob.name, text)
            assert value_meant(knob.name, text, game, readers) == text


def test_what_no_rule_and_no_value_is_called_stays_as_it_was_typed() -> None:
    readers = Reader("de"), Reader()
    assert knob_meant("Wer arrangiert", readers) == "Wer arrangiert"
    assert value_meant("no_rule", "an", None, readers) == "an"
    assert value_meant("arrange", "nobody", None, readers) == "nobody"
    assert value_meant("opening_chips", "2,5", None, readers) == "2,5"
    assert value_meant("opening_chips", "2.500", None, readers) == "2500"
    assert value_meant("opening_chips", "2.500", None, readers[1:]) == "2.500"
    assert value_meant("bank_passes", "after the banker has a discard", None, readers) == "after-ox"
