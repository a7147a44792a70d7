"""The named sets of house rules, of all games."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from bot.games.knob_list import knobs_of
from bot.games.register import GAMES, game_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About

PRESETS: Final[Mapping[str, HouseRules]] = MappingProxyType(
    {name: game.rules(**differences) for game in GAMES.values() for name, differences in game.presets.items()}
)
"""Every preset by its name, by game."""


def with_overrides(preset: str, overrides: Mapping[str, Any]) -> HouseRules:
    """The rules of a preset, with some knobs changed.

    Raises:
        KeyError: if there is no such preset.
        pydantic.ValidationError: if a knob is unknown, a value is not allowed, or knobs contradict each
        other.
    """
    game = game_of(PRESETS[preset])
    rules: HouseRules = game.rules(**{**game.presets[preset], **overrides})
    return rules


def preset_of(rules: HouseRules) -> str | None:
    """The name of the preset with these rules, or None. Knobs about hosting do not matter."""
    return next((name for name in game_of(rules).presets if _is(rules, PRESETS[name])), None)


def _is(rules: HouseRules, preset: HouseRules) -> bool:
    named = (knob.name for knob in knobs_of(rules.game, About.WORTH, About.ROUND))
    return all(getattr(rules, name) == getattr(preset, name) for name in named)
