"""The register of all games, by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from bot.games.contract import Game
from bot.games.gnau import GNAU
from bot.games.tau_ngau import TAU_NGAU
from bot.rules.knobs import GameName, HouseRules

GAMES: Final[Mapping[GameName, Game[Any]]] = MappingProxyType({game.name: game for game in (GNAU, TAU_NGAU)})


def game_of(rules: HouseRules) -> Game[Any]:
    """The game of these rules."""
    return GAMES[rules.game]
