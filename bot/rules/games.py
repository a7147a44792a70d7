"""The register of all games, by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from bot.rules.game import Game
from bot.rules.gnau import GNAU
from bot.rules.knobs import GameName, HouseRules
from bot.rules.tau_ngau import TAU_NGAU

GAMES: Final[Mapping[GameName, Game[Any]]] = MappingProxyType({game.name: game for game in (GNAU, TAU_NGAU)})


def game_of(rules: HouseRules) -> Game[Any]:
    """The game of these rules."""
    return GAMES[rules.game]
