"""The presets of the games, by the names that tests use."""

from typing import Final

from bot.games.gnau.rules import PRESETS, GnauRules
from bot.games.niu_niu.rules import NiuNiuRules
from bot.games.tau_ngau.rules import TauNgauRules

WIKIPEDIA: Final = GnauRules(**PRESETS["wikipedia"])
POINTS: Final = GnauRules(**PRESETS["points"])
LODIGE: Final = GnauRules(**PRESETS["lodige"])
TAU_NGAU_PRESET: Final = TauNgauRules()
NIU_NIU_PRESET: Final = NiuNiuRules()
