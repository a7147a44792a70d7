"""How the pieces of each game look: sizes and renderers. A game needs an entry here to have pictures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from PIL import Image

from bot.pictures import cards, tiles
from bot.pictures.layout import PieceSize
from bot.rules.cards import card_name
from bot.rules.knobs import GameName
from bot.rules.pieces import Piece
from bot.rules.tiles import WILD, tile_text

P = TypeVar("P", bound=Piece)
C = TypeVar("C", bound=PieceSize)


@dataclass(frozen=True, eq=False, kw_only=True)
class PieceArt(Generic[P, C]):
    """How the pieces of one game look, in pictures and in their alternative texts.

    Attributes:
        large: the size for a picture of one hand, and for the banker.
        small: the size for a picture of many hands.
        face: renders a piece face up.
        back: renders a piece face down.
        name: the name of a piece in an alternative text.
        wild: the pieces that the picture marks as wild.
    """

    large: C
    small: C
    face: Callable[[P, C], Image.Image]
    back: Callable[[C], Image.Image]
    name: Callable[[P], str]
    wild: frozenset[P] = frozenset()


PIECE_ART: Final[Mapping[GameName, PieceArt[Any, Any]]] = MappingProxyType(
    {
        GameName.GNAU: PieceArt(
            large=cards.LARGE, small=cards.SMALL, face=cards.card_face, back=cards.card_back, name=card_name
        ),
        GameName.TAU_NGAU: PieceArt(
            large=tiles.LARGE,
            small=tiles.SMALL,
            face=tiles.tile_face,
            back=tiles.tile_back,
            name=tile_text,
            wild=WILD,
        ),
    }
)
"""The entry of each game."""
