"""Names of games, presets and the values of knobs."""

from enum import StrEnum
from typing import TypeAlias

from bot.games.house import Values
from bot.games.knob_list import KNOBS, Knob
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName
from bot.words.catalogue import MESSAGES
from bot.words.translation import translate

Setting: TypeAlias = bool | int | str | tuple[int, ...]


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
    value: Setting = getattr(rules, knob)
    if isinstance(value, bool):
        return translate("setting.on" if value else "setting.off")
    if isinstance(value, StrEnum):
        code = f"setting.{knob}.{value}"
        of_game = f"{code}.{rules.game}" if isinstance(rules, HouseRules) else code
        return translate(of_game if of_game in MESSAGES else code)
    if isinstance(value, str):
        return value or translate(f"setting.text_{KNOBS[knob].empty}")
    if isinstance(value, tuple):
        named = " ".join(translate("setting.channel", channel=channel) for channel in value)
        return named or translate(f"setting.channels_{KNOBS[knob].empty}")
    if not value and KNOBS[knob].empty:
        return translate(f"setting.number_{KNOBS[knob].empty}")
    return translate("setting.number", setting=value)
