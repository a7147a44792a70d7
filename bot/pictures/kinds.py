"""The kinds of pieces: what a picture needs to know of a game's. A game is registered here to be drawn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from PIL import Image

from bot.pictures import cards, tiles
from bot.pictures.cuts import Cut
from bot.rules.cards import card_name
from bot.rules.knobs import GameName
from bot.rules.pieces import Piece
from bot.rules.tiles import WILD, tile_text

P = TypeVar("P", bound=Piece)
C = TypeVar("C", bound=Cut)


@dataclass(frozen=True, eq=False, kw_only=True)
class Kind(Generic[P, C]):
    """The pieces of a game, as pictures and their texts show them.

    Attributes:
        large: the cut of one hand alone.
        small: the cut of many hands.
        face: draws a piece turned up.
        back: draws one face down.
        name: what a piece is called in an alternative text.
        wild: the pieces that the picture marks as wild.
    """

    large: C
    small: C
    face: Callable[[P, C], Image.Image]
    back: Callable[[C], Image.Image]
    name: Callable[[P], str]
    wild: frozenset[P] = frozenset()


KINDS: Final[Mapping[GameName, Kind[Any, Any]]] = MappingProxyType(
    {
        GameName.GNAU: Kind(
            large=cards.LARGE, small=cards.SMALL, face=cards.card_face, back=cards.card_back, name=card_name
        ),
        GameName.TAU_NGAU: Kind(
            large=tiles.LARGE,
            small=tiles.SMALL,
            face=tiles.tile_face,
            back=tiles.tile_back,
            name=tile_text,
            wild=WILD,
        ),
    }
)
"""The pieces of each game."""
