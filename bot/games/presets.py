"""The named sets of house rules."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from bot.games.knob_list import knobs_of
from bot.rules.knobs import About, BankPasses, GameName, HouseRules, Ties

_DIFFERENCES: Final[dict[str, dict[str, Any]]] = {
    "wikipedia": {},
    "points": {
        "multiple_five_dukes": 10,
        "multiple_five_small": 10,
        "multiple_ngau_tonku": 5,
        "multiple_double_ox": 2,
        "multiple_single_ox": 1,
    },
    "lodige": {
        "triple_ox": False,
        "five_small": False,
        "five_dukes_tens": True,
        "mixed_double": True,
        "multiple_five_dukes": 10,
        "multiple_ngau_tonku": 5,
        "multiple_double_ox": 2,
        "multiple_single_ox": 1,
    },
    "tau-ngau": {
        "game": GameName.TAU_NGAU,
        "ties": Ties.PUSH,
        "bank_passes": BankPasses.AFTER_OX,
        "wild_in_score": True,
    },
}
"""How each preset differs from the knobs' defaults."""

PRESETS: Final[Mapping[str, HouseRules]] = MappingProxyType(
    {name: HouseRules(**differences) for name, differences in _DIFFERENCES.items()}
)
"""Every preset by its name."""

WIKIPEDIA: Final = PRESETS["wikipedia"]
"""The rules and the payouts of the Wikipedia article "Gnau" (G18)."""
POINTS: Final = PRESETS["points"]
"""The same rules with the scores of casual play (G19)."""
LODIGE: Final = PRESETS["lodige"]
"""The rules of lodige.com."""
TAU_NGAU_PRESET: Final = PRESETS["tau-ngau"]
"""Tau Ngau by the rules of PAGAT."""

DEFAULT_PRESETS: Final[Mapping[GameName, str]] = MappingProxyType(
    {GameName.GNAU: "wikipedia", GameName.TAU_NGAU: "tau-ngau"}
)
"""The preset of each game in a house that has not chosen one."""


def with_overrides(preset: str, overrides: Mapping[str, Any]) -> HouseRules:
    """The rules of a preset, with some knobs changed.

    Raises:
        KeyError: if there is no such preset.
        pydantic.ValidationError: if a knob is unknown, a value is not allowed, or knobs contradict each
        other.
    """
    return HouseRules(**(_DIFFERENCES[preset] | dict(overrides)))


def preset_of(rules: HouseRules) -> str | None:
    """The name of the preset with these rules, or None. Knobs about hosting do not matter."""
    return next((name for name, preset in PRESETS.items() if _is(rules, preset)), None)


def _is(rules: HouseRules, preset: HouseRules) -> bool:
    named = (knob.name for knob in knobs_of(rules.game, About.WORTH, About.ROUND))
    return rules.game is preset.game and all(getattr(rules, name) == getattr(preset, name) for name in named)
