"""The named sets of house rules."""

from types import MappingProxyType
from typing import Final

from bot.rules.knobs import HouseRules

WIKIPEDIA: Final = HouseRules()
"""The rules and the payouts of the Wikipedia article "Gnau" (G18)."""

PRESETS: Final = MappingProxyType({"wikipedia": WIKIPEDIA})
"""Every preset by the name members know it by."""


def preset_of(rules: HouseRules) -> str | None:
    """The name of the preset that these rules are, however tables are run; None where they are none."""
    game = rules.model_dump(exclude=set(HouseRules.hosting()))
    return next(
        (name for name, preset in PRESETS.items() if game.items() <= preset.model_dump().items()), None
    )
