"""The knobs, the preset and the seats of Tau Ngau."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About, BankPasses, Ties, knob, worth

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 5
"""Three to six play, the banker among them (T02)."""


class TauNgauRules(HouseRules):
    """The house rules of Tau Ngau. The defaults are the preset `tau-ngau`."""

    game: Literal["tau-ngau"] = "tau-ngau"
    game_version: Literal[1] = 1

    wild_in_score: bool = worth(True, "T08", "4‑2 and 2‑1 count as 3 or 6 in the score too.")
    ties: Ties = worth(Ties.PUSH, "T09", "Who wins a tie: the banker, or nobody (a push).")

    bank_passes: BankPasses = knob(
        BankPasses.AFTER_OX, "T10", "When the bank passes to the player on the banker's right.", About.ROUND
    )


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({"tau-ngau": {}})
"""The rules of PAGAT."""
