"""The register of all games, by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Union

from pydantic import Field

from bot.games.contract import Game
from bot.games.gnau import GNAU
from bot.games.niu_niu import NIU_NIU
from bot.games.registration import registered
from bot.games.tau_ngau import TAU_NGAU
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName

GAMES: Final[Mapping[GameName, Game[Any, Any]]] = MappingProxyType(
    registered(
        GNAU,
        TAU_NGAU,
        NIU_NIU,
    )
)
"""Every game by its name; the first is played where nobody names one."""

DEFAULT_GAME: Final[GameName] = next(iter(GAMES))

if TYPE_CHECKING:
    AnyHouseRules = HouseRules
else:
    AnyHouseRules = Annotated[
        Union[tuple(game.rules for game in GAMES.values())],  # noqa: UP007 - the games are not known to the parser
        Field(discriminator="game"),
    ]
"""House rules of any game, as a type for pydantic: what is stored says which game it is of."""


def game_of(rules: HouseRules) -> Game[Any, Any]:
    """The game of these rules."""
    return GAMES[rules.game]
