"""Names of games, presets and the values of knobs."""

from collections.abc import Sequence
from typing import TypeAlias

from bot.games.house import Values
from bot.games.knob_list import KNOBS, Knob
from bot.games.knob_text import parse_knob
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName
from bot.rules.wrong_rules import WrongRuleError
from bot.words.catalogue import MESSAGES
from bot.words.translation import translate

Setting: TypeAlias = bool | int | str | Sequence[int]


def game_title(game: GameName) -> str:
    """The name of a game: `Gnau`, `Tau Ngau`."""
    return translate(f"game.{game}")


def preset_title(preset: str | None) -> str:
    """The name of a preset: `Wikipedia`; `House rules` for None.

    Raises:
        KeyError: there is no such preset.
    """
    return translate(f"preset.{preset or 'none'}")


def knob_words(knob: Knob, game: GameName) -> str:
    """What a knob does in a game, in one sentence."""
    code = f"knob.{knob.name}"
    of_game = f"{code}.{game}"
    return translate(of_game if of_game in MESSAGES else code)


def setting_words(rules: Values, knob: str) -> str:
    """The value of a knob or a setting as members read it: `on`, `2,500`, `after every round`, `<#1234>`.

    Raises:
        AttributeError: there is no such knob.
    """
    return _words(KNOBS[knob], getattr(rules, knob), rules.game if isinstance(rules, HouseRules) else None)


def text_words(knob: str, text: str, game: str | None = None) -> str:
    """A value that is written as text, as `setting_words`; as it is written if this version does not know it.

    Args:
        knob: the knob's name; this version may not know it.
        text: the value, as `knob_text` writes it.
        game: whose value it is; None for all games.
    """
    try:
        name, value = parse_knob(knob, text)
    except WrongRuleError:
        return text
    return _words(KNOBS[name], value, game)


def _words(knob: Knob, value: Setting, game: str | None) -> str:
    if isinstance(value, bool):
        return translate("setting.on" if value else "setting.off")
    if knob.choices:
        code = f"setting.{knob.name}.{value}"
        of_game = f"{code}.{game}"
        return translate(of_game if of_game in MESSAGES else code)
    if isinstance(value, str):
        return value or translate(f"setting.text_{knob.empty}")
    if isinstance(value, Sequence):
        named = " ".join(translate("setting.channel", channel=channel) for channel in value)
        return named or translate(f"setting.channels_{knob.empty}")
    if not value and knob.empty:
        return translate(f"setting.number_{knob.empty}")
    return translate("setting.number", setting=value)
